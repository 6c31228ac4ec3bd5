/**
 * Who was erased, outside of the database: one from before it does not know. A list of ids and moments that only grows;
 * an id is random and identifies no one once its visit is erased.
 */
import {
  type BigIntStats,
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../connect.ts'
import { writeAll } from './manifest.ts'

const Entry = z.object({
  visit: z.uuid(),
  /** As PostgreSQL writes it: all visits of one erasure have the same moment, to the microsecond. */
  at: z.string(),
  /** Whether what lay under the visitor's address alone was erased too. */
  address: z.boolean(),
})
export type ErasedEntry = z.infer<typeof Entry>

const listFile = (folder: string): string => join(folder, 'erased.jsonl')

/**
 * Milliseconds: a transaction may be seen after one that began later; none lasts longer than this. A clock ahead goes
 * back.
 */
const OVERLAP = 3_600_000

/** The lines of a file in portions, which leave time for others: a list of years is too long for one string. */
async function* linesOf(file: string): AsyncGenerator<string[]> {
  let rest = ''
  for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  yield [rest]
}

/** Gives every entry of a list to `take`, then throws where one could not be read. */
async function readEntries(file: string, take: (entry: ErasedEntry) => void): Promise<void> {
  let torn: { line: string; at: number }[] = []
  let at = 0
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      at += 1
      if (line === '') continue
      // one that was cut short is written again
      torn = torn.filter((one) => !line.startsWith(one.line))
      const entry = parse(line)
      if (entry) take(entry)
      else torn.push({ line, at })
    }
  }
  // a visitor whose erasure cannot be read would stay; the last line is about to be written again
  const [lost] = torn.filter((one) => one.at < at)
  if (lost) throw new Error(`${file}, line ${lost.at}, cannot be read`)
}

export async function readErased(folder: string): Promise<ErasedEntry[]> {
  const file = listFile(folder)
  const found = new Map<string, ErasedEntry>()
  if (!existsSync(file)) return []
  await readEntries(file, (entry) => {
    if (!found.has(entry.visit)) found.set(entry.visit, entry)
  })
  return [...found.values()]
}

/** The list as a restore needs it: without one, everybody who was erased would come back. */
export async function erasedSince(folder: string): Promise<ErasedEntry[]> {
  const file = listFile(folder)
  if (existsSync(file)) return readErased(folder)
  throw new Error(`${file} is missing. Name the folder of the backups; where nobody was ever erased, make it empty`)
}

function parse(line: string): ErasedEntry | undefined {
  try {
    return Entry.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** What a program keeps in mind of a list: read each time, it would keep the log waiting for longer and longer. */
interface Known {
  /** The file when it was read: another program may have written to it since. */
  stamp: string
  last: string
  /** Who is in the list, of those that the database may name again. */
  recent: ReadonlySet<string>
}

const MISSING = 'missing'
const stampOf = ({ ino, size }: Pick<BigIntStats, 'ino' | 'size'>): string => `${ino} ${size}`

function presentStamp(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats ? stampOf(stats) : MISSING
}

async function know(file: string): Promise<Known> {
  const stamp = presentStamp(file)
  const now = Date.now()
  const recent = new Map<string, number>()
  let last = '-infinity'
  if (stamp === MISSING) return { stamp, last, recent: new Set() }
  await readEntries(file, ({ visit, at }) => {
    if (at > last) last = at
    recent.set(visit, Date.parse(at))
    // twice: the clock here is not the server's, and whoever is forgotten too early is only noted twice
    const limit = Math.min(Date.parse(last), now) - 2 * OVERLAP
    for (const [one, then] of recent) {
      if (then >= limit) break
      recent.delete(one)
    }
  })
  return { stamp, last, recent: new Set(recent.keys()) }
}

/**
 * Adds the erasures that are not in the list, each time it is called, and returns how many. `flush` waits for the disk.
 */
export function followErased(
  folder: string,
  flush: (file: number) => void = fsyncSync,
): (db: Database) => Promise<number> {
  const file = listFile(folder)
  let known: Known | undefined
  return async (db) => {
    if (known?.stamp !== presentStamp(file)) known = await know(file)
    const { stamp, last, recent } = known
    const { rows } = await sql<ErasedEntry>`
      select session_id as visit, to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
        of_address as address
      from erasures where erased_at > least(${last}::timestamptz, now()) - make_interval(secs => ${OVERLAP / 1_000})
      order by id`.execute(db)
    const added = rows.filter(({ visit }) => !recent.has(visit))
    // an empty list says that no one was erased; a missing one says nothing
    const written = added.length > 0 || stamp === MISSING ? append(folder, { added, before: stamp, flush }) : stamp
    known = {
      stamp: written,
      last: added.reduce((latest, { at }) => (at > latest ? at : latest), last),
      recent: new Set(rows.map(({ visit }) => visit)),
    }
    return added.length
  }
}

/** Returns the file's stamp, or none where another program wrote to it meanwhile. */
function append(
  folder: string,
  { added, before, flush }: { added: readonly ErasedEntry[]; before: string; flush: (file: number) => void },
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = openSync(listFile(folder), 'a', 0o600)
  try {
    const { ino, size } = fstatSync(file, { bigint: true })
    const alone = stampOf({ ino, size }) === before
    // begins a line of its own, also after one that was cut short
    const lines = Buffer.from(added.map((entry) => `\n${JSON.stringify(entry)}`).join(''))
    writeAll(file, lines)
    flush(file)
    // reckoned, not looked up: what another program has added since then is not read yet
    return alone ? stampOf({ ino, size: size + BigInt(lines.length) }) : ''
  } finally {
    closeSync(file)
  }
}
