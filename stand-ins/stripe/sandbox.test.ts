// The card trial through the official SDK; every reply against Stripe's schema.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { failure, openWorld, schemaErrors, type World } from './testing.ts'

let world: World
let stripe: Stripe
beforeAll(async () => {
  world = await openWorld()
  stripe = world.stripe
})
afterAll(() => world.close())

/** Checks a reply against the schema and returns it. */
function valid<T extends { object: string }>(object: T): T {
  expect(schemaErrors(object)).toEqual([])
  return object
}
async function monthly(cents = 2900): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name: 'Programme' })
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: cents,
    recurring: { interval: 'day', interval_count: 30 },
  })
}
async function buyer(card = 'pm_card_visa'): Promise<{ customer: Stripe.Customer; method: Stripe.PaymentMethod }> {
  const customer = await stripe.customers.create({ email: 'a@example.com' })
  return { customer, method: await stripe.paymentMethods.attach(card, { customer: customer.id }) }
}
const trialIntent = (customer: string): Stripe.PaymentIntentCreateParams => ({
  amount: 100,
  currency: 'usd',
  customer,
  allowed_payment_method_types: ['card'],
  setup_future_usage: 'off_session',
  metadata: { session: 's1' },
})

describe('the card trial', () => {
  test('P-01 P-02 a payment, then a trial subscription on the saved card: every reply fits the schema', async () => {
    const price = valid(await monthly())
    const customer = valid(await stripe.customers.create({ email: 'a@example.com', metadata: { session: 's1' } }))
    const intent = valid(await stripe.paymentIntents.create(trialIntent(customer.id)))
    expect(intent.payment_method_types).toEqual(['card'])
    const confirmed = await world.page('POST', `/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': '123',
      use_stripe_sdk: 'true',
    })
    expect(confirmed.status).toBe(200)
    expect(confirmed.body).toMatchObject({ status: 'succeeded', amount: 100 })
    expect(confirmed.body).not.toHaveProperty('customer')
    expect(confirmed.body).not.toHaveProperty('metadata')

    const paid = valid(
      await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge', 'payment_method', 'customer'] }),
    )
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 100,
      latest_charge: { status: 'succeeded', amount: 100 },
    })
    const method = paid.payment_method as Stripe.PaymentMethod
    expect(method).toMatchObject({ customer: customer.id, card: { last4: '4242', brand: 'visa' } })

    const subscription = valid(
      await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method: method.id,
        trial_period_days: 3,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
        payment_settings: { save_default_payment_method: 'on_subscription' },
        off_session: true,
        expand: ['latest_invoice', 'latest_invoice.payments', 'default_payment_method'],
      }),
    )
    expect(subscription).toMatchObject({
      status: 'trialing',
      latest_invoice: { status: 'paid', total: 0 },
      default_payment_method: { id: method.id },
    })
    expect((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0)).toBe(3 * 86_400)
    const events = await stripe.events.list({ limit: 100 })
    for (const event of events.data) expect(schemaErrors(event)).toEqual([])
    expect(events.data.map((event) => event.type)).toEqual(
      expect.arrayContaining([
        'payment_intent.succeeded',
        'charge.succeeded',
        'customer.subscription.created',
        'customer.subscription.trial_will_end',
        'invoice.paid',
      ]),
    )
    const lists = await Promise.all([
      stripe.paymentIntents.list({ customer: customer.id }),
      stripe.subscriptions.list({ customer: customer.id }),
      stripe.invoices.list({ customer: customer.id }),
      stripe.paymentMethods.list({ customer: customer.id, type: 'card' }),
      stripe.charges.list({ customer: customer.id }),
    ])
    for (const list of lists) {
      expect(list.data).toHaveLength(1)
      for (const object of list.data) valid(object)
    }
  })

  test('P-02 an open intent is updated in place, cancelled once, and refuses what its state forbids', async () => {
    const { customer } = await buyer()
    const intent = await stripe.paymentIntents.create(trialIntent(customer.id))
    expect(
      valid(await stripe.paymentIntents.update(intent.id, { amount: 700, metadata: { tier: '7' } })),
    ).toMatchObject({ amount: 700, metadata: { session: 's1', tier: '7' } })
    const early = await failure(stripe.paymentIntents.confirm(intent.id))
    expect(early).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
    expect(valid(await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })).status).toBe(
      'succeeded',
    )
    expect(await failure(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    })
    expect(await failure(stripe.paymentIntents.update(intent.id, { amount: 900 }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      param: 'amount',
    })
    expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    const other = await stripe.paymentIntents.create(trialIntent(customer.id))
    expect(valid(await stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' }))).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    })
    expect(await failure(stripe.paymentIntents.confirm(other.id, { payment_method: 'pm_card_visa' }))).toMatchObject({
      statusCode: 400,
    })
  })

  test('H-04 cancelling: at the end of the period, taken back, and at once', async () => {
    const price = await monthly()
    const { customer, method } = await buyer()
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      trial_period_days: 3,
    })
    const stopping = valid(await stripe.subscriptions.update(made.id, { cancel_at_period_end: true }))
    expect(stopping).toMatchObject({
      cancel_at_period_end: true,
      cancel_at: made.trial_end,
      status: 'trialing',
      cancellation_details: { reason: 'cancellation_requested' },
    })
    expect(valid(await stripe.subscriptions.update(made.id, { cancel_at_period_end: false }))).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
    })
    expect(valid(await stripe.subscriptions.cancel(made.id))).toMatchObject({ status: 'canceled' })
    expect(await failure(stripe.subscriptions.cancel(made.id))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(0)
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1)
  })

  test('H-04 a schedule manages the end of its subscription until it is released, and nothing else', async () => {
    const price = await monthly()
    const { customer, method } = await buyer()
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      trial_period_days: 3,
    })
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
    expect(valid(await stripe.subscriptions.retrieve(id)).schedule).toBe(schedule.id)
    for (const end of [{ cancel_at_period_end: true }, { cancel_at: 4_000_000_000 }]) {
      expect(await failure(stripe.subscriptions.update(id, end))).toMatchObject({
        statusCode: 400,
        message: expect.stringContaining(`managed by the subscription schedule \`${schedule.id}\``),
      })
    }
    expect((await stripe.subscriptions.update(id, { metadata: { a: '1' } })).metadata).toEqual({ a: '1' })
    expect(await stripe.subscriptionSchedules.release(schedule.id)).toMatchObject({
      status: 'released',
      subscription: null,
      released_subscription: id,
    })
    expect((await failure(stripe.subscriptionSchedules.release(schedule.id))).statusCode).toBe(400)
    const stopping = valid(await stripe.subscriptions.update(id, { cancel_at_period_end: true }))
    expect(stopping).toMatchObject({ schedule: null, cancel_at_period_end: true, status: 'trialing' })
  })
})

