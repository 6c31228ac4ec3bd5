/**
 * Who was erased, outside of the database: one from before it does not know. A list of ids and moments that only grows;
 * an id is random and identifies no one once its visit is erased.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
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

/** A transaction may be seen after one that began later; none lasts longer than this. A clock ahead goes back. */
const OVERLAP = '1 hour'

export function readErased(folder: string): ErasedEntry[] {
  const file = listFile(folder)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const found = new Map<string, ErasedEntry>()
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    const entry = parse(line)
    // a visitor whose erasure cannot be read would stay: a line that was cut short is written again
    if (!entry && at < lines.length - 1 && !lines.slice(at + 1).some((later) => later.startsWith(line)))
      throw new Error(`${file}, line ${at + 1}, cannot be read`)
    if (entry && !found.has(entry.visit)) found.set(entry.visit, entry)
  }
  return [...found.values()]
}

/** The list as a restore needs it: without one, everybody who was erased would come back. */
export function erasedSince(folder: string): ErasedEntry[] {
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

/** Adds the erasures that are not in the list, and returns how many. */
export async function noteErased(db: Database, folder: string): Promise<number> {
  const known = readErased(folder)
  const last = known.reduce((latest, { at }) => (at > latest ? at : latest), '-infinity')
  const { rows } = await sql<ErasedEntry>`
    select session_id as visit, to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      of_address as address
    from erasures where erased_at > least(${last}::timestamptz, now()) - ${OVERLAP}::interval order by id`.execute(db)
  const here = new Set(known.map(({ visit }) => visit))
  const added = rows.filter(({ visit }) => !here.has(visit))
  // an empty list says that no one was erased; a missing one says nothing
  if (added.length > 0 || !existsSync(listFile(folder))) append(folder, added)
  return added.length
}

function append(folder: string, entries: readonly ErasedEntry[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = openSync(listFile(folder), 'a', 0o600)
  try {
    // begins a line of its own, also after one that was cut short
    writeAll(file, Buffer.from(entries.map((entry) => `\n${JSON.stringify(entry)}`).join('')))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
