import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPartitions } from '../payments-service/tracking/upkeep.ts'
import { type RunningService, Browser, startService } from '../tests/service/service.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { refused } from './server-version.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

test('D-11 a migration behind an open transaction holds nobody up for long, and is applied after it', async () => {
  const { db, close } = connect(running.databaseUrl, { max: 4 })
  const next = {
    ...migrations,
    '20991231000000-change-sessions': {
      up: (tx: typeof db) => sql`alter table sessions add tried text`.execute(tx).then(() => undefined),
    },
  }
  let held = true
  const open = db.transaction().execute(async (tx) => {
    await sql`select count(*) from sessions`.execute(tx)
    await pause(12_000)
    held = false
  })
  await pause(100)
  const migrated = migrate(db, next)
  const browser = new Browser(running.url)
  const waits: number[] = []
  while (held) {
    const asked = performance.now()
    expect((await browser.post('/api/sessions', { clientKey: crypto.randomUUID() })).status).toBe(200)
    waits.push(performance.now() - asked)
    await pause(20)
  }
  await open
  expect(await migrated).toEqual(['20991231000000-change-sessions'])
  await close()
  expect(Math.max(...waits)).toBeLessThan(4_500)
  expect(waits.length).toBeGreaterThan(10)
})

test('D-08 D-11 a new month waits for nobody who reads, and nobody waits for it: it is made later', async () => {
  const { db, close } = connect(running.databaseUrl, { max: 4 })
  const newest = sql<{
    name: string
  }>`select max(relname) as name from pg_class where relname ~ '^page_views_\\d{4}_\\d{2}$'`
  const name = (await newest.execute(db)).rows[0]?.name ?? ''
  const drop = sql`drop table ${sql.table(name)}`
  const made = async () => (await newest.execute(db)).rows[0]?.name === name
  await drop.execute(db)
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  const track = async () => {
    const asked = performance.now()
    const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db)
    const events = [{ kind: 'page_view', id: rows[0]?.id, url: '/quiz', step: '3' }]
    expect((await browser.post('/api/track', { sessionId, events })).status).toBe(200)
    return performance.now() - asked
  }
  const reading = Promise.withResolvers<void>()
  const read = db.transaction().execute(async (tx) => {
    await sql`select count(*) from page_views`.execute(tx)
    await reading.promise
  })
  try {
    await pause(100)
    const kept = keepPartitions(running).catch((error: unknown) => error)
    await pause(100)
    expect(await track()).toBeLessThan(3_500)
    expect(await kept).toMatchObject({ code: '55P03' })
    const migrated = migrate(db)
    await pause(100)
    expect(await track()).toBeLessThan(3_500)
    expect(await made()).toBe(false)
    reading.resolve()
    expect(await migrated).toEqual([])
    expect(await made()).toBe(true)
    await drop.execute(db)
    await keepPartitions(running)
    expect(await made()).toBe(true)
  } finally {
    reading.resolve()
    await read
    await close()
  }
})

test('D-11 a server of another version is refused with what it is and what is needed', () => {
  expect(refused(160_009)).toBe('PostgreSQL 16 is too old: this needs 17 or 18')
  expect(refused(170_010)).toBeNull()
  expect(refused(180_004)).toBeNull()
  expect(refused(190_000)).toBe('PostgreSQL 19 is newer than this release knows: it needs 17 or 18')
})
