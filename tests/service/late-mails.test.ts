/**
 * Mails that wait while their subject changes (the mail server is away for hours): what they say is true when they are
 * sent. Nothing is sent here: a waiting mail is read as it would be sent now.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY } from '../../contract/time.ts'
import { enqueue } from '../../payments-service/jobs/outbox.queries.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { day } from '../../payments-service/mail/letter.ts'
import type { MailKind } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { orderOf } from '../support/order.ts'
import { type Buyer, type Funnel, startFunnel, subscriptionRow } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { twice } from './membership.ts'
import { eventually } from './service.ts'

let world: Funnel
beforeAll(async () => void (world = await startFunnel()))
afterAll(() => world.stop())

const identity = identityFrom('Eyes <eyes@example.com>')
const DROPPED = 'not true any more'
const PAUSED = 'Charges are paused: nothing is charged automatically until they go on.'
const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const until = (buyer: Buyer, is: (row: Awaited<ReturnType<typeof rowOf>>) => boolean) =>
  eventually(() => rowOf(buyer), is)
/** The words of the waiting mails of a kind, oldest first; DROPPED for one that would not be sent. */
const waiting = async ({ sessionId }: Buyer, kind: MailKind): Promise<string[]> =>
  (await waitingMails(world.service, kind, sessionId)).map((mail) =>
    typeof mail === 'string' ? mail : renderText(mail, identity, new Date()).replaceAll(/\s+/g, ' '),
  )
const inDashboard = async (buyer: Buyer, form: Record<string, string>) =>
  world.dashboard('POST', `/v1/subscriptions/${(await rowOf(buyer)).stripe_subscription_id}`, form)

async function onTrial(): Promise<Buyer> {
  const buyer = await world.buyer()
  await buyer.pay()
  await buyer.browser.post(buyer.path('/account'), twice)
  await until(buyer, ({ status }) => status === 'trialing')
  return buyer
}

/** From now on this card is charged; one that is refused for every charge, if none is named. */
async function useCard(buyer: Buyer, card = 'pm_card_chargeCustomerFail'): Promise<string> {
  const form = { customer: (await rowOf(buyer)).stripe_customer_id ?? '' }
  const { id } = await world.dashboard('POST', `/v1/payment_methods/${card}/attach`, form)
  await inDashboard(buyer, { default_payment_method: id })
  return id
}
const days = (count: number) => world.control('POST', 'clock', { advance: Math.round(count * 86_400) })

test('A-06 H-04 an order that the dashboard cancelled or paused: its confirmation announces no charge', async () => {
  const [left, paused] = [await onTrial(), await onTrial()]
  await inDashboard(left, { cancel_at_period_end: 'true' })
  await inDashboard(paused, { 'pause_collection[behavior]': 'void' })
  await until(left, ({ cancel_at_period_end }) => cancel_at_period_end)
  await until(paused, ({ collection_paused }) => collection_paused)
  const [cancelled] = await waiting(left, 'order_confirmation')
  expect(cancelled).toContain('Nothing more is charged: your subscription does not renew.')
  expect(cancelled).not.toContain('$39')
  const [waits] = await waiting(paused, 'order_confirmation')
  expect(waits).toContain(PAUSED)
  expect(waits).not.toContain('$39')
})

test('A-02 P-12 a welcome sent after the programme was closed invites to no session', async () => {
  const buyer = await onTrial()
  expect(await waiting(buyer, 'account_welcome')).toEqual([expect.stringContaining('Start the first session')])
  const { source_payment_id: intent } = await rowOf(buyer)
  await world.dashboard('POST', '/v1/refunds', { payment_intent: intent ?? '' })
  await until(buyer, ({ status }) => status === 'canceled')
  const [told] = await waiting(buyer, 'account_welcome')
  expect(told).toContain('Open your account')
  expect(told).not.toMatch(/session/)
})

