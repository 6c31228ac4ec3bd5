/**
 * `npm run backup -- <folder> [--keep n]`: a base backup, checked. `--follow` receives the log into the same folder
 * until it is stopped, beginning with a base backup where the folder has none of this server. `--erased` notes who was
 * erased, and no more. Of DATABASE_URL, else of the database of `npm start`. docs/deploy.md says what to run when.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { takeBase } from './backup/base.ts'
import { noteErased } from './backup/erased-list.ts'
import { walRange } from './backup/manifest.ts'
import { readPlace, segmentName } from './backup/replication.ts'
import { basesIn, noteOf } from './backup/restore.ts'
import { receiveWal, segmentsBefore, walFolder } from './backup/wal.ts'
import { connect, type Database } from './connect.ts'
import { namedDatabase } from './named-database.ts'

/** Milliseconds between two looks at who was erased, and before the next try where the server is away. */
const LOOK_EVERY = 1_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    follow: { type: 'boolean', default: false },
    erased: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
const keep = values.keep === undefined ? undefined : Number(values.keep)
if (!folder || positionals.length > 1 || (keep !== undefined && !(Number.isInteger(keep) && keep > 0))) {
  console.error('npm run backup -- <folder> [--keep <number of base backups>] | <folder> --follow | <folder> --erased')
  process.exit(2)
}

const say = (line: string): void => console.log(`${new Date().toISOString()}  ${line}`)

async function base(db: Database, url: string, into: string): Promise<void> {
  const taken = await takeBase(url, into)
  const megabytes = Math.round(taken.bytes / 1e6)
  await db
    .insertInto('backups')
    .values({ started_at: taken.startedAt, bytes: String(taken.bytes), timeline: taken.timeline })
    .execute()
  say(`${taken.folder}: ${taken.files} files, ${megabytes} MB, every one as its server read it`)
}

/** Deletes all but the newest base backups, and the log that only the older ones need. */
function forget(into: string, count: number): void {
  const all = basesIn(into)
  const [oldest] = all.slice(-count)
  if (!oldest) return
  for (const old of all.slice(0, -count)) {
    rmSync(old, { recursive: true })
    say(`${old}: deleted`)
  }
  const { timeline, start } = walRange(oldest)
  const first = segmentName(timeline, readPlace(start), BigInt(noteOf(oldest).segmentSize))
  for (const name of segmentsBefore(walFolder(into), first)) rmSync(join(walFolder(into), name))
}

/** Receives the log until SIGTERM or Ctrl-C; a server that restarts is waited for. */
async function follow(db: Database, url: string, into: string): Promise<void> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  while (!stopped.signal.aborted) {
    try {
      const receiver = await receiveWal(url, into)
      say(`receiving the log from ${receiver.flushed()} on`)
      const stop = (): void => void receiver.stop()
      stopped.signal.addEventListener('abort', stop)
      if (!basesIn(into).some((one) => walRange(one).timeline === receiver.timeline)) await base(db, url, into)
      let over = false
      const looking = lookAtErasures(db, into, () => over)
      await receiver.ended.finally(() => {
        over = true
        stopped.signal.removeEventListener('abort', stop)
      })
      await looking
    } catch (error) {
      if (!stopped.signal.aborted) say(`the log is not received: ${error instanceof Error ? error.message : error}`)
    }
    if (!stopped.signal.aborted) await pause(LOOK_EVERY)
  }
  say('stopped')
}

async function lookAtErasures(db: Database, into: string, over: () => boolean): Promise<void> {
  while (!over()) {
    // a database that is away has nobody erased either
    const added = await noteErased(db, into).catch(() => 0)
    if (added > 0) say(`${added} erased, noted`)
    await pause(LOOK_EVERY)
  }
}

try {
  const url = namedDatabase(process.env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { db, close } = connect(url, { max: 1, name: 'eye-funnel backup' })
  try {
    if (values.follow) await follow(db, url, folder)
    else {
      if (!values.erased) await base(db, url, folder)
      await noteErased(db, folder)
      if (keep !== undefined) forget(folder, keep)
    }
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
