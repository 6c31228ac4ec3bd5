/**
 * A backup is restored and the visits of the hours after it are gone: what they paid at Stripe is adopted or paid back.
 * The restored database is a second, empty one beside the same sandbox.
 */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../payments-service/http/logging.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { createService, type Service } from '../../payments-service/service.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { handleEvent } from '../../payments-service/webhooks/handle.ts'
import { orderOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { Browser, eventually, type RunningService, startService } from './service.ts'

let funnel: Funnel
const restored: RunningService[] = []
const replicas: Service[] = []
beforeEach(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((service) => service.stop()))
  await Promise.all(restored.splice(0).map((service) => service.stop()))
  await funnel.stop()
})

/** The service on a database from before every visit. `env` makes it another installation. */
async function restore(env: Record<string, string> = {}) {
  const lines: string[] = []
  const log = createLog('error', { write: (line) => void lines.push(line) })
  const running = await startService({ env: { STRIPE_API_BASE: funnel.stripeUrl, ...env }, log })
  restored.push(running)
  return { ...running, lines }
}
/** Two replicas work on the restored database. */
function work(running: RunningService): void {
  const second = createService(running.config, createLog('silent'))
  replicas.push(second)
  running.service.startWorkers()
  second.startWorkers()
}

interface Noted {
  payment_intent_id: string
  session_id: string
  amount_cents: number
  currency: string
  email: string | null
  stripe_customer_id: string | null
  outcome: string
}
const noted = async ({ db }: RunningService) =>
  (await sql<Noted>`select * from charges_without_visit order by payment_intent_id`.execute(db)).rows
const payments = ({ db }: RunningService) =>
  db
    .selectFrom('payments')
    .select(['payment_intent_id', 'session_id', 'purpose', 'amount_cents', 'refunded_cents', 'is_duplicate'])
    .orderBy('payment_intent_id')
    .execute()
const open = async ({ db }: RunningService, sessionId: string) =>
  (
    await db
      .selectFrom('product_access_grants')
      .select('product_id')
      .where('session_id', '=', sessionId)
      .where('revoked_at', 'is', null)
      .orderBy('product_id')
      .execute()
  ).map(({ product_id }) => product_id)
const mails = async ({ db }: RunningService, sessionId: string) =>
  (
    await db
      .selectFrom('outbox')
      .select('kind')
      .where('session_id', '=', sessionId)
      .where('kind', 'like', 'mail:%')
      .orderBy('kind')
      .execute()
  ).map(({ kind }) => kind)
const inboxIsEmpty = (running: RunningService) =>
  eventually(
    async () =>
      (
        await sql<{ waiting: number; all: number }>`select count(*) filter (where handled_at is null)::int as waiting,
          count(*)::int as all from webhook_events`.execute(running.db)
      ).rows[0],
    (found) => found !== undefined && found.all > 0 && found.waiting === 0,
  )
const customerOf = async (intentId: string): Promise<string> =>
  (await funnel.dashboard('GET', `/v1/payment_intents/${intentId}`)).customer
const liveAt = async (customer: string): Promise<string[]> =>
  (await funnel.dashboard('GET', '/v1/subscriptions', { customer, status: 'all' })).data
    .filter(({ status }: { status: string }) => !['canceled', 'incomplete_expired'].includes(status))
    .map(({ id }: { id: string }) => id)

