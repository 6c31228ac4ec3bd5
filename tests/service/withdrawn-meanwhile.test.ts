/** H-02, H-04: a withdrawal or a statement on /exit, sent while an order is on its way, ends what that starts, too. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '../../payments-service/jobs/outbox.queries.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { type Buyer, paymentsOf, subscriptionRow } from './funnel.ts'
import { exitsOf, statement } from './exits.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'
import { eventually, type Reply } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)

/** A buyer in Germany who has bought a reading, and has a link that withdraws from it. */
async function reader(email: string) {
  const buyer = await world.buyer(email, 'DE')
  await buyer.pay('reading_7_days')
  const { data } = await world.mail(email, 'one_time_receipt')
  return { buyer, token: tokenOf(data.withdrawUrl ?? '') }
}

const latestGrant = ({ sessionId }: Buyer) =>
  world.db
    .selectFrom('product_access_grants')
    .select('revoked_at')
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const withdraw = (token: string) => browserOf(world).post('/api/links/withdraw', { token })

test('H-02 H-04 paid with PayPal, not heard of here yet, and withdrawn by the link of an earlier receipt', async () => {
  const { buyer, token } = await reader('meanwhile@example.com')
  await world.silence()
  const order = await buyer.open('trial_1', 'paypal')
  await world.paypal(order.body)
  await world.hear()
  expect((await withdraw(token)).status).toBe(200)
  await buyer.finalize(order.body.paymentIntentId)
  const { data } = await world.mail('meanwhile@example.com', 'order_confirmation')
  expect(data.next).toBeNull()
  const row = await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  expect([row.cancel_at_period_end, row.next_charge_at]).toEqual([true, null])
})

test('H-02 what is paid after a withdrawal is an order like any other, also on a page opened before', async () => {
  const { buyer, token } = await reader('after@example.com')
  const order = await buyer.open('trial_1')
  expect((await withdraw(token)).status).toBe(200)
  // the bank's time is in whole seconds
  await new Promise((resume) => setTimeout(resume, 1_100))
  await world.confirm(order.body)
  await buyer.finalize(order.body.paymentIntentId)
  const { data } = await world.mail('after@example.com', 'order_confirmation')
  expect(data.next?.amount).toBe(3900)
})

test('H-02 H-04 A-07 granting a withdrawal from a reading leaves the programme that was ordered after it', async () => {
  const email = 'programme-after@example.com'
  const { buyer, token } = await reader(email)
  expect((await withdraw(token)).status).toBe(200)
  await new Promise((resume) => setTimeout(resume, 1_100))
  await buyer.pay()
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  const row = await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  const shown = async () => (await buyer.browser.get('/api/account')).body.subscriptions[0]
  // what waits is about the reading alone: the programme has its own right
  expect(await shown()).toMatchObject({ withdrawAmount: 100, withdrawKeeps: false, moneyBack: { request: null } })
  expect((await buyer.browser.post(`/api/subscriptions/${row.id}/cancel`)).body.keepable).toBe(true)
  expect((await buyer.browser.post(`/api/subscriptions/${row.id}/keep`)).body.state).toBe('trial')
  const [request] = await requestsOf(buyer)
  await decideMoneyBack(world.service.deps, request?.id ?? '', { decision: 'approve' }, 'boss')
  const { data } = await world.mail(email, 'money_back_decided')
  expect(data).toMatchObject({ amount: 995, accessEndsAt: null, standing: 'goes_on' })
  expect(await shown()).toMatchObject({ state: 'trial', withdrawAmount: 100, moneyBack: { request: null } })
  const paid = await paymentsOf(world, buyer)
  expect(paid.map(({ purpose, refunded_cents: back }) => [purpose, back])).toEqual([
    ['reading', 995],
    ['first', 0],
  ])
  expect((await buyer.browser.post(`/api/subscriptions/${row.id}/cancel`)).status).toBe(200)
  await world.mail(email, 'cancellation_confirmed')
})

test('H-02 who bought a reading alone is told of no subscription when the withdrawal from it is granted', async () => {
  const email = 'reading-alone@example.com'
  const { buyer, token } = await reader(email)
  expect((await withdraw(token)).status).toBe(200)
  const [request] = await requestsOf(buyer)
  await decideMoneyBack(world.service.deps, request?.id ?? '', { decision: 'approve' }, 'boss')
  const { data } = await world.mail(email, 'money_back_decided')
  expect(data).toMatchObject({ amount: 995, accessEndsAt: null, standing: null })
})

/** The order of an open page is paid at Stripe and cannot be heard of here yet, nor read. */
async function paidUnheard({ body }: Reply): Promise<string> {
  const intentId = body.paymentIntentId as string
  await world.silence()
  const path = `/v1/payment_intents/${intentId}`
  await world.control('POST', 'faults', { from: 'server', method: 'GET', path, mode: '500', times: 1e6 })
  await world.confirm(body as Parameters<Membership['confirm']>[0])
  return intentId
}

/** The service hears of it, and the subscription begins. */
async function heard(buyer: Buyer, intentId: string) {
  await world.hear()
  await buyer.finalize(intentId)
  return eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
}

