/**
 * However many others are in it, no table is read whole for one visitor. Where the planner is told to avoid that at any
 * price, it still does so where no index helps.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { followErased } from '../../db/backup/erased-list.ts'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { exportVisitor } from '../../payments-service/privacy/export.ts'
import { listVisits } from '../../payments-service/privacy/visitor.ts'
import { CONVERSION_HANDLERS } from '../../payments-service/tracking/conversions.ts'
import { workInbox } from '../../payments-service/webhooks/inbox.ts'
import { createPoll, type Poll } from '../../payments-service/webhooks/poll.ts'
import { createTestDatabase } from '../support/database.ts'
import { explained } from '../support/explained.ts'
import { orderOf } from '../support/order.ts'
import { type Membership, startMembership } from './membership.ts'
import { signedOperator } from './operators.ts'

let world: Membership
let poll: Poll
// no loop runs, so that what is looked at does not depend on whose round falls into it
beforeAll(async () => {
  world = await startMembership({}, { webhooks: false, background: false })
  poll = createPoll(world.service.deps)
})
afterAll(() => world.stop())

/** What Stripe tells by now, and the jobs that are queued. */
async function followUp(): Promise<void> {
  const { deps } = world.service
  await poll.round(() => true)
  while (await workInbox(deps));
  for (const handlers of [OUTBOX_HANDLERS, CONVERSION_HANDLERS]) while (await workOutbox(deps, handlers));
}

type Statement = Parameters<typeof explained>[1]

/** What is sent to PostgreSQL by this process, the service among it, while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return (query.mock.calls as unknown as [text: unknown, values: unknown][]).flatMap(([text, values]) =>
      typeof text === 'string' && /^\s*(select|insert|update|delete|with)\b/i.test(text)
        ? [{ sql: text, parameters: Array.isArray(values) ? (values as unknown[]) : [] }]
        : [],
    )
  } finally {
    // the next test file has the same process
    query.mockRestore()
  }
}

/** Tables that stay small; of auth_verification, better-auth deletes what has expired whenever it looks for one. */
const SMALL = new Set(['auth_verification', 'alerts', 'replicas', 'backups', 'bookmarks'])

/** The other tables that these must read whole, each with the statement. */
function readWhole(statements: readonly Statement[]): Promise<string[]> {
  return world.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const found = new Set<string>()
    for (const statement of statements) {
      for (const [, table = ''] of (await explained(tx, statement)).matchAll(/Seq Scan on (\w+)/g))
        if (!SMALL.has(table)) found.add(`${table}: ${statement.sql.replace(/\s+/g, ' ')}`)
    }
    return [...found].sort()
  })
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
  const statements = await statementsOf(async () => {
    const found = await exportVisitor(world.db, chosen)
    expect(found['accounts']).toHaveLength(1)
    expect((await eraseVisitor(world.db, chosen)).sessions).toBe(1)
  })
  expect(statements.length).toBeGreaterThan(60)
  expect(await readWhole(statements)).toEqual([])
})

test('D-12 a search by address expects few visits among very many, and reads those', async () => {
  const { db, drop } = await createTestDatabase()
  try {
    await sql`alter table sessions disable trigger user`.execute(db)
    await sql`insert into sessions (id, email) select gen_random_uuid(),
      case when n % 3 = 0 then n || '@example.com' end from generate_series(1, 60000) n`.execute(db)
    await sql`analyze sessions`.execute(db)
    const statements = await statementsOf(() => listVisits(db, '3@example.com'))
    const [plan] = await Promise.all(statements.map((statement) => explained(db, statement)))
    expect(plan).toContain('sessions_email')
    expect(plan).not.toContain('Seq Scan on sessions')
  } finally {
    await drop()
  }
})

test('D-12 who was erased of late is found among very many: a backup looks every second', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const folder = mkdtempSync(join(tmpdir(), 'eye-erased-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await sql`insert into sessions (id) select gen_random_uuid() from generate_series(1, 20000)`.execute(db)
  await sql`insert into erasures (session_id, erased_at)
    select id, now() - row_number() over () * interval '1 hour' from sessions`.execute(db)
  await sql`analyze erasures`.execute(db)
  const noteErased = followErased(folder)
  expect(await noteErased(db)).toBe(20_000)
  const statements = await statementsOf(() => noteErased(db))
  // the mails of the service above have theirs
  const own = statements.filter(({ sql: text }) => text.includes('from erasures where erased_at'))
  expect(own).toHaveLength(1)
  for (const statement of own) expect(await explained(db, statement)).toContain('using erasures_erased_at')
})

test('P-04 U-03 A-05 a purchase, an add-on, an account, a renewal and a cancellation read no table whole', async () => {
  const statements = await statementsOf(async () => {
    const buyer = await world.member({ email: 'walks@example.com' })
    const guide = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices', {}))
    expect(guide.status).toBe(200)
    await followUp()
    await world.days(4)
    await followUp()
    const view = () => buyer.browser.get('/api/account')
    const { body } = await view()
    expect(body.subscriptions[0].state).toBe('active')
    await buyer.browser.get('/api/invoices')
    const left = await buyer.browser.post(`/api/subscriptions/${body.subscriptions[0].id}/cancel`)
    expect(left.body).toMatchObject({ state: 'ending' })
    await followUp()
    const { browser } = await signedOperator(world)
    for (const path of [`/operator/sessions/${buyer.sessionId}`, '/operator/money-back', '/operator/letters'])
      expect((await browser.get(path)).status).toBe(200)
  })
  expect(statements.length).toBeGreaterThan(200)
  expect(await readWhole(statements)).toEqual([])
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
