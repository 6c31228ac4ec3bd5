// The HTTP server: API calls, the pages of banks and wallets, the browser script, the operator pages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { KEEP_ALIVE, ownNamesOnly } from '../../../contract/listener.ts'
import { type Pages } from '../pages/pages.ts'
import { type Api } from './api.ts'

const MAX_BODY = 1_000_000

/** Reads a body of at most 1 MB as text; undefined when it is larger. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += (part as Buffer).length
    if (size > MAX_BODY) return undefined
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** The address under which the caller reached us, also through the site's front door. */
export function originOf(request: IncomingMessage, fallback: string): string {
  const host = first(request.headers['x-forwarded-host']) ?? request.headers.host
  const proto = first(request.headers['x-forwarded-proto'])?.split(',')[0] ?? 'http'
  return host && /^[\w.:[\]-]+$/.test(host) && /^https?$/.test(proto) ? `${proto}://${host}` : fallback
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-cache, no-store', ...headers })
  response.end(JSON.stringify(body, null, 2))
}

async function handle(request: IncomingMessage, response: ServerResponse, api: Api, pages: Pages): Promise<void> {
  // as sent, with no `..` resolved: the front door passes on only what begins with /_stripe/
  const [path = '/'] = (request.url ?? '/').split('?', 1)
  const query = (request.url ?? '').slice(path.length + 1)
  const method = request.method ?? 'GET'
  const own = path.startsWith('/_stripe/') ? path.slice('/_stripe'.length) : path
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' })
  const body = await readBody(request)
  if (body === undefined)
    return sendJson(response, 413, { error: { type: 'invalid_request_error', message: 'Request body too large.' } })
  if (own.startsWith('/v1/')) {
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
    }
    if (method === 'OPTIONS') {
      response.writeHead(204, { ...cors, 'access-control-allow-methods': 'GET, POST, DELETE' })
      response.end()
      return
    }
    const answer = await api.handle({
      method,
      path: own,
      query,
      body,
      authorization: request.headers.authorization,
      key: first(request.headers['idempotency-key']),
      origin: originOf(request, pages.origin),
    })
    if (answer === 'cut') {
      request.socket.destroy()
      return
    }
    sendJson(response, answer.status, answer.body, { ...answer.headers, ...(own === path ? {} : cors) })
    return
  }
  const page = await pages.handle({
    method,
    path,
    query: new URLSearchParams(query),
    body,
    headers: request.headers,
  })
  response.writeHead(page.status, { 'x-content-type-options': 'nosniff', ...page.headers })
  response.end(page.body)
}

/** Starts listening. Port 0 takes a free one. */
export async function listen(
  port: number,
  host: string,
  api: Api,
  pages: Pages,
): Promise<{ server: Server; port: number }> {
  const server = createServer(ownNamesOnly((request, response) => handle(request, response, api, pages)))
  server.keepAliveTimeout = KEEP_ALIVE
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : port }
}
