/** What mails and pages say of money after what a simple order does not meet, in the words that the buyer reads. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standingOf } from '../../src/members/words.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { MailKind } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { decideMoneyBack, listMoneyBackRequests } from '../../payments-service/money-back/decide.ts'
import { type Buyer, paymentsOf, subscriptionRow } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const identity = identityFrom('Eyes <eyes@example.com>')
/** The words of the latest mail of a kind, in one line. */
async function words(to: string, kind: MailKind): Promise<string> {
  return renderText(await world.mail(to, kind), identity, new Date()).replaceAll(/\s+/g, ' ')
}
const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const until = (buyer: Buyer, status: string) =>
  eventually(
    () => rowOf(buyer),
    (row) => row.status === status,
  )
/** From now on the saved card is refused. */
async function spoilCard(buyer: Buyer): Promise<void> {
  const { stripe_subscription_id: id, stripe_customer_id } = await until(buyer, 'trialing')
  const form = { customer: stripe_customer_id ?? '' }
  const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', form)
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { default_payment_method: bad.id })
}
const cardOf = async (buyer: Buyer) => (await buyer.browser.get('/api/account')).body.subscriptions[0]

test('P-12 A-06 a part of a renewal goes back: the mail does not say that what was refunded is closed', async () => {
  const email = 'part-of-a-renewal@example.com'
  const buyer = await world.member({ email })
  await until(buyer, 'trialing')
  await world.days(3.1)
  const [, renewal] = await eventually(
    () => paymentsOf(world, buyer),
    (all) => all.length === 2,
  )
  await world.dashboard('POST', '/v1/refunds', { payment_intent: renewal?.payment_intent_id ?? '', amount: '1000' })
  const told = await words(email, 'refund')
  expect(told).toContain('We refunded $10 ')
  expect(told).toContain('Nothing else changes.')
  expect((await buyer.browser.get('/api/account')).body.programme).toBe('open')
  // the rest of it: now the programme is closed, and the mail says so
  await world.dashboard('POST', '/v1/refunds', { payment_intent: renewal?.payment_intent_id ?? '' })
  await until(buyer, 'canceled')
  expect(await words(email, 'refund')).toContain('is open until')
})

test('H-02 a withdrawal that is not granted: the mail does not say that the subscription goes on', async () => {
  const email = 'declined@example.com'
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay()
  await until(buyer, 'trialing')
  const { data } = await world.mail(email, 'order_confirmation')
  await browserOf(world).post('/api/links/withdraw', { token: tokenOf(data.withdrawUrl ?? '') })
  await eventually(
    () => rowOf(buyer),
    ({ cancel_at_period_end }) => cancel_at_period_end,
  )
  const { id } = await world.db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  await decideMoneyBack(world.service.deps, id, { decision: 'decline', reason: 'No.' }, 'op')
  const told = await words(email, 'money_back_decided')
  expect(told).not.toContain('goes on')
  expect(told).toContain('Your subscription stays cancelled: nothing more is charged')
})

test('A-07 H-02 what went back in the dashboard while a request waits is promised nowhere', async () => {
  const email = 'went-back-before@example.com'
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay()
  await until(buyer, 'trialing')
  const { data } = await world.mail(email, 'order_confirmation')
  const link = { token: tokenOf(data.withdrawUrl ?? '') }
  const browser = browserOf(world)
  expect((await browser.post('/api/links/withdraw', link)).body.withdrawal).toMatchObject({ amount: 100 })
  const [charge] = await paymentsOf(world, buyer)
  await world.dashboard('POST', '/v1/refunds', { payment_intent: charge?.payment_intent_id ?? '' })
  const shown = async () => (await browser.post('/api/links/withdraw/view', link)).body.withdrawal
  await eventually(shown, ({ amount }) => amount === 0)
  const [open] = (await listMoneyBackRequests(world.service.deps, 'open')).filter((one) => one.email === email)
  expect(open?.amount_cents).toBe(0)
  await decideMoneyBack(world.service.deps, open?.id ?? '', { decision: 'approve' }, 'op')
  await eventually(shown, ({ status }) => status === 'refunded')
  expect(await shown()).toMatchObject({ amount: 0, refunded: 0, pending: 0, withBank: 0, open: 0 })
  const told = await words(email, 'money_back_decided')
  expect(told).toContain('We granted your request. There is nothing left to give back')
  expect(told).not.toContain('Banks usually')
})

