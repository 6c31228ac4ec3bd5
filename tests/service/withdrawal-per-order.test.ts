/** H-02: the days of the right count from the order that is withdrawn from, not from the first one of the visit. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { requestMoneyBack } from '../../payments-service/money-back/request.ts'
import { readBuyer } from '../../payments-service/notices/buyer.ts'
import { moneyBackPage } from '../../payments-service/operator/money-back.pages.ts'
import { orderOf, setupOf } from '../support/order.ts'
import { type Buyer, paymentsOf, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const requestsOf = ({ sessionId }: Buyer) =>
  world.db.selectFrom('money_back_requests').selectAll().where('session_id', '=', sessionId).orderBy('id').execute()

/** Everything that was paid so far was paid this many days earlier. */
async function daysAgo({ sessionId }: Buyer, days: number): Promise<void> {
  const earlier = sql`make_interval(days => ${days})`
  await sql`update payments set settled_at = settled_at - ${earlier} where session_id = ${sessionId}`.execute(world.db)
  await sql`update sessions set paid_at = paid_at - ${earlier} where id = ${sessionId}`.execute(world.db)
}

async function addGuide(buyer: Buyer, id: Parameters<typeof orderOf>[0]): Promise<void> {
  expect((await buyer.browser.post(buyer.path('/upsells'), orderOf(id))).status).toBe(200)
}

const viewOf = async (token: string) => (await browserOf(world).post('/api/links/withdraw/view', { token })).body
const pressed = async (token: string) => (await browserOf(world).post('/api/links/withdraw', { token })).status

/** The subscription as the account's page shows it. */
async function shownTo(buyer: Buyer) {
  const { body } = await buyer.browser.get('/api/account')
  return body.subscriptions[0]
}

async function grant(id: string | undefined): Promise<void> {
  expect(await decideMoneyBack(world.service.deps, id ?? '', { decision: 'approve' }, 'boss')).toBe(true)
}

const refundsOf = ({ sessionId }: Buyer) =>
  world.db
    .selectFrom('payments')
    .select(['purpose', 'refunded_cents'])
    .where('session_id', '=', sessionId)
    .where('refunded_cents', '>', 0)
    .execute()

test('H-02 a programme ordered weeks after a reading in the same visit has its own fourteen days', async () => {
  const email = 'reading-first@example.com'
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay('reading_7_days')
  await daysAgo(buyer, 20)
  await buyer.pay()
  const { data } = await world.mail(email, 'order_confirmation')
  const token = tokenOf(data.withdrawUrl ?? '')
  expect(await viewOf(token)).toMatchObject({ state: 'valid', amount: 100, keepsSubscription: false })
  expect(await pressed(token)).toBe(200)
  expect((await viewOf(token)).withdrawal).toMatchObject({ status: 'open', amount: 100 })
  const [request] = await requestsOf(buyer)
  expect(request).toMatchObject({ amount_cents: 100, contract: 'everything' })
  await grant(request?.id)
  const refunds = await eventually(
    () => refundsOf(buyer),
    (list) => list.length > 0,
  )
  expect(refunds).toEqual([{ purpose: 'first', refunded_cents: 100 }])
})

test('H-02 P-06 a trial that began for nothing is withdrawn from: it ends, and nothing is owed', async () => {
  const email = 'free-start@example.com'
  const buyer = await world.buyer(email, 'AT')
  const { body } = await buyer.browser.post(buyer.path('/paypal/setup'), setupOf('trial_9'))
  await world.paypal(body)
  const started = { setupIntentId: body.paymentIntentId }
  expect((await buyer.browser.post(buyer.path('/paypal/setup/finalize'), started)).body.status).toBe('settled')
  const token = tokenOf((await world.mail(email, 'order_confirmation')).data.withdrawUrl ?? '')
  expect(await viewOf(token)).toMatchObject({ state: 'valid', amount: 0, keepsSubscription: false })
  expect([await pressed(token), await pressed(token)]).toEqual([200, 200])
  const requests = await requestsOf(buyer)
  expect(requests).toMatchObject([{ amount_cents: 0, contract: 'everything', status: 'open' }])
  expect((await subscriptionRow(world, buyer)).cancel_requested_at).not.toBeNull()
  expect((await world.mail(email, 'withdrawal_received')).data).toMatchObject({ amount: 0, productIds: ['trial_9'] })
  const [, own = ''] = (await moneyBackPage(world.service.deps, 'x')).text.split(email)
  expect(own.slice(0, own.indexOf('</form>'))).toMatch(/>Grant it \(nothing to give back\)</)
  await grant(requests[0]?.id)
  expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 0, pending: 0, open: 0 })
  expect(await subscriptionRow(world, buyer)).toMatchObject({ status: 'canceled' })
  expect(await viewOf(token)).toMatchObject({ state: 'done', withdrawal: { status: 'refunded', amount: 0 } })
  expect(await pressed(token)).toBe(409)
})

