/** Dashboard settings that change which charges come: an end on a later day, invoices by mail instead of charges. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { standingOf } from '../../src/members/words.ts'
import { type Buyer, startFunnel, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { waitingMails } from './mails.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const DAY = 86_400
const identity = identityFrom('Eyes <eyes@example.org>')
const wordsOf = (mail: Mail) => renderText(mail, identity, new Date()).replace(/\s+/g, ' ')
const viewOf = async ({ browser }: Buyer) => (await browser.get('/api/account')).body.subscriptions[0]
const kindsTo = async (email: string) => (await world.mails(email)).map(({ kind }) => kind)

/** Ends the subscription so many days after its trial. */
async function endLater(buyer: Buyer, days: number): Promise<void> {
  const { stripe_subscription_id: id } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  const { trial_end } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at: String(trial_end + days * DAY) })
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ cancel_at }) => cancel_at !== null,
  )
}

test('A-05 H-04 an end set for a later day: page and mails tell the charges before it', async () => {
  const email = 'ends-later@example.com'
  const buyer = await world.member({ email })
  await endLater(buyer, 45)
  const trial = await viewOf(buyer)
  expect(trial).toMatchObject({ state: 'trial', nextCharge: { amount: 3900 } })
  const said = standingOf(trial).next
  expect(said).toMatch(/^Next charge: \$39 on .*, then the same every 30 days until it ends on [^,]*, \d{4}\. /)
  expect(said).toContain('. The last charge is only for the days until then.')
  expect(await kindsTo(email)).not.toContain('cancellation_confirmed')
  // the period that it ends in has begun: now nothing follows, and its own charge is still to come
  await world.days(33)
  const last = await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ending',
  )
  expect(standingOf(last).next).toContain('$19.50 for the period that has begun is still charged, nothing after it.')
  expect((await world.mail(email, 'cancellation_confirmed')).data).toMatchObject({ last: { amount: 1950 } })
  await world.days(20)
  await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ended',
  )
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  // half of a period is charged as half: docs.stripe.com/api/subscriptions/update, `cancel_at`
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([1950, 3900, 100])
  expect(await kindsTo(email)).not.toContain('price_changed')
  const { invoices } = (await buyer.browser.get('/api/invoices')).body
  expect(invoices[0]).toMatchObject({ what: 'Subscription for 15 days', amount: 1950 })
})

test('A-05 H-01 an end with a period: all charges before it are whole', async () => {
  const buyer = await world.member({ email: 'ends-with-a-period@example.com' })
  await endLater(buyer, 60)
  expect(standingOf(await viewOf(buyer)).next).toMatch(/until it ends on [^,]*, \d{4}\.$/)
  await world.days(70)
  await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ended',
  )
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([3900, 3900, 100])
})

test('A-05 H-01 an end before a second charge could come: the page announces none', async () => {
  const email = 'ends-after-one@example.com'
  const buyer = await world.member({ email })
  await endLater(buyer, 20)
  const view = await eventually(
    () => viewOf(buyer),
    ({ nextCharge }) => nextCharge?.amount !== 3900,
  )
  expect(standingOf(view).next).toMatch(
    /^Next charge: \$26 on [^,]*, \d{4}, and nothing after that: it ends on [^,]*, \d{4}\.$/,
  )
  const reminder = (await waitingMails(world.service, 'trial_ends', buyer.sessionId)).at(-1)
  expect(wordsOf(reminder as Mail)).toMatch(/\$26/)
  expect(wordsOf(reminder as Mail)).not.toMatch(/\$39/)
  // the price is what it was: this charge is for fewer days
  const mailed = await world.db
    .selectFrom('outbox')
    .select('kind')
    .where('session_id', '=', buyer.sessionId)
    .where('kind', '=', 'mail:price_changed')
    .execute()
  expect(mailed).toEqual([])
  await world.days(24)
  await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ended',
  )
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([2600, 100])
})

test('H-01 an end that is set while Stripe is asked what comes next is not taken for another price', async () => {
  const funnel = await startFunnel({ webhooks: false, background: false })
  try {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    const { stripe_subscription_id: stripeId, trial_end } = await subscriptionRow(funnel, buyer)
    const { deps } = funnel.service
    const end = String(Math.floor((trial_end?.getTime() ?? 0) / 1000) + 20 * DAY)
    const previewInvoice: typeof deps.stripe.previewInvoice = async (...about) => {
      await funnel.dashboard('POST', `/v1/subscriptions/${stripeId}`, { cancel_at: end })
      return deps.stripe.previewInvoice(...about)
    }
    await syncSubscription({ ...deps, stripe: { ...deps.stripe, previewInvoice } }, stripeId ?? '', undefined)
    const row = await subscriptionRow(funnel, buyer)
    expect([row.next_charge_cents, row.next_price_cents, row.cancel_at !== null]).toEqual([2600, 3900, true])
    const mails = await funnel.db.selectFrom('outbox').select('kind').where('kind', 'like', 'mail:%').execute()
    expect(mails.map(({ kind }) => kind)).not.toContain('mail:price_changed')
  } finally {
    await funnel.stop()
  }
})

test('A-05 A-06 H-01 invoices mailed instead of charges: page and mails announce none, and none is made', async () => {
  const email = 'by-invoice@example.com'
  const buyer = await world.member({ email })
  const { stripe_subscription_id: id, stripe_customer_id } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  const customer = stripe_customer_id ?? ''
  const charged = async () =>
    ((await world.dashboard('GET', '/v1/charges', { customer })).data as { amount: number }[]).map(
      ({ amount }) => amount,
    )
  const invoiced = { collection_method: 'send_invoice', days_until_due: '14' }
  await world.dashboard('POST', `/v1/subscriptions/${id}`, invoiced)
  const uncharged = 'Charges are paused. Nothing is charged automatically meanwhile.'
  const says = async () => {
    const view = await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'paused',
    )
    return [standingOf(view).next, view.nextCharge]
  }
  expect(await says()).toEqual([uncharged, null])
  expect(await waitingMails(world.service, 'trial_ends', buyer.sessionId)).toEqual(['not true any more'])
  // the trial is over and its invoice is open: Stripe has mailed it
  await world.days(4)
  const invoice = await eventually(
    async () => (await world.dashboard('GET', '/v1/invoices', { customer })).data[0],
    ({ status, amount_due }) => status === 'open' && amount_due === 3900,
  )
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'active',
  )
  expect([await says(), await charged()]).toEqual([[uncharged, null], [100]])
  // paid by its reader: the receipt announces no other
  await world.dashboard('POST', `/v1/invoices/${invoice.id}/pay`)
  expect((await world.mail(email, 'renewal_receipt')).data).toMatchObject({
    amount: 3900,
    nextAmount: null,
    paused: true,
  })
  // charging again: the next charge is announced again
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { collection_method: 'charge_automatically' })
  const again = await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'active',
  )
  expect(again.nextCharge).toMatchObject({ amount: 3900 })
})

test('P-14 it holds its address until then: a second order beside it starts nothing and goes back', async () => {
  const email = 'ends-later-again@example.com'
  const buyer = await world.member({ email })
  await endLater(buyer, 75)
  const second = await world.buyer(email)
  const opened = await second.open('trial_5')
  await world.confirm(opened.body)
  const answer = await second.finalize(opened.body.paymentIntentId)
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'already_subscribed'])
  // its buyer leaves at once, like any other
  const { id } = await viewOf(buyer)
  const left = await buyer.browser.post(`/api/subscriptions/${id}/cancel`)
  expect(left.body).toMatchObject({ state: 'ending', nextCharge: null })
})
