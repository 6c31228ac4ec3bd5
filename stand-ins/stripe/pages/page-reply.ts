// The request and reply of a page.
import { type IncomingHttpHeaders } from 'node:http'

export interface PageRequest {
  method: string
  path: string
  query: URLSearchParams
  body: string
  headers: IncomingHttpHeaders
}
export interface PageReply {
  status: number
  headers: Record<string, string>
  body: string
}

export const json = (status: number, body: unknown): PageReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body, null, 2),
})
