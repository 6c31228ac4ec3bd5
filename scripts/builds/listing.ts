/** The builds of a site as operators and editors see them. */
import { basename, join } from 'node:path'
import type { BuildsView, BuildView } from '../../contract/builds.ts'
import { buildsIn, buildsOf, faultOf, liveBuild, recordOf } from './builds.ts'
import { type Entry, journal, pinOf } from './journal.ts'

/** Of those that are no longer kept, so many are named. */
const GONE = 10

export function buildsShown(site: string): BuildsView {
  const buildsDir = buildsOf(site)
  const live = basename(liveBuild(site) ?? '')
  const entries = journal(buildsDir, site)
  const last = new Map(entries.map((entry) => [entry.build, entry]))
  const view = (name: string, fault: 'gone' | 'broken' | undefined): BuildView => {
    const record = fault === 'gone' ? undefined : recordOf(join(buildsDir, name))
    return {
      name,
      built: record?.built ?? null,
      state: fault ?? (name === live ? 'live' : 'kept'),
      changed: (record?.changed ?? []).map((one) => (typeof one === 'string' ? { words: one } : one)),
      last: lastOf(last.get(name)),
    }
  }
  const there = buildsIn(buildsDir).map((path) => basename(path))
  const gone = [...new Set(entries.toReversed().map(({ build }) => build))].filter((name) => !there.includes(name))
  const pin = pinOf(buildsDir, site)
  return {
    builds: [
      ...there.map((name) => view(name, faultOf(buildsDir, name))).sort(newestFirst),
      ...gone.slice(0, GONE).map((name) => view(name, 'gone')),
    ],
    pin: pin ? { since: pin.at, by: pin.who } : null,
  }
}

/** By when they were made, which a change of a folder is not. */
const newestFirst = (a: BuildView, b: BuildView): number => (b.built ?? '').localeCompare(a.built ?? '')

const lastOf = (entry: Entry | undefined): BuildView['last'] =>
  entry ? { what: entry.what, at: entry.at, who: entry.who } : null
