/** /readyz on a PostgreSQL of its own, which is frozen, made read-only and stopped. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { type EmbeddedPostgres, ensureDatabase, startPostgres } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { Browser, eventually, type RunningService, startService } from './service.ts'

let server: EmbeddedPostgres
let folder: string
let running: RunningService
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'eye-ready-'))
  chmodSync(folder, 0o755)
  const password = randomBytes(12).toString('hex')
  server = await startPostgres({ dataDir: join(folder, 'data'), password, temporary: true })
  url = await ensureDatabase(server.url, 'ready')
  const { db, close } = connect(url, { max: 2 })
  await migrate(db)
  await close()
  running = await startService({ databaseUrl: url, background: true })
})
afterAll(async () => {
  await running.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ready = async () => {
  const asked = performance.now()
  const { status, body } = await new Browser(running.url).get('/readyz')
  return { status, body, seconds: (performance.now() - asked) / 1000 }
}

/** Stops every process of the server where it is; returns what lets them go on. */
async function freeze(): Promise<() => void> {
  const { db, close } = connect(server.url, { max: 1 })
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where pid <> pg_backend_pid()`.execute(
    db,
  )
  await close()
  const main = Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const pids = [main, ...rows.map(({ pid }) => pid)]
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // it ended in between
      }
    }
  }
  send('SIGSTOP')
  return () => send('SIGCONT')
}

test('D-11 ready: no reason against it, and a heartbeat of every loop', async () => {
  const { status, body } = await eventually(ready, ({ body }) => Object.keys(body.loops ?? {}).length > 0)
  expect(status).toBe(200)
  expect(body).toMatchObject({ ready: true, reasons: [], pendingMigrations: [] })
  for (const name of ['inbox', 'outbox', 'conversions', 'poll', 'reconcile', 'abandonment', 'partitions']) {
    expect(body.loops[name]).toMatchObject({ secondsSince: expect.any(Number), stuck: false, age: expect.any(Number) })
  }
})

test('D-11 a frozen database: 503 with the reason within 2 s, however often it is asked; healthz as ever', async () => {
  const thaw = await freeze()
  try {
    const alive: number[] = []
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 5 }, ready))
      for (const { status, body } of answers) {
        expect(status).toBe(503)
        expect(body).toMatchObject({ ready: false, reasons: ['database'] })
      }
      // a slow machine adds to some of them; without its own limit each would wait for the database
      expect(Math.min(...answers.map(({ seconds }) => seconds))).toBeLessThan(2)
      const asked = performance.now()
      expect((await new Browser(running.url).get('/healthz')).body).toEqual({ alive: true })
      alive.push(performance.now() - asked)
    }
    expect(Math.min(...alive)).toBeLessThan(500)
  } finally {
    thaw()
  }
  await eventually(ready, ({ status }) => status === 200)
})

test('D-11 a database that only reads is a reason of its own', async () => {
  const { db, close } = connect(server.url, { max: 1 })
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'ready'`
  await sql`alter database ready set default_transaction_read_only = on`.execute(db)
  await end.execute(db)
  await eventually(ready, ({ status, body }) => status === 503 && body.reasons[0] === 'read_only')
  await sql`alter database ready reset default_transaction_read_only`.execute(db)
  await end.execute(db)
  await close()
  await eventually(ready, ({ status }) => status === 200)
})
