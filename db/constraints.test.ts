import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../tests/support/database.ts'
import { migrations } from './migrations/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function newSession(): Promise<string> {
  const row = await database.db.insertInto('sessions').defaultValues().returning('id').executeTakeFirstOrThrow()
  return row.id
}

function payment(session_id: string, purpose = 'first') {
  const payment_intent_id = `pi_${randomBytes(8).toString('hex')}`
  const is_upsell = purpose.startsWith('upsell:')
  return {
    session_id,
    purpose,
    amount_cents: 100,
    payment_intent_id,
    status: 'succeeded',
    product_id: 'trial-1',
    is_upsell,
  }
}

test('D-03 a client key names one session', async () => {
  const client_key = randomUUID()
  await database.db.insertInto('sessions').values({ client_key }).execute()
  await expect(database.db.insertInto('sessions').values({ client_key }).execute()).rejects.toThrow(/unique/)
})

test('D-06 one row per question and session', async () => {
  const row = { session_id: await newSession(), question_id: 'eyeColor', answer: 'blue' }
  await database.db.insertInto('quiz_answers').values(row).execute()
  await expect(database.db.insertInto('quiz_answers').values(row).execute()).rejects.toThrow(/unique/)
})

test('P-01 one customer per session and email, one row per Stripe customer', async () => {
  const session_id = await newSession()
  const customer = { session_id, email: 'a@b.co', stripe_customer_id: `cus_${randomUUID()}` }
  await database.db.insertInto('customers').values(customer).execute()
  await expect(database.db.insertInto('customers').values({ session_id, email: 'a@b.co' }).execute()).rejects.toThrow(
    /unique/,
  )
  await expect(
    database.db
      .insertInto('customers')
      .values({ ...customer, email: 'c@d.co' })
      .execute(),
  ).rejects.toThrow(/unique/)
})

test('P-02 one open intent per session and purpose; a closed one makes room', async () => {
  const intent = { session_id: await newSession(), purpose: 'first', product_id: 'trial-1', amount_cents: 100 }
  const first = await database.db.insertInto('payment_intents').values(intent).returning('id').executeTakeFirstOrThrow()
  await expect(
    database.db
      .insertInto('payment_intents')
      .values({ ...intent, attempt: 2 })
      .execute(),
  ).rejects.toThrow(/unique/)
  await database.db.updateTable('payment_intents').set({ closed_at: new Date() }).where('id', '=', first.id).execute()
  await database.db
    .insertInto('payment_intents')
    .values({ ...intent, attempt: 2 })
    .execute()
})

test('P-14 a second settled payment of a purpose is recorded only as a duplicate', async () => {
  const session_id = await newSession()
  const settled = { settled_at: new Date() }
  await database.db
    .insertInto('payments')
    .values({ ...payment(session_id), ...settled })
    .execute()
  const second = { ...payment(session_id), ...settled }
  await expect(database.db.insertInto('payments').values(second).execute()).rejects.toThrow(/payments_one_settled/)
  await database.db
    .insertInto('payments')
    .values({ ...second, is_duplicate: true })
    .execute()
  await database.db
    .insertInto('payments')
    .values({ ...payment(session_id, 'upsell:bundle'), ...settled })
    .execute()
})

test('D-10 a payment intent has one payment, and a purpose is one of the three kinds', async () => {
  const row = payment(await newSession())
  await database.db.insertInto('payments').values(row).execute()
  await expect(database.db.insertInto('payments').values(row).execute()).rejects.toThrow(/unique/)
  const odd = payment(row.session_id, 'gift')
  await expect(database.db.insertInto('payments').values(odd).execute()).rejects.toThrow(/check constraint/)
})

