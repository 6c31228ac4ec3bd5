/**
 * A local stand-in for Meta's Conversions API: takes what would be sent, checks its form and keeps it in memory.
 * POST /{pixelId}/events · GET / (a page of what came) · GET /events (the same as JSON) · POST /answer {"status": 401,
 * "times": 1} (the next answers).
 * `node stand-ins/meta/receiver.ts` with PORT; the service finds it by META_API_BASE.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { ownNamesOnly } from '../../contract/listener.ts'
import { type MetaRequest, problemOf } from './events.ts'
import { eventsPage, STYLE } from './page.ts'

export interface MetaStandIn {
  url: string
  requests: MetaRequest[]
  /** Makes the next `times` requests fail with `status`. */
  answer(status: number, times: number): void
  close(): Promise<void>
}

/** A stand-in that runs for weeks drops the oldest. */
const KEPT = 1_000

export async function startMetaStandIn(port = 0): Promise<MetaStandIn> {
  const requests: MetaRequest[] = []
  const planned: number[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (request.method === 'GET') {
      if (path === '/events') return say(200, requests)
      if (path === '/style.css') return response.writeHead(200, { 'content-type': 'text/css' }).end(STYLE)
      if (path !== '/') return say(404, {})
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(eventsPage(requests))
    }
    let body: Record<string, unknown>
    try {
      body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
    } catch {
      return say(400, { error: { message: 'no JSON', code: 100 } })
    }
    if (path === '/answer') {
      planned.push(...Array.from({ length: Number(body['times'] ?? 1) }, () => Number(body['status'])))
      return say(200, {})
    }
    const pixelId = /^\/([^/]+)\/events$/.exec(path)?.[1]
    if (!pixelId) return say(404, { error: { message: 'Unsupported request', code: 100 } })
    const status = planned.shift()
    if (status) return say(status, { error: { message: 'planned', code: status === 401 ? 190 : 1 } })
    const events = Array.isArray(body['data']) ? (body['data'] as Record<string, unknown>[]) : []
    const problem = events.map(problemOf).find(Boolean)
    if (events.length === 0 || problem)
      return say(400, { error: { message: `Invalid parameter ${problem}`, code: 100 } })
    requests.push({
      pixelId,
      authorization: request.headers.authorization ?? '',
      testEventCode: typeof body['test_event_code'] === 'string' ? body['test_event_code'] : null,
      events,
      receivedAt: new Date().toISOString(),
    })
    if (requests.length > KEPT) requests.shift()
    return say(200, { events_received: events.length, messages: [], fbtrace_id: 'local' })
  }
  const server: Server = createServer(ownNamesOnly(answer))
  await new Promise<void>((listening) => void server.listen(port, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (status, times) => void planned.push(...Array.from({ length: times }, () => status)),
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.env['NODE_ENV'] === 'production') {
    console.error(
      'The stand-in for Meta is for development, tests and demos: NODE_ENV=production refuses it. ' +
        'Set META_PIXEL_ID and META_CAPI_TOKEN.',
    )
    process.exit(2)
  }
  const { url } = await startMetaStandIn(Number(process.env['PORT'] ?? 0))
  console.log(`Listening on ${url}`)
}
