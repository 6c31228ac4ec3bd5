/** Starts the embedded server on a restored data folder: it recovers, and is up when that is done. */
import { chownSync, lchownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedOptions, type EmbeddedPostgres, startPostgres } from '../embedded.ts'
import { ownerForRoot } from '../embedded-place.ts'
import { RECOVERY_SETTINGS } from './restore.ts'

/** Starts it and waits for the end of the recovery, however long the log is. */
export async function recover(options: EmbeddedOptions): Promise<EmbeddedPostgres & Recovered> {
  giveToServer(options.dataDir)
  // a standby that can be read would ask for as many connections as the lost server had
  const server = await startPostgres({ ...options, settings: ['hot_standby=off', ...(options.settings ?? [])] })
  try {
    return { ...server, ...(await recovered(server.url)) }
  } catch (error) {
    await server.stop()
    const log = `${options.dataDir}.log`
    const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
    throw new Error(`The backup was not recovered. The log, ${log}, ends:\n${tail}`, { cause: error })
  }
}

/** The user that runs PostgreSQL owns its data. */
export function giveToServer(dataDir: string): void {
  const owner = ownerForRoot()
  if (!owner) return
  chownSync(dataDir, owner.uid, owner.gid)
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dataDir, name), owner.uid, owner.gid)
}

/** What a recovered server says of itself. */
export interface Recovered {
  /** The moment of the last change that came back; null when the log held none. */
  until: Date | null
  timeline: number
}

/** PostgreSQL's code for a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = '57P03'

/** Waits until the server has recovered. Throws when it is not there. */
export async function recovered(url: string): Promise<Recovered> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      const { rows } = await client.query<Recovered & { going: boolean }>(`
        select pg_is_in_recovery() as going, pg_last_xact_replay_timestamp() as until,
          (select timeline_id from pg_control_checkpoint()) as timeline`)
      const [row] = rows
      if (row && !row.going) return { until: row.until, timeline: row.timeline }
    } catch (error) {
      if ((error as { code?: string }).code !== CANNOT_CONNECT_NOW) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    await pause(200)
  }
}

/**
 * The address of a database that is read-only by default, for programs that have to write to it all the same: as the
 * role whose tables they are, so that a superuser's new ones belong to it too.
 */
export async function writable(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query<{ owner: string }>(
      `select rolname as owner from pg_class c join pg_roles r on r.oid = relowner
        where c.oid = to_regclass('kysely_migration') and pg_has_role(relowner, 'member')`,
    )
    .finally(() => client.end())
  const settings = ['default_transaction_read_only=off', ...rows.map(({ owner }) => `role=${owner}`)]
  const address = new URL(url)
  address.searchParams.set('options', settings.map((one) => `-c ${one.replace(/[\\\s]/g, '\\$&')}`).join(' '))
  return address.href
}

/**
 * Takes back the settings of the recovery: the database can be written to from now on. One that a host restored has
 * none of them, and may have no role that changes settings.
 */
export async function open(url: string): Promise<void> {
  // a changed setting cannot be seen through a connection that has its own
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ closed: boolean }>(
      `select current_setting('default_transaction_read_only')::bool as closed`,
    )
    if (!rows[0]?.closed) return
    for (const name of Object.keys(RECOVERY_SETTINGS)) await client.query(`alter system reset ${name}`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}
