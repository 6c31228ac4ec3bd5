/**
 * Builds the site into a folder named by its inputs (source and content): the same input is never built twice. What is
 * served is a link to such a folder (builds/).
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { headersFile, hsts, hstsOfAllHosts, nginxFile, type PageHashes, redirectsFile } from '../src/site/host-files.ts'
import { astroBuild } from './astro-build.ts'
import { checkContent, isChecked, type Revisions } from './content-check.ts'
import { compress } from './compressed-copies.ts'
import { frameworkScripts, inlinePolicy, markAttribute } from './inline-policy.ts'
import { inlineStarters } from './inline-starters.ts'
import { preloadIslands } from './preload-islands.ts'
import { buildsIn, faultOf, hashedIn, prune, recordOf, sweep, writeRecord } from './builds/builds.ts'
import { changesOf, type PublishedDocument, readContent } from './builds/published.ts'
import { type Lease, withLease } from './builds/lease.ts'
import { alone, showBuild } from './builds/live.ts'
import { BUILD_VARIABLES, root } from './settings.ts'

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
  'scripts/astro-build.ts',
  'scripts/astro-waiting.ts',
  'scripts/compressed-copies.ts',
  'scripts/inline-policy.ts',
  'scripts/inline-starters.ts',
  'scripts/preload-islands.ts',
]

const told = (name: (typeof BUILD_VARIABLES)[number]): string => process.env[name] ?? ''

export interface BuildResult {
  folder: string
  /** False when a build of the same source and content already existed. */
  fresh: boolean
}

export interface Release {
  /** The link that is to show what is built. */
  site: string
  /** Content that was found sound: it is checked again only where a build reads anything else. */
  checked?: Revisions
  /** Whether it is for visitors: then everything it is made of is ready for them, also what is published meanwhile. */
  launch?: boolean
  /** Who asked for it: of a build, where that depends on what it shows. */
  who: string | ((build: string) => Promise<string>)
  /** `hashOfSources` at the start of a program that lasts: once the disk has others, it builds nothing. */
  programs?: string
  /** What the programs on the disk are: `hashOfSources`, unless told. */
  onDisk?: typeof hashOfSources
  /** What writes the pages: Astro, unless told. */
  write?: typeof astroBuild
}

/**
 * Ensures that a build of this source and this content exists under `buildsDir`. Rejects with the output of the publish
 * check or of Astro, which names document and field when content is invalid (K-05, K-06), or with what to do when the
 * content cannot be reached.
 */
export function buildSite(contentEnv: Record<string, string>, buildsDir: string): Promise<BuildResult> {
  return building(buildsDir, () => ensureBuild(contentEnv, buildsDir))
}

/** Builds, and makes the build live unless the site is pinned: `live` is whether the site shows it. */
export function releaseSite(
  contentEnv: Record<string, string>,
  buildsDir: string,
  { site, who, ...how }: Release,
): Promise<BuildResult & { live: boolean }> {
  return building(buildsDir, async (lease) => {
    const result = await ensureBuild(contentEnv, buildsDir, how)
    const asked = typeof who === 'string' ? who : await who(result.folder)
    // the process that took over has read newer content
    lease.assertHeld()
    return { ...result, live: await showBuild(result.folder, site, asked) }
  })
}

/** How many builds are kept; two at least, so that there is one to go back to. Throws for what is no number. */
function buildsKept(): number {
  const text = process.env['SITE_BUILDS_KEPT'] || '30'
  if (!/^\d{1,6}$/.test(text)) throw new Error('SITE_BUILDS_KEPT is not right: has to be how many builds, like 30')
  return Math.max(2, Number(text))
}

/** What one publisher reads, builds and makes live comes before what the next one reads. */
async function building<T>(buildsDir: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const kept = buildsKept()
  return withLease(buildsDir, 'build', async (lease) => {
    sweep(buildsDir)
    const done = await work(lease)
    await alone(buildsDir, () => prune(buildsDir, kept))
    sweep(buildsDir)
    return done
  })
}

/** A release came since this program started: a build would be made by both, and kept under the name of the new one. */
export class ProgramsChanged extends Error {
  override name = 'ProgramsChanged'
  constructor() {
    super('The programs on the disk have changed: start again what builds the site.')
  }
}

/** How often a build begins anew because something was published while it was made. */
const TRIES = 5

type HowToBuild = Omit<Release, 'site' | 'who'>

