// The whole card table, on-session and off, through the official SDK.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import Stripe from 'stripe'
import { CARDS } from './cards.ts'
import { failure, openWorld, schemaErrors, type World } from './testing.ts'

let world: World
let stripe: Stripe
beforeAll(async () => {
  world = await openWorld()
  stripe = world.stripe
})
afterAll(() => world.close())

const INTENT = {
  amount: 1900,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
} satisfies Stripe.PaymentIntentCreateParams

/** Pays as a page does: raw number, publishable key; answers 3-D Secure when it comes up. */
async function payOnPage(
  number: string,
  answer: 'complete' | 'fail' = 'complete',
  params: Partial<Stripe.PaymentIntentCreateParams> = {},
) {
  const intent = await stripe.paymentIntents.create({ ...INTENT, ...params })
  const secret = intent.client_secret ?? ''
  const first = await world.page('POST', `/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '11',
    'payment_method_data[card][exp_year]': '34',
    'payment_method_data[card][cvc]': '123',
  })
  const asked = first.body['status'] === 'requires_action'
  if (asked) await world.page('POST', '/answer', { intent: intent.id, client_secret: secret, answer })
  const after = await stripe.paymentIntents.retrieve(intent.id)
  expect(schemaErrors(after)).toEqual([])
  return { first, asked, after }
}
async function customer(): Promise<string> {
  return (await stripe.customers.create({ email: 'b@example.com' })).id
}
/** Saves a card as a page does, with a setup intent and its authentication. */
async function save(owner: string, token: string): Promise<string> {
  const setup = await stripe.setupIntents.create({
    customer: owner,
    payment_method: token,
    allowed_payment_method_types: ['card'],
    confirm: true,
  })
  expect(schemaErrors(setup)).toEqual([])
  if (setup.status === 'requires_action') {
    await world.page('POST', '/answer', {
      intent: setup.id,
      client_secret: setup.client_secret ?? '',
      answer: 'complete',
    })
  }
  const done = await stripe.setupIntents.retrieve(setup.id)
  expect([schemaErrors(done), done.status]).toEqual([[], 'succeeded'])
  return String(done.payment_method)
}

const DECLINES: [number: string, code: string, decline: string | undefined, message: RegExp][] = [
  ['4000000000000002', 'card_declined', 'generic_decline', /^Your card was declined\.$/],
  ['4000000000009995', 'card_declined', 'insufficient_funds', /insufficient funds/],
  ['4000000000009987', 'card_declined', 'lost_card', /^Your card was declined\.$/],
  ['4000000000009979', 'card_declined', 'stolen_card', /^Your card was declined\.$/],
  ['4000000000000069', 'expired_card', undefined, /expired/],
  ['4000000000000127', 'incorrect_cvc', undefined, /security code is incorrect/],
  ['4000000000000119', 'processing_error', undefined, /error occurred while processing/],
  ['4000000000006975', 'card_declined', 'card_velocity_exceeded', /repeated attempts too frequently/],
  ['4000000000000341', 'card_declined', 'generic_decline', /^Your card was declined\.$/],
  ['4111111111111111', 'card_declined', 'test_mode_live_card', /test mode/],
]

describe('P-11 declines', () => {
  test.each(DECLINES)('%s → %s / %s, at the page and as pm_card_…', async (number, code, decline, message) => {
    const { first, after } = await payOnPage(number)
    expect(first.status).toBe(402)
    expect(first.body['error']).toMatchObject({
      type: 'card_error',
      code,
      message: expect.stringMatching(message) as string,
    })
    expect((first.body['error'] as Record<string, unknown>)['decline_code']).toBe(decline)
    expect(after).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code },
    })
    const charges = await stripe.charges.list({ payment_intent: after.id })
    expect(charges.data).toMatchObject([{ status: 'failed', paid: false, failure_code: code }])
    expect(charges.data.flatMap(schemaErrors)).toEqual([])

    const token = CARDS.find((card) => card.number === number)?.token
    if (token === undefined) return
    const thrown = await failure(stripe.paymentIntents.create({ ...INTENT, payment_method: token, confirm: true }))
    expect(thrown).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(thrown).toMatchObject({
      statusCode: 402,
      code,
      payment_intent: { status: 'requires_payment_method' },
      payment_method: { type: 'card' },
    })
    expect(thrown.decline_code || undefined).toBe(decline)
  })

  test('cards that decline cannot be saved; …0341 can, and declines when charged', async () => {
    const owner = await customer()
    for (const card of CARDS.filter((one) => one.noAttach && one.token)) {
      expect(await failure(stripe.paymentMethods.attach(card.token ?? '', { customer: owner }))).toMatchObject({
        statusCode: 402,
        type: 'StripeCardError',
      })
    }
    const saved = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: owner })
    const thrown = await failure(
      stripe.paymentIntents.create({
        ...INTENT,
        customer: owner,
        payment_method: saved.id,
        confirm: true,
        off_session: true,
      }),
    )
    expect(thrown).toMatchObject({ code: 'card_declined', decline_code: 'generic_decline' })
  })

  test('a number that fails Luhn is incorrect_number; wrong dates and codes have their own words', async () => {
    const intent = await stripe.paymentIntents.create(INTENT)
    const send = (card: Record<string, string>) =>
      world.page('POST', `/v1/payment_intents/${intent.id}/confirm`, {
        client_secret: intent.client_secret ?? '',
        'payment_method_data[type]': 'card',
        ...Object.fromEntries(
          Object.entries({ number: '4242424242424242', exp_month: '1', exp_year: '2040', cvc: '123', ...card }).map(
            ([name, value]) => [`payment_method_data[card][${name}]`, value],
          ),
        ),
      })
    for (const [card, code] of [
      [{ number: '4242424242424241' }, 'incorrect_number'],
      [{ exp_month: '13' }, 'invalid_expiry_month'],
      [{ exp_year: '2020' }, 'invalid_expiry_year'],
      [{ cvc: '1' }, 'invalid_cvc'],
    ] as const) {
      const reply = await send(card)
      expect([reply.status, (reply.body['error'] as Record<string, unknown>)['code']]).toEqual([402, code])
    }
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    expect((await send({})).status).toBe(200)
  })

  test('every card that neither declines nor asks is simply paid, brand and last four shown', async () => {
    for (const card of CARDS.filter((one) => !one.charge && !one.auth)) {
      const { after } = await payOnPage(card.number)
      expect(after.status).toBe('succeeded')
      const charge = await stripe.charges.retrieve(String(after.latest_charge))
      expect(charge.payment_method_details?.card).toMatchObject({ last4: card.number.slice(-4), brand: card.brand })
      expect(schemaErrors(charge)).toEqual([])
    }
  })
})

describe('3-D Secure', () => {
  test.each([
    ['4000002500003155', 'succeeded', undefined],
    ['4000002760003184', 'succeeded', undefined],
    ['4000003800000446', 'succeeded', undefined],
    ['4000008260003178', 'requires_payment_method', 'insufficient_funds'],
    ['4000008400001629', 'requires_payment_method', 'generic_decline'],
  ])('%s asks on-session, then %s %s; refused authentication leaves no charge', async (number, status, decline) => {
    const done = await payOnPage(number)
    expect(done.asked).toBe(true)
    expect(done.after.status).toBe(status)
    expect(done.after.last_payment_error?.decline_code).toBe(decline)
    const failed = await payOnPage(number, 'fail')
    expect(failed.after).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    expect((await stripe.charges.list({ payment_intent: failed.after.id })).data).toHaveLength(0)
  })

  test('U-03 off-session on saved cards: 3155 and 0446 pay, 3184 wants authentication, 3178 has no funds', async () => {
    const owner = await customer()
    const charge = async (token: string) => {
      const method = await save(owner, token)
      return stripe.paymentIntents.create({
        ...INTENT,
        customer: owner,
        payment_method: method,
        confirm: true,
        off_session: true,
      })
    }
    expect((await charge('pm_card_authenticationRequiredOnSetup')).status).toBe('succeeded')
    expect((await charge('pm_card_authenticationRequiredSetupForOffSession')).status).toBe('succeeded')
    const required = await failure(charge('pm_card_authenticationRequired'))
    expect(required).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
    expect(await failure(charge('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'))).toMatchObject({
      decline_code: 'insufficient_funds',
    })

    // The recovery: the same intent, the same card, the buyer present.
    const intent = required.payment_intent as Stripe.PaymentIntent
    const method = (required.payment_method as Stripe.PaymentMethod).id
    const again = await world.page('POST', `/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      payment_method: method,
    })
    expect(again.body['status']).toBe('requires_action')
    await world.page('POST', '/answer', {
      intent: intent.id,
      client_secret: intent.client_secret ?? '',
      answer: 'complete',
    })
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
  })

  test('a server confirm with a return_url gives a redirect whose page leads back', async () => {
    const intent = await stripe.paymentIntents.create({
      ...INTENT,
      payment_method: 'pm_card_authenticationRequired',
      confirm: true,
      return_url: 'https://shop.example/done?a=1',
    })
    expect([schemaErrors(intent), intent.next_action?.type]).toEqual([[], 'redirect_to_url'])
    const link = intent.next_action?.redirect_to_url?.url ?? ''
    const page = await fetch(link)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    const back = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ client_secret: intent.client_secret ?? '', answer: 'complete' }),
    })
    const target = new URL(back.headers.get('location') ?? '')
    expect([
      back.status,
      target.origin,
      target.searchParams.get('a'),
      target.searchParams.get('redirect_status'),
    ]).toEqual([303, 'https://shop.example', '1', 'succeeded'])
    expect((await fetch(link.replace('_secret_', '_secret_x'))).status).toBe(404)
    // A second click, or Back and Fail: a paid intent stays paid.
    await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ client_secret: intent.client_secret ?? '', answer: 'fail' }),
    })
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
    expect((await stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
  })
})

