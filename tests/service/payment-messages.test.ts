/** P-11: messages of rare failures, each provoked at its source; none of them causes a double or a lost charge. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setupOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterEach(() => funnel.control('DELETE', 'faults'))
afterAll(() => funnel.stop())

const fault = (rule: object) => funnel.control('POST', 'faults', rule)

describe('what Stripe refuses', () => {
  test('P-11 P-09 the price of an order: the words say so, nothing is opened, and the next try goes on', async () => {
    const fresh = await startFunnel({ webhooks: false, background: false })
    try {
      const buyer = await fresh.buyer()
      await fresh.control('POST', 'faults', { mode: '400', method: 'GET', path: '/v1/prices', times: 1 })
      expect(await buyer.open()).toMatchObject({
        status: 502,
        body: { error: { message: 'Failed to get product details for Payment Intent' } },
      })
      expect((await buyer.open()).status).toBe(200)
    } finally {
      await fresh.stop()
    }
  })

  test('P-11 P-05 the subscription of the monthly product, before a charge: tried again, it is one', async () => {
    const buyer = await funnel.buyer()
    const before = await funnel.totals()
    await fault({ mode: '400', method: 'POST', path: '/v1/subscriptions', times: 1 })
    expect(await buyer.open('monthly')).toMatchObject({
      status: 502,
      body: { error: { message: 'Failed to create subscription. Please try again.' } },
    })
    await buyer.pay('monthly')
    const after = await funnel.totals()
    expect(after.subscriptions - before.subscriptions).toBe(1)
    expect(after.charges_succeeded - before.charges_succeeded).toBe(1)
  })
})

test('P-11 P-06 a set-up whose customer is not known any more starts nothing and says so', async () => {
  const buyer = await funnel.buyer()
  const opened = await buyer.browser.post(buyer.path('/paypal/setup'), setupOf('trial_9'))
  await funnel.paypal(opened.body)
  const { paymentIntentId: setupIntentId } = opened.body
  await funnel.db
    .updateTable('payment_intents')
    .set({ stripe_customer_id: null })
    .where('stripe_intent_id', '=', setupIntentId)
    .execute()
  expect(await buyer.browser.post(buyer.path('/paypal/setup/finalize'), { setupIntentId })).toMatchObject({
    status: 409,
    body: { error: { code: 'customer_missing' } },
  })
  const { subscriptions } = await funnel.db
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<string>().as('subscriptions'))
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  expect(subscriptions).toBe('0')
})

describe('a database that does not answer', () => {
  test('P-11 P-04 a charge that cannot be recorded says so, and is recorded by the next look', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    // PostgreSQL's own answer while it starts or stops (SQLSTATE 57P03)
    await sql`create function away() returns trigger language plpgsql as
      $$ begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$`.execute(funnel.db)
    await sql`create trigger away before insert on payments for each row execute function away()`.execute(funnel.db)
    const refused = await buyer.finalize(body.paymentIntentId)
    await sql`drop trigger away on payments`.execute(funnel.db)
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: { message: 'Failed to record payment transaction: our records do not answer right now.' },
      },
    })
    expect(JSON.stringify(refused.body)).not.toContain('starting up')
    expect(await buyer.finalize(body.paymentIntentId)).toMatchObject({ status: 200, body: { status: 'settled' } })
    const payments = await funnel.db
      .selectFrom('payments')
      .select('amount_cents')
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(payments).toEqual([{ amount_cents: 100 }])
  })

  test('P-11 P-08 while the saved card is looked up: the words say so, and later it is found', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const asked = await funnel.db.transaction().execute(async (tx) => {
      await sql`lock table payments in access exclusive mode`.execute(tx)
      const waiting = buyer.browser.get(buyer.path('/payment-context'))
      // an administrator cancels the waiting query (SQLSTATE 57014); outside, since a transaction sees one snapshot
      await eventually(
        async () => {
          const { rows } = await sql<{ ended: boolean }>`select pg_cancel_backend(pid) as ended from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%payments%'`.execute(
            funnel.db,
          )
          return rows.length
        },
        (ended) => ended > 0,
      )
      return { reply: await waiting }
    })
    expect(asked.reply).toMatchObject({
      status: 503,
      body: { error: { message: 'Database error retrieving payment context.' } },
    })
    expect((await buyer.browser.get(buyer.path('/payment-context'))).status).toBe(200)
  })
})
