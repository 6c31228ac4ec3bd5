/** The next charge that the page and every mail announce is the one Stripe makes and the bank statement shows. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Buyer } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { waitingMails } from './mails.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => (world = await startMembership()))
afterAll(() => world.stop())

const hours = (count: number) => world.control('POST', 'clock', { advance: Math.round(count * 3600) })
const viewOf = async (buyer: Buyer) => (await buyer.browser.get('/api/account')).body.subscriptions[0]
const rowOf = (buyer: Buyer) =>
  world.db.selectFrom('subscriptions').selectAll().where('session_id', '=', buyer.sessionId).executeTakeFirstOrThrow()
interface Charge {
  amount: number
  created: number
  customer: string
}
const chargesOf = async (buyer: Buyer): Promise<Charge[]> => {
  const { stripe_customer_id } = await rowOf(buyer)
  const all = (await world.control('GET', 'objects?kind=charge&limit=1000')).data as Charge[]
  return all.filter(({ customer }) => customer === stripe_customer_id).reverse()
}
const inDashboard = async (buyer: Buyer, form: Record<string, string>) =>
  world.dashboard('POST', `/v1/subscriptions/${(await rowOf(buyer)).stripe_subscription_id}`, form)
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer is whatever the test asserts it to be
const sees = (buyer: Buyer, good: (view: Record<string, any>) => boolean) => eventually(() => viewOf(buyer), good)

describe('changes in Stripe’s dashboard', () => {
  test('A-05 A-06 a changed price: page, reminder, receipt and charge say the same; others keep theirs', async () => {
    const [changed, kept] = [await world.member({ email: 'changed@example.com' }), await world.member()]
    const item = (await world.dashboard('GET', `/v1/subscriptions/${(await rowOf(changed)).stripe_subscription_id}`))
      .items.data[0]
    const price = await world.dashboard('POST', '/v1/prices', {
      product: item.price.product,
      currency: 'usd',
      unit_amount: '4500',
      'recurring[interval]': 'day',
      'recurring[interval_count]': '30',
    })
    await inDashboard(changed, { 'items[0][id]': item.id, 'items[0][price]': price.id })
    const view = await sees(changed, ({ nextCharge }) => nextCharge?.amount === 4500)
    const reminders = await eventually(
      () => waitingMails(world.service, 'trial_ends', changed.sessionId),
      (all) => all.length === 2,
    )
    const data = { amount: 4500, chargeAt: view['nextCharge'].at }
    expect(reminders).toEqual(['not true any more', expect.objectContaining({ data: expect.objectContaining(data) })])
    expect((await viewOf(kept)).nextCharge.amount).toBe(3900)
    await hours(3 * 24 + 2)
    const receipt = await world.mail('changed@example.com', 'renewal_receipt')
    expect(receipt.data).toMatchObject({ amount: 4500, nextAmount: 4500 })
    expect((await chargesOf(changed)).map(({ amount }) => amount)).toEqual([100, 4500])
  })

  test('A-05 A-06 an extended trial moves the charge on the page and the reminder with it', async () => {
    const buyer = await world.member({ email: 'extended@example.com' })
    const before = await viewOf(buyer)
    const later = Math.floor(Date.parse(before.paidUntil) / 1000) + 7 * 86_400
    await inDashboard(buyer, { trial_end: String(later) })
    const at = new Date((later + 3600) * 1000).toISOString()
    await sees(buyer, ({ nextCharge }) => nextCharge?.at === at)
    const reminders = await eventually(
      () => waitingMails(world.service, 'trial_ends', buyer.sessionId),
      (all) => all.length === 2,
    )
    const data = { chargeAt: at, amount: 3900 }
    expect(reminders).toEqual(['not true any more', expect.objectContaining({ data: expect.objectContaining(data) })])
  })

  test('A-05 collection paused: the page promises no charge, none happens, and resuming brings it back', async () => {
    const buyer = await world.member()
    await inDashboard(buyer, { 'pause_collection[behavior]': 'void' })
    await sees(buyer, ({ state, nextCharge }) => state === 'paused' && nextCharge === null)
    await hours(3 * 24 + 5)
    expect((await chargesOf(buyer)).map(({ amount }) => amount)).toEqual([100])
    await inDashboard(buyer, { pause_collection: '' })
    const back = await sees(buyer, ({ state }) => state === 'active')
    expect(back['nextCharge']).toMatchObject({ amount: 3900 })
  })

  test('A-06 a sum that is next once more is told again if its reminder was dropped or another followed', async () => {
    const email = 'told-again@example.com'
    const buyer = await world.member({ email })
    const reminders = () => waitingMails(world.service, 'trial_ends', buyer.sessionId)
    const planned = async (count: number, amount: number) =>
      expect(await eventually(reminders, ({ length }) => length === count)).toEqual(
        expect.arrayContaining([expect.objectContaining({ data: expect.objectContaining({ amount }) })]),
      )
    const due = async () => {
      const jobs = { kind: 'mail:trial_ends', session: buyer.sessionId }
      await sql`update outbox set next_attempt_at = now() where kind = ${jobs.kind} and session_id = ${jobs.session}
        and sent_at is null`.execute(world.db)
      await eventually(reminders, ({ length }) => length === 0)
    }
    const told = async () =>
      (await world.mails(email)).flatMap((mail) => (mail.kind === 'trial_ends' ? [mail.data.amount] : []))
    await planned(1, 3900)
    await inDashboard(buyer, { 'pause_collection[behavior]': 'void' })
    await sees(buyer, ({ nextCharge }) => nextCharge === null)
    await due()
    await inDashboard(buyer, { pause_collection: '' })
    await planned(1, 3900)
    await due()
    expect(await told()).toEqual([3900])

    const form = { customer: (await rowOf(buyer)).stripe_customer_id ?? '', amount: '500', currency: 'usd' }
    const { id } = await world.dashboard('POST', '/v1/invoiceitems', form)
    await planned(1, 4400)
    await due()
    await world.dashboard('DELETE', `/v1/invoiceitems/${id}`)
    await planned(1, 3900)
    // looked at again: it is queued once, and once it is sent it is told
    await inDashboard(buyer, { 'pause_collection[behavior]': 'void' })
    await sees(buyer, ({ nextCharge }) => nextCharge === null)
    await inDashboard(buyer, { pause_collection: '' })
    await sees(buyer, ({ nextCharge }) => nextCharge?.amount === 3900)
    await planned(1, 3900)
    await due()
    await inDashboard(buyer, { 'pause_collection[behavior]': 'void' })
    await sees(buyer, ({ nextCharge }) => nextCharge === null)
    await inDashboard(buyer, { pause_collection: '' })
    await sees(buyer, ({ nextCharge }) => nextCharge?.amount === 3900)
    expect(await reminders()).toEqual([])
    expect(await told()).toEqual([3900, 4400, 3900])
  })

  test('A-05 H-04 cancelled at Stripe during a charge: the page says what is charged, and can stop it', async () => {
    const buyer = await world.member()
    await hours(3 * 24 + 0.5)
    await sees(buyer, ({ state }) => state === 'active')
    await inDashboard(buyer, { cancel_at_period_end: 'true' })
    const view = await sees(buyer, ({ state }) => state === 'ending')
    expect([view['nextCharge'].amount, view['collecting'], view['paidUntil']]).toEqual([3900, true, null])
    expect((await buyer.browser.post(`/api/subscriptions/${view['id']}/cancel`)).body.state).toBe('ended')
    await hours(3)
    expect((await chargesOf(buyer)).map(({ amount }) => amount)).toEqual([100])
  })

  test('A-05 another card, and a customer that is deleted, show on the page', async () => {
    const buyer = await world.member()
    const { stripe_customer_id } = await rowOf(buyer)
    const card = await world.dashboard('POST', '/v1/payment_methods/pm_card_mastercard/attach', {
      customer: stripe_customer_id ?? '',
    })
    await inDashboard(buyer, { default_payment_method: card.id })
    await sees(buyer, ({ paidWith }) => paidWith.brand === 'mastercard')
    await world.dashboard('DELETE', `/v1/customers/${stripe_customer_id}`)
    await sees(buyer, ({ state, nextCharge }) => state === 'ended' && nextCharge === null)
  })
})

describe('renewals', () => {
  test('A-06 receipts that come late, several at once, each name the charge after their own', async () => {
    const buyer = await world.member({ email: 'late-receipts@example.com' })
    await world.control('POST', 'webhooks', { mode: 'lost' })
    await hours(65 * 24)
    await world.control('POST', 'webhooks', { mode: 'normal' })
    await inDashboard(buyer, { description: 'looked at' })
    const receipts = await eventually(
      async () =>
        (await world.mails('late-receipts@example.com')).flatMap((mail) =>
          mail.kind === 'renewal_receipt' ? [mail.data] : [],
        ),
      (all) => all.length === 3,
    )
    for (const { paidAt, nextChargeAt } of receipts) {
      expect(Date.parse(nextChargeAt ?? '') - Date.parse(paidAt)).toBe(30 * 86_400_000)
    }
  })

  test('A-06 P-12 a failed charge: page and mail name the next planned try, or that there is none', async () => {
    await world.control('POST', 'account', { retry_days: [5], after_retries: 'past_due', draft_seconds: 7200 })
    const buyer = await world.member({ email: 'retried@example.com' })
    const row = await rowOf(buyer)
    const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', {
      customer: row.stripe_customer_id ?? '',
    })
    await inDashboard(buyer, { default_payment_method: bad.id })
    await hours(3 * 24 + 2.1)
    const late = await sees(buyer, ({ state }) => state === 'late')
    expect(late['owed']).toBe(3900)
    const first = await world.mail('retried@example.com', 'payment_failed')
    expect(first.data.nextTryAt).toBe(late['nextCharge'].at)
    await hours(5 * 24 + 1)
    await sees(buyer, ({ nextCharge }) => nextCharge === null)
    const last = await eventually(
      async () => (await world.mails('retried@example.com')).filter(({ kind }) => kind === 'payment_failed'),
      (all) => all.length === 2,
    )
    expect(last[1]?.data).toMatchObject({ attempt: 2, nextTryAt: null })
    await world.control('POST', 'account', { retry_days: [2, 2, 3], after_retries: 'unpaid', draft_seconds: 3600 })
  })

  test('P-04 claims that cannot be worked do not stand before those that can', async () => {
    const stuck = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const id = await (await world.buyer('')).browser.visit()
        await world.db
          .insertInto('subscriptions')
          .values({ session_id: id, product_id: 'monthly', source_payment_id: `stuck-${id}` })
          .execute()
        return id
      }),
    )
    await world.control('POST', 'faults', { mode: '500', method: 'POST', path: '/v1/subscriptions', times: 1_000 })
    const buyer = await world.buyer()
    const intentId = await buyer.pay()
    // the order's events try to start it too: they are handled before Stripe can make it
    await eventually(
      () => world.db.selectFrom('webhook_events').select(['handled_at', 'object_id']).execute(),
      (events) =>
        events.some((one) => one.object_id === intentId) && events.every(({ handled_at }) => handled_at !== null),
    )
    expect((await world.totals()).undelivered).toBe(0)
    expect((await rowOf(buyer)).status).toBe('creating')
    await world.control('DELETE', 'faults')
    await eventually(
      () => rowOf(buyer),
      ({ status }) => status === 'trialing',
    )
    await world.db.deleteFrom('subscriptions').where('session_id', 'in', stuck).execute()
  })
})
