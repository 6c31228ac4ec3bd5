/**
 * Builds the site into a folder named by its inputs (source and content): the same input is never built twice, and a
 * running front door can be pointed at the new folder in one step.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { headersFile, hsts, hstsOfAllHosts, nginxFile, type PageHashes, redirectsFile } from '../src/site/host-files.ts'
import { checkContent } from './content-check.ts'
import { frameworkScripts, inlinePolicy, markAttribute } from './inline-policy.ts'
import { inlineStarters } from './inline-starters.ts'
import { preloadIslands } from './preload-islands.ts'
import { BUILD_ENV, runTool } from './processes.ts'
import { root } from './settings.ts'

const sources = [
  'src',
  'contract',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  // served as /.well-known/security-policy.txt
  'SECURITY.md',
  'scripts/site-build.ts',
  'scripts/inline-policy.ts',
  'scripts/inline-starters.ts',
  'scripts/preload-islands.ts',
]

export interface BuildResult {
  folder: string
  /** False when a build of the same source and content already existed. */
  fresh: boolean
}

/**
 * Ensures that a build of this source and this content exists under `buildsDir`. Rejects with the output of the publish
 * check or of Astro, which names document and field when content is invalid (K-05, K-06), or with what to do when the
 * content cannot be reached.
 */
export async function buildSite(contentEnv: Record<string, string>, buildsDir: string): Promise<BuildResult> {
  const key = createHash('sha256')
    .update(hashOfSources())
    .update(
      JSON.stringify([
        process.env['SITE_URL'],
        process.env['TRACKING_SCOPE'],
        contentEnv['SANITY_PROJECT_ID'],
        contentEnv['SANITY_DATASET'],
      ]),
    )
    .update(await contentState(contentEnv))
    .digest('hex')
    .slice(0, 16)
  const folder = join(buildsDir, key)
  if (existsSync(join(folder, 'index.html'))) {
    utimesSync(folder, new Date(), new Date())
    return { folder, fresh: false }
  }
  await checkContent(contentEnv)
  mkdirSync(buildsDir, { recursive: true })
  const work = join(buildsDir, `${key}.${process.pid}`)
  rmSync(work, { recursive: true, force: true })
  try {
    const mark = randomUUID()
    await astroBuild(work, contentEnv, mark)
    await finish(work, newestBuild(buildsDir), mark)
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  prune(buildsDir)
  return { folder, fresh: true }
}

/** Points a link at a build in one step; a server of the link never sees half a site. */
export function publish(folder: string, link: string): void {
  mkdirSync(dirname(link), { recursive: true })
  const next = `${link}.${process.pid}`
  rmSync(next, { recursive: true, force: true })
  symlinkSync(folder, next, 'junction')
  // A junction cannot be renamed onto another one.
  if (process.platform === 'win32') rmSync(link, { recursive: true, force: true })
  renameSync(next, link)
}

/** Copies a build to `dist/`, for a host. */
export function exportTo(folder: string, dist: string): void {
  const [next, before] = [`${dist}.next`, `${dist}.before`]
  for (const old of [next, before]) rmSync(old, { recursive: true, force: true })
  cpSync(folder, next, { recursive: true })
  if (existsSync(dist)) renameSync(dist, before)
  renameSync(next, dist)
  rmSync(before, { recursive: true, force: true })
}

/**
 * How Astro is run, here and by the bench. Thousands of pages leave buffers behind that only a collection frees: a heap
 * that at most doubles and two allocation arenas keep a build small (5,000 articles: 710 → 600 MB; growing by 15% saved
 * 30 MB more, but made the last pages take 1.7 times as long as the first).
 */
export const astroRun = {
  node: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
  env: { ...BUILD_ENV, MALLOC_ARENA_MAX: '2' },
}

async function astroBuild(outDir: string, contentEnv: Record<string, string>, mark: string): Promise<void> {
  const env = { ...contentEnv, ...astroRun.env, BUILD_MARK: mark }
  const { ok, output } = await runTool(
    [...astroRun.node, 'node_modules/astro/bin/astro.mjs', 'build', '--outDir', outDir],
    { env },
  )
  if (!ok) throw new Error(`The site could not be built:\n${output.split('\n').slice(-25).join('\n')}`)
}

/** Computes each page's policy for its headers, writes the hosts' files, then compresses every text once. */
async function finish(folder: string, before: string | undefined, mark: string): Promise<void> {
  const framework = await frameworkScripts()
  const files = filesIn(folder)
  const hashes: PageHashes = {}
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const whole = preloadIslands(inlineStarters(readFileSync(file, 'utf8'), folder, markAttribute(mark)), folder)
    const page = relative(folder, file)
      .split(sep)
      .join('/')
      .replace(/(^|\/)index\.html$/, '')
      .replace(/\.html$/, '')
    const { html, hashes: inline } = policyOf(page, whole, { mark, framework })
    writeFileSync(file, html)
    const named = /<meta name="third-parties" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const parties = (['gtm', 'pixel'] as const).filter((party) => named.includes(`${party}=`))
    hashes[page] = { ...inline, ...(parties.length > 0 ? { parties } : {}) }
  }
  writeFileSync(join(folder, 'csp.json'), JSON.stringify(hashes))
  const apiUrl = process.env['PUBLIC_API_URL']
  writeFileSync(join(folder, '_redirects'), redirectsFile(apiUrl))
  const transportSecurity = process.env['HSTS_SUBDOMAINS'] === '1' ? hstsOfAllHosts : hsts
  const servers = (process.env['API_SERVERS'] || 'payments-service:4242').split(',')
  writeFileSync(join(folder, '_headers'), headersFile(hashes, transportSecurity))
  writeFileSync(
    join(folder, 'nginx.conf'),
    nginxFile(hashes, { root: '/usr/share/nginx/html', servers, logs: '/var/log/nginx', transportSecurity }),
  )
  const texts = files
    .filter((file) => /\.(html|css|js|mjs|svg|json|xml|txt|webmanifest)$/.test(file) && statSync(file).size > 500)
    .values()
  // a few at a time, so that thousands of pages are never in memory together
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const file of texts) await compress(file, before && join(before, relative(folder, file)))
    }),
  )
}

