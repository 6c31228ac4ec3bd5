import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../tests/support/database.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { type AppliedMigration, CONTRACT, migrations } from './migrations/index.ts'
import { planOf, planText } from './plan.ts'
import { judge, statementsOf } from './statements.ts'

/** The last of those that were written before they were judged. */
const UNJUDGED = '20261130400000-count-steps'

const of = (text: string, more: Partial<AppliedMigration> = {}): AppliedMigration => ({
  up: (db) =>
    sql
      .raw(text)
      .execute(db)
      .then(() => undefined),
  ...more,
})

/** What is wrong with these migrations, as "name: what". */
async function problemsOf(all: Record<string, AppliedMigration>): Promise<string[]> {
  const planned = await planOf(all)
  return planned.flatMap(({ name, phase, statements }) => [
    ...statements.flatMap(({ text, problem }) => (problem ? [`${name}: ${text} ${problem}`] : [])),
    ...(phase === (CONTRACT.test(name) ? 'contract' : 'expand')
      ? []
      : [`${name}: is of the phase ${phase}, and its name says otherwise`]),
  ])
}

test('D-11 no migration stops the shop: each is of a kind that runs while buyers buy, and says its phase', async () => {
  const judged = Object.fromEntries(Object.entries(migrations).filter(([name]) => name > UNJUDGED))
  expect(await problemsOf(judged)).toEqual([])
})

const problem = (statement: string, made: string[] = []) => judge(statement, new Set(made)).problem
test.each([
  ['create index sessions_at on sessions (at)', /concurrently/],
  ['create unique index sessions_at on only sessions (at)', /concurrently/],
  ['alter table sessions alter column key type bigint', /every row anew/],
  ['alter table sessions alter key set data type bigint', /every row anew/],
  ['alter table sessions alter column email set not null', /reads every row/],
  ['alter table sessions add column a text, add column sum int generated always as (1 + 1) stored', /every row anew/],
  ['alter table sessions add column at timestamptz not null default clock_timestamp()', /another for each row/],
  ['alter table sessions add column id uuid default uuidv7()', /another for each row/],
  ['alter table if exists only sessions add column a text not null', /fails where there are rows/],
  ["alter table sessions add constraint a check (email <> ',')", /not valid/],
  ['alter table sessions add constraint a foreign key (email) references accounts (email)', /not valid/],
  ['alter table sessions add constraint a unique (email)', /not valid/],
  ['update sessions set email = lower(email)', /in portions/],
  ['delete from sessions', /in portions/],
  ['cluster sessions', /nobody has judged/],
  ['alter table sessions inherit others', /nobody has judged/],
])('D-11 %s is refused', (statement, why) => {
  expect(problem(statement)).toMatch(why)
  // it may do anything to a table that is not in use yet
  if (!/cluster/.test(statement)) expect(problem(statement, ['sessions'])).toBeUndefined()
})

test.each([
  ['create table a (id bigint primary key, session uuid references sessions (id))', 'expand', /^sessions: .*writes/],
  ['alter table sessions add column a text', 'expand', /^sessions: everybody waits, for a moment/],
  ["alter table sessions add column a text not null default 'one, two'", 'expand', /everybody/],
  ['alter table sessions add column a integer not null default 0 check (a >= 0), add b boolean', 'expand', /everybody/],
  ['alter table sessions add constraint a check (email is not null) not valid', 'expand', /everybody/],
  ['alter table sessions validate constraint a', 'expand', /everybody/],
  ['alter table sessions drop column email', 'contract', /everybody/],
  ['alter table sessions rename column email to address', 'contract', /everybody/],
  ['drop table sessions', 'contract', /everybody/],
  ['create or replace function a() returns void language sql as $$ delete from sessions $$', 'expand', undefined],
  [
    'create trigger a after insert on sessions for each row execute function b()',
    'expand',
    /^sessions: whoever writes/,
  ],
  ["insert into bookmarks (name) values ('a')", 'expand', undefined],
])('D-11 %s is judged', (statement, phase, locks) => {
  const judged = judge(statement, new Set())
  expect(judged).toMatchObject({ phase })
  expect(judged.problem).toBeUndefined()
  if (locks) expect(judged.locks).toMatch(locks)
  else expect(judged.locks).toBeUndefined()
})