test('H-02 a guide ordered weeks after the programme is given back; page and mail say the rest goes on', async () => {
  const buyer = await world.member({ email: 'guide-later@example.com', country: 'AT' })
  await daysAgo(buyer, 20)
  expect(await shownTo(buyer)).toMatchObject({ withdrawUntil: null })
  await addGuide(buyer, 'guide_habits')
  const shown = await shownTo(buyer)
  expect(shown).toMatchObject({ withdrawAmount: 1490, withdrawKeeps: true })
  expect(Date.parse(shown.withdrawUntil)).toBeGreaterThan(Date.now() + 13 * 86_400_000)
  expect((await buyer.browser.post(`/api/subscriptions/${shown.id}/withdrawal`)).status).toBe(200)
  const [request] = await requestsOf(buyer)
  expect(request).toMatchObject({ amount_cents: 1490, contract: 'guides' })
  const { data } = await world.mail('guide-later@example.com', 'withdrawal_received')
  expect(data).toMatchObject({ amount: 1490, productIds: ['guide_habits'], goesOn: true, standing: 'goes_on' })
  await grant(request?.id)
  const refunds = await eventually(
    () => refundsOf(buyer),
    (list) => list.length > 0,
  )
  expect(refunds).toEqual([{ purpose: 'upsell:guide_habits', refunded_cents: 1490 }])
  expect(await subscriptionRow(world, buyer)).toMatchObject({ status: 'trialing', cancel_requested_at: null })
  // the guarantee is about the subscription, and can be asked for beside it
  expect(await shownTo(buyer)).toMatchObject({ moneyBack: { request: null }, withdrawal: { amount: 1490 } })
})

test('H-02 a second guide is withdrawn from while the first waits; each is given back by its own request', async () => {
  const email = 'guide-by-guide@example.com'
  const buyer = await world.member({ email, country: 'AT' })
  await addGuide(buyer, 'guide_habits')
  await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal', { contract: 'guides' })
  await addGuide(buyer, 'guide_lighting')
  await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal', { contract: 'guides' })
  const requests = await eventually(
    () => requestsOf(buyer),
    (list) => list.length > 1,
  )
  expect(requests.map(({ contract, amount_cents: cents }) => [contract, cents])).toEqual([
    ['guides', 1490],
    ['guides', 1490],
  ])
  await decideMoneyBack(
    world.service.deps,
    requests[0]?.id ?? '',
    { decision: 'decline', reason: 'It was read.' },
    'boss',
  )
  await grant(requests[1]?.id)
  const refunds = await eventually(
    () => refundsOf(buyer),
    (list) => list.length > 0,
  )
  expect(refunds).toEqual([{ purpose: 'upsell:guide_lighting', refunded_cents: 1490 }])
})

test('H-02 P-12 one whose money a lost dispute gave back is not shown in place of the next withdrawal', async () => {
  const buyer = await world.member({ email: 'disputed-guide@example.com', country: 'AT' })
  const withdraw = async () => {
    await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal', { contract: 'guides' })
    await grant((await requestsOf(buyer)).at(-1)?.id)
  }
  const statuses = async () => (await requestsOf(buyer)).map(({ status }) => status).join()
  await addGuide(buyer, 'guide_habits')
  const { charge_id: charge } = (await paymentsOf(world, buyer)).find(({ amount_cents: cents }) => cents === 1490)!
  const { id: dispute } = await world.control('POST', 'disputes', { charge })
  await withdraw()
  await eventually(statuses, (now) => now === 'incomplete')
  await world.control('POST', 'disputes/close', { dispute, status: 'lost' })
  await eventually(statuses, (now) => now === 'refunded')
  await addGuide(buyer, 'guide_lighting')
  await withdraw()
  await eventually(statuses, (now) => now === 'refunded,refunded')
  expect((await shownTo(buyer)).withdrawal).toMatchObject({ status: 'refunded', refunded: 1490, withBank: 0 })
})

test('H-02 P-12 no mail offers to withdraw from what a lost dispute has given back', async () => {
  const email = 'lost-last-order@example.com'
  const buyer = await world.member({ email, country: 'AT' })
  await daysAgo(buyer, 20)
  await addGuide(buyer, 'guide_habits')
  expect((await world.mail(email, 'addon_receipt')).data.withdrawUrl).toMatch(/withdraw/)
  const { charge_id: charge } = (await paymentsOf(world, buyer)).find(({ amount_cents: cents }) => cents === 1490)!
  const { id: dispute } = await world.control('POST', 'disputes', { charge })
  await world.control('POST', 'disputes/close', { dispute, status: 'lost' })
  expect((await world.mail(email, 'purchase_ended')).data.withdrawUrl).toBeNull()
})