function policyOf(
  page: string,
  html: string,
  known: Parameters<typeof inlinePolicy>[1],
): ReturnType<typeof inlinePolicy> {
  try {
    return inlinePolicy(html, known)
  } catch (error) {
    throw new Error(`The page /${page} cannot be built. ${(error as Error).message}`, { cause: error })
  }
}

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Writes `.br` and `.gz` beside a file. A file equal to `earlier` reuses its copies, so that a publish compresses only
 * what it changed.
 */
async function compress(file: string, earlier: string | undefined): Promise<void> {
  const text = readFileSync(file)
  if (earlier && existsSync(`${earlier}.gz`) && text.equals(readFileSync(earlier))) {
    for (const end of ['br', 'gz']) copyFileSync(`${earlier}.${end}`, `${file}.${end}`)
    return
  }
  writeFileSync(`${file}.br`, await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  writeFileSync(`${file}.gz`, await zip(text, { level: 9 }))
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}

/** A hash of everything a build is made from except its content. */
export function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
    if (!/\.test\.tsx?$/.test(file)) hash.update(relative(root, file)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Ids and revisions of all published documents. Rejects, naming the program or project that does not answer. */
async function contentState(env: Record<string, string>): Promise<string> {
  const { SANITY_API_HOST, SANITY_PROJECT_ID = '', SANITY_DATASET = 'production' } = env
  if (!SANITY_API_HOST && !SANITY_PROJECT_ID) return 'no content'
  const host = SANITY_API_HOST ?? `https://${SANITY_PROJECT_ID}.api.sanity.io`
  const url = new URL(`/v2025-02-19/data/query/${SANITY_DATASET}`, host)
  url.searchParams.set('query', '*[!(_id in path("drafts.**"))] | order(_id) {_id, _rev}')
  url.searchParams.set('perspective', 'published')
  const headers = {
    'X-Sanity-Project-ID': SANITY_PROJECT_ID,
  }
  let answer: Response
  try {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The content at ${host} does not answer (${reason}). Is the content lake, or the network, up?`, {
      cause: error,
    })
  }
  if (!answer.ok) {
    throw new Error(
      `The content at ${host} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}. Check ` +
        `SANITY_PROJECT_ID and SANITY_DATASET.`,
    )
  }
  const { result } = (await answer.json()) as { result: unknown[] }
  if (!result.length) throw new Error(`The dataset ${SANITY_DATASET} at ${host} is empty: there is nothing to build.`)
  return createHash('sha256').update(JSON.stringify(result)).digest('hex')
}

/** Keeps the newest three builds: a front door may still be reading from the one before. */
function prune(buildsDir: string): void {
  for (const build of builds(buildsDir).slice(3)) rmSync(build, { recursive: true, force: true })
}

function newestBuild(buildsDir: string): string | undefined {
  return builds(buildsDir)[0]
}

/** Finished builds, newest first. */
function builds(buildsDir: string): string[] {
  return readdirSync(buildsDir)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(buildsDir, name))
    .map((path) => ({ path, age: statSync(path).mtimeMs }))
    .sort((a, b) => b.age - a.age)
    .map(({ path }) => path)
}
