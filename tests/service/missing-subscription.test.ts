/** A subscription that is paid for and that Stripe refuses to make: how often it is tried, and who hears of it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdingNow } from '../../payments-service/alerts/rules.ts'
import { connect } from '../../db/connect.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import { startWaitingSubscriptions } from '../../payments-service/subscriptions/waiting.ts'
import { type Buyer, type Funnel, startFunnel, subscriptionRow } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

/** Whether the service's look alerts of a missing subscription. */
async function alarmed(): Promise<boolean> {
  const { db, close } = connect(funnel.databaseUrl, { max: 1 })
  const metrics = createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log: createLog('silent') })
  const samples = await metrics.samples()
  await close()
  return holdingNow(samples).has('SubscriptionMissing')
}

/** A buyer whose customer was deleted at Stripe between the charge and the subscription. */
async function refused(): Promise<Buyer> {
  const buyer = await funnel.buyer()
  const { body } = await buyer.open()
  await funnel.confirm(body)
  const { stripe_customer_id: customer } = await funnel.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  await funnel.dashboard('DELETE', `/v1/customers/${customer}`)
  expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
  await eventually(
    () => subscriptionRow(funnel, buyer),
    ({ status, error }) => status === 'creating' && error !== null,
  )
  return buyer
}

/** When its claim was made and last tried, in seconds before now. */
async function age(buyer: Buyer, made: number, tried: number): Promise<void> {
  await funnel.db.transaction().execute(async (tx) => {
    await sql`alter table subscriptions disable trigger subscriptions_touch`.execute(tx)
    await sql`update subscriptions set created_at = now() - make_interval(secs => ${made}),
      looked_at = now() - make_interval(secs => ${tried}), updated_at = now() - make_interval(secs => ${tried})
      where session_id = ${buyer.sessionId}`.execute(tx)
    await sql`alter table subscriptions enable trigger subscriptions_touch`.execute(tx)
  })
}

test('P-04 the longer Stripe refuses a paid subscription, the more rarely it is tried', async () => {
  const buyer = await refused()
  const tries = async (made: number, tried: number): Promise<boolean> => {
    await age(buyer, made, tried)
    const before = (await subscriptionRow(funnel, buyer)).version
    await startWaitingSubscriptions(funnel.service.deps)
    return (await subscriptionRow(funnel, buyer)).version > before
  }
  expect(await tries(60, 11)).toBe(true)
  expect(await tries(3_600, 300)).toBe(false)
  expect(await tries(3_600, 400)).toBe(true)
  // at least every ten minutes, so that what is put right is found
  expect(await tries(864_000, 601)).toBe(true)
})

test('N-03 P-04 a paid subscription that is missing is told of; one that nobody has paid is not', async () => {
  const unpaid = await funnel.buyer()
  await unpaid.open('monthly')
  await sql`update subscriptions set created_at = now() - interval '1 hour'`.execute(funnel.db)
  await sql`update payments set created_at = now() - interval '1 hour'`.execute(funnel.db)
  await sql`update subscriptions set status = 'creating', stripe_subscription_id = null
    where session_id = ${unpaid.sessionId}`.execute(funnel.db)
  await sql`update payments set status = 'refunded', refunded_cents = amount_cents`.execute(funnel.db)
  expect(await alarmed()).toBe(false)
  const { sessionId } = await refused()
  expect(await alarmed()).toBe(false)
  await sql`update payments set created_at = now() - interval '11 minutes'
    where session_id = ${sessionId}`.execute(funnel.db)
  expect(await alarmed()).toBe(true)
})

test('P-12 one whose customer is gone ends when its payment is refunded in the dashboard', async () => {
  const buyer = await refused()
  const { source_payment_id: intent } = await subscriptionRow(funnel, buyer)
  await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent ?? '' })
  await settlePayment(funnel.service.deps, intent ?? '', undefined)
  await eventually(
    async () => {
      await workOutbox(funnel.service.deps, OUTBOX_HANDLERS)
      return subscriptionRow(funnel, buyer)
    },
    ({ status }) => status === 'canceled',
  )
})
