/**
 * `npm run backup -- <folder>`: a base backup, checked, or with `--follow` the log. docs/deploy.md says what to run
 * when.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { takeBase } from './backup/base.ts'
import { followErased } from './backup/erased-list.ts'
import { basesIn, noteOf, segmentsBefore, unfinishedBefore, walFolder } from './backup/folder.ts'
import { walRange } from './backup/manifest.ts'
import { readPlace, segmentName } from './backup/replication.ts'
import { holeIn } from './backup/restore.ts'
import { putAside, receiveWal, type WalReceiver } from './backup/wal.ts'
import { messageOf, runCommand } from './command.ts'
import { connect, type Database } from './connect.ts'
import { namedDatabase } from './named-database.ts'

/** Milliseconds between two looks at who was erased, and before the next try where the server is away. */
const LOOK_EVERY = 1_000
/** Milliseconds before a base backup that failed is tried again: it reads the whole server. */
const BASE_AGAIN = 60_000

const line = new Command('npm run backup --')
  .description('Keeps a copy of the database, of DATABASE_URL or of npm start: a base backup, checked.')
  .argument('<folder>', 'where the copies are')
  .option('--keep <n>', 'deletes all but the newest base backups, and the log that only older ones need', aNumber)
  .addOption(
    new Option(
      '--follow',
      'receives the log until it is stopped, beginning with a base backup where there is none',
    ).conflicts('keep'),
  )
  .addOption(new Option('--erased', 'notes who was erased, and no more').conflicts(['keep', 'follow']))
  .showHelpAfterError()
  .parse()
const [folder = ''] = line.args
const { keep, follow: follows, erased } = line.opts<{ keep?: number; follow?: boolean; erased?: boolean }>()
// one for all connections: it keeps in mind what it has read
const noteErased = followErased(folder)

function aNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('How many base backups?')
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

/** Deletes all but the newest base backups, what was begun before them, and the log that only the older ones need. */
function forget(into: string, count: number): void {
  const all = basesIn(into)
  const [oldest] = all.slice(-count)
  if (!oldest) return
  for (const old of [...unfinishedBefore(oldest), ...all.slice(0, -count)]) {
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
      await receive(db, url, into, stopped.signal)
    } catch (error) {
      if (!stopped.signal.aborted) say(`the log is not received: ${messageOf(error)}`)
    }
    if (!stopped.signal.aborted) await pause(LOOK_EVERY)
  }
  say('stopped')
}

/** Until the connection breaks; neither a base backup nor the list of erasures keeps the log waiting when it fails. */
async function receive(db: Database, url: string, into: string, stopped: AbortSignal): Promise<void> {
  const receiver = await receiveWal(url, into)
  if (receiver.aside) say(putAside(receiver.aside))
  say(`receiving the log from ${receiver.flushed()} on`)
  const stop = (): void => void receiver.stop()
  stopped.addEventListener('abort', stop)
  const over = new AbortController()
  const beside = [lookAtErasures(db, over.signal), haveBase(() => base(db, url, into), into, receiver, over.signal)]
  try {
    await receiver.ended
  } finally {
    stopped.removeEventListener('abort', stop)
    over.abort()
    // a connection that stayed would keep the slot from the next one
    await receiver.stop()
    await Promise.all(beside)
  }
}

/** Takes a base backup where none is of this timeline and has its whole log: the log alone is worth nothing. */
async function haveBase(
  take: () => Promise<void>,
  into: string,
  { timeline, first }: WalReceiver,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      const hole = holeIn(into, timeline, first)
      if (hole) say(`the log from ${hole} on is missing: a new base backup takes its place`)
      if (hole || !basesIn(into).some((one) => walRange(one).timeline === timeline)) await take()
      return
    } catch (error) {
      say(`the base backup failed, the next try is in a minute: ${messageOf(error)}`)
    }
    await pause(BASE_AGAIN, undefined, { signal: over }).catch(() => undefined)
  }
}

async function lookAtErasures(db: Database, over: AbortSignal): Promise<void> {
  for (let failed = ''; !over.aborted;) {
    try {
      const added = await noteErased(db)
      if (added > 0) say(`${added} erased, noted`)
      failed = ''
    } catch (error) {
      if (messageOf(error) !== failed) say(`who was erased is not noted: ${messageOf(error)}`)
      failed = messageOf(error)
    }
    await pause(LOOK_EVERY, undefined, { signal: over }).catch(() => undefined)
  }
}

await runCommand(async () => {
  const url = namedDatabase(process.env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { db, close } = connect(url, { max: 1, name: 'eye-funnel backup' })
  try {
    if (follows) return await follow(db, url, folder)
    if (!erased) await base(db, url, folder)
    await noteErased(db)
    if (keep !== undefined) forget(folder, keep)
  } finally {
    await close()
  }
})
