/** Takes traces as OTLP in JSON, as a collector does. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
  events?: unknown[]
  status: { code?: number; message?: string }
}

interface Body {
  resourceSpans: { resource: object; scopeSpans: { spans: CollectedSpan[] }[] }[]
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** What it was sent, as it was. */
  bodies: string[]
  headers: IncomingHttpHeaders[]
  close(): Promise<void>
}

/** `silent`: takes everything and never answers. */
export async function startCollector(silent = false): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const part of req) body += String(part)
    bodies.push(body)
    headers.push(req.headers)
    for (const { scopeSpans } of (JSON.parse(body) as Body).resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    if (!silent) res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
}
