/** The error shapes of Sanity's API, as `@sanity/client` and the Studio parse them. */

/** One failed mutation inside a transaction. `index` is its place in the request. */
export type ErrorItem = { error: { type: string; description: string; [detail: string]: unknown }; index: number }

/** An answer other than 2xx: `status` is the HTTP status, `body` goes to the caller as JSON. */
export class LakeError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>, message: string) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** `{error: {type, description, …}}`: the shape of the data endpoints. */
export function apiError(status: number, type: string, description: string, detail: Record<string, unknown> = {}) {
  return new LakeError(status, { error: { type, description, ...detail }, statusCode: status }, description)
}

/** `{statusCode, error, message}`: the shape of the management endpoints and of authentication. */
export function httpError(status: number, error: string, message: string) {
  return new LakeError(status, { statusCode: status, error, message }, message)
}

/** A transaction that was not carried out because of one mutation in it. */
export function mutationError(
  status: number,
  type: string,
  description: string,
  detail: Record<string, unknown> = {},
  index = 0,
) {
  const items: ErrorItem[] = [{ error: { type, description, ...detail }, index }]
  return apiError(status, 'mutationError', `The mutation(s) failed: ${description}`, { items })
}

export const unauthorized = () => httpError(401, 'Unauthorized', 'Session not found')
export const notFound = (what: string) => httpError(404, 'Not Found', what)
export const badRequest = (description: string) => apiError(400, 'httpBadRequestError', description)
export const tooLarge = (limit: number) =>
  apiError(413, 'httpRequestTooLargeError', `The request body is larger than ${Math.round(limit / 1024 / 1024)} MB`)
