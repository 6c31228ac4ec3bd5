import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../tests/support/database.ts'
import type { Database } from '../connect.ts'
import { erasedSince, followErased, readErased } from './erased-list.ts'

const visitOf = (number: number) => `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`
const entry = (number: number) => JSON.stringify({ visit: visitOf(number), at: '2026-11-23T05:00:00Z', address: false })

function listIn() {
  const folder = mkdtempSync(join(tmpdir(), 'eye-erased-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'erased.jsonl')
  const write = (lines: string[]) => writeFileSync(file, lines.map((one) => `\n${one}`).join(''))
  return { folder, file, write }
}

async function database(): Promise<Database> {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  return db
}

async function erase(db: Database, number: number, ahead = '0'): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ id: visitOf(number) })
    .execute()
  await sql`insert into erasures (session_id, erased_at)
    values (${visitOf(number)}, now() + ${ahead}::interval)`.execute(db)
}

test('D-12 a line cut short counts once it is written again, wherever; one that never is stops a restore', async () => {
  const { folder, file, write } = listIn()
  await expect(erasedSince(folder)).rejects.toThrow('erased.jsonl is missing')
  // another erasure, begun before, was seen in between
  write([entry(1), entry(2).slice(0, -5), entry(3), entry(2)])
  expect((await readErased(folder)).map(({ visit }) => visit.at(-1))).toEqual(['1', '3', '2'])
  write([entry(1), entry(2).slice(0, -5), entry(3)])
  await expect(erasedSince(folder)).rejects.toThrow('line 3, cannot be read')
  // the last one is about to be written again, unless another has begun after it
  write([entry(1), entry(2).slice(0, -5)])
  expect(await erasedSince(folder)).toHaveLength(1)
  appendFileSync(file, '\n')
  await expect(erasedSince(folder)).rejects.toThrow('line 3, cannot be read')
  write([])
  expect(await erasedSince(folder)).toEqual([])
})

test('D-11 D-12 a follower reads the list once, and again only where another program wrote to it', async () => {
  const { folder, file } = listIn()
  const db = await database()
  const note = followErased(folder)
  for (const number of [1, 2]) await erase(db, number)
  expect([await note(db), await note(db)]).toEqual([2, 0])
  // as long as it was, and none of it to be read
  const spoiled = 'x\n'.repeat(statSync(file).size).slice(0, statSync(file).size)
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, spoiled)
  await erase(db, 3)
  expect([await note(db), await note(db)]).toEqual([1, 0])
  expect(readFileSync(file, 'utf8')).toBe(spoiled + readFileSync(file, 'utf8').slice(spoiled.length))

  writeFileSync(file, `${whole}\n${entry(9)}`)
  expect(await note(db)).toBe(1)
  expect((await readErased(folder)).map(({ visit }) => visit)).toEqual([1, 2, 9, 3].map(visitOf))
  appendFileSync(file, '\nnonsense\n\n')
  await expect(note(db)).rejects.toThrow('line 6, cannot be read')
  // one that was lost is written anew, with everybody who is in the database
  rmSync(file)
  expect(await note(db)).toBe(3)
})

test('D-11 D-12 a follower reads what another program adds while it is writing itself', async () => {
  const { folder, file } = listIn()
  const db = await database()
  let meanwhile = ''
  const note = followErased(folder, () => appendFileSync(file, meanwhile))
  const noteAnd = async (added: string) => {
    meanwhile = added
    return note(db).finally(() => (meanwhile = ''))
  }
  await erase(db, 1)
  expect(await note(db)).toBe(1)
  await erase(db, 2)
  expect(await noteAnd(`\n${entry(3)}`)).toBe(1)
  await erase(db, 3)
  expect(await note(db)).toBe(0)
  await erase(db, 4)
  expect(await noteAnd('\nnonsense\n\n')).toBe(1)
  await expect(note(db)).rejects.toThrow('line 6, cannot be read')
})

test('D-12 who began before the last and was seen later is noted once, also by a clock that was ahead', async () => {
  const { folder, file } = listIn()
  const db = await database()
  await erase(db, 1)
  const note = followErased(folder)
  expect(await note(db)).toBe(1)
  await erase(db, 2, '-50 minutes')
  expect([await note(db), await note(db)]).toEqual([1, 0])
  await erase(db, 3, '3 hours')
  expect(await note(db)).toBe(1)
  await erase(db, 4)
  expect([await note(db), await note(db)]).toEqual([1, 0])
  // a follower that begins anew finds them in the list
  expect(await followErased(folder)(db)).toBe(0)
  expect(readFileSync(file, 'utf8').match(/visit/g)).toHaveLength(4)
})

test('D-11 D-12 a long list is read piece by piece: the log is served meanwhile, and no one is left out', async () => {
  const { folder, write } = listIn()
  const many = 300_000
  write(Array.from({ length: many }, (_, number) => entry(number)))
  let turns = 0
  const others = setInterval(() => (turns += 1), 1)
  onTestFinished(() => clearInterval(others))
  const found = await erasedSince(folder)
  expect([found.length, found.at(-1)?.visit]).toEqual([many, visitOf(many - 1)])
  expect(turns).toBeGreaterThan(20)
})