test('H-02 P-12 mails offer to withdraw while a renewal can be asked back, with the first payment back', async () => {
  const email = 'lost-first@example.com'
  const buyer = await world.member({ email, country: 'AT' })
  await world.days(3.1)
  const [first] = await eventually(
    () => paymentsOf(world, buyer),
    (list) => list.length === 2,
  )
  const { id: dispute } = await world.control('POST', 'disputes', { charge: first?.charge_id })
  await world.control('POST', 'disputes/close', { dispute, status: 'lost' })
  await eventually(
    () => shownTo(buyer),
    ({ withdrawAmount }) => withdrawAmount === 3900,
  )
  const { withdrawUrl } = (await readBuyer(world.service.deps, buyer.sessionId)) ?? {}
  const token = tokenOf(withdrawUrl ?? '')
  expect(await viewOf(token)).toMatchObject({ state: 'valid', amount: 3900 })
})

test('H-02 H-04 a withdrawal has the time of the database, whatever the clock of this machine says', async () => {
  const buyer = await world.buyer('clock-ahead@example.com', 'AT')
  await buyer.pay()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  try {
    await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal')
  } finally {
    vi.useRealTimers()
  }
  const [request] = await requestsOf(buyer)
  const { cancel_requested_at: cancelledAt } = await subscriptionRow(world, buyer)
  for (const at of [request?.requested_at, cancelledAt]) {
    expect(Math.abs((at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  }
})

test('H-02 H-04 the answer to a withdrawal in the account names no next charge any more', async () => {
  const buyer = await world.member({ email: 'no-next-charge@example.com', country: 'AT' })
  const { id, nextCharge } = await shownTo(buyer)
  expect(nextCharge).not.toBeNull()
  const { body } = await buyer.browser.post(`/api/subscriptions/${id}/withdrawal`)
  expect(body).toMatchObject({ nextCharge: null, withdrawal: { status: 'open' } })
})

test('H-02 once the days are over, the link of a declined withdrawal says so, and promises no money', async () => {
  const email = 'declined-and-over@example.com'
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay()
  const { data } = await world.mail(email, 'order_confirmation')
  const token = tokenOf(data.withdrawUrl ?? '')
  expect(await pressed(token)).toBe(200)
  const [request] = await requestsOf(buyer)
  await decideMoneyBack(world.service.deps, request?.id ?? '', { decision: 'decline', reason: 'It was read.' }, 'boss')
  await daysAgo(buyer, 20)
  expect(await viewOf(token)).toMatchObject({ state: 'done', withdrawal: null })
})

test('H-02 pressed twice at once, a withdrawal is one request', async () => {
  const email = 'pressed-twice@example.com'
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay()
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  const { data } = await world.mail(email, 'order_confirmation')
  const token = tokenOf(data.withdrawUrl ?? '')
  expect(await Promise.all([pressed(token), pressed(token), pressed(token)])).toEqual([200, 200, 200])
  expect(await requestsOf(buyer)).toHaveLength(1)
})

test('H-02 A-07 P-12 a renewal that the bank has given back in a dispute is not promised or owed again', async () => {
  const email = 'lost-renewal@example.com'
  const buyer = await world.member({ email, country: 'AT' })
  await world.days(3.1)
  const [, renewal] = await eventually(
    () => paymentsOf(world, buyer),
    (list) => list.length === 2,
  )
  expect(await shownTo(buyer)).toMatchObject({ withdrawAmount: 4000, moneyBack: { amount: 4000 } })
  const { id: dispute } = await world.control('POST', 'disputes', { charge: renewal?.charge_id })
  await world.control('POST', 'disputes/close', { dispute, status: 'lost' })
  await eventually(
    () => shownTo(buyer),
    ({ state }) => state === 'ended',
  )
  expect(await shownTo(buyer)).toMatchObject({ withdrawAmount: 100, moneyBack: { amount: 100 } })
  await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal')
  await grant((await requestsOf(buyer))[0]?.id)
  expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 100, withBank: 0, open: 0 })
  expect(await refundsOf(buyer)).toEqual([{ purpose: 'first', refunded_cents: 100 }])
  const owed = await world.db
    .selectFrom('owed_refunds')
    .select(['status', 'wanted_cents'])
    .where('session_id', '=', buyer.sessionId)
    .execute()
  expect(owed).toEqual([{ status: 'refunded', wanted_cents: 100 }])
})
