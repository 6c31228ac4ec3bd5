/**
 * D-12: erasing, exporting and looking for a visitor reads no table whole, however many others are in it. Where the
 * planner is told to avoid that at any price, it still does what no index can help with.
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DB } from '../../db/types.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { exportVisitor } from '../../payments-service/privacy/export.ts'
import { type Membership, startMembership } from './membership.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** The statements that `work` sends. */
async function statementsOf(work: (db: Kysely<DB>) => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const pool = new pg.Pool({ connectionString: world.databaseUrl })
  const log = ({ query }: { query: Statement }) => void seen.push(query)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
  return seen.filter((statement) => /^\s*(select|insert|update|delete|with)\b/i.test(statement.sql))
}

/** Read whole all the same: better-auth deletes what has expired whenever it looks for one. */
const SHORT = new Set(['auth_verification'])

/** The other tables that a statement must read whole, each with the statement. */
async function readWhole(client: pg.Client, statement: Statement): Promise<string[]> {
  const plan = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement.sql}`, [...statement.parameters])
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  const whole = [...text.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table ?? '')
  return whole.filter((table) => !SHORT.has(table)).map((table) => `${table}: ${statement.sql.replace(/\s+/g, ' ')}`)
}

test('D-12 no statement of an export or an erasure reads a table whole', async () => {
  const email = 'one-of-many@example.com'
  const buyer = await world.member({ email })
  await sql`update subscriptions set status = 'canceled' where session_id = ${buyer.sessionId}`.execute(world.db)
  await sql`update sessions set email_proved_at = now() where id = ${buyer.sessionId}`.execute(world.db)
  // with few of them, no index is worth its reading
  await sql`insert into auth_user (id, name, email, email_verified)
    select 'other-' || n, '', n || '@example.com', true from generate_series(1, 5000) n`.execute(world.db)
  await sql`analyze auth_user`.execute(world.db)
  const chosen = { who: email, visits: [buyer.sessionId] }
  const statements = await statementsOf(async (db) => {
    const found = await exportVisitor(db, chosen)
    expect(found['accounts']).toHaveLength(1)
    expect((await eraseVisitor(db, chosen)).sessions).toBe(1)
  })
  expect(statements.length).toBeGreaterThan(60)
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query('set enable_seqscan = off')
  const whole: string[] = []
  for (const statement of statements) whole.push(...(await readWhole(client, statement)))
  await client.end()
  expect(whole).toEqual([])
})

test('D-12 what hangs on a row that is deleted is found by an index', async () => {
  const { rows } = await sql<{ key: string }>`
    select c.conrelid::regclass || ' (' || string_agg(a.attname, ', ') || ')' as key
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.conrelid::regclass::text !~ '^operator_' and not exists (
      select from pg_index i where i.indrelid = c.conrelid
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^[(]\\w+ IS NOT NULL[)]$')
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
    group by c.oid, c.conrelid order by 1`.execute(world.db)
  expect(rows.map(({ key }) => key)).toEqual([])
})