test('D-11 a text is taken apart at its semicolons, not at those of bodies, quotes and comments', () => {
  const body = "create function a() returns text language plpgsql as $x$ begin return 'b;'; end $x$"
  expect(statementsOf(`-- first; nothing\n ${body};\nselect ';' -- and; then\n; ; select 2`)).toEqual([
    body,
    "select ';'",
    'select 2',
  ])
})

test('D-11 indexes are made concurrently, outside of a transaction, and made again where one was cut off', async () => {
  const database = await createTestDatabase()
  const { db, close } = connect(database.url, { max: 3 })
  const index = 'drop index concurrently if exists late; create index concurrently late on sessions (client_key)'
  const one = (text: string) => (text.includes(';') ? text.split(';') : [text])
  const concurrently: AppliedMigration = {
    transaction: false,
    up: async (tx) => {
      for (const statement of one(index)) await sql.raw(statement).execute(tx)
    },
  }
  const next = {
    '20991231000000-add-a': of('alter table sessions add column a text'),
    '20991231000001-add-late': concurrently,
    '20991231000002-add-b': of('alter table sessions add column b text'),
  }
  expect(await problemsOf(next)).toEqual([])
  // what an attempt that was cut off leaves behind
  await sql`create index late on sessions (email)`.execute(db)
  expect(await migrate(db, { ...migrations, ...next })).toEqual(Object.keys(next))
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'late'`.execute(db)
  expect(rows).toEqual([{ indexdef: expect.stringContaining('(client_key)') as string }])
  await close()
  await database.drop()

  expect(await problemsOf({ a: of(index) })).toHaveLength(2)
  expect(
    await problemsOf({ a: of('create index concurrently late on sessions (at)', { transaction: false }) }),
  ).toEqual([expect.stringContaining('needs "drop index concurrently if exists late"')])
  expect(await problemsOf({ a: of('alter table sessions add a text', { transaction: false }) })).toHaveLength(1)
  expect(await problemsOf({ a: of('alter table sessions drop column email') })).toEqual([
    'a: is of the phase contract, and its name says otherwise',
  ])
  expect(await problemsOf({ 'a-contract': of('alter table sessions drop column email') })).toEqual([])
  expect(await problemsOf({ 'a-contract': of('alter table sessions add a text') })).toHaveLength(1)
})

test('D-11 the plan says what would run, its phase and what it locks, and changes nothing', async () => {
  const text = planText(
    await planOf({
      '20991231000000-first': of(
        'create table a (id bigint); create index b on a (id); create index c on sessions (at)',
      ),
      '20991231000001-second': of('alter table sessions drop column email'),
    }),
  )
  expect(text).toBe(`20991231000000-first  expand: before the new release; the one before goes on with it
  create table a (id bigint)
  create index b on a (id)
  create index c on sessions (at)
      locks sessions: whoever writes waits while it is built
      CAREFUL: stops the shop while it is built: "create index concurrently", in a migration without a transaction

20991231000001-second  contract: only when no replica of the release before is left
  alter table sessions drop column email
      locks sessions: everybody waits, for a moment`)

  const database = await createTestDatabase()
  const planned = () =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('./migrate.ts', import.meta.url)), '--plan'], {
      env: { DATABASE_URL: database.url },
    })
  expect((await planned()).stdout).toBe('Nothing to apply: the database is up to date\n')
  await sql`delete from kysely_migration where name >= '20261130400000'`.execute(database.db)
  for (const again of [1, 2])
    expect((await planned()).stdout, String(again)).toMatch(/^20261130400000-count-steps {2}expand/)
  await database.drop()
})