/** A statement whose job has given up waiting for a payment under the address: a quarter of an hour is over. */
const foundNothing = (email: string, more: Record<string, unknown> = {}) =>
  world.db
    .insertInto('exit_requests')
    .values({
      ...statement(email),
      effect_at: new Date(),
      carried_out_at: new Date(),
      outcome: 'nothing',
      ...more,
    })
    .execute()

test('H-04 paid before a statement on /exit that found nothing: begins as cancelled, once it is known', async () => {
  const buyer = await world.buyer('heard-late@example.com')
  const intentId = await paidUnheard(await buyer.open())
  await foundNothing('Heard-Late@example.com')
  const row = await heard(buyer, intentId)
  expect([row.cancel_at_period_end, row.next_charge_at]).toEqual([true, null])
  await world.mail('heard-late@example.com', 'cancellation_confirmed')
})

test.each([
  ['is about the guides', { contract: 'guides', kind: 'withdraw' }],
  ['was taken back', { carried_out_at: null, outcome: null, taken_back_at: new Date() }],
])('H-04 a statement on /exit that %s cancels no order that becomes known later', async (what, more) => {
  const email = `${what.replaceAll(' ', '-')}@example.com`
  const buyer = await world.buyer(email)
  const intentId = await paidUnheard(await buyer.open())
  await foundNothing(email, more)
  const row = await heard(buyer, intentId)
  expect([row.cancel_at_period_end, row.next_charge_at]).toEqual([false, expect.any(Date)])
})

test('H-04 P-14 /exit that ends one subscription means another visit’s order, paid before it, too', async () => {
  const email = 'two-visits@example.com'
  const [one, two] = [await world.buyer(email), await world.buyer(email)]
  const later = await two.open()
  await one.pay()
  await eventually(
    () => rowOf(one),
    ({ status }) => status === 'trialing',
  )
  const intentId = await paidUnheard(later)
  const exits = exitsOf(world)
  await exits.leave(email)
  expect(await exits.acknowledged(email)).toMatchObject({ outcome: 'ended', session_ids: [one.sessionId] })
  const row = await heard(two, intentId)
  expect([row.cancel_at_period_end, row.next_charge_at]).toEqual([true, null])
})

const requestsOf = ({ sessionId }: Buyer) =>
  world.db.selectFrom('money_back_requests').selectAll().where('session_id', '=', sessionId).execute()

/** A visit in Germany that has not paid. */
const german = (email: string) => world.buyer(email, 'DE')

test('H-02 a withdrawal on /exit gives back an order, paid before it, that becomes known after it', async () => {
  const email = 'withdrawn-unheard@example.com'
  const exits = exitsOf(world)
  const [one, two] = [await german(email), await german(email)]
  const later = await two.open()
  await one.pay()
  await eventually(
    () => rowOf(one),
    ({ status }) => status === 'trialing',
  )
  const intentId = await paidUnheard(later)
  await exits.leave(email, { kind: 'withdraw', contract: 'everything' })
  await exits.acknowledged(email)
  await heard(two, intentId)
  await exits.waitIsOver(email)
  expect([...(await requestsOf(one)), ...(await requestsOf(two))]).toMatchObject([
    { kind: 'withdrawal', amount_cents: 100 },
    { kind: 'withdrawal', amount_cents: 100 },
  ])
})

test('H-02 what is ordered after a withdrawal on /exit is no part of it, though it is done later', async () => {
  const email = 'ordered-since@example.com'
  const exits = exitsOf(world)
  const buyer = await german(email)
  await buyer.pay('reading_7_days')
  await exits.leave(email, { kind: 'withdraw', contract: 'everything' })
  await exits.acknowledged(email)
  // the bank's time is in whole seconds
  await new Promise((resume) => setTimeout(resume, 1_100))
  await buyer.pay()
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toMatchObject([{ amount_cents: 995 }])
  expect((await rowOf(buyer)).cancel_requested_at).toBeNull()
})

test('H-02 a trial opened before a withdrawal on /exit and paid long after it takes nothing back', async () => {
  const email = 'opened-before@example.com'
  const exits = exitsOf(world)
  const buyer = await german(email)
  await buyer.pay('reading_7_days')
  const order = await buyer.open()
  // sent twenty minutes ago: its first job waits for no payment any more
  await sql`update payment_intents set created_at = created_at - interval '30 minutes'
    where session_id = ${buyer.sessionId}`.execute(world.db)
  await sql`update payments set settled_at = settled_at - interval '30 minutes'
    where session_id = ${buyer.sessionId}`.execute(world.db)
  const sent = { kind: 'withdraw', contract: 'everything', received_at: new Date(Date.now() - 20 * 60_000) }
  await world.db
    .insertInto('exit_requests')
    .values({ ...statement(email, sent), effect_at: new Date(), session_ids: [buyer.sessionId] })
    .execute()
  await world.confirm(order.body)
  await buyer.finalize(order.body.paymentIntentId)
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  const { id } = await exits.acknowledged(email)
  await enqueue(world.db, { kind: 'exit_withdrawal', reason: id, sessionId: null, payload: { exit: id } })
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toMatchObject([{ amount_cents: 995 }])
  expect((await rowOf(buyer)).cancel_requested_at).toBeNull()
})

