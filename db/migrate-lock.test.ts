import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('D-11 a server of another version is refused with what it is and what is needed', () => {
  expect(refused(160_009)).toBe('PostgreSQL 16 is too old: this needs 17 or 18')
  expect(refused(170_010)).toBeNull()
  expect(refused(180_004)).toBeNull()
  expect(refused(190_000)).toBe('PostgreSQL 19 is newer than this release knows: it needs 17 or 18')
})