describe('the API around it', () => {
  test('lookup keys name one price each; a transfer moves the key', async () => {
    const product = await stripe.products.create({ name: 'Upsell', metadata: { a: '1' } })
    const first = valid(
      await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1900, lookup_key: 'upsell_a' }),
    )
    expect((await stripe.prices.list({ lookup_keys: ['upsell_a'] })).data.map((price) => price.id)).toEqual([first.id])
    expect(
      await failure(
        stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 2000, lookup_key: 'upsell_a' }),
      ),
    ).toMatchObject({ statusCode: 400, param: 'lookup_key' })
    const second = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 2000,
      lookup_key: 'upsell_a',
      transfer_lookup_key: true,
    })
    const listed = await stripe.prices.list({ lookup_keys: ['upsell_a'], expand: ['data.product'] })
    expect(listed.data).toMatchObject([{ id: second.id, product: { id: product.id, name: 'Upsell' } }])
    const customer = await stripe.customers.create({ name: 'At a price of their own' })
    const subscription = valid(
      await stripe.subscriptions.create({
        customer: customer.id,
        trial_period_days: 3,
        items: [
          {
            price_data: {
              product: product.id,
              currency: 'usd',
              unit_amount: 1800,
              recurring: { interval: 'day', interval_count: 30 },
            },
          },
        ],
      }),
    )
    expect(subscription.items.data).toMatchObject([
      { price: { unit_amount: 1800, active: false, product: product.id } },
    ])
    valid(await stripe.products.update(product.id, { metadata: { a: '', b: '2' } }))
    expect((await stripe.products.retrieve(product.id)).metadata).toEqual({ b: '2' })
  })

  test('lists page in both directions, newest first', async () => {
    const made: string[] = []
    for (let n = 0; n < 5; n += 1)
      made.unshift((await stripe.customers.create({ name: `n${n}`, email: 'page@example.com' })).id)
    const first = await stripe.customers.list({ email: 'page@example.com', limit: 2 })
    expect([first.data.map((one) => one.id), first.has_more]).toEqual([made.slice(0, 2), true])
    const second = await stripe.customers.list({ email: 'page@example.com', limit: 2, starting_after: made[1] ?? '' })
    expect(second.data.map((one) => one.id)).toEqual(made.slice(2, 4))
    const back = await stripe.customers.list({ email: 'page@example.com', limit: 2, ending_before: made[3] ?? '' })
    expect(back.data.map((one) => one.id)).toEqual(made.slice(1, 3))
    const all: string[] = []
    for await (const one of stripe.customers.list({ email: 'page@example.com', limit: 2 })) all.push(one.id)
    expect(all).toEqual(made)
    expect(await failure(stripe.customers.list({ limit: 101 }))).toMatchObject({ statusCode: 400, param: 'limit' })
  })

  test('a key that is not ours gets 401; a page may not do what a server may', async () => {
    const reply = await fetch(`${world.sandbox.url}/v1/customers`, {
      headers: { authorization: 'Bearer sk_test_another000000' },
    })
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringContaining('Invalid API Key provided: sk_test_') as string,
      },
    })
    expect((await fetch(`${world.sandbox.url}/v1/customers`)).status).toBe(401)
    expect((await world.page('GET', '/v1/customers', {})).status).toBe(403)
    const { customer } = await buyer()
    const intent = await stripe.paymentIntents.create(trialIntent(customer.id))
    expect((await world.page('GET', `/v1/payment_intents/${intent.id}`, { client_secret: 'wrong' })).status).toBe(400)
    expect((await world.page('GET', `/v1/payment_intents/${intent.id}`, {})).status).toBe(400)
    expect(
      (await world.page('GET', `/v1/payment_intents/${intent.id}`, { client_secret: intent.client_secret ?? '' }))
        .status,
    ).toBe(200)
  })

  test.each([
    [{ amount: '100' }, 'parameter_missing', 'currency'],
    [{ amount: 'ten', currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: '49', currency: 'usd' }, 'amount_too_small', 'amount'],
    [
      { amount: '100', currency: 'usd', 'payment_method_types[0]': 'card' },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
    [{ amount: '100', currency: 'usd', colour: 'red' }, 'parameter_unknown', 'colour'],
    [
      { amount: '100', currency: 'usd', 'payment_method_options[card][colour]': 'red' },
      'parameter_unknown',
      'payment_method_options[card][colour]',
    ],
    [{ amount: '100', currency: 'usd', description: '' }, 'parameter_invalid_empty', 'description'],
    [{ amount: '100', currency: 'usd', customer: 'cus_nobody' }, 'resource_missing', 'customer'],
    [
      {
        amount: '100',
        currency: 'usd',
        'allowed_payment_method_types[]': 'card',
        'automatic_payment_methods[enabled]': 'true',
      },
      'parameters_exclusive',
      'allowed_payment_method_types',
    ],
  ])('refuses %o as Stripe does', async (form, code, param) => {
    const reply = await fetch(`${world.sandbox.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_123456789012', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form as unknown as Record<string, string>),
    })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', code, param } })
  })

  test('unknown paths are 404, and an expansion that is none is refused', async () => {
    expect(await failure(stripe.rawRequest('GET', '/v1/nothing') as Promise<unknown>)).toMatchObject({
      statusCode: 404,
    })
    const customer = await stripe.customers.create({})
    expect(await failure(stripe.customers.retrieve(customer.id, { expand: ['colour'] }))).toMatchObject({
      statusCode: 400,
      param: 'expand',
    })
    expect(await stripe.customers.del(customer.id)).toEqual(expect.objectContaining({ id: customer.id, deleted: true }))
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
  })
})
