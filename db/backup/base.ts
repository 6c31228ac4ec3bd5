/** A base backup: all files of the server, as of one moment, with the log that it takes to make them agree. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type BaseNote, NOTE, refuseOther, UNFINISHED } from './folder.ts'
import { MANIFEST, readBase, TAR, walRange, type WalRange, writeAll } from './manifest.ts'
import { copyFrom, replicationClient } from './replication.ts'

export interface TakenBase extends WalRange {
  folder: string
  files: number
  /** Bytes of the data, and of the file that holds them. */
  bytes: number
  startedAt: Date
}

/**
 * Takes a base backup into a new folder below `into` and compares what was written with the server's manifest. A folder
 * called `base-…` is always a whole one. The shop goes on meanwhile. Throws beside the backups of another server:
 * `--keep` would delete them.
 */
export async function takeBase(url: string, into: string): Promise<TakenBase> {
  const client = await replicationClient(url, 'eye-funnel backup')
  const startedAt = new Date()
  let unfinished: string | undefined
  try {
    const name = claimName(into, startedAt)
    const folder = join(into, name)
    unfinished = join(into, UNFINISHED + name)
    const server = await describe(client)
    refuseOther(into, await systemIdOf(client))
    await holdLog(client)
    await receive(client, unfinished)
    const note: BaseNote = { ...server, takenAt: (await now(client)).toISOString() }
    writeFileSync(join(unfinished, NOTE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true })
    const taken = { ...(await readBase(unfinished)), ...walRange(unfinished), folder, startedAt }
    renameSync(unfinished, folder)
    return taken
  } catch (error) {
    if (unfinished) rmSync(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

/**
 * Makes the folder of a backup, called after its second or the first later one that is free: the daily backup and
 * one that the receiver of the log begins may start together.
 */
function claimName(into: string, startedAt: Date): string {
  mkdirSync(into, { recursive: true, mode: 0o700 })
  for (let second = startedAt.getTime(); ; second += 1_000) {
    const name = `base-${new Date(second).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')}`
    const unfinished = join(into, UNFINISHED + name)
    try {
      mkdirSync(unfinished, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    // the other may have ended within this second
    if (!existsSync(join(into, name))) return name
    rmdirSync(unfinished)
  }
}

type Client = Awaited<ReturnType<typeof replicationClient>>

async function describe(client: Client): Promise<Omit<BaseNote, 'takenAt'>> {
  const { rows } = await client.query<{ version: string; size: number; elsewhere: boolean }>(`
    select current_setting('server_version') as version,
      (select setting::int from pg_settings where name = 'wal_segment_size') as size,
      exists (select from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as elsewhere`)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL says nothing of itself')
  if (row.elsewhere) throw new Error('This server has tablespaces, which only pg_basebackup copies: use that')
  return { version: row.version, segmentSize: row.size }
}

async function systemIdOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM')
  return rows[0]?.systemid ?? ''
}

async function now(client: Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  if (!rows[0]) throw new Error('PostgreSQL does not say what time it is')
  return rows[0].now
}

/**
 * Keeps the log from now on for as long as the connection lasts: a backup ends with what was written while it was
 * taken, and a server drops its log with every checkpoint (as `pg_basebackup` does it).
 */
async function holdLog(client: Client): Promise<void> {
  const slot = `eye_funnel_base_${randomUUID().replaceAll('-', '')}`
  await client.query(`CREATE_REPLICATION_SLOT "${slot}" TEMPORARY PHYSICAL (RESERVE_WAL)`)
}

/** The answer of BASE_BACKUP: pieces of the tar, then of the manifest, each after a byte that says what it is. */
async function receive(client: Client, folder: string): Promise<void> {
  const files = [TAR, MANIFEST].map((name) => openSync(join(folder, name), 'wx', 0o600)) as [number, number]
  let [at] = files
  try {
    await copyFrom(
      client,
      `BASE_BACKUP (LABEL 'eye-funnel', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256',
        COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1')`,
      (piece) => {
        const kind = String.fromCharCode(piece[0] ?? 0)
        if (kind === 'd') writeAll(at, piece.subarray(1))
        else if (kind === 'm') at = files[1]
      },
    )
    for (const file of files) fsyncSync(file)
  } finally {
    for (const file of files) closeSync(file)
  }
}