test('H-02 a withdrawal on /exit sent while an order is being paid gives back what it ends', async () => {
  const email = 'under-way@example.com'
  const exits = exitsOf(world)
  const buyer = await german(email)
  const order = await buyer.open()
  await exits.leave(email, { kind: 'withdraw', contract: 'everything' })
  await new Promise((resume) => setTimeout(resume, 1_100))
  await world.confirm(order.body)
  await buyer.finalize(order.body.paymentIntentId)
  await exits.waitIsOver(email)
  expect((await rowOf(buyer)).cancel_requested_at).not.toBeNull()
  expect(await requestsOf(buyer)).toMatchObject([{ amount_cents: 100 }])
})

/** A buyer in Germany whose order became known after a withdrawal on /exit, and so began as cancelled. */
async function begunCancelled(email: string) {
  const buyer = await german(email)
  const intentId = await paidUnheard(await buyer.open())
  await exitsOf(world).leave(email, { kind: 'withdraw', contract: 'everything' })
  const row = await heard(buyer, intentId)
  expect(row.cancel_requested_at).not.toBeNull()
  await exitsOf(world).acknowledged(email)
  await world.mail(email, 'cancellation_confirmed')
  return { buyer, row }
}

test('H-02 H-04 taken back by the link of /exit: a subscription that began as cancelled goes on', async () => {
  const email = 'taken-back-unheard@example.com'
  const { buyer } = await begunCancelled(email)
  expect((await exitsOf(world).takeBack(email)).body.state).toBe('taken_back')
  const row = await rowOf(buyer)
  expect([row.cancel_requested_at, row.cancel_at_period_end]).toEqual([null, false])
})

test.each([
  ['by the statement’s first job', false],
  ['after it had found nothing', true],
])('H-02 H-04 it began as cancelled, known %s, and is kept: so /exit gives nothing back', async (_, late) => {
  const email = `kept-unheard-${late}@example.com`
  const { buyer, row } = await begunCancelled(email)
  if (late)
    await world.db.updateTable('exit_requests').set({ subscription_ids: [] }).where('email', '=', email).execute()
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  expect((await buyer.browser.post(`/api/subscriptions/${row.id}/keep`)).body.state).toBe('trial')
  await exitsOf(world).waitIsOver(email)
  expect((await rowOf(buyer)).cancel_requested_at).toBeNull()
  expect(await requestsOf(buyer)).toEqual([])
})

test('H-02 H-04 cancelled, then withdrawn from on /exit, and kept: it stays, and nothing is given back', async () => {
  const email = 'cancelled-before@example.com'
  const buyer = await german(email)
  await buyer.pay('trial_1')
  const { id } = await rowOf(buyer)
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  await buyer.browser.post(`/api/subscriptions/${id}/cancel`)
  await exitsOf(world).leave(email, { kind: 'withdraw', contract: 'everything' })
  await exitsOf(world).acknowledged(email)
  await eventually(
    () => rowOf(buyer),
    ({ cancel_done_at }) => cancel_done_at !== null,
  )
  expect((await buyer.browser.post(`/api/subscriptions/${id}/keep`)).body.state).toBe('trial')
  await exitsOf(world).waitIsOver(email)
  expect((await rowOf(buyer)).cancel_requested_at).toBeNull()
  expect(await requestsOf(buyer)).toEqual([])
})

// these move the clock: last
test('H-04 a withdrawal by the form whose subscription has ended cannot be taken back, and says so', async () => {
  const email = 'too-late@example.com'
  const exits = exitsOf(world)
  const buyer = await world.buyer(email, 'DE')
  await buyer.pay('trial_1')
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  // the bill of the first full period is drawn, and not collected yet
  await world.days(3 + 1 / 48)
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'active',
  )
  await exits.leave(email, { kind: 'withdraw', contract: 'everything' })
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'canceled',
  )
  expect((await exits.takeBack(email)).body.state).toBe('over')
})

test('H-02 A-07 a withdrawal that is granted after the end names the day on which the programme closed', async () => {
  const email = 'granted-after@example.com'
  const buyer = await world.member({ email, country: 'DE' })
  const ordered = await world.mail(email, 'order_confirmation')
  expect((await withdraw(tokenOf(ordered.data.withdrawUrl ?? ''))).status).toBe(200)
  await world.days(3.1)
  await world.mail(email, 'access_ended')
  const grant = await eventually(
    () => latestGrant(buyer),
    ({ revoked_at: at }) => at !== null,
  )
  // the database counts microseconds
  await new Promise((resume) => setTimeout(resume, 10))
  const [request] = await requestsOf(buyer)
  await decideMoneyBack(world.service.deps, request?.id ?? '', { decision: 'approve' }, 'boss')
  const mail = await world.mail(email, 'money_back_decided')
  expect(mail.data).toMatchObject({ decision: 'approved', accessEndsAt: grant.revoked_at?.toISOString() })
  const words = renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date())
  expect(words).toContain('Programme closed')
  expect(words).toContain('has ended')
})
