// Time and money: renewals by test clock and by the sandbox's clock, failed renewals, refunds, disputes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { failure, openWorld, schemaErrors, until, type World } from './testing.ts'

const DAY = 86_400
let world: World
let stripe: Stripe
let price: Stripe.Price
beforeAll(async () => {
  world = await openWorld()
  stripe = world.stripe
  const product = await stripe.products.create({ name: 'Programme' })
  price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 2900,
    recurring: { interval: 'day', interval_count: 30 },
  })
})
afterAll(() => world.close())

async function clocked(card = 'pm_card_visa') {
  const start = Math.floor(Date.UTC(2027, 0, 31, 12) / 1000)
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start, name: 'QA' })
  expect(schemaErrors(clock)).toEqual([])
  const customer = await stripe.customers.create({ email: 'c@example.com', test_clock: clock.id })
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id })
  const advance = async (to: number): Promise<void> => {
    expect((await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })).status).toBe('advancing')
    await until(async () => (await stripe.testHelpers.testClocks.retrieve(clock.id)).status === 'ready')
  }
  const trial = (more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      trial_period_days: 3,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      off_session: true,
      ...more,
    })
  const invoices = async () => {
    const list = await stripe.invoices.list({ customer: customer.id, expand: ['data.payments'] })
    expect(list.data.flatMap(schemaErrors)).toEqual([])
    return list.data
  }
  const types = async () => {
    const events = await stripe.events.list({ limit: 100 })
    expect(events.data.flatMap(schemaErrors)).toEqual([])
    return events.data
      .filter((event) => (event.data.object as { customer?: string }).customer === customer.id)
      .map((event) => event.type)
  }
  return { start, clock, customer, method, advance, trial, invoices, types }
}

/** A customer on the sandbox's own clock, with a saved card. */
async function withCard(email: string) {
  const customer = await stripe.customers.create({ email })
  return { customer, method: await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }) }
}

async function onTrial(email: string) {
  const { customer, method } = await withCard(email)
  const made = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method.id,
    trial_period_days: 3,
  })
  return { customer, made }
}

