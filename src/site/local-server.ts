/**
 * The front door: one address that serves the built site and passes /api, the operator pages and the sandbox's parts on.
 * It knows nothing of its own: every address and header comes from the routing table.
 *
 * PORT (0: any), HOST (127.0.0.1), API_URL, STRIPE_URL (sandbox only), and either SITE_DIST (the built folder, or a
 * link to it; a swapped build is served from the next request on) or SITE_DEV_URL (the dev server behind the same table).
 */
import { createReadStream, readFileSync, realpathSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProxyMiddleware, type RequestHandler } from 'http-proxy-middleware'
import sirv from 'sirv'
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import { asset, contentSecurityPolicy, everywhere, immutable, type InlineHashes, pageHeaders } from './headers.ts'
import { classOf, type PageHashes } from './host-files.ts'
import { hostFiles, type PageClass, resolve } from './routes.ts'

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
  const stripe = options.stripeUrl ? passOn(options.stripeUrl, 'The payment sandbox') : undefined
  const dev = options.devUrl ? passOn(options.devUrl, 'The dev server') : undefined
  const site = options.dist ? builtSite(options.dist) : undefined

  const server = createServer((request, response) => {
    const raw = request.url ?? '/'
    // `//host` would be read as another origin by a redirect
    const [path = '/', query] = [raw.split('?')[0]?.replace(/^\/+/, '/'), raw.split('?')[1]]
    const search = query === undefined ? '' : `?${query}`
    const build = site?.()
    const found = resolve(path, search, (page) => build?.has(page) ?? false)
    for (const [name, value] of Object.entries(everywhere)) response.setHeader(name, value)

    if (found.kind === 'proxy') {
      const target = found.to === 'api' ? api : stripe
      if (target) void target(request, response)
      else answerJson(response, 404, 'not_found', 'There is nothing here.')
      return
    }
    if (found.kind === 'redirect') {
      response.writeHead(found.status, { Location: found.location, 'Cache-Control': 'no-cache' }).end()
      return
    }
    if (dev) {
      if (found.kind === 'page') request.url = `/${found.shell}${search}`
      void dev(request, response)
      return
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
    else build.file(request, response, path)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (dev) dev.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}

/** A proxy that answers 502 in the API's own shape when nobody is there, and appends to X-Forwarded-For. */
function passOn(target: string, name: string): RequestHandler {
  return createProxyMiddleware({
    target,
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

interface Build {
  has(path: string): boolean
  page(request: IncomingMessage, response: ServerResponse, shell: string, page: PageClass, status: 200 | 404): void
  file(request: IncomingMessage, response: ServerResponse, path: string): void
}

/** Returns the build of this moment; a link that points elsewhere, or files built anew, are noticed within half a second. */
function builtSite(dist: string): () => Build | undefined {
  let known: { key: string; build: Build } | undefined
  let looked = 0
  return () => {
    if (known && Date.now() - looked < 500) return known.build
    looked = Date.now()
    try {
      const folder = realpathSync(dist)
      const { ino, mtimeMs } = statSync(join(folder, 'index.html'))
      const key = `${folder}:${ino}:${mtimeMs}`
      if (known?.key !== key) known = { key, build: openBuild(folder) }
    } catch {
      // Between two builds, or before the first: what is known stays, nothing is made up.
    }
    return known?.build
  }
}

function openBuild(folder: string): Build {
  const hashes = readHashes(folder)
  const serve = sirv(folder, { etag: true, brotli: true, gzip: true, extensions: ['html'] })
  const none: InlineHashes = { scripts: [], styles: [] }
  const has = (shell: string) => statSync(join(folder, shell, 'index.html'), { throwIfNoEntry: false }) !== undefined

  const describe = (response: ServerResponse, shell: string, page: PageClass, status: 200 | 404) => {
    for (const [name, value] of Object.entries(pageHeaders(page, status))) response.setHeader(name, value)
    // A folder built without the finishing step brings its policy along in the markup.
    if (hashes) response.setHeader('Content-Security-Policy', contentSecurityPolicy(page, hashes[shell] ?? none))
  }
  const notFound = (request: IncomingMessage, response: ServerResponse, shell = '404') => {
    const file = shell === '404' ? join(folder, '404.html') : join(folder, shell, 'index.html')
    describe(response, shell, 'public', 404)
    if (!statSync(file, { throwIfNoEntry: false })) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Page not found\n')
      return
    }
    response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' })
    if (request.method === 'HEAD') response.end()
    else createReadStream(file).pipe(response)
  }
  const sendTo = (request: IncomingMessage, response: ServerResponse, path: string) => {
    request.url = path
    if (request.method === 'HEAD') delete request.headers.range
    serve(request, response, () => notFound(request, response))
  }
  return {
    has: (path) => has(path),
    page(request, response, shell, page, status) {
      if (status === 404 || !has(shell)) return notFound(request, response, status === 404 ? shell : '404')
      describe(response, shell, page, status)
      sendTo(request, response, shell ? `/${shell}/` : '/')
    },
    file(request, response, path) {
      const shell = path.replace(/^\/|\/$/g, '')
      if (hostFiles.includes(path) || shell === '404' || /\.(br|gz)$/.test(path)) return notFound(request, response)
      if (!/\.\w+$/.test(path)) {
        if (!has(decode(shell))) return notFound(request, response)
        describe(response, decode(shell), classOf(decode(shell)), 200)
      } else response.setHeader('Cache-Control', path.startsWith(immutable.prefix) ? immutable.value : asset.value)
      sendTo(request, response, path)
    },
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function readHashes(folder: string): PageHashes | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'csp.json'), 'utf8')) as PageHashes
  } catch {
    return undefined
  }
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
