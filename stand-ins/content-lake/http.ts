/** HTTP beneath the endpoints: bounded bodies, responses, CORS, errors. Knows nothing of documents. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, LakeError, tooLarge } from './errors.ts'
import type { Identity } from './identity.ts'
import type { Json } from './documents.ts'

export const JSON_LIMIT = 5 * 1024 * 1024
export const ASSET_LIMIT = 50 * 1024 * 1024

/** One request: `path` without the API version, `version` such as '2026-11-01' or 'X' ('1' for v1). */
export type Call = {
  req: IncomingMessage
  res: ServerResponse
  method: string
  path: string
  version: string
  query: URLSearchParams
  who: Identity
}

export async function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The body as a JSON object or array; an empty one is `{}`. Throws 400 or 413. */
export async function readJson(req: IncomingMessage): Promise<Json> {
  const body = await readBody(req, JSON_LIMIT)
  if (body.length === 0) return {}
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Json
  } catch {
    // falls through
  }
  throw badRequest('The request body is not JSON')
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  res.end(text)
}

export function sendError(req: IncomingMessage, res: ServerResponse, cause: unknown): void {
  const known = cause instanceof LakeError
  const requestId = randomUUID()
  if (!known && !isGone(cause))
    console.error(`lake: ${req.method} ${req.url?.slice(0, 300)} failed (${requestId})`, cause)
  if (res.headersSent || res.destroyed) return void res.destroy()
  // After a body that was not read to its end, this connection cannot carry another request.
  if (!req.complete) res.setHeader('connection', 'close')
  const body = known
    ? cause.body
    : { statusCode: 500, error: 'Internal Server Error', message: 'An unexpected error occurred', requestId }
  sendJson(res, known ? cause.status : 500, body)
}

const isGone = (cause: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((cause as { code?: string }).code ?? '')

/** Allows the requesting page to read the answer; `identify`, not this, decides what it may see. Answers preflights. */
export function cors(req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers
  res.setHeader('vary', 'origin')
  res.setHeader('access-control-allow-origin', origin ?? '*')
  if (origin) res.setHeader('access-control-allow-credentials', 'true')
  res.setHeader('access-control-expose-headers', 'x-sanity-sha1, x-sanity-md5, content-disposition, content-range')
  res.setHeader('x-content-type-options', 'nosniff')
  if (req.method !== 'OPTIONS') return false
  res.writeHead(204, {
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '*',
    // Chromium asks before it lets a page reach this machine's network.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  })
  res.end()
  return true
}
