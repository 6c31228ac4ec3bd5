/** Who made which build live, in one file beside the builds, for every site that is served from them. */
import { appendFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { whoAmI } from '../../db/command.ts'

export interface Entry {
  /** ISO 8601. */
  at: string
  /** The link that is served, as seen from the folder of builds. */
  site: string
  what: 'published' | 'held back' | 'rolled back' | 'pinned' | 'unpinned'
  /** The build that is live from then on; of "held back" the one that is not. */
  build: string
  who: string
}

const fileOf = (buildsDir: string) => join(buildsDir, 'journal.jsonl')

export function note(buildsDir: string, site: string, entry: Pick<Entry, 'what' | 'build' | 'who'>): void {
  const line = { at: new Date().toISOString(), site: nameOf(buildsDir, site), ...entry }
  // a line that a full disk cut short ends here at the latest
  appendFileSync(fileOf(buildsDir), `\n${JSON.stringify(line)}\n`)
}

/** Everything that was noted, of one site or of all, oldest first. */
export function journal(buildsDir: string, site?: string): Entry[] {
  if (!existsSync(fileOf(buildsDir))) return []
  const lines = readFileSync(fileOf(buildsDir), 'utf8').split('\n').filter(Boolean)
  return lines.flatMap(parsed).filter((entry) => site === undefined || entry.site === nameOf(buildsDir, site))
}

function parsed(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry]
  } catch {
    return []
  }
}

/** The links of all sites that are served from these builds. */
export function sitesOf(buildsDir: string): string[] {
  return [...new Set(journal(buildsDir).map(({ site }) => site))].map((site) => resolve(realPath(buildsDir), site))
}

/** Since when and by whom a site is held; undefined while it follows publishes. A rollback holds it too. */
export function pinOf(buildsDir: string, site: string): Entry | undefined {
  const last = journal(buildsDir, site).findLast(({ what }) => /pinned$|^rolled/.test(what))
  return last?.what === 'unpinned' ? undefined : last
}

/** The person at this command line, and the machine. */
export function whoAndWhere(): string {
  return `${whoAmI()}@${hostname()}`
}

/** A site has one name, by whichever links above it it is reached: an operator's pin is the publisher's. */
const nameOf = (buildsDir: string, site: string) =>
  relative(realPath(buildsDir), join(realPath(dirname(site)), basename(site)))

/** Where a path leads; itself while nothing is there. */
export const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path))