test('A-06 P-12 the confirmation of an order that was refunded meanwhile does not say that it is open', async () => {
  const buyer = await onTrial()
  expect(await waiting(buyer, 'order_confirmation')).toEqual([expect.stringContaining('Your programme is open.')])
  const { source_payment_id: intent } = await rowOf(buyer)
  await world.dashboard('POST', '/v1/refunds', { payment_intent: intent ?? '' })
  await until(buyer, ({ status }) => status === 'canceled')
  const [told] = await waiting(buyer, 'order_confirmation')
  expect(told).toContain('closed again by now')
  expect(told).not.toMatch(/programme is open|money back/)
})

test('A-06 H-05 the receipt of an add-on that was taken back meanwhile does not say that it is open', async () => {
  const buyer = await onTrial()
  await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
  expect(await waiting(buyer, 'addon_receipt')).toEqual([expect.stringContaining('open in your account now')])
  expect((await buyer.browser.post(buyer.path('/upsells/guide_habits/undo'))).body.state).toBe('undone')
  const [told] = await waiting(buyer, 'addon_receipt')
  expect(told).toContain('closed again by now')
  expect(told).not.toMatch(/open in your account now|Undo/)
})

test('A-06 the receipt of a renewal after a pause says that charges are paused, not that nothing follows', async () => {
  const buyer = await onTrial()
  await days(3.1)
  await eventually(
    () => waiting(buyer, 'renewal_receipt'),
    ([told]) => told?.includes('Next charge: $39') === true,
  )
  await inDashboard(buyer, { 'pause_collection[behavior]': 'void' })
  await until(buyer, ({ collection_paused }) => collection_paused)
  const [told] = await waiting(buyer, 'renewal_receipt')
  expect(told).toContain(PAUSED)
  expect(told).not.toMatch(/nothing more is charged/i)
})

test('H-04 cancelled, kept, cancelled: a mail about what was overtaken is not sent', async () => {
  const buyer = await onTrial()
  const path = `/api/subscriptions/${(await rowOf(buyer)).id}`
  await buyer.browser.post(`${path}/cancel`)
  expect(await waiting(buyer, 'cancellation_confirmed')).toEqual([expect.stringContaining('not be charged again')])
  await buyer.browser.post(`${path}/keep`)
  expect(await waiting(buyer, 'cancellation_confirmed')).toEqual([DROPPED])
  expect(await waiting(buyer, 'cancellation_undone')).toEqual([expect.stringContaining('$39 Next charge')])
  await buyer.browser.post(`${path}/cancel`)
  expect(await waiting(buyer, 'cancellation_undone')).toEqual([DROPPED])
  // once it is over the confirmation is still one, and offers nothing to take back
  await days(4)
  await until(buyer, ({ status }) => status === 'canceled')
  const told = (await waiting(buyer, 'cancellation_confirmed')).at(-1)
  expect(told).toContain('You will not be charged again.')
  expect(told).not.toContain('Keep my subscription')
})

test('H-04 A-06 “your subscription continues”, sent after the next charge, names the one after it', async () => {
  const buyer = await onTrial()
  const path = `/api/subscriptions/${(await rowOf(buyer)).id}`
  await buyer.browser.post(`${path}/cancel`)
  await buyer.browser.post(`${path}/keep`)
  const { next_charge_at: first } = await until(buyer, (row) => row.next_charge_at !== null)
  expect(await waiting(buyer, 'cancellation_undone')).toEqual([expect.stringContaining(day(first!))])
  await days(3.1)
  const { next_charge_at: second } = await until(buyer, ({ status, next_charge_at, current_period_end }) =>
    Boolean(status === 'active' && next_charge_at && current_period_end && next_charge_at > current_period_end),
  )
  const [told] = await waiting(buyer, 'cancellation_undone')
  expect(told).toContain(`${day(second!)}: $39 Next charge`)
  expect(told).not.toContain(day(first!))
})