test('P-12 facts about money are appended once and never changed', async () => {
  const fact = {
    session_id: await newSession(),
    payment_intent_id: 'pi_1',
    kind: 'refunded',
    stripe_id: `re_${randomUUID()}`,
    amount_cents: 100,
    currency: 'usd',
    occurred_at: new Date(),
  }
  await database.db.insertInto('payment_facts').values(fact).execute()
  await expect(database.db.insertInto('payment_facts').values(fact).execute()).rejects.toThrow(/unique/)
  await expect(database.db.updateTable('payment_facts').set({ amount_cents: 1 }).execute()).rejects.toThrow(
    /append-only/,
  )
  await expect(database.db.deleteFrom('payment_facts').execute()).rejects.toThrow(/append-only/)
})

test('P-04 one live subscription per session; a cancelled one makes room', async () => {
  const row = { session_id: await newSession(), product_id: 'monthly' }
  await database.db
    .insertInto('subscriptions')
    .values({ ...row, status: 'trialing' })
    .execute()
  await expect(database.db.insertInto('subscriptions').values(row).execute()).rejects.toThrow(/subscriptions_one_live/)
  await database.db
    .updateTable('subscriptions')
    .set({ status: 'canceled' })
    .where('session_id', '=', row.session_id)
    .execute()
  await database.db.insertInto('subscriptions').values(row).execute()
})

test('P-04 a grant stands once per session and product, and access can be given anew after it ended', async () => {
  const session = await newSession()
  const grant = () =>
    sql<{
      id: string
    }>`select grant_product_access(${session}, 'A@b.co', 'programme', 'initial_purchase', 'pi_2') as id`
      .execute(database.db)
      .then(({ rows }) => rows[0]?.id)
  const [first, again] = await Promise.all([grant(), grant()])
  expect(again).toBe(first)
  await database.db
    .updateTable('product_access_grants')
    .set({ revoked_at: new Date(), revoked_reason: 'refunded' })
    .where('session_id', '=', session)
    .execute()
  expect(await grant()).not.toBe(first)
})

test('D-08 the five procedures write for a known session and do nothing for an unknown one', async () => {
  const session = await newSession()
  const call = async (text: ReturnType<typeof sql<{ value: unknown }>>) =>
    (await text.execute(database.db)).rows[0]?.value
  const view = await call(sql`select log_page_view(${session}, '/quiz', 'Quiz', '3', null) as value`)
  expect(view).toMatch(/^\d{15,19}$/)
  expect(await call(sql`select end_page_view(${view}, 12, 250, 4) as value`)).toBe(true)
  expect(await call(sql`select end_page_view(${view}, 5, 10, 9) as value`)).toBe(true)
  const stored = await database.db
    .selectFrom('page_views')
    .selectAll()
    .where('id', '=', view as string)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ url: '/quiz', step: '3', seconds: 12, scroll_depth: 100, interactions: 9 })

  const activity = await call(
    sql`select log_session_activity(${session}, 'quiz_start', '{"a":1}', '/quiz', 'Quiz', 7) as value`,
  )
  const error = await call(sql`select log_session_error(${session}, 'error', 'boom') as value`)
  const written = await sql<object>`select
    (select row_to_json(a) from (select id::text, type, data, page_url, page_title, duration from activities
      where id = ${activity}) a) as activity,
    (select row_to_json(e) from (select id, type, message from session_errors where id = ${error}) e) as error`
  expect((await written.execute(database.db)).rows).toEqual([
    {
      activity: {
        id: activity,
        type: 'quiz_start',
        data: { a: 1 },
        page_url: '/quiz',
        page_title: 'Quiz',
        duration: 7,
      },
      error: { id: error, type: 'error', message: 'boom' },
    },
  ])
  await call(sql`select update_session_metadata(${session}, '{"utm_source":"fb","country":"US"}') as value`)
  await call(sql`select update_session_metadata(${session}, '{"country":"CA","unknown":1}') as value`)
  const metadata = await database.db
    .selectFrom('session_metadata')
    .selectAll()
    .where('session_id', '=', session)
    .executeTakeFirst()
  expect(metadata).toMatchObject({ utm_source: 'fb', country: 'CA' })

  const nobody = randomUUID()
  expect(await call(sql`select log_page_view(${nobody}, '/quiz') as value`)).toBeNull()
  expect(await call(sql`select update_session_metadata(${nobody}, '{}') as value`)).toBe(false)
})

