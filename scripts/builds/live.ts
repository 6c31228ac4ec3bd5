/**
 * Which build a site shows. A site is a link to a build and changes in one step. Whatever hashed file was live within
 * the last week is in every build that becomes live, so a page that was opened before goes on (K-04).
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { buildsOf, faultOf, HASHED, hashedIn, isKept, liveBuild, recordOf } from './builds.ts'
import { type Entry, journal, note, pinOf, realPath } from './journal.ts'
import { withLease } from './lease.ts'

/** How long a file outlives the last build that had it. */
const KEEP_FILES_MS = 7 * 24 * 60 * 60 * 1000

/** A build cannot be gone back to; the site stays as it was. */
export class BuildFault extends Error {}

/** Makes a build live, unless the site is pinned; resolves with whether the site shows it. */
export async function showBuild(build: string, site: string, who: string): Promise<boolean> {
  const buildsDir = dirname(build)
  return alone(buildsDir, () => {
    const live = liveBuild(site)
    const name = basename(build)
    const there = live === realPath(build)
    const shown = there || !live || !pinOf(buildsDir, site)
    if (!there && shown) goLive(build, site)
    // also what is there already: a rollback led to it, or a publish that was cut off before its note
    const last = journal(buildsDir, site).findLast(isPublish)
    if (last?.build !== name || (shown && !there))
      note(buildsDir, site, { what: shown ? 'published' : 'held back', build: name, who })
    return shown
  })
}

/** Goes back to a build, by default the one that was published before, and stays there until unpinned. */
export async function rollBack(site: string, who: string, name?: string): Promise<string> {
  const buildsDir = buildsOf(site)
  return alone(buildsDir, () => {
    const to = name ?? buildBefore(buildsDir, site)
    if (!to) throw new BuildFault('No earlier build that was live is kept.')
    const fault = faultOf(buildsDir, to)
    if (fault === 'gone') throw new BuildFault(`There is no build ${to} any more: it was cleared away, or never was.`)
    if (fault) throw new BuildFault(`Parts of the build ${to} are missing: visitors would see it broken.`)
    // held first: a rollback that was cut off before its note would be undone by the next publish
    note(buildsDir, site, { what: 'rolled back', build: to, who })
    goLive(join(buildsDir, to), site)
    return to
  })
}

/** Holds what is live: publishes are built and wait. */
export async function pin(site: string, who: string): Promise<string> {
  const buildsDir = buildsOf(site)
  return alone(buildsDir, () => {
    const build = basename(liveBuild(site) ?? '')
    note(buildsDir, site, { what: 'pinned', build, who })
    return build
  })
}

/** Follows publishes again, and goes to the newest one at once. */
export async function unpin(site: string, who: string): Promise<string> {
  const buildsDir = buildsOf(site)
  return alone(buildsDir, () => {
    const newest = journal(buildsDir, site).findLast(isPublish)?.build
    if (newest && isKept(buildsDir, newest)) goLive(join(buildsDir, newest), site)
    const build = basename(liveBuild(site) ?? '')
    note(buildsDir, site, { what: 'unpinned', build, who })
    return build
  })
}

/** Changes of what is live come one after the other; none waits for a build. */
export function alone<T>(buildsDir: string, work: () => T): Promise<T> {
  return withLease(buildsDir, 'swap', work)
}

const isPublish = ({ what }: Entry) => what === 'published' || what === 'held back'

/**
 * The build whose last publish precedes that of the live one: going back twice goes back two. What was held back counts
 * from the unpinning that showed it.
 */
function buildBefore(buildsDir: string, site: string): string | undefined {
  const live = basename(liveBuild(site) ?? '')
  const order = journal(buildsDir, site)
    .filter(({ what }) => what === 'published' || what === 'unpinned')
    .map(({ build }) => build)
  const newestFirst = [...new Set(order.reverse())]
  return newestFirst.slice(newestFirst.indexOf(live) + 1).find((name) => isKept(buildsDir, name))
}

function goLive(build: string, site: string): void {
  const before = liveBuild(site)
  if (before && before !== realPath(build)) carryOver(before, build)
  mkdirSync(dirname(site), { recursive: true })
  const next = `${site}.next`
  rmSync(next, { recursive: true, force: true })
  // a junction is absolute; another link is read from where it lies, which a link above it may lead to
  const target = process.platform === 'win32' ? build : relative(realPath(dirname(site)), realPath(build))
  symlinkSync(target, next, 'junction')
  // neither a junction nor a folder (dist/ was one) can be replaced by renaming
  const there = lstatSync(site, { throwIfNoEntry: false })
  const aside = `${site}.before`
  rmSync(aside, { recursive: true, force: true })
  if (there && (process.platform === 'win32' || !there.isSymbolicLink())) renameSync(site, aside)
  renameSync(next, site)
  rmSync(aside, { recursive: true, force: true })
}

/** Gives `build` the hashed files of `before`, its own and those it was given, and takes away those of last week. */
function carryOver(before: string, build: string): void {
  const now = Date.now()
  const folder = join(build, HASHED)
  mkdirSync(folder, { recursive: true })
  const own = new Set(recordOf(build)?.files ?? hashedIn(build))
  for (const name of recordOf(before)?.files ?? hashedIn(before)) {
    // the time of a file is the last moment at which a live build had it
    const file = join(before, HASHED, name)
    if (existsSync(file)) utimesSync(file, now / 1000, now / 1000)
  }
  const isOld = (file: string) => statSync(file).mtimeMs < now - KEEP_FILES_MS
  const there = new Set(hashedIn(build))
  for (const name of there) {
    if (!own.has(name) && isOld(join(folder, name))) rmSync(join(folder, name))
  }
  for (const name of hashedIn(before)) {
    const file = join(before, HASHED, name)
    if (!there.has(name) && !isOld(file)) linkOrCopy(file, join(folder, name))
  }
}

export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // another file system, or one without links
    const { atime, mtime } = statSync(from)
    copyFileSync(from, to)
    utimesSync(to, atime, mtime)
  }
}