test('H-01 H-04 an end set for a later day: mails about charges name it, and what is charged until then', async () => {
  const buyer = await onTrial()
  const { trial_end, id, stripe_customer_id, session_id: sessionId } = await rowOf(buyer)
  const at = new Date(trial_end!.getTime() + 45 * DAY)
  // ending with the trial, and then on a later day: it continues
  await inDashboard(buyer, { cancel_at_period_end: 'true' })
  await until(buyer, (row) => row.cancel_at_period_end)
  await inDashboard(buyer, { cancel_at: String(at.getTime() / 1000) })
  await until(buyer, (row) => row.cancel_at?.getTime() === at.getTime())
  const end =
    `Your subscription ends by itself on ${day(at)}. Nothing is charged after that. ` +
    'The last charge is only for the days until then.'
  const told = async (kind: MailKind) => {
    const words = (await waiting(buyer, kind)).at(-1)
    expect(words, kind).toContain(end)
    expect(words, kind).not.toMatch(/until you cancel/i)
    return words
  }
  for (const kind of ['order_confirmation', 'trial_ends', 'cancellation_undone'] as const)
    expect(await told(kind)).toMatch(/Every 30 days after that: \$39 Until it ends by itself/)
  await days(3.1)
  await eventually(
    () => waiting(buyer, 'renewal_receipt'),
    (all) => all.length > 0,
  )
  const item = await world.dashboard('GET', `/v1/subscriptions/${(await rowOf(buyer)).stripe_subscription_id}`)
  const price = { currency: 'usd', product: item.items.data[0].price.product, unit_amount: '4500' }
  await inDashboard(buyer, {
    'items[0][id]': item.items.data[0].id,
    proration_behavior: 'none',
    ...Object.fromEntries(Object.entries(price).map(([name, value]) => [`items[0][price_data][${name}]`, value])),
    'items[0][price_data][recurring][interval]': 'day',
    'items[0][price_data][recurring][interval_count]': '30',
  })
  await until(buyer, ({ next_price_cents }) => next_price_cents === 4500)
  const since = { subscription: id, since: new Date(), from: new Date(), until: new Date(Date.now() + 14 * DAY) }
  const payload = { ...since, productIds: ['guide_habits'] }
  for (const kind of ['yearly_reminder', 'second_withdrawal', 'access_reopened'] as const)
    await enqueue(world.db, { kind: `mail:${kind}`, reason: id, sessionId, payload })
  // half of a period is left
  for (const kind of ['renewal_receipt', 'price_changed', 'access_reopened'] as const)
    expect(await told(kind)).toContain('$22.50')
  expect(await told('price_changed')).toContain('it is $45 every 30 days.')
  for (const kind of ['yearly_reminder', 'second_withdrawal'] as const)
    expect(await told(kind)).toMatch(/\$45[^.]* every 30 days, until it ends|Price: \$45 Every 30 days, until it ends/)
  for (let week = 0; week < 7; week++) await days(7)
  await until(buyer, ({ status }) => status === 'canceled')
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: stripe_customer_id ?? '' })
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([2250, 3900, 100])
})

test('A-06 P-12 failed charges: only the newest failure is told, and nothing is closed once it was paid', async () => {
  const buyer = await onTrial()
  await useCard(buyer)
  await days(3.1)
  await until(buyer, ({ status }) => status === 'past_due')
  const first = await eventually(
    () => waiting(buyer, 'payment_failed'),
    ({ length }) => length === 1,
  )
  expect(first).toEqual([expect.stringContaining('until we try again')])
  await days(2.1)
  const both = await eventually(
    () => waiting(buyer, 'payment_failed'),
    ({ length }) => length === 2,
  )
  expect(both).toEqual([DROPPED, expect.stringContaining('until we try again')])
  await days(10)
  const { stripe_subscription_id: id } = await until(buyer, ({ status }) => status === 'unpaid')
  expect(await waiting(buyer, 'access_ended')).toEqual([expect.stringContaining('the programme is closed')])
  const { latest_invoice: owed } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  const card = await useCard(buyer, 'pm_card_visa')
  await world.dashboard('POST', `/v1/invoices/${owed}/pay`, { payment_method: card })
  await until(buyer, ({ status }) => status === 'active')
  expect(await waiting(buyer, 'access_ended')).toEqual([DROPPED])
})