describe('renewals', () => {
  test('a trial turns active before its first invoice is collected, whose draft is final after an hour', async () => {
    const { start, advance, trial, invoices, types } = await clocked()
    const made = await trial()
    expect(made.trial_end).toBe(start + 3 * DAY)
    await advance(start + 3 * DAY + 60)
    let now = await stripe.subscriptions.retrieve(made.id)
    expect([
      schemaErrors(now),
      now.status,
      now.items.data[0]?.current_period_start,
      now.items.data[0]?.current_period_end,
    ]).toEqual([[], 'active', start + 3 * DAY, start + 33 * DAY])
    expect((await invoices())[0]).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
      amount_due: 2900,
      auto_advance: true,
    })
    await advance(start + 3 * DAY + 3700)
    expect((await invoices())[0]).toMatchObject({
      status: 'paid',
      amount_paid: 2900,
      attempt_count: 1,
      number: expect.stringMatching(/-0002$/) as string,
    })
    expect(await types()).toEqual(
      expect.arrayContaining([
        'invoice.created',
        'invoice.finalized',
        'payment_intent.succeeded',
        'invoice.paid',
        'customer.subscription.updated',
      ]),
    )
    await advance(start + 64 * DAY)
    now = await stripe.subscriptions.retrieve(made.id, {
      expand: ['latest_invoice.payments.data.payment.payment_intent', 'latest_invoice.confirmation_secret'],
    })
    expect((await invoices()).map((invoice) => [invoice.amount_paid, invoice.status])).toEqual([
      [2900, 'paid'],
      [2900, 'paid'],
      [2900, 'paid'],
      [0, 'paid'],
    ])
    const latest = now.latest_invoice as Stripe.Invoice
    const intent = latest.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent
    expect([schemaErrors(now), intent.status, latest.confirmation_secret?.client_secret]).toEqual([
      [],
      'succeeded',
      intent.client_secret,
    ])
    const links = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent.id } })
    expect([links.data.flatMap(schemaErrors), links.data[0]?.invoice]).toEqual([[], latest.id])
  })

  test('a declined renewal is tried 2, 4 and 7 days later, then unpaid until its invoice is paid', async () => {
    const { start, customer, advance, trial, invoices, types } = await clocked('pm_card_chargeCustomerFail')
    const made = await trial()
    await advance(start + 3 * DAY + 3700)
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('past_due')
    expect((await invoices())[0]).toMatchObject({ status: 'open', attempt_count: 1, attempted: true })
    await advance(start + 6 * DAY)
    expect((await invoices())[0]?.attempt_count).toBe(2)
    await advance(start + 20 * DAY)
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'unpaid', canceled_at: null })
    expect((await types()).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.invoices.pay((await invoices())[0]?.id ?? '', { payment_method: card.id })
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('active')
  })

  test('A-06 a retry after a refusal for good is counted, and made only once another card is on file', async () => {
    const { start, customer, advance, trial, invoices } = await clocked('pm_card_authenticationRequired')
    const made = await trial()
    const charges = async () => (await stripe.charges.list({ customer: customer.id })).data.length
    await advance(start + 3 * DAY + 3700)
    expect([(await invoices())[0]?.attempt_count, await charges()]).toEqual([1, 1])
    await advance(start + 6 * DAY)
    const [bill] = await invoices()
    expect([bill?.attempt_count, typeof bill?.next_payment_attempt, await charges()]).toEqual([2, 'number', 1])
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.subscriptions.update(made.id, { default_payment_method: card.id })
    await advance(start + 8 * DAY)
    expect([(await invoices())[0]?.status, await charges()]).toEqual(['paid', 2])
  })

  test('an unpaid subscription goes on with drafts, and the latest invoice revives it', async () => {
    const { start, customer, advance, trial, invoices } = await clocked('pm_card_chargeCustomerFail')
    const made = await trial()
    await advance(start + 20 * DAY)
    await advance(start + 50 * DAY)
    const [draft, old] = await invoices()
    expect(draft).toMatchObject({ status: 'draft', auto_advance: false, next_payment_attempt: null })
    expect(draft && schemaErrors(draft)).toEqual([])
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.invoices.pay(old?.id ?? '', { payment_method: card.id })
    const closed = await stripe.subscriptions.retrieve(made.id)
    expect([closed.status, closed.latest_invoice]).toEqual(['unpaid', draft?.id])
    await stripe.invoices.finalizeInvoice(draft?.id ?? '', { auto_advance: false })
    await stripe.invoices.pay(draft?.id ?? '', { payment_method: card.id })
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('active')
  })

  test('a failed renewal paid with another card is active again', async () => {
    const { start, customer, advance, trial, invoices } = await clocked('pm_card_chargeCustomerFail')
    const made = await trial()
    await advance(start + 3 * DAY + 3700)
    const invoice = (await invoices())[0]
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    expect(await failure(stripe.invoices.pay(invoice?.id ?? ''))).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    })
    const paid = await stripe.invoices.pay(invoice?.id ?? '', { payment_method: card.id, off_session: true })
    expect([schemaErrors(paid), paid.status]).toEqual([[], 'paid'])
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('active')
    expect(await failure(stripe.invoices.pay(paid.id ?? ''))).toMatchObject({ statusCode: 400 })
  })

  test('P-07 a bill takes the types that its subscription had when it was made, no others', async () => {
    const { start, method, advance, trial, invoices } = await clocked()
    const made = await trial({ payment_settings: { payment_method_types: ['paypal'] } })
    await advance(start + 3 * DAY + 3700)
    const [bill] = await invoices()
    expect([bill?.status, bill?.payment_settings.payment_method_types, bill?.attempt_count]).toEqual([
      'open',
      ['paypal'],
      1,
    ])
    await stripe.subscriptions.update(made.id, { payment_settings: { payment_method_types: ['card'] } })
    const pay = stripe.invoices.pay(bill?.id ?? '', { payment_method: method.id })
    expect(await failure(pay)).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('(card) is not allowed for this PaymentIntent') as string,
    })
    expect((await invoices())[0]).toMatchObject({ status: 'open', attempt_count: 1 })
  })

  test('cancel at period end ends it at the boundary, unbilled; without a card the trial ends as asked', async () => {
    const one = await clocked()
    const made = await one.trial()
    await stripe.subscriptions.update(made.id, { cancel_at_period_end: true })
    await one.advance(one.start + 4 * DAY)
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('canceled')
    expect(await one.invoices()).toHaveLength(1)

    const two = await clocked()
    const bare = await stripe.subscriptions.create({
      customer: two.customer.id,
      items: [{ price: price.id }],
      trial_period_days: 5,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    })
    expect([schemaErrors(bare), typeof bare.pending_setup_intent]).toEqual([[], 'string'])
    expect(await two.types()).not.toContain('customer.subscription.trial_will_end')
    await two.advance(two.start + 2 * DAY + 60)
    expect(await two.types()).toContain('customer.subscription.trial_will_end')
    await two.advance(two.start + 6 * DAY)
    expect((await stripe.subscriptions.retrieve(bare.id)).status).toBe('canceled')
  })

  test('months keep the anchor’s day: 31 January, 28 February, 31 March', async () => {
    const { start, customer, method, advance } = await clocked()
    const byMonth = await stripe.prices.create({
      product: String(price.product),
      currency: 'usd',
      unit_amount: 1000,
      recurring: { interval: 'month' },
    })
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: byMonth.id }],
      default_payment_method: method.id,
    })
    const end = async () =>
      new Date(((await stripe.subscriptions.retrieve(made.id)).items.data[0]?.current_period_end ?? 0) * 1000)
        .toISOString()
        .slice(0, 10)
    expect([made.status, await end()]).toEqual(['active', '2027-02-28'])
    await advance(start + 35 * DAY)
    expect(await end()).toBe('2027-03-31')
  })

  test('H-01 another interval bills its first period at once, less what was left; a trial goes on', async () => {
    const { start, customer, method, advance, trial, invoices } = await clocked()
    const weekly = await stripe.prices.create({
      product: price.product as string,
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'week' },
    })
    const moved = await trial()
    const [item] = moved.items.data
    const still = await stripe.subscriptions.update(moved.id, { items: [{ id: item!.id, price: weekly.id }] })
    expect([schemaErrors(still), still.status, still.items.data[0]?.current_period_end]).toEqual([
      [],
      'trialing',
      start + 3 * DAY,
    ])
    expect((await invoices()).map(({ total }) => total)).toEqual([0])
    await advance(start + 3 * DAY + 7200)
    const week = await stripe.subscriptions.retrieve(moved.id)
    expect([week.status, week.items.data[0]?.current_period_end]).toEqual(['active', start + 10 * DAY])
    expect((await invoices()).map(({ total }) => total)).toEqual([1500, 0])
    // a third of the week is left
    await advance(start + 3 * DAY + (14 / 3) * DAY)
    const back = await stripe.subscriptions.update(moved.id, {
      items: [{ id: item!.id, price: price.id }],
      expand: ['latest_invoice'],
    })
    const now = start + 3 * DAY + (14 / 3) * DAY
    expect([back.billing_cycle_anchor, back.items.data[0]?.current_period_end]).toEqual([now, now + 30 * DAY])
    expect(back.latest_invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_update', total: 2400 })
    const full = await stripe.subscriptions.update(moved.id, {
      items: [{ id: item!.id, price: weekly.id }],
      proration_behavior: 'none',
      expand: ['latest_invoice'],
    })
    expect(full.latest_invoice).toMatchObject({ status: 'paid', total: 1500 })
    const ahead = await stripe.invoices.createPreview({ subscription: moved.id })
    expect(ahead).toMatchObject({ total: 1500, period_end: now + 7 * DAY })
    await advance(now + 7 * DAY + 7200)
    expect((await invoices()).map(({ total }) => total)).toEqual([1500, 1500, 2400, 1500, 0])
    expect(method.customer).toBe(customer.id)
  })

  test('H-01 another interval whose first period the card refuses: past due, and tried again', async () => {
    const { start, customer, method, advance } = await clocked()
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
    })
    const empty = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    await advance(start + 10 * DAY)
    const yearly = { currency: 'usd', product: price.product as string, unit_amount: 9900 }
    const moved = await stripe.subscriptions.update(made.id, {
      default_payment_method: empty.id,
      items: [{ id: made.items.data[0]!.id, price_data: { ...yearly, recurring: { interval: 'year' } } }],
      expand: ['latest_invoice'],
    })
    expect(moved).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open', attempt_count: 1 } })
    expect((moved.latest_invoice as Stripe.Invoice).next_payment_attempt).toBeGreaterThan(start + 10 * DAY)
  })

  test('O-03 trial_end one month ahead bills nothing now; an anchor beyond the first period is refused', async () => {
    const { start, customer, method } = await clocked()
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      trial_end: start + 31 * DAY,
      expand: ['latest_invoice'],
    })
    expect(made).toMatchObject({ status: 'trialing', trial_end: start + 31 * DAY, latest_invoice: { total: 0 } })
    const refused = await failure(
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method: method.id,
        billing_cycle_anchor: start + 31 * DAY,
      }),
    )
    expect(refused).toMatchObject({ statusCode: 400, param: 'billing_cycle_anchor' })
    const anchored = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      billing_cycle_anchor: start + 15 * DAY,
      proration_behavior: 'none',
      expand: ['latest_invoice'],
    })
    expect(anchored).toMatchObject({ status: 'active', latest_invoice: { total: 0 } })
    const half = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      billing_cycle_anchor: start + 15 * DAY,
      expand: ['latest_invoice'],
    })
    expect(half).toMatchObject({ latest_invoice: { total: 1450, status: 'paid' } })
  })

  test('P-05 without a trial the first invoice is paid at once; declined it is incomplete or nothing', async () => {
    const { customer, method, clock, start, advance } = await clocked()
    const created = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      expand: ['latest_invoice.payments'],
    })
    expect([schemaErrors(created), created.status]).toEqual([[], 'active'])
    expect(created.latest_invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_create', total: 2900 })
    const events = (await stripe.events.list({ limit: 100 })).data.filter(
      (event) => (event.data.object as { id: string }).id === created.id,
    )
    expect(events.map((event) => [event.type, (event.data.object as Stripe.Subscription).status])).toEqual([
      ['customer.subscription.updated', 'active'],
      ['customer.subscription.created', 'incomplete'],
    ])
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    const before = (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data.length
    expect(
      await failure(
        stripe.subscriptions.create({
          customer: customer.id,
          items: [{ price: price.id }],
          default_payment_method: bad.id,
          payment_behavior: 'error_if_incomplete',
        }),
      ),
    ).toMatchObject({ statusCode: 402, code: 'card_declined' })
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(before)
    const open = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: bad.id,
    })
    expect(open.status).toBe('incomplete')
    const waiting = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    })
    const secret = (waiting.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? ''
    const paid = await world.page('POST', `/v1/payment_intents/${secret.split('_secret_')[0]}/confirm`, {
      client_secret: secret,
      payment_method: method.id,
    })
    expect([paid.body['status'], (await stripe.subscriptions.retrieve(waiting.id)).status]).toEqual([
      'succeeded',
      'active',
    ])
    await advance(start + DAY)
    expect((await stripe.subscriptions.retrieve(open.id)).status).toBe('incomplete_expired')
    expect((await stripe.testHelpers.testClocks.retrieve(clock.id)).frozen_time).toBe(start + DAY)
  })

  test('the sandbox’s own clock moves customers without a test clock, and the control API says so', async () => {
    const { made } = await onTrial('d@example.com')
    const before = Number((await world.control('GET', 'clock')).body['now'])
    const after = await world.control('POST', 'clock', { advance: 3 * DAY + 2 * 3600 })
    expect(Number(after.body['now']) - before).toBeGreaterThanOrEqual(3 * DAY + 2 * 3600)
    expect(await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', amount_paid: 2900 },
    })
    expect((await world.control('POST', 'clock', { advance: -5 })).status).toBe(400)
  })

  test('a card is refused from the month after the one on it', async () => {
    const { customer, method } = await withCard('e@example.com')
    const now = new Date(Number((await world.control('GET', 'clock')).body['now']) * 1000)
    const card = { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
    await stripe.paymentMethods.update(method.id, { card })
    const pay = () =>
      stripe.paymentIntents.create({
        amount: 500,
        currency: 'usd',
        customer: customer.id,
        payment_method: method.id,
        allowed_payment_method_types: ['card'],
        confirm: true,
        off_session: true,
      })
    expect((await pay()).status).toBe('succeeded')
    await world.control('POST', 'clock', { advance: 31 * DAY })
    await expect(pay()).rejects.toMatchObject({ code: 'expired_card', statusCode: 402 })
  })

  test('a customer deleted while a bill is drawn: it stays a draft, and the clock goes on', async () => {
    const { customer, made } = await onTrial('f@example.com')
    await world.control('POST', 'clock', { advance: 3 * DAY + 60 })
    await stripe.customers.del(customer.id)
    expect((await world.control('POST', 'clock', { advance: DAY })).status).toBe(200)
    const [bill] = (await stripe.invoices.list({ subscription: made.id })).data
    expect(bill).toMatchObject({ status: 'draft', auto_advance: false, amount_paid: 0 })
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('canceled')
  })
})

