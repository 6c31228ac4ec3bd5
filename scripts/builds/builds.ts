/** The folder of builds: each is a folder named by its inputs, with a record of the same name beside it. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Difference } from '../../contract/builds.ts'
import { immutable } from '../../src/site/headers.ts'
import { journal, sitesOf } from './journal.ts'

export interface BuildRecord {
  /** ISO 8601. */
  built: string
  /** A hash of the programs it was made with. */
  sources: string
  /** Revisions of the published documents, by id. */
  documents: Record<string, string>
  /** What differs from the build before; builds of an earlier release have words alone. */
  changed: (Difference | string)[]
  /** Its own hashed files; others in the same folder are of other builds. */
  files: string[]
}

/** Where a build keeps the files that are named by their content. */
export const HASHED = immutable.prefix.replaceAll('/', '')
const NAME = /^[0-9a-f]{16}$/

/** Finished builds, newest first. */
export function buildsIn(buildsDir: string): string[] {
  return readdirSync(buildsDir)
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const path = join(buildsDir, name)
      // an older one may be pruned while these are listed
      const age = statSync(path, { throwIfNoEntry: false })?.mtimeMs
      return age === undefined ? [] : [{ path, age }]
    })
    .sort((a, b) => b.age - a.age)
    .map(({ path }) => path)
}

export function isKept(buildsDir: string, name: string): boolean {
  return NAME.test(name) && existsSync(join(buildsDir, name, 'index.html'))
}

/** Why a build cannot be gone back to: it is no longer there, or parts of it are missing. */
export function faultOf(buildsDir: string, name: string): 'gone' | 'broken' | undefined {
  const build = join(buildsDir, name)
  if (!NAME.test(name) || !existsSync(build)) return 'gone'
  const there = new Set(hashedIn(build))
  const whole = isKept(buildsDir, name) && (recordOf(build)?.files ?? []).every((file) => there.has(file))
  return whole ? undefined : 'broken'
}

/** Undefined for a folder that was made by hand, or whose record can no longer be read. */
export function recordOf(build: string): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(`${build}.json`, 'utf8')) as BuildRecord
  } catch {
    return undefined
  }
}

export function writeRecord(build: string, record: BuildRecord): void {
  writeFileSync(`${build}.json`, JSON.stringify(record))
}

export function hashedIn(build: string): string[] {
  const folder = join(build, HASHED)
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The build that a link serves; undefined where there is none. */
export function liveBuild(site: string): string | undefined {
  return existsSync(join(site, 'index.html')) ? realpathSync(site) : undefined
}

/** The folder of the builds that a link is served from. */
export function buildsOf(site: string): string {
  const live = liveBuild(site)
  if (!live || !NAME.test(basename(live))) throw new Error(`${site} does not lead to a build of the site.`)
  return dirname(live)
}

/** Removes what builds left behind that died; only while no other program builds. */
export function sweep(buildsDir: string): void {
  for (const name of readdirSync(buildsDir).filter((one) => /^[0-9a-f]{16}\.(?!json$)/.test(one))) {
    rmSync(join(buildsDir, name), { recursive: true, force: true })
  }
}

/** Moves all but the newest `kept` out of the way; never one that is live, or would be if its site were unpinned. */
export function prune(buildsDir: string, kept: number): void {
  const needed = new Set(
    sitesOf(buildsDir).flatMap((site) => {
      const next = journal(buildsDir, site).findLast(({ what }) => what === 'published' || what === 'held back')
      const live = liveBuild(site)
      return [live && basename(live), next?.build]
    }),
  )
  for (const build of buildsIn(buildsDir).slice(kept)) {
    if (needed.has(basename(build))) continue
    rmSync(`${build}.json`, { force: true })
    // in one step: half a build is never among the builds
    renameSync(build, `${build}.pruned`)
  }
}
