/** A streaming standby, made as pg_basebackup would, with the programs that our own server comes with. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { takeBase } from '../../db/backup/base.ts'
import { readBase } from '../../db/backup/manifest.ts'
import { giveToServer } from '../../db/backup/recover.ts'
import { type EmbeddedPostgres, startPostgres } from '../../db/embedded.ts'

/** What `synchronous_standby_names` of the primary calls it. */
export const STANDBY = 'standby'

/**
 * A copy of the server at `url` in `dataDir`, which receives and applies its log as it is written. A slot keeps what it
 * has not received yet. It waits for no standby of its own, whatever the primary does.
 */
export async function startStandby(
  url: string,
  { dataDir, password, bases }: { dataDir: string; password: string; bases: string },
): Promise<EmbeddedPostgres & { promote(): Promise<void> }> {
  const { hostname, port, username } = new URL(url)
  const primary = new pg.Client({ connectionString: url })
  await primary.connect()
  await primary.query(`select pg_create_physical_replication_slot('${STANDBY}', true)`)
  await primary.end()
  const { folder } = await takeBase(url, bases)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await readBase(folder, dataDir)
  writeFileSync(join(dataDir, 'standby.signal'), '')
  giveToServer(dataDir)
  const from = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY}`
  const server = await startPostgres({
    dataDir,
    password,
    settings: [
      'fsync=off',
      `primary_conninfo=${from}`,
      `primary_slot_name=${STANDBY}`,
      'synchronous_standby_names=',
      // asked for often: a test that waits for it is short
      'wal_retrieve_retry_interval=200ms',
    ],
  })
  return {
    ...server,
    async promote() {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const { rows } = await client.query<{ done: boolean }>('select pg_promote() as done')
      await client.end()
      if (!rows[0]?.done) throw new Error('it was not promoted within a minute')
    },
  }
}
