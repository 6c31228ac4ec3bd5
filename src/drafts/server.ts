/**
 * The draft deployment (K-04): every page of the site rendered on request from drafts, for the Studio's
 * Presentation tool. Addresses come from the routing table; the payments service is not asked
 * (preview-session.ts); nothing is indexed.
 *
 * PORT (0: any), HOST (127.0.0.1), DRAFTS_BUILD (folder that `SITE_RENDER=drafts astro build` made),
 * SITE_RENDER=drafts, SANITY_* (connection.ts; the token reads drafts), SANITY_STUDIO_URL (where editors open the
 * Studio), STUDIO_ORIGINS (who may frame a page; the Studio's origin when left out), ALLOWED_HOSTS (names it is
 * reached by, besides localhost). Where other machines can reach it, it requires the Studio's secret; PREVIEW_LOCK=1
 * requires it here too.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isLoopback, ownNamesOnly } from '../../contract/listener.ts'
import { contentAddress } from '../cms/connection.ts'
import { addressOf, resolve } from '../../contract/site-routes.ts'
import { staticFiles } from '../site/static-files.ts'
import { watchChanges } from './changes.ts'
import { createLock, ENABLE_PATH } from './lock.ts'
import { previewAnswer } from './preview-session.ts'
import { CHANGES_PATH } from './trouble-page.ts'

type Render = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => Promise<void>

interface DraftServerOptions {
  build: string
  studioOrigins: readonly string[]
  /** Reads the drafts. */
  token: string
  locked: boolean
  /** Host names it is reached by, besides localhost. */
  allowedHosts?: readonly string[]
}

/** Drafts are for editors: unlocked only where no other machine can reach it (K-04). */
export function isLocked(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['PREVIEW_LOCK'] === '1' || !isLoopback(env['HOST'] || '127.0.0.1') || hostsIn(env).length > 0
}

function hostsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = (env['ALLOWED_HOSTS'] ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}

export async function createDraftServer(options: DraftServerOptions): Promise<Server> {
  const { build, studioOrigins, token, locked, allowedHosts = [] } = options
  const entry = pathToFileURL(absolute(build, 'server', 'entry.mjs')).href
  const { handler } = (await import(entry)) as { handler: Render }
  const files = staticFiles(join(build, 'client'), { etag: true })
  const changes = watchChanges()
  const lock = locked ? createLock(studioOrigins, token) : undefined
  const policy = contentPolicy(studioOrigins)

  const show = (request: IncomingMessage, response: ServerResponse): unknown => {
    const { path, search } = addressOf(request)
    response.setHeader('X-Robots-Tag', 'noindex, nofollow')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Content-Security-Policy', policy)

    if (path === '/healthz') return void response.end('ok\n')
    if (lock) {
      if (path === ENABLE_PATH) return lock.enable(request, response)
      if (!lock.isOpen(request)) return void lock.refuse(response)
    }
    if (path === CHANGES_PATH) return changes.subscribe(response)
    if (path === '/robots.txt') {
      return void response.setHeader('Content-Type', 'text/plain').end('User-agent: *\nDisallow: /\n')
    }
    // legal pages are documents: which exist is known when the page is rendered, not before
    const found = resolve(path, search, (page) => page.startsWith('/legal/'))
    if (found.kind === 'proxy') return answer(request, response, path)
    if (found.kind === 'redirect') return void response.writeHead(found.status, { Location: found.location }).end()
    response.setHeader('Cache-Control', 'no-store')
    if (found.kind === 'page') request.url = `/${found.shell}${search}`
    // Astro's image endpoint fetches any address it is given; pages here use the lake's pictures directly
    if (path.startsWith('/_image')) return missing(response)
    const render = () => handler(request, response, (error) => missing(response, error))
    if (found.kind !== 'file') return render()
    return new Promise((done, failed) => {
      response.once('close', done)
      files(request, response, () => void render().then(done, failed))
    })
  }
  const server = createServer(ownNamesOnly(show, allowedHosts))
  server.on('close', () => changes.close())
  return server
}

/**
 * Allows everything of the page itself, pictures and sounds of the content lake, and the Studio's overlays, which bring
 * inline styles.
 */
function contentPolicy(studioOrigins: readonly string[]): string {
  const { apiHost } = contentAddress()
  const media = apiHost === null ? 'https://cdn.sanity.io' : `${apiHost} http://localhost:* http://127.0.0.1:*`
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${media}`,
    `media-src 'self' blob: ${media}`,
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors 'self' ${studioOrigins.join(' ')}`,
  ].join('; ')
}

function answer(request: IncomingMessage, response: ServerResponse, path: string): void {
  request.resume()
  let page = '/'
  try {
    page = new URL(request.headers.referer ?? '').pathname
  } catch {
    // no page made the request
  }
  const { status, body } = previewAnswer(request.method ?? 'GET', path, page)
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

function missing(response: ServerResponse, error?: unknown): void {
  if (error) console.error(error)
  if (response.headersSent) return void response.end()
  response.writeHead(error ? 500 : 404, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(error ? 'The preview could not be rendered; the reason is in its log.\n' : 'Page not found\n')
}

async function main(): Promise<void> {
  const { PORT = '4322', HOST = '127.0.0.1', DRAFTS_BUILD, SANITY_STUDIO_URL = 'http://localhost:3333' } = process.env
  if (!DRAFTS_BUILD || process.env['SITE_RENDER'] !== 'drafts') {
    console.error(
      'The draft deployment needs DRAFTS_BUILD (a folder built with SITE_RENDER=drafts) and SITE_RENDER=drafts.',
    )
    process.exit(2)
  }
  const { token } = contentAddress()
  if (token === null) {
    console.error('The draft deployment needs SANITY_TOKEN: drafts can be read with a token only.')
    process.exit(2)
  }
  const studioOrigins = (process.env['STUDIO_ORIGINS'] ?? new URL(SANITY_STUDIO_URL).origin).split(',')
  const server = await createDraftServer({
    build: DRAFTS_BUILD,
    studioOrigins,
    token,
    locked: isLocked(process.env),
    allowedHosts: hostsIn(process.env),
  })
  server.on('error', (error) => {
    console.error(`The draft deployment cannot listen on ${HOST}:${PORT}: ${error.message}`)
    process.exit(1)
  })
  server.listen(Number(PORT), HOST, () => {
    console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}`)
  })
  const stop = (): void => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