describe('saved methods', () => {
  test('U-03 a card paid with setup_future_usage is saved; one paid without cannot be used again', async () => {
    const owner = await customer()
    const kept = await payOnPage('4242424242424242', 'complete', { customer: owner, setup_future_usage: 'off_session' })
    expect((await stripe.paymentMethods.list({ customer: owner })).data.map((one) => one.id)).toEqual([
      kept.after.payment_method,
    ])
    const loose = await payOnPage('4242424242424242', 'complete', { customer: owner })
    const method = String(loose.after.payment_method)
    expect(await failure(stripe.paymentMethods.attach(method, { customer: owner }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('may not be used again') as string,
    })
    expect(
      await failure(
        stripe.paymentIntents.create({ ...INTENT, customer: owner, payment_method: method, confirm: true }),
      ),
    ).toMatchObject({ statusCode: 400 })
  })

  test('a method belongs to one customer; off_session and setup_future_usage exclude each other', async () => {
    const [first, second] = [await customer(), await customer()]
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: first })
    expect(await failure(stripe.paymentMethods.attach(method.id, { customer: second }))).toMatchObject({
      statusCode: 400,
    })
    expect(
      await failure(
        stripe.paymentIntents.create({ ...INTENT, customer: second, payment_method: method.id, confirm: true }),
      ),
    ).toMatchObject({ statusCode: 400, param: 'payment_method' })
    expect(
      await failure(
        stripe.paymentIntents.create({
          ...INTENT,
          customer: first,
          payment_method: method.id,
          confirm: true,
          off_session: true,
          setup_future_usage: 'off_session',
        }),
      ),
    ).toMatchObject({ statusCode: 400, param: 'off_session' })
    const loose = await stripe.paymentMethods.detach(method.id)
    expect([schemaErrors(loose), loose.customer]).toEqual([[], null])
    expect(await failure(stripe.paymentMethods.attach(method.id, { customer: first }))).toMatchObject({
      statusCode: 400,
    })
  })

  test('P-06 U-04 PayPal: setup with a mandate, then off-session charges; a payment can save it too', async () => {
    const owner = await customer()
    const setup = await stripe.setupIntents.create({
      customer: owner,
      allowed_payment_method_types: ['paypal'],
      payment_method_data: { type: 'paypal' },
      confirm: true,
      return_url: 'https://shop.example/back',
      mandate_data: {
        customer_acceptance: { type: 'online', online: { ip_address: '127.0.0.1', user_agent: 'test' } },
      },
    })
    expect([schemaErrors(setup), setup.status, setup.next_action?.type]).toEqual([
      [],
      'requires_action',
      'redirect_to_url',
    ])
    await world.page('POST', '/answer', {
      intent: setup.id,
      client_secret: setup.client_secret ?? '',
      answer: 'complete',
    })
    const done = await stripe.setupIntents.retrieve(setup.id, { expand: ['mandate', 'payment_method'] })
    expect([schemaErrors(done), done.status]).toEqual([[], 'succeeded'])
    expect(done.mandate).toMatchObject({ status: 'active' })
    const paid = await stripe.paymentIntents.create({
      ...INTENT,
      allowed_payment_method_types: ['paypal'],
      customer: owner,
      payment_method: (done.payment_method as Stripe.PaymentMethod).id,
      confirm: true,
      off_session: true,
      expand: ['latest_charge'],
    })
    expect([schemaErrors(paid), paid.status]).toEqual([[], 'succeeded'])

    const other = await stripe.paymentIntents.create({
      ...INTENT,
      allowed_payment_method_types: ['paypal'],
      customer: owner,
      payment_method_data: { type: 'paypal' },
      payment_method_options: { paypal: { setup_future_usage: 'off_session' } },
      confirm: true,
      return_url: 'https://shop.example/back',
    })
    expect(other.status).toBe('requires_action')
    await world.page('POST', '/answer', {
      intent: other.id,
      client_secret: other.client_secret ?? '',
      answer: 'complete',
    })
    expect((await stripe.paymentMethods.list({ customer: owner, type: 'paypal' })).data).toHaveLength(2)

    // A wallet that approves once and declines later charges.
    const third = await stripe.setupIntents.create({
      customer: owner,
      allowed_payment_method_types: ['paypal'],
      payment_method_data: { type: 'paypal' },
      confirm: true,
      return_url: 'https://shop.example/back',
      mandate_data: {
        customer_acceptance: { type: 'online', online: { ip_address: '127.0.0.1', user_agent: 'test' } },
      },
    })
    await world.page('POST', '/answer', {
      intent: third.id,
      client_secret: third.client_secret ?? '',
      answer: 'complete_once',
    })
    const method = String((await stripe.setupIntents.retrieve(third.id)).payment_method)
    const declined = await failure(
      stripe.paymentIntents.create({
        ...INTENT,
        allowed_payment_method_types: ['paypal'],
        customer: owner,
        payment_method: method,
        confirm: true,
        off_session: true,
      }),
    )
    expect(declined).toMatchObject({
      statusCode: 402,
      code: 'payment_method_provider_decline',
      payment_intent: { status: 'requires_payment_method' },
    })
  })

  test('a setup intent refuses a declining card and keeps why', async () => {
    const owner = await customer()
    const setup = await stripe.setupIntents.create({ customer: owner, allowed_payment_method_types: ['card'] })
    const thrown = await failure(
      stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    )
    expect(thrown).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      setup_intent: { status: 'requires_payment_method' },
    })
    const after = await stripe.setupIntents.retrieve(setup.id)
    expect([schemaErrors(after), after.last_setup_error?.decline_code]).toEqual([[], 'generic_decline'])
    const canceled = await stripe.setupIntents.cancel(setup.id)
    expect([schemaErrors(canceled), canceled.status]).toEqual([[], 'canceled'])
    expect(await failure(stripe.setupIntents.create({ payment_method_types: ['card'] } as never))).toMatchObject({
      code: 'payment_method_types_no_longer_supported',
    })
  })
})
