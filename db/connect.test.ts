import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../tests/support/database.ts'
import { connect } from './connect.ts'

let database: TestDatabase
beforeAll(async () => void (database = await createTestDatabase()))
afterAll(() => database.drop())

test('D-11 a connection that dies inside a transaction fails its next statement and nothing else', async () => {
  const { db, pool, close } = connect(database.url, { max: 1 })
  const heard = new Promise((told) => pool.once('connect', (client) => client.once('end', told)))
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(database.db)
    // the client emits an error event, which only the pool's owner hears
    await heard
    await sql`select 1`.execute(tx)
  })
  await expect(work).rejects.toThrow()
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await close()
})