test('A-06 P-12 a next try that Stripe plans later is named; where none is, the mail rules out none', async () => {
  await world.control('POST', 'account', { retry_days: [5], after_retries: 'past_due' })
  const buyer = await onTrial()
  await useCard(buyer)
  await days(3.1)
  const told = (count: number) =>
    eventually(
      () => waiting(buyer, 'payment_failed'),
      ({ length }) => length === count,
    )
  await told(1)
  // seen before Stripe had planned the next try
  await sql`update outbox set payload = payload || '{"nextTryAt": null}' where session_id = ${buyer.sessionId}
    and kind = 'mail:payment_failed'`.execute(world.db)
  expect(await told(1)).toEqual([expect.stringContaining('until we try again on')])
  await days(5.1)
  const [, last] = await told(2)
  expect(last).toContain('We may try again by ourselves')
  await world.control('POST', 'account', { retry_days: [2, 2, 3], after_retries: 'unpaid' })
})

test('A-06 H-01 a bill that the bank wants confirmed: no try is announced until another card is on file', async () => {
  const buyer = await onTrial()
  await useCard(buyer, 'pm_card_authenticationRequired')
  await days(3.1)
  const late = await until(buyer, ({ status }) => status === 'past_due')
  expect([late.owed_cents, late.next_charge_at]).toEqual([3900, null])
  const [told] = await eventually(
    () => waiting(buyer, 'payment_failed'),
    ({ length }) => length === 1,
  )
  expect(told).toContain('Your bank wants you to confirm this payment')
  expect(told).not.toMatch(/try again on|may try again|nothing to do/)
  await useCard(buyer, 'pm_card_visa')
  await until(buyer, ({ next_charge_at: at }) => at !== null)
  const [planned] = await waiting(buyer, 'payment_failed')
  expect(planned).toContain('until we try again on')
  await days(2.1)
  await until(buyer, ({ status }) => status === 'active')
})

test('A-06 a bill that the bank refuses for good is told once, though Stripe counts tries that are none', async () => {
  const buyer = await onTrial()
  await useCard(buyer, 'pm_card_authenticationRequired')
  await days(3.1)
  await eventually(
    () => waiting(buyer, 'payment_failed'),
    ({ length }) => length === 1,
  )
  await days(2.1)
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const counted = async () => (await world.dashboard('GET', `/v1/invoices?subscription=${id}`)).data[0].attempt_count
  await eventually(counted, (tries) => tries === 2)
  const since = () => waiting(buyer, 'payment_failed') // which looks at Stripe
  await eventually(since, ({ length }) => length === 2)
  await sql`update outbox set sent_at = now(), payload = payload || '{"mail": {}}' where session_id = ${buyer.sessionId}
    and kind = 'mail:payment_failed' and payload ->> 'attempt' = '1'`.execute(world.db)
  expect(await since()).toEqual([DROPPED])
})

test('P-12 H-04 ended at Stripe for want of a payment: its mail offers nothing to pay', async () => {
  await world.control('POST', 'account', { after_retries: 'canceled' })
  const buyer = await onTrial()
  await useCard(buyer)
  await days(15)
  await until(buyer, ({ status }) => status === 'canceled')
  await world.control('POST', 'account', { after_retries: 'unpaid' })
  const [told] = await waiting(buyer, 'access_ended')
  expect(told).toContain('so your subscription has ended. Nothing more is charged.')
  expect(told).not.toMatch(/Pay and open|Once you have paid/)
})
