/** What lies in a folder of backups: base backups, the log beside them, and the name of the server of both. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemOf, walRange } from './manifest.ts'

/** What is written beside a base backup. */
export interface BaseNote {
  /** As the server says it: 18.4. */
  version: string
  /** Bytes of a file of the log, as this cluster was made. */
  segmentSize: number
  /** Its end, by the server's clock: no moment before it can be restored from here. */
  takenAt: string
}

export const NOTE = 'backup.json'
/** Begins the name of a folder until its backup is whole. */
export const UNFINISHED = 'unfinished-'

export const PARTIAL = '.partial'
const SEGMENT = /^[0-9A-F]{24}(?:\.partial)?$/

/** The base backups of a folder, oldest first. */
export const basesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.startsWith('base-'))
        .sort()
        .map((name) => join(folder, name))
    : []

/** What is left of base backups that were cut off, begun before this one. */
export const unfinishedBefore = (base: string): string[] =>
  readdirSync(dirname(base))
    .filter((name) => name.startsWith(UNFINISHED) && name.slice(UNFINISHED.length) < basename(base))
    .map((name) => join(dirname(base), name))

export const noteOf = (base: string): BaseNote => JSON.parse(readFileSync(join(base, NOTE), 'utf8')) as BaseNote

export const walFolder = (folder: string): string => join(folder, 'wal')

/** The files of the log in a folder, of one timeline, in order. */
export function segmentsIn(folder: string, timeline: number): string[] {
  const own = timeline.toString(16).toUpperCase().padStart(8, '0')
  const all = existsSync(folder) ? readdirSync(folder).filter((name) => SEGMENT.test(name) && name.startsWith(own)) : []
  return all.sort()
}

/** The files before this one, of any timeline. */
export const segmentsBefore = (folder: string, first: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => SEGMENT.test(name) && name < first) : []

/** Moves the base backups and the log of a timeline to a folder of backups of its own, the newest of the log last. */
export function setAside(wal: string, timeline: number): string {
  const folder = dirname(wal)
  const aside = join(folder, `aside-${new Date().toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(join(aside, 'wal'), { recursive: true, mode: 0o700 })
  copyFileSync(systemFile(wal), systemFile(join(aside, 'wal')))
  const bases = readdirSync(folder).filter((name) => name.startsWith('base-'))
  const own = bases.filter((name) => walRange(join(folder, name)).timeline === timeline)
  for (const name of own) renameSync(join(folder, name), join(aside, name))
  for (const name of segmentsIn(wal, timeline)) renameSync(join(wal, name), join(aside, 'wal', name))
  return aside
}

const systemFile = (folder: string): string => join(folder, 'system')

/** Writes down whose log this is. */
export function rememberSystem(folder: string, system: string): void {
  if (!existsSync(systemFile(folder))) writeFileSync(systemFile(folder), system, { flush: true })
}

/** The server of the log or, where there is none yet, of the newest base backup that says so. */
function serverOf(folder: string): string | undefined {
  const file = systemFile(walFolder(folder))
  if (existsSync(file)) return readFileSync(file, 'utf8')
  for (const base of basesIn(folder).reverse()) {
    try {
      return systemOf(base)
    } catch {
      // a damaged one is no reason to be without a new one
    }
  }
  return undefined
}

/** Throws where a folder of backups is another server's: the files of two logs have the same names. */
export function refuseOther(folder: string, system: string): void {
  const own = serverOf(folder)
  if (own !== undefined && own !== system)
    throw new Error(`${folder} holds the backups of another server: choose another folder`)
}
