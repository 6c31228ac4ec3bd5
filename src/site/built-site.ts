/**
 * A build of the site as the front door serves it: its contents are listed once, and no request path reaches the file
 * system.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { asset, contentSecurityPolicy, immutable, type InlineHashes, leastPolicy, pageHeaders } from './headers.ts'
import { classOf, type PageHashes } from './host-files.ts'
import { hostFiles, type PageClass, pages as routes } from '../../contract/site-routes.ts'
import { staticFiles } from './static-files.ts'

export interface Build {
  /** Whether the build has a page of its own at this address. */
  has(path: string): boolean
  page(request: IncomingMessage, response: ServerResponse, shell: string, page: PageClass, status: 200 | 404): void
  /** Whether a file that never changes is in this build, its own or one that outlived an earlier build. */
  keeps(path: string): boolean
  file(request: IncomingMessage, response: ServerResponse, path: string): void
  notFound(request: IncomingMessage, response: ServerResponse): void
}

/** A look costs a few system calls; what is published waits for it. */
const LOOK_MS = 50

/**
 * Returns the current build; a link that points elsewhere, or rebuilt files, are noticed within a moment, and
 * `now` at once: another server of the same link may have noticed earlier.
 */
export function builtSite(dist: string): (now?: boolean) => Build | undefined {
  let known: { key: string; build: Build } | undefined
  let looked = 0
  return (now = false) => {
    if (known && !now && Date.now() - looked < LOOK_MS) return known.build
    looked = Date.now()
    try {
      const folder = realpathSync(dist)
      const { ino, mtimeMs } = statSync(join(folder, 'index.html'))
      // a rollback adds files to a build that was live before
      const added = statSync(join(folder, immutable.prefix), { throwIfNoEntry: false })?.mtimeMs
      const key = `${folder}:${ino}:${mtimeMs}:${added}`
      if (known?.key !== key) known = { key, build: openBuild(folder) }
    } catch {
      // Between two builds, or before the first: the known build is kept.
    }
    return known?.build
  }
}

/** The pages (`''` is the root, `legal/privacy` …) and the other files (`/_astro/a.js` …) that visitors may ask for. */
function contentsOf(folder: string): { pages: ReadonlySet<string>; files: ReadonlySet<string> } {
  const pages = new Set<string>()
  const files = new Set<string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/').normalize()
    // a page has one address, where its policy is sent with it; compressed copies have no address
    if (entry.name === 'index.html') pages.add(path.slice(0, -'/index.html'.length))
    else if (!/\.(html|br|gz)$/.test(path) && !hostFiles.includes(`/${path}`)) files.add(`/${path}`)
  }
  return { pages, files }
}

function openBuild(folder: string): Build {
  const hashes = readHashes(folder)
  const serve = staticFiles(folder, { etag: true, brotli: true, gzip: true, extensions: ['html'] })
  const { pages, files } = contentsOf(folder)
  const none: InlineHashes = { scripts: [], styles: [] }
  const missing = new Map(
    ['404', ...routes.filter(({ status }) => status === 404).map(({ shell }) => shell)].map((shell) => [
      shell,
      textOf(folder, shell === '404' ? '404.html' : `${shell}/index.html`),
    ]),
  )

  const describe = (response: ServerResponse, shell: string, page: PageClass, status: 200 | 404) => {
    for (const [name, value] of Object.entries(pageHeaders(page, status))) response.setHeader(name, value)
    // A folder built without the finishing step carries its policy in the markup.
    if (hashes) response.setHeader('Content-Security-Policy', contentSecurityPolicy(page, hashes[shell] ?? none))
  }
  const notFound = (request: IncomingMessage, response: ServerResponse, shell = '404') => {
    describe(response, shell, 'public', 404)
    const html = missing.get(shell)
    response.writeHead(404, { 'Content-Type': `text/${html ? 'html' : 'plain'}; charset=utf-8` })
    response.end(request.method === 'HEAD' ? undefined : (html ?? 'Page not found\n'))
  }
  const send = (request: IncomingMessage, response: ServerResponse, path: string) => {
    request.url = encodeURI(path)
    serve(request, response, () => notFound(request, response))
  }
  const shellAt = (path: string): string | undefined => decoded(path)?.replace(/^\/|\/$/g, '')

  return {
    has(path) {
      const shell = shellAt(path)
      return shell !== undefined && pages.has(shell)
    },
    page(request, response, shell, page, status) {
      if (status === 404) return notFound(request, response, shell)
      if (!pages.has(shell)) return notFound(request, response)
      describe(response, shell, page, status)
      send(request, response, shell ? `/${shell}/` : '/')
    },
    keeps: (path) => !path.startsWith(immutable.prefix) || files.has(path),
    file(request, response, path) {
      const shell = shellAt(path)
      if (shell !== undefined && pages.has(shell) && !missing.has(shell)) {
        describe(response, shell, classOf(shell), 200)
        return send(request, response, shell ? `/${shell}/` : '/')
      }
      const name = decoded(path)
      if (name === undefined || !files.has(name)) return notFound(request, response)
      for (const [header, value] of Object.entries(leastPolicy)) response.setHeader(header, value)
      response.setHeader('Cache-Control', name.startsWith(immutable.prefix) ? immutable.value : asset.value)
      send(request, response, name)
    },
    notFound: (request, response) => notFound(request, response),
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path).normalize()
  } catch {
    return undefined
  }
}

function textOf(folder: string, file: string): string | undefined {
  const path = join(folder, file)
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : undefined
}

function readHashes(folder: string): PageHashes | undefined {
  const text = textOf(folder, 'csp.json')
  return text === undefined ? undefined : (JSON.parse(text) as PageHashes)
}