async function ensureBuild(
  contentEnv: Record<string, string>,
  buildsDir: string,
  { checked = {}, launch = false, write = astroBuild, onDisk = hashOfSources, programs = onDisk() }: HowToBuild = {},
): Promise<BuildResult> {
  const assertSame = () => {
    if (onDisk() !== programs) throw new ProgramsChanged()
  }
  assertSame()
  let documents = await readContent(contentEnv)
  for (let left = TRIES; left > 0; left--) {
    const folder = join(buildsDir, buildKey(programs, contentEnv, documents))
    const built = existsSync(join(folder, 'index.html'))
    // the same build may have been made for a site without visitors
    if ((launch || !built) && !isChecked(checked, documents)) await checkContent(contentEnv, launch)
    if (built) {
      utimesSync(folder, new Date(), new Date())
      return { folder, fresh: false }
    }
    const found = documents
    documents = await makeBuild(folder, contentEnv, { programs, documents, write, assertSame })
    if (documents === found) return { folder, fresh: true }
  }
  throw new Error(`The content changed ${TRIES} times while the site was built of it. Try again.`)
}

interface Made {
  programs: string
  documents: PublishedDocument[]
  write: typeof astroBuild
  /** Throws where the programs on the disk are no longer these. */
  assertSame(): void
}

/** Resolves with the documents; with newer ones and no build where some came meanwhile: pages would be mixed. */
async function makeBuild(
  folder: string,
  contentEnv: Record<string, string>,
  { programs, documents, write, assertSame }: Made,
): Promise<PublishedDocument[]> {
  const work = `${folder}.${randomUUID()}`
  const before = buildsIn(dirname(folder)).find((path) => faultOf(dirname(folder), basename(path)) === undefined)
  try {
    const mark = randomUUID()
    await write(work, contentEnv, { mark, documents: documents.length })
    assertSame()
    const now = await readContent(contentEnv)
    if (buildKey(programs, contentEnv, now) !== basename(folder)) return now
    await finish(work, before, mark)
    writeRecord(folder, {
      built: new Date().toISOString(),
      sources: programs,
      documents: Object.fromEntries(documents.map(({ _id, _rev }) => [_id, _rev])),
      changed: changesOf(documents, programs, before ? recordOf(before) : undefined),
      files: hashedIn(work),
    })
    // one of this name that was broken: nothing serves it
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return documents
}

/** Names a build by all that it is made from. */
export function buildKey(
  programs: string,
  contentEnv: Record<string, string>,
  documents: readonly { _id: string; _rev: string }[],
): string {
  const dataset = [contentEnv['SANITY_PROJECT_ID'], contentEnv['SANITY_DATASET']]
  return createHash('sha256')
    .update(programs)
    .update(JSON.stringify([...BUILD_VARIABLES.map(told), ...dataset]))
    .update(JSON.stringify(documents.map(({ _id, _rev }) => [_id, _rev])))
    .digest('hex')
    .slice(0, 16)
}

/**
 * So many texts of a build are compressed as well as can be: thousands of articles that change together would take over
 * a minute of two cores for 9 % of their size.
 */
const AT_BEST = 500

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
  writeFileSync(join(folder, '_redirects'), redirectsFile(told('PUBLIC_API_URL') || undefined))
  const transportSecurity = told('HSTS_SUBDOMAINS') === '1' ? hstsOfAllHosts : hsts
  const servers = (told('API_SERVERS') || 'payments-service:4242').split(',')
  writeFileSync(join(folder, '_headers'), headersFile(hashes, transportSecurity))
  // unless told, as in a container of nginx, which has both to itself
  const here = { root: told('NGINX_ROOT') || '/usr/share/nginx/html', listen: told('NGINX_LISTEN') || '8080' }
  writeFileSync(
    join(folder, 'nginx.conf'),
    nginxFile(hashes, { ...here, servers, logs: '/var/log/nginx', transportSecurity }),
  )
  // what everybody loads lies above the articles
  const depth = (file: string) => file.split(sep).length
  const texts = files
    .filter((file) => /\.(html|css|js|mjs|svg|json|xml|txt|webmanifest)$/.test(file) && statSync(file).size > 500)
    .sort((a, b) => depth(a) - depth(b))
    .values()
  let compressed = 0
  // a few at a time, so that thousands of pages are never in memory together
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const file of texts) {
        const quality = compressed < AT_BEST ? 11 : 8
        if (await compress(file, before && join(before, relative(folder, file)), quality)) compressed++
      }
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
