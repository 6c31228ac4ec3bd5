// Append-only NDJSON file. A line is on disk (fdatasync) before the reply that reports it leaves the process;
// lines that arrive while a sync runs share the next one.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { type LedgerEntry } from './types.ts'

export interface Ledger {
  /** Entries found on disk at start. */
  readonly past: readonly LedgerEntry[]
  readonly file: string
  /** Adds a line; it counts once {@link Ledger.settled} resolves. Returns the entry with its number. */
  append(entry: Omit<LedgerEntry, 'seq' | 'at'>): LedgerEntry
  /** Resolves when everything appended so far is on disk. */
  settled(): Promise<void>
  /** All lines on disk, oldest first. */
  read(): LedgerEntry[]
  close(): Promise<void>
}

/** Reads the ledger's whole lines. With `repair` a last line that a crash left half written is cut off. */
function load(file: string, repair: boolean): LedgerEntry[] {
  if (!existsSync(file)) closeSync(openSync(file, 'a'))
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(0x0a) + 1
  if (repair && end < bytes.length) truncateSync(file, end)
  const entries: LedgerEntry[] = []
  for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
    if (line !== '') entries.push(JSON.parse(line) as LedgerEntry)
  }
  return entries
}

/** Opens (and creates) the ledger of a data folder. Throws when the file is damaged before its last line. */
export async function openLedger(folder: string): Promise<Ledger> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'ledger.ndjson')
  const past = load(file, true)
  const handle: FileHandle = await open(file, 'a')
  let seq = past.at(-1)?.seq ?? 0
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
    past,
    file,
    append(entry) {
      const line: LedgerEntry = { seq: ++seq, at: new Date().toISOString(), ...entry }
      waiting.push(JSON.stringify(line) + '\n')
      running ??= drain()
      return line
    },
    settled,
    read: () => load(file, false),
    async close() {
      await settled()
      await handle.close()
    },
  }
}
