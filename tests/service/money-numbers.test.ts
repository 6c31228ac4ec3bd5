/** Trial → paid, refund rate and net revenue of hand-made ledgers. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { readMoney } from '../../payments-service/numbers/money.queries.ts'
import { createTestDatabase } from '../support/database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let one: ReturnType<typeof connect>
beforeAll(async () => {
  database = await createTestDatabase()
  one = connect(database.url, { max: 1 })
})
afterAll(async () => {
  await one.close()
  await database.drop()
})

interface Paid {
  purpose: string
  cents: number
  back?: number
  lost?: number
  /** Paid back by an operator in another way. */
  settled?: number
  /** Settled so many days ago; null while it is not. */
  ago?: number | null
  duplicate?: boolean
}

/** A buyer of a trial that ends in `trialEnds` days, with what they paid. */
async function buyer(trialEnds: number, payments: readonly Paid[], trial = true, source = 'direct'): Promise<void> {
  const { rows } = await sql<{ id: string }>`insert into sessions (client_key, payment_status, paid_at)
    values (${randomUUID()}, 'paid', now()) returning id`.execute(one.db)
  const id = rows[0]?.id
  await sql`insert into funnel_places (session_key, day, source, price_cents, stage, step, revenue_cents)
    select key, current_date, ${source}, 100, 'paid', 0, 100 from sessions where id = ${id}`.execute(one.db)
  for (const { purpose, cents, back = 0, lost = 0, settled = 0, ago = 5, duplicate = false } of payments) {
    const intent = `pi_${randomUUID()}`
    await sql`insert into payments (session_id, purpose, amount_cents, refunded_cents, payment_intent_id, status,
        product_id, is_trial, is_duplicate, is_upsell, settled_at)
      values (${id}, ${purpose}, ${cents}, ${back}, ${intent}, 'succeeded', 'x', ${trial && purpose === 'first'},
        ${duplicate}, ${purpose.startsWith('upsell:')}, now() - make_interval(days => ${ago}))`.execute(one.db)
    if (lost > 0) {
      await sql`insert into disputes (id, session_id, payment_intent_id, amount_cents, currency, status, opened_at)
        values (${randomUUID()}, ${id}, ${intent}, ${lost}, 'usd', 'lost', now()),
          (${randomUUID()}, ${id}, ${intent}, ${lost}, 'usd', 'won', now())`.execute(one.db)
    }
    if (settled > 0) {
      await sql`insert into owed_refunds (session_id, payment_intent_id, cause, wanted_cents, status, settled_by)
        values (${id}, ${intent}, 'returned', ${settled}, 'settled', 'op')`.execute(one.db)
    }
    if (purpose === 'first' && !duplicate) {
      await sql`insert into subscriptions (session_id, product_id, source_payment_id, status, trial_end)
        values (${id}, 'monthly', ${intent}, 'active', now() + make_interval(days => ${trialEnds}))`.execute(one.db)
    }
  }
}

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const DAYS = { from: day(7), to: day(3) }

test('D-09 trials that ended, buyers who got money back, and what is left are counted buyer by buyer', async () => {
  const first = { purpose: 'first', cents: 100 }
  // ended and charged; ended and left; charged nothing yet, because a failed charge has not settled
  await buyer(-2, [first, { purpose: 'renewal:in_1', cents: 3_900, ago: 2 }])
  await buyer(-2, [first])
  await buyer(-2, [first, { purpose: 'renewal:in_2', cents: 3_900, ago: null }])
  // still open: in no share of trials; some of an add-on went back
  await buyer(1, [first, { purpose: 'upsell:meditation', cents: 1_500, back: 500 }])
  // paid twice, one went back; the charge was lost to a dispute
  await buyer(-1, [
    first,
    { ...first, back: 100, duplicate: true },
    { purpose: 'renewal:in_3', cents: 3_900, lost: 3_900 },
  ])
  // no trial
  await buyer(-1, [{ purpose: 'first', cents: 3_900, back: 3_900 }], false)
  // a reading alone: no buyer of the programme
  await buyer(-1, [{ purpose: 'reading', cents: 1_995, back: 1_995 }])
  // before and after these days
  await buyer(-9, [{ ...first, ago: 9 }])
  await buyer(1, [{ ...first, ago: 1 }])
  expect(await readMoney(one.db, DAYS)).toEqual({
    trials: { part: 2, whole: 4 },
    refunds: { part: 2, whole: 6 },
    net: 100 + 3_900 + 100 + 100 + (100 + 1_000) + 100,
  })
  expect(await readMoney(one.db, { from: '2020-01-01', to: '2020-01-02' })).toEqual({
    trials: { part: 0, whole: 0 },
    refunds: { part: 0, whole: 0 },
    net: 0,
  })
})

test('D-09 P-12 what an operator paid back in another way is off the revenue, and makes a refund', async () => {
  const first = { purpose: 'first', cents: 1_767, ago: 20 }
  await buyer(1, [{ ...first, settled: 600 }])
  await buyer(1, [{ ...first, back: 500, settled: 600 }])
  await buyer(1, [first, { ...first, settled: 1_767, duplicate: true }])
  // refunded in part before the bank took all of it: no more than all is gone
  await buyer(1, [first, { purpose: 'upsell:meditation', cents: 1_500, back: 500, lost: 1_500, ago: 20 }])
  const { refunds, net } = await readMoney(one.db, { from: day(22), to: day(18) })
  expect({ refunds, net }).toEqual({ refunds: { part: 3, whole: 4 }, net: 1_167 + 667 + 1_767 + 1_767 })
})

test('D-09 what a test bought is in no figure of money', async () => {
  const first = { purpose: 'first', cents: 100, ago: 13 }
  await buyer(-2, [first])
  await buyer(
    -2,
    [
      { ...first, back: 100 },
      { purpose: 'renewal:in_4', cents: 3_900, ago: 10 },
    ],
    true,
    'test',
  )
  expect(await readMoney(one.db, { from: day(15), to: day(11) })).toEqual({
    trials: { part: 0, whole: 1 },
    refunds: { part: 0, whole: 1 },
    net: 100,
  })
})

test('D-09 buyers of a month are found by an index among those of years', async () => {
  await sql`insert into sessions (client_key, payment_status, paid_at) select 'old-buyer-' || n, 'paid', now()
    from generate_series(1, 20000) n`.execute(one.db)
  await sql`insert into payments (session_id, purpose, amount_cents, payment_intent_id, status, product_id, is_trial,
      settled_at)
    select id, 'first', 100, 'pi_old_' || key, 'succeeded', 'x', true,
      now() - interval '40 days' - key * interval '1 hour'
    from sessions where client_key like 'old-buyer-%'`.execute(one.db)
  await sql`insert into funnel_places (session_key, day, source, price_cents, stage, step, revenue_cents)
    select key, current_date, 'test', 100, 'paid', 0, 100 from sessions where client_key like 'old-buyer-%'`.execute(
    one.db,
  )
  await sql`analyze`.execute(one.db)
  const read = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`.execute(one.db)
    const { rows } = await sql<{ n: string }>`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as n
      from pg_stat_user_tables where relname in ('payments', 'sessions', 'funnel_places')`.execute(one.db)
    return Number(rows[0]?.n)
  }
  const before = await read()
  await readMoney(one.db, DAYS)
  expect((await read()) - before).toBeLessThan(200)
})