describe('after a restored backup', () => {
  test('P-10 P-14 what visits of after it paid is adopted: records, access, subscription, mail, once', async () => {
    const one = await funnel.buyer('one@example.com')
    const first = await one.pay('trial_5')
    const guide = await one.browser.post(one.path('/upsells'), orderOf('guide_devices', {}))
    expect(guide.status).toBe(200)
    const monthly = await funnel.buyer('monthly@example.com')
    await monthly.pay('monthly')
    const closedTab = await funnel.buyer('tab@example.com')
    await funnel.confirm((await closedTab.open('trial_1')).body)
    const before = await funnel.totals()
    expect(before).toMatchObject({ charges_succeeded: 4, subscriptions: 2 })

    const now = await restore()
    work(now)
    await eventually(
      () => payments(now),
      (found) => found.length === 4,
    )
    await inboxIsEmpty(now)
    await eventually(
      () => now.db.selectFrom('subscriptions').select('status').orderBy('status').execute(),
      (found) => found.map(({ status }) => status).join() === 'active,trialing,trialing',
    )

    const after = await funnel.totals()
    // the closed tab's subscription is the only new one
    expect(after).toMatchObject({ charges_succeeded: 4, amount: before.amount, refunded: 0, subscriptions: 3 })
    expect(after.live_subscriptions).toBe(3)
    const ledger = (await payments(now)).map((row) => [row.session_id, row.purpose, row.amount_cents, row.is_duplicate])
    const here = (await payments(funnel)).map((row) => [row.session_id, row.purpose, row.amount_cents, false])
    expect(ledger).toEqual(expect.arrayContaining(here))
    expect(await open(now, one.sessionId)).toEqual(['guide_devices', 'trial_5'])
    expect(await open(now, monthly.sessionId)).toEqual(['monthly'])
    expect(await open(now, closedTab.sessionId)).toEqual(['trial_1'])
    expect(await mails(now, one.sessionId)).toEqual(
      expect.arrayContaining(['mail:addon_receipt', 'mail:order_confirmation']),
    )
    expect(await mails(now, monthly.sessionId)).toContain('mail:order_confirmation')
    const emails = await now.db.selectFrom('sessions').select(['email', 'payment_status']).orderBy('email').execute()
    expect(emails.map(({ email, payment_status }) => `${email} ${payment_status}`)).toEqual([
      'monthly@example.com paid',
      'one@example.com paid',
      'tab@example.com paid',
    ])

    const found = await noted(now)
    expect(found.map(({ session_id }) => session_id).sort()).toEqual(
      [one.sessionId, one.sessionId, monthly.sessionId, closedTab.sessionId].sort(),
    )
    expect(found.find(({ payment_intent_id }) => payment_intent_id === first)).toMatchObject({
      amount_cents: 500,
      currency: 'usd',
      email: 'one@example.com',
      stripe_customer_id: await customerOf(first),
      outcome: 'adopted',
    })
    const operator = await signedOperator(now)
    const page = (await operator.browser.get('/operator/money-back')).body as string
    expect(page).toContain('Charges found without their visit (4)')
    expect(page).toContain(first)
  })

  test('P-10 D-09 a visit that is made anew is of the day of its charge, not of the day of the restore', async () => {
    const paid = await (await funnel.buyer()).pay('trial_1')
    const { deps } = (await restore()).service
    const dayAgo = new Date(Math.floor(Date.now() / 1000) * 1000 - 86_400_000)
    const readIntent: typeof deps.stripe.readIntent = async (...given) => {
      const intent = await deps.stripe.readIntent(...given)
      return { ...intent, charge: intent.charge && { ...intent.charge, created: dayAgo } }
    }
    await settlePayment({ ...deps, stripe: { ...deps.stripe, readIntent } }, paid, undefined)
    const { created_at } = await deps.db.selectFrom('sessions').select('created_at').executeTakeFirstOrThrow()
    expect(created_at).toEqual(dayAgo)
  })

  test('P-10 an operator is alarmed once for a charge, though its events come twice and to two replicas', async () => {
    const buyer = await funnel.buyer()
    const paid = await buyer.pay('trial_1')
    const now = await restore()
    const second = createService(now.config, createLog('silent'))
    replicas.push(second)
    const { data } = await funnel.dashboard('GET', '/v1/events', { limit: '50' })
    const hear = (service: Service) =>
      Promise.all(
        data.map((event: { type: string }) => handleEvent(service.deps, { type: event.type, payload: event })),
      )
    await Promise.all([hear(now.service), hear(second), hear(now.service)])
    await hear(second)
    expect(await payments(now)).toMatchObject([{ payment_intent_id: paid, session_id: buyer.sessionId }])
    expect(await noted(now)).toHaveLength(1)
    expect(now.lines.filter((line) => line.includes('its visit is not in the database')).length).toBeLessThan(2)
    expect(await funnel.totals()).toMatchObject({ charges_succeeded: 1, subscriptions: 1, live_subscriptions: 1 })
  })

  test('P-10 P-14 one that cannot be adopted goes back once, opens nothing, and its subscription ends', async () => {
    const gone = await funnel.buyer('gone@example.com')
    const goneId = await gone.pay('trial_5')
    // Stripe knows no address any more, so nobody could be let in; the subscription ends with the customer
    await funnel.dashboard('DELETE', `/v1/customers/${await customerOf(goneId)}`)
    const odd = await funnel.buyer('odd@example.com')
    const oddId = await odd.pay('trial_9')
    await funnel.dashboard('POST', `/v1/payment_intents/${oddId}`, { 'metadata[product_id]': 'of_last_year' })
    expect(await funnel.totals()).toMatchObject({ amount: 1400, refunded: 0, live_subscriptions: 1 })

    const now = await restore()
    work(now)
    await eventually(
      () => funnel.totals(),
      ({ refunded, live_subscriptions }) => refunded === 1400 && live_subscriptions === 0,
    )
    await eventually(
      () => payments(now),
      (found) => found.length === 2 && found.every((row) => row.refunded_cents === row.amount_cents),
    )
    await inboxIsEmpty(now)
    expect(await funnel.totals()).toMatchObject({ refunded: 1400, charges_succeeded: 2, subscriptions: 2 })
    expect((await noted(now)).map(({ outcome }) => outcome)).toEqual(['returned', 'returned'])
    for (const { sessionId } of [gone, odd]) expect(await open(now, sessionId)).toEqual([])
    const owed = await now.db.selectFrom('owed_refunds').select(['cause', 'status']).execute()
    expect(owed).toEqual([
      { cause: 'no_visit', status: 'refunded' },
      { cause: 'no_visit', status: 'refunded' },
    ])
    // whose address is known is told
    expect(await mails(now, odd.sessionId)).toContain('mail:refund')
  })

  test('P-10 H-05 U-08 an add-on that was taken back and bought again is adopted as well, and stays open', async () => {
    const buyer = await funnel.buyer('twice@example.com')
    await buyer.pay('trial_1')
    const order = () => buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
    await order()
    expect((await buyer.browser.post(buyer.path('/upsells/guide_habits/undo'))).body.state).toBe('undone')
    expect((await order()).body.status).toBe('succeeded')
    const before = await payments(funnel)

    const now = await restore()
    work(now)
    await eventually(
      () => payments(now),
      (found) => found.length === 3,
    )
    await inboxIsEmpty(now)
    expect(await payments(now)).toEqual(before)
    expect((await noted(now)).map(({ outcome }) => outcome)).toEqual(['adopted', 'adopted', 'adopted'])
    expect(await open(now, buyer.sessionId)).toEqual(['guide_habits', 'trial_1'])
    expect(await funnel.totals()).toMatchObject({ charges_succeeded: 3, refunded: 1490 })
  })

  test('P-14 a buyer who has ordered anew meanwhile is charged for one: all of the lost order goes back', async () => {
    const lost = await funnel.buyer('again@example.com')
    await lost.pay('trial_5')
    const customer = (await payments(funnel))[0]?.payment_intent_id ?? ''
    const now = await restore()
    // the new order, in the restored shop
    const anew = await ordered(now, 'again@example.com')
    work(now)
    await eventually(
      () => funnel.totals(),
      ({ refunded, live_subscriptions }) => refunded === 500 && live_subscriptions === 1,
    )
    await inboxIsEmpty(now)
    expect(await liveAt(await customerOf(customer))).toEqual([])
    expect(await open(now, anew)).toEqual(['trial_1'])
    expect(await open(now, lost.sessionId)).toEqual([])
  })

  test('P-10 an installation of another address or secret leaves the charges of this one alone', async () => {
    const buyer = await funnel.buyer()
    const paid = await buyer.pay('trial_1')
    for (const other of [
      { SITE_URL: 'http://127.0.0.1:4999' },
      { TOKEN_SECRET: 'another-secret-of-at-least-32-characters-for-tests' },
    ]) {
      const staging = await restore(other)
      expect(await settlePayment(staging.service.deps, paid, undefined)).toBeNull()
      staging.service.startWorkers()
      await inboxIsEmpty(staging)
      expect(await payments(staging)).toEqual([])
      expect(await noted(staging)).toEqual([])
    }
    expect(await funnel.totals()).toMatchObject({ refunded: 0, live_subscriptions: 1 })
  })

  test('D-12 a late payment of an erased visit is refunded as such, and is no charge without a visit', async () => {
    const buyer = await funnel.buyer('erased@example.com')
    const { body } = await buyer.open('trial_5')
    await eraseVisitor(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })
    await funnel.confirm(body)
    funnel.service.startWorkers()
    await eventually(
      () => funnel.totals(),
      ({ refunded }) => refunded === 500,
    )
    expect(await noted(funnel)).toEqual([])
    expect(await funnel.db.selectFrom('owed_refunds').select('cause').execute()).toEqual([{ cause: 'erased' }])
    expect(await open(funnel, buyer.sessionId)).toEqual([])
  })

  test.each([
    ['before its claim', sql`delete from subscriptions`],
    [
      'before its subscription',
      sql`update subscriptions set status = 'creating', stripe_subscription_id = null, source_payment_id = i.id
        from payment_intents i where i.session_id = subscriptions.session_id`,
    ],
    ['before its charge was known', sql`select 1`],
  ])('P-10 P-05 the first charge of a monthly order that was lost %s is on record as such', async (_, lost) => {
    const buyer = await funnel.buyer('half@example.com')
    const { body } = await buyer.open('monthly')
    await lost.execute(funnel.db)
    await sql`update payment_intents set status = 'creating', stripe_intent_id = null, agreement_id = null`.execute(
      funnel.db,
    )
    await funnel.confirm(body)
    work(funnel)
    const books = await eventually(
      () => payments(funnel),
      (found) => found.length > 0,
    )
    await inboxIsEmpty(funnel)
    expect(books).toMatchObject([{ purpose: 'first', payment_intent_id: body.paymentIntentId, amount_cents: 3900 }])
    expect(await payments(funnel)).toHaveLength(1)
    expect(await open(funnel, buyer.sessionId)).toEqual(['monthly'])
    expect(await mails(funnel, buyer.sessionId)).toContain('mail:order_confirmation')
    const found = await funnel.db.selectFrom('subscriptions').select(['status', 'source_payment_id']).execute()
    expect(found).toEqual([{ status: 'active', source_payment_id: body.paymentIntentId }])
    // the terms that were agreed to belong to it
    const orders = await funnel.db.selectFrom('payment_intents').select(['status', 'terms']).execute()
    expect(orders).toMatchObject([{ status: 'succeeded', terms: { now: 3900 } }])
    expect(await noted(funnel)).toEqual([])
  })

  test('P-10 P-05 a monthly order whose adoption is cut off is adopted with its one subscription', async () => {
    const buyer = await funnel.buyer('cut-off@example.com')
    const paid = await buyer.pay('monthly')
    const [{ id } = { id: '' }] = (await funnel.dashboard('GET', '/v1/subscriptions')).data
    const now = await restore()
    await sql`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`.execute(
      now.db,
    )
    await sql`create trigger cut_off before update of stripe_subscription_id on subscriptions
      execute function cut_off()`.execute(now.db)
    await expect(syncSubscription(now.service.deps, id, undefined)).rejects.toThrow('cut off')
    await sql`drop trigger cut_off on subscriptions`.execute(now.db)
    // the other replica comes to the charge first
    await settlePayment(now.service.deps, paid, undefined)
    expect(await funnel.totals()).toMatchObject({ charges_succeeded: 1, subscriptions: 1, live_subscriptions: 1 })
    await syncSubscription(now.service.deps, id, undefined)
    const rows = await now.db.selectFrom('subscriptions').select(['status', 'stripe_subscription_id']).execute()
    expect(rows).toEqual([{ status: 'active', stripe_subscription_id: id }])
    expect(await open(now, buyer.sessionId)).toEqual(['monthly'])
    expect(await funnel.totals()).toMatchObject({ refunded: 0, subscriptions: 1, live_subscriptions: 1 })
  })

  test('P-10 a visit that is there, but not the address typed later, gets the address from Stripe', async () => {
    const buyer = await funnel.buyer('typed-later@example.com')
    const paid = await buyer.pay('trial_1')
    const now = await restore()
    await now.db.insertInto('sessions').values({ id: buyer.sessionId }).execute()
    await settlePayment(now.service.deps, paid, undefined)
    expect(await now.db.selectFrom('sessions').select(['email', 'payment_status']).execute()).toEqual([
      { email: 'typed-later@example.com', payment_status: 'paid' },
    ])
    expect(await noted(now)).toEqual([])
  })
})

/** An order of a trial in the shop of another service; returns its session. */
async function ordered(running: RunningService, email: string): Promise<string> {
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  const path = (rest: string) => `/api/sessions/${sessionId}${rest}`
  await browser.put(path('/email'), { email })
  const { body } = await browser.post(path('/payments/initial'), orderOf('trial_1', { paymentMethodType: 'card' }))
  await funnel.confirm(body)
  expect((await browser.post(path('/payments/finalize'), { paymentIntentId: body.paymentIntentId })).status).toBe(200)
  return sessionId
}