test('A-06 H-01 a sum that is added to one charge is not announced for those that follow', async () => {
  const email = 'added-once@example.com'
  const buyer = await world.member({ email })
  const { stripe_customer_id } = await until(buyer, 'trialing')
  const form = { customer: stripe_customer_id ?? '', amount: '-500', currency: 'usd', description: 'Sorry' }
  await world.dashboard('POST', '/v1/invoiceitems', form)
  const card = await eventually(
    () => cardOf(buyer),
    (one) => one.nextCharge.amount === 3400,
  )
  expect(standingOf(card).next).toMatch(/^Next charge: \$34 on .*, then \$39 every 30 days until you cancel, before /)
  const reminder = (await waitingMails(world.service, 'trial_ends', buyer.sessionId)).at(-1)
  if (typeof reminder !== 'object') throw new Error(`no reminder: ${reminder}`)
  const told = renderText(reminder, identity, new Date()).replaceAll(/\s+/g, ' ')
  expect(told).toMatch(/\$34 /)
  expect(told).toMatch(/Every 30 days after that: \$39 Until you cancel, before any discounts or extras/)
  await buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/cancel`)
  await buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/keep`)
  expect(await words(email, 'cancellation_undone')).toMatch(
    /Every 30 days after that: \$39 Until you cancel, before any discounts or extras/,
  )
})

test('X-03 P-14 a reading that was paid twice: the mail about it speaks of no subscription', async () => {
  const email = 'two-tabs@example.com'
  const buyer = await world.buyer(email)
  const opened = await buyer.open('reading_7_days')
  const { stripe_customer_id } = await world.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  const other = await world.dashboard('POST', '/v1/payment_intents', {
    amount: '999',
    currency: 'usd',
    customer: stripe_customer_id ?? '',
    'allowed_payment_method_types[0]': 'card',
    'metadata[session_id]': buyer.sessionId,
    'metadata[purpose]': 'reading',
    'metadata[product_id]': 'reading_7_days',
  })
  await world.confirm(opened.body)
  await buyer.finalize(opened.body.paymentIntentId)
  await world.confirm({ paymentIntentId: other.id, clientSecret: other.client_secret })
  const told = await words(email, 'duplicate_refunded')
  expect(told).toContain('Two payments arrived for the same order')
  expect(told).not.toContain('ubscription')
})

test('H-04 A-05 one that is closed because nothing could be charged is cancelled: a mail confirms it', async () => {
  const email = 'closed-and-cancelled@example.com'
  const buyer = await world.member({ email })
  await spoilCard(buyer)
  await world.days(30)
  await until(buyer, 'unpaid')
  const { body } = await buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/cancel`)
  expect(body.state).toBe('ended')
  await eventually(
    () => world.mails(email),
    (all) => all.filter(({ kind }) => kind === 'access_ended').length === 2,
  )
  expect(await words(email, 'access_ended')).toContain('You will not be charged again.')
})

test('P-14 H-02 a mail that ends one subscription names the next try of another whose charge failed', async () => {
  const email = 'ordered-again@example.com'
  const first = await world.buyer(email, 'AT')
  await first.pay('special_offer')
  await until(first, 'trialing')
  const { data } = await world.mail(email, 'order_confirmation')
  await browserOf(world).post('/api/links/cancel', { token: tokenOf(data.cancelUrl) })
  const second = await world.buyer(email, 'AT')
  await second.pay('trial_1')
  await spoilCard(second)
  await world.days(3.1)
  await until(second, 'past_due')
  await browserOf(world).post('/api/links/withdraw', { token: tokenOf(data.withdrawUrl ?? '') })
  const told = await words(email, 'withdrawal_received')
  expect(told).not.toContain('You will not be charged again')
  expect(told).toMatch(/\$39 Next charge/)
})
