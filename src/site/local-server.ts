/**
 * The front door: one address that serves the built site and passes /api, the operator pages and the sandbox's parts
 * on. It has no rules of its own: every address and header comes from the routing table.
 *
 * PORT (0: any), HOST (127.0.0.1), API_URL, STRIPE_URL (sandbox only), and either SITE_DIST (the built
 * folder, or a link to it; a swapped build is served at once) or SITE_DEV_URL (the dev
 * server behind the same table).
 */
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { createProxyMiddleware, type RequestHandler } from 'http-proxy-middleware'
import type { ErrorBody } from '../../contract/api/error.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { guarded, KEEP_ALIVE } from '../../contract/listener.ts'
import { builtSite } from './built-site.ts'
import { everywhere } from './headers.ts'
import { addressOf, isPlain, resolve } from '../../contract/site-routes.ts'

export interface FrontDoorOptions {
  apiUrl: string
  stripeUrl?: string | undefined
  /** One of the two. */
  dist?: string | undefined
  devUrl?: string | undefined
}

/** The front door as a server that does not listen yet. */
export function createFrontDoor(options: FrontDoorOptions): Server {
  const api = passOn(options.apiUrl, 'The service')
  const stripe = options.stripeUrl
    ? passOn(options.stripeUrl, 'The payment sandbox', { changeOrigin: true })
    : undefined
  const dev = options.devUrl ? passOn(options.devUrl, 'The dev server') : undefined
  const site = options.dist ? builtSite(options.dist) : undefined

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { path, search } = addressOf(request)
    const build = site?.()
    for (const [name, value] of Object.entries(everywhere)) response.setHeader(name, value)
    // `xfwd` leaves a header that came as it is: a visitor could invent the address
    const passed = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
    request.headers['x-forwarded-for'] = passed.filter(Boolean).join(', ')
    if (!isPlain(path)) {
      if (build) build.notFound(request, response)
      else answerJson(response, 404, 'not_found', 'There is nothing here.')
      return
    }
    const found = resolve(path, search, (page) => build?.has(page) ?? false)
    if (found.kind === 'proxy') {
      const target = found.to === 'api' ? api : stripe
      // in the form that was matched, so that the program behind cannot read another address in it
      request.url = path + search
      // the service trusts this proxy, so a visitor must not choose a request's id in the log
      delete request.headers['x-request-id']
      if (target) return void target(request, response)
      return answerJson(response, 404, 'not_found', 'There is nothing here.')
    }
    if (found.kind === 'redirect') {
      response.writeHead(found.status, { Location: found.location, 'Cache-Control': 'no-cache' }).end()
      return
    }
    if (dev) {
      if (found.kind === 'page') request.url = `/${found.shell}${search}`
      return void dev(request, response)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      return
    }
    if (!build) {
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' })
      response.end('The site has not been built yet. Run: npm run build\n')
      return
    }
    if (found.kind === 'page') build.page(request, response, found.shell, found.page, found.status)
    else (build.keeps(path) ? build : (site?.(true) ?? build)).file(request, response, path)
  }
  const server = createServer(guarded(answer))
  server.keepAliveTimeout = KEEP_ALIVE
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (dev) dev.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}

/**
 * A proxy that answers 502 in the API's own format when the target is down.
 * `changeOrigin` puts the target in the Host header, for programs that answer only to their own names.
 */
function passOn(target: string, name: string, { changeOrigin = false } = {}): RequestHandler {
  return createProxyMiddleware({
    target,
    // a busy target may close a connection kept for the next request, causing a needless 502
    agent: new Agent({ keepAlive: false }),
    changeOrigin,
    xfwd: true,
    ws: false,
    proxyTimeout: 60_000,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    on: {
      error: (_error, _request, response) => {
        if (!('writeHead' in response)) response.destroy()
        else if (response.headersSent) response.end()
        else
          answerJson(
            response,
            502,
            'service_unavailable',
            `${name} does not answer right now. Please try again in a minute.`,
          )
      },
    },
  })
}

function answerJson(response: ServerResponse, status: number, code: ErrorCode, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify({ error: { code, message } } satisfies ErrorBody))
}

function main(): void {
  const { PORT = '4321', HOST = '127.0.0.1', API_URL, STRIPE_URL, SITE_DIST, SITE_DEV_URL } = process.env
  if (!API_URL || !(SITE_DIST || SITE_DEV_URL)) {
    console.error('The front door needs API_URL, and SITE_DIST (a built site) or SITE_DEV_URL (a dev server).')
    process.exit(2)
  }
  const server = createFrontDoor({ apiUrl: API_URL, stripeUrl: STRIPE_URL, dist: SITE_DIST, devUrl: SITE_DEV_URL })
  server.on('error', (error) => {
    console.error(`The front door cannot listen on ${HOST}:${PORT}: ${error.message}`)
    process.exit(1)
  })
  server.listen(Number(PORT), HOST, () => {
    console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}`)
  })
  const stop = () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
