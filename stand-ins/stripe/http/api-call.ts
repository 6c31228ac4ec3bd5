// An API call, its answer, and the keys of the account.
export interface ApiRequest {
  method: string
  /** Without query, starting at `/v1`. */
  path: string
  query: string
  body: string
  authorization: string | undefined
  key: string | undefined
  origin: string
}
export interface ApiReply {
  status: number
  body: unknown
  headers: Record<string, string>
}
export interface Keys {
  secretKey: string
  publishableKey: string
}
