// Append-only NDJSON file. A line is on disk (fdatasync) before the reply that reports it leaves the process;
// lines that arrive while a sync runs share the next one.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { type LedgerEntry } from './types.ts'

export interface Ledger {
  readonly file: string
  /** Adds a line; it counts once {@link Ledger.settled} resolves. Returns the entry with its number. */
  append(entry: Omit<LedgerEntry, 'seq' | 'at'>): LedgerEntry
  /** Resolves when everything appended so far is on disk. */
  settled(): Promise<void>
  /** All lines on disk, oldest first. */
  read(): LedgerEntry[]
  close(): Promise<void>
}

/**
 * Passes the complete lines of the ledger to `take`, oldest first, one at a time (a file may be larger than a string
 * can be). With `repair`, a last line that a crash left incomplete is cut off.
 */
function load(file: string, repair: boolean, take: (entry: LedgerEntry) => void): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a'))
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(0x0a) + 1
  if (repair && end < bytes.length) truncateSync(file, end)
  for (let from = 0; from < end;) {
    const to = bytes.indexOf(0x0a, from)
    if (to > from) take(JSON.parse(bytes.toString('utf8', from, to)) as LedgerEntry)
    from = to + 1
  }
}

/**
 * Opens (or creates) the ledger of a data folder and passes its lines to `replay`. Throws when the file is damaged
 * before its last line.
 */
export async function openLedger(folder: string, replay: (entry: LedgerEntry) => void): Promise<Ledger> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'ledger.ndjson')
  let seq = 0
  load(file, true, (entry) => {
    seq = entry.seq
    replay(entry)
  })
  const handle: FileHandle = await open(file, 'a')
  let waiting: string[] = []
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.join('')
      waiting = []
      await handle.appendFile(batch)
      await handle.datasync()
    }
    running = null
  }

  async function settled(): Promise<void> {
    while (waiting.length > 0 || running) await (running ??= drain())
  }

  return {
    file,
    append(entry) {
      const line: LedgerEntry = { seq: ++seq, at: new Date().toISOString(), ...entry }
      waiting.push(JSON.stringify(line) + '\n')
      running ??= drain()
      return line
    },
    settled,
    read() {
      const entries: LedgerEntry[] = []
      load(file, false, (entry) => entries.push(entry))
      return entries
    },
    async close() {
      await settled()
      await handle.close()
    },
  }
}
