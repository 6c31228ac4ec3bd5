import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from './connect.ts'
import { createTestDatabase, type TestDatabase, withEmptyDatabase } from '../tests/support/database.ts'
import { typesAreCurrent } from './generate-types.ts'
import { checkSchema, migrate, pendingMigrations } from './migrate.ts'
import { migrations } from './migrations/index.ts'

const run = promisify(execFile)
const migrateScript = fileURLToPath(new URL('./migrate.ts', import.meta.url))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('D-11 a migrated database has nothing pending and a second run applies nothing', async () => {
  expect(await pendingMigrations(database.db)).toEqual([])
  expect(await migrate(database.db)).toEqual([])
})

test('D-11 several processes migrate an empty database at once and apply each migration once', async () => {
  await withEmptyDatabase(async (url) => {
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, [migrateScript, url])))
    const applied = outputs.flatMap(({ stdout }) => stdout.match(/\d{14}-[a-z-]+/g) ?? [])
    expect(applied.sort()).toEqual(Object.keys(migrations))
  })
})

test('D-11 a database of another release is refused with what to do, and nothing is applied', async () => {
  await withEmptyDatabase(async (url) => {
    await run(process.execPath, [migrateScript, url])
    const { db, close } = connect(url, { max: 1 })
    await sql`update kysely_migration set name = '20991231000000-from-tomorrow'
      where name = ${Object.keys(migrations)[0]}`
      .execute(db)
      .finally(close)
    const refused = run(process.execPath, [migrateScript, url])
    const words = expect.stringMatching(/does not know: 20991231000000-from-tomorrow.*empty database/) as string
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: words })
  })
})

test('D-11 code rolled back goes on with what a newer release has added, not with what it has taken', async () => {
  await withEmptyDatabase(async (url) => {
    await run(process.execPath, [migrateScript, url])
    const { db, close } = connect(url, { max: 1 })
    const newer = (name: string) => sql`insert into kysely_migration values (${name}, now())`.execute(db)
    try {
      await newer('20991231000000-add-something')
      expect((await run(process.execPath, [migrateScript, url])).stdout).toContain('Nothing to apply')
      await checkSchema(db)
      await newer('20991231000001-drop-something-contract')
      const words = 'does not know: 20991231000000-add-something, 20991231000001-drop-something-contract'
      await expect(run(process.execPath, [migrateScript, url])).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(words) as string,
      })
      await expect(checkSchema(db)).rejects.toThrow(words)
    } finally {
      await close()
    }
  })
})

test('D-11 a database that cannot be reached is named as the reason, with a failing exit code', async () => {
  const failed = run(process.execPath, [migrateScript, 'postgres://nobody:wrong@127.0.0.1:1/none'])
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') as string })
})

test('D-05 the generated types are what the migrations make', async () => {
  expect(await typesAreCurrent(database.url)).toBe(true)
})

test('migrations are named by time and verb, and sorted', () => {
  const names = Object.keys(migrations)
  expect(names).toEqual([...names].sort())
  for (const name of names) expect(name).toMatch(/^20\d{12}-[a-z]+(-[a-z]+)+$/)
})