describe('money back', () => {
  const pay = (card = 'pm_card_visa', amount = 1900) =>
    stripe.paymentIntents.create({
      amount,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      payment_method: card,
      confirm: true,
    })

  /** Events of one type about a charge or a refund of this payment. */
  const eventsOf = async ({ id }: Stripe.PaymentIntent, type: string) =>
    (await stripe.events.list({ type, limit: 100 })).data.filter(
      ({ data }) => (data.object as { payment_intent?: string }).payment_intent === id,
    )

  test('P-12 refunds in parts and whole, never more than was paid', async () => {
    const intent = await pay()
    const part = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 500,
      reason: 'requested_by_customer',
      metadata: { why: 'x' },
    })
    expect([schemaErrors(part), part.status, part.amount]).toEqual([[], 'succeeded', 500])
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id, amount: 1401 }))).toMatchObject({
      statusCode: 400,
      param: 'amount',
    })
    await stripe.refunds.create({ payment_intent: intent.id })
    const charge = await stripe.charges.retrieve(String(intent.latest_charge), { expand: ['refunds'] })
    expect([schemaErrors(charge), charge.amount_refunded, charge.refunded, charge.refunds?.data.length]).toEqual([
      [],
      1900,
      true,
      2,
    ])
    expect(await failure(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    })
    expect(await eventsOf(intent, 'charge.refunded')).toHaveLength(2)
    expect(await eventsOf(intent, 'refund.created')).toHaveLength(2)
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2)
  })

  test('P-12 a refund that the bank sends back counts as none', async () => {
    const intent = await pay('pm_card_refundFail')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    const refunded = async () => (await stripe.charges.retrieve(String(intent.latest_charge))).amount_refunded
    expect([schemaErrors(refund), refund.status, await refunded()]).toEqual([[], 'succeeded', 1900])
    await world.control('POST', 'clock', { advance: 61 })
    const failed = await stripe.refunds.retrieve(refund.id)
    expect([schemaErrors(failed), failed.status, failed.failure_reason]).toEqual([
      [],
      'failed',
      'expired_or_canceled_card',
    ])
    expect(await refunded()).toBe(0)
    expect(await eventsOf(intent, 'refund.failed')).toHaveLength(1)
  })

  test('P-12 a pending refund is decided later, by its card or by hand', async () => {
    const intent = await pay('pm_card_pendingRefund')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    expect([schemaErrors(refund), refund.status]).toEqual([[], 'pending'])
    await world.control('POST', 'clock', { advance: 61 })
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded')
    const late = await world.control('POST', 'refunds/settle', {
      refund: refund.id,
      status: 'failed',
      reason: 'declined',
    })
    expect(late.body).toMatchObject({ status: 'failed', failure_reason: 'declined' })
  })

  test('P-12 an inquiry takes no money and can be refunded; a lost dispute can be appealed and won', async () => {
    const intent = await pay('pm_card_createDisputeInquiry')
    const [inquiry] = (await stripe.disputes.list({ payment_intent: intent.id })).data
    expect([inquiry?.status, inquiry?.is_charge_refundable]).toEqual(['warning_needs_response', true])
    expect((await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })).status).toBe('succeeded')
    const move = async (status: string) =>
      (await world.control('POST', 'disputes/close', { dispute: inquiry?.id, status })).body
    for (const status of ['needs_response', 'lost', 'appeal_needs_response']) {
      expect(await move(status)).toMatchObject({ status, is_charge_refundable: false })
      expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
        code: 'charge_disputed',
      })
    }
    expect((await stripe.disputes.update(inquiry?.id ?? '', { evidence: { uncategorized_text: 'x' } })).status).toBe(
      'appeal_under_review',
    )
    expect(await move('won')).toMatchObject({ status: 'won', is_charge_refundable: true })
    expect((await move('nonsense')) as object).toHaveProperty('error')
  })

  test('P-12 disputes: opened by the card or the operator, won, lost; a disputed charge is not refunded', async () => {
    const intent = await pay('pm_card_createDispute')
    const dispute = (await stripe.disputes.list({ payment_intent: intent.id })).data[0]
    expect(dispute).toMatchObject({ status: 'needs_response', reason: 'fraudulent', amount: 1900 })
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_disputed',
    })
    expect(
      (await stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } }))
        .status,
    ).toBe('won')
    const other = await pay()
    const opened = await world.control('POST', 'disputes', { charge: other.latest_charge })
    expect(opened.body).toMatchObject({ object: 'dispute', status: 'needs_response' })
    expect((await stripe.disputes.close(String(opened.body['id']))).status).toBe('lost')
    const types = (await stripe.events.list({ limit: 20 })).data.map((event) => event.type)
    expect(types).toEqual(
      expect.arrayContaining([
        'charge.dispute.created',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.closed',
        'charge.dispute.funds_reinstated',
      ]),
    )
  })

  test('an invoice by hand: items, draft, final, void', async () => {
    const customer = await stripe.customers.create({ email: 'e@example.com' })
    await stripe.invoiceItems.create({ customer: customer.id, amount: 700, currency: 'usd', description: 'Extra' })
    const draft = await stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'include' })
    expect([schemaErrors(draft), draft.status, draft.total]).toEqual([[], 'draft', 700])
    const open = await stripe.invoices.finalizeInvoice(draft.id ?? '')
    expect([schemaErrors(open), open.status]).toEqual([[], 'open'])
    const voided = await stripe.invoices.voidInvoice(draft.id ?? '')
    expect([schemaErrors(voided), voided.status]).toEqual([[], 'void'])
  })
})
