/** From a base backup, and the log received since, to a data folder that PostgreSQL recovers from. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  closeSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { basesIn, noteOf, PARTIAL, segmentsIn, walFolder } from './folder.ts'
import { readBase, systemOf, walRange } from './manifest.ts'
import { readPlace, segmentName } from './replication.ts'

/**
 * Settings of a recovery, which `finish` takes back. Read-only until then: nobody who was erased may be read or written
 * to by a service that comes up early. A standby that the server waited for is not there yet.
 */
export const RECOVERY_SETTINGS = {
  restore_command: 'exit 1',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  recovery_target_time: '',
  default_transaction_read_only: 'on',
  synchronous_standby_names: '',
}

export interface Prepared {
  base: string
  /** Files of the log from beside the base backup. */
  segments: number
  /** The file from which on the log is missing, though later ones are there. */
  gap?: string
}

function newestBase(folder: string, until: Date | undefined): string {
  const found = basesIn(folder).findLast((base) => !until || new Date(noteOf(base).takenAt) < until)
  if (found) return found
  throw new Error(`${folder} holds no base backup${until ? ` of before ${until.toISOString()}` : ''}`)
}

/**
 * Makes the data folder `target` from the backups in `folder`: checked file by file, ready to be recovered up to the
 * last change that was received, or up to `until`. Throws, and leaves nothing behind, where something is there already.
 */
export async function prepare(folder: string, target: string, until?: Date): Promise<Prepared> {
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Stop the server that uses it and move it away first`)
  const base = newestBase(folder, until)
  const unfinished = `${target}.unfinished`
  if (existsSync(unfinished)) throw new Error(`${unfinished} is left from a restore that was cut off: delete it`)
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 })
    await readBase(base, unfinished)
    const log = addLog(folder, base, unfinished)
    writeFileSync(join(unfinished, 'recovery.signal'), '')
    // no abbreviation of a zone is known where this is read
    const moment = until?.toISOString().replace('Z', '+00') ?? ''
    const settings = { ...RECOVERY_SETTINGS, recovery_target_time: moment }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(unfinished, 'postgresql.auto.conf'), lines.join(''))
    if (existsSync(target)) rmdirSync(target)
    renameSync(unfinished, target)
    return { base, ...log }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

/**
 * The file from which on the log after the newest base backup of a timeline is missing, of those before the one that is
 * received at present: all of those have to be whole.
 */
export function holeIn(folder: string, timeline: number, present: string): string | undefined {
  const base = basesIn(folder).findLast((one) => walRange(one).timeline === timeline)
  if (!base) return undefined
  const size = BigInt(noteOf(base).segmentSize)
  const received = new Set(segmentsIn(walFolder(folder), timeline))
  for (let place = readPlace(walRange(base).end); ; place += size) {
    const name = segmentName(timeline, place, size)
    if (name >= present) return undefined
    if (!received.has(name)) return name
  }
}

/** Puts the received log beside that of the base backup, up to the first file that is missing. */
function addLog(folder: string, base: string, target: string): Omit<Prepared, 'base'> {
  const wal = walFolder(folder)
  const { timeline, end } = walRange(base)
  const received = segmentsIn(wal, timeline)
  if (received.length === 0) return { segments: 0 }
  if (readFileSync(join(wal, 'system'), 'utf8') !== systemOf(base))
    throw new Error(`${wal} holds the log of another server than ${base}`)
  const size = BigInt(noteOf(base).segmentSize)
  const last = (received.at(-1) ?? '').slice(0, 24)
  let segments = 0
  for (let place = readPlace(end); ; place += size) {
    const name = segmentName(timeline, place, size)
    const found = [name, name + PARTIAL].find((one) => received.includes(one))
    if (!found) return { segments, ...(name < last ? { gap: name } : {}) }
    const own = join(target, 'pg_wal', name)
    // the receiver may have ended before the backup did
    const upTo = segments === 0 && existsSync(own) ? Number(readPlace(end) % size) : 0
    if (agree(join(wal, found), own, upTo)) copyFileSync(join(wal, found), own)
    segments += 1
    if (found.endsWith(PARTIAL) && name < last) return { segments, gap: name }
  }
}

/** Whether two files begin with the same bytes. */
function agree(one: string, other: string, bytes: number): boolean {
  return bytes === 0 || beginningOf(one, bytes).equals(beginningOf(other, bytes))
}

function beginningOf(file: string, bytes: number): Buffer {
  const opened = openSync(file, 'r')
  try {
    const read = Buffer.alloc(bytes)
    return read.subarray(0, readSync(opened, read, 0, bytes, 0))
  } finally {
    closeSync(opened)
  }
}