test('D-08 events land in the partition of their month, and a month that has none is caught', async () => {
  const session = await newSession()
  await sql`select log_session_activity(${session}, 'quiz_start')`.execute(database.db)
  const month = new Date().toISOString().slice(0, 7).replace('-', '_')
  const { rows } = await sql<{ table: string }>`
    select a.tableoid::regclass::text as "table" from activities a join sessions s on s.key = a.session_key
    where s.id = ${session}`.execute(database.db)
  expect(rows).toEqual([{ table: `activities_${month}` }])
  await sql`insert into activities (id, session_key, type) values (event_id_floor('2020-01-01Z'), 1, 'old')`.execute(
    database.db,
  )
  const { rows: old } = await sql<{ count: string }>`select count(*) from activities_rest`.execute(database.db)
  expect(Number(old[0]?.count)).toBe(1)
})

test('P-10 a webhook event and an outgoing message are stored once', async () => {
  const event = { id: 'evt_1', type: 'invoice.paid', payload: '{}', created: new Date() }
  const stored = database.db
    .insertInto('webhook_events')
    .values(event)
    .onConflict((one) => one.column('id').doNothing())
  expect((await stored.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(1n)
  expect((await stored.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(0n)
  const message = { kind: 'mail', dedupe_key: 'confirmation:pi_1' }
  await database.db.insertInto('outbox').values(message).execute()
  await expect(database.db.insertInto('outbox').values(message).execute()).rejects.toThrow(/unique/)
})

test('D-10 an email names one user, whatever its case', async () => {
  await database.db.insertInto('users').values({ email: 'Ann@Example.com' }).execute()
  await expect(database.db.insertInto('users').values({ email: 'ann@example.com' }).execute()).rejects.toThrow(
    /users_email/,
  )
})

test('P-15 net and tax of a payment are its amount, to the nearest cent of the rate, and tax has a place', async () => {
  const session_id = await newSession()
  const taxed = { tax_basis: 'rate', tax_country: 'DE', tax_rate: 1900 }
  const insert = (tax: object, amount_cents = 3900) =>
    database.db
      .insertInto('payments')
      .values({ ...payment(session_id, `upsell:${randomBytes(4).toString('hex')}`), amount_cents, ...tax })
      .returning(['net_cents', 'tax_cents'])
      .executeTakeFirst()
  expect(await insert({ ...taxed, tax_cents: 623 })).toEqual({ net_cents: 3277, tax_cents: 623 })
  expect(await insert({})).toEqual({ net_cents: 3900, tax_cents: 0 })
  for (const tax_cents of [-1, 0, 622, 624, 3901]) {
    await expect(insert({ ...taxed, tax_cents }), String(tax_cents)).rejects.toThrow(/check constraint/)
  }
  await expect(insert({ tax_cents: 1 })).rejects.toThrow(/check constraint/)
  await expect(insert({ ...taxed, tax_country: null, tax_cents: 623 })).rejects.toThrow(/payments_tax_place/)
  await expect(insert({ ...taxed, tax_basis: 'no_rate', tax_cents: 623 })).rejects.toThrow(/payments_tax_basis/)
  await expect(insert({ ...taxed, tax_country: 'de', tax_cents: 623 })).rejects.toThrow(/check constraint/)
})

test('P-15 D-11 noting tax writes no payment anew that is there already, so buyers wait less', async () => {
  const file = async () =>
    (await sql<{ node: number }>`select pg_relation_filenode('payments') as node`.execute(database.db)).rows[0]?.node
  const columns = ['card_country', 'address_country', 'network_country', 'tax_country', 'tax_basis', 'tax_rate']
  await newSession()
  await sql
    .raw(`alter table payments ${['net_cents', 'tax_cents', ...columns].map((name) => `drop column ${name}`).join()}`)
    .execute(database.db)
  const before = await file()
  await migrations['20261130100000-note-tax']?.up(database.db)
  expect(await file()).toBe(before)
})
