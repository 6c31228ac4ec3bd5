import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product, TRIAL_IDS } from '../../contract/catalogue.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, eventually } from './service.ts'
import { orderOf } from '../support/order.ts'

let funnel: Funnel
// no webhooks and no workers: the calls of the page alone must do everything tested here
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const rows = {
  session: (id: string) => funnel.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  payments: (id: string) => funnel.db.selectFrom('payments').selectAll().where('session_id', '=', id).execute(),
  subscriptions: (id: string) =>
    funnel.db.selectFrom('subscriptions').selectAll().where('session_id', '=', id).execute(),
  grants: (id: string) =>
    funnel.db.selectFrom('product_access_grants').selectAll().where('session_id', '=', id).execute(),
  outbox: async (id: string) =>
    (await funnel.db.selectFrom('outbox').select('kind').where('session_id', '=', id).orderBy('kind').execute()).map(
      ({ kind }) => kind,
    ),
}

describe('opening the payment', () => {
  test('P-01 one customer per session and address, however parallel; another address makes another', async () => {
    const buyer = await funnel.buyer('')
    const before = (await funnel.totals()).customers
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        buyer.browser.post(buyer.path('/customer'), { email: 'Ann@Example.com', name: 'Ann' }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await funnel.totals()).customers - before).toBe(1)
    await buyer.browser.post(buyer.path('/customer'), { email: 'ann@example.com', name: 'Ann' })
    expect((await funnel.totals()).customers - before).toBe(1)
    await buyer.browser.post(buyer.path('/customer'), { email: 'other@example.com' })
    expect((await funnel.totals()).customers - before).toBe(2)
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      email: 'other@example.com',
      name: 'Ann',
      hasCustomer: true,
    })
  })

  test('P-02 P-03 50 parallel calls open one intent, with price, metadata, currency, and the card saved', async () => {
    const buyer = await funnel.buyer()
    const replies = await Promise.all(Array.from({ length: 50 }, () => buyer.open('trial_1767')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ body }) => body.paymentIntentId)).size).toBe(1)
    expect(replies[0]?.body).toMatchObject({
      status: 'requires_payment_method',
      paymentMethodType: 'card',
      clientSecret: expect.stringContaining('_secret_'),
    })
    const intent = await funnel.dashboard('GET', `/v1/payment_intents/${replies[0]?.body.paymentIntentId}`)
    expect(intent).toMatchObject({
      amount: 1767,
      currency: 'usd',
      setup_future_usage: 'off_session',
      payment_method_types: ['card'],
      metadata: { session_id: buyer.sessionId, product_id: 'trial_1767' },
    })
    const all = await funnel.dashboard('GET', '/v1/payment_intents', { customer: intent.customer })
    expect(all.data).toHaveLength(1)
  })

  test('P-02 another choice ends the intent before it: one is open, for what is wanted now', async () => {
    const buyer = await funnel.buyer()
    await buyer.open('trial_1')
    await buyer.open('special_offer')
    const third = await buyer.open('trial_9', 'paypal')
    expect(third.body.paymentMethodType).toBe('paypal')
    const intent = await funnel.dashboard('GET', `/v1/payment_intents/${third.body.paymentIntentId}`)
    expect(intent).toMatchObject({ amount: 900, payment_method_types: ['paypal'], metadata: { product_id: 'trial_9' } })
    const { data } = await funnel.dashboard('GET', '/v1/payment_intents', { customer: intent.customer })
    const statuses = data.map((one: { status: string }) => one.status)
    expect(statuses.sort()).toEqual(['canceled', 'canceled', 'requires_payment_method'])
  })

  test('P-02 what we do not sell, sell elsewhere or cannot bill is refused without a call to Stripe', async () => {
    const buyer = await funnel.buyer()
    const before = await funnel.totals()
    const send = async (body: unknown) => (await buyer.browser.post(buyer.path('/payments/initial'), body)).body.error
    expect(await send(orderOf('trial_2', { paymentMethodType: 'card' }))).toMatchObject({
      code: 'unknown_product',
      field: 'productId',
    })
    expect(await send(orderOf('bundle', { paymentMethodType: 'card' }))).toMatchObject({ code: 'unknown_product' })
    expect(await send(orderOf('trial_1', { paymentMethodType: 'cash' }))).toMatchObject({
      code: 'invalid_body',
      field: 'paymentMethodType',
    })
    expect(
      await send(orderOf('trial_1', { paymentMethodType: 'card', agreement: { words: '', version: '1', page: '/' } })),
    ).toMatchObject({ field: 'agreement.words' })
    const nameless = await funnel.buyer('')
    expect((await nameless.open()).body.error).toMatchObject({ code: 'email_required', field: 'email' })
    expect(
      (
        await new Browser(funnel.url).post(
          buyer.path('/payments/initial'),
          orderOf('trial_1', { paymentMethodType: 'card' }),
        )
      ).body.error.code,
    ).toBe('session_token_missing')
    expect(await funnel.totals()).toEqual(before)
    expect(
      await funnel.db.selectFrom('payment_intents').selectAll().where('session_id', '=', buyer.sessionId).execute(),
    ).toEqual([])
  })

  test('C-11 H-03 keeps what was agreed to and ticked, once per change', async () => {
    const buyer = await funnel.buyer()
    const body = orderOf('trial_1', {
      paymentMethodType: 'card',
      marketingConsent: true,
      marketing: { wording: 'News by mail', version: '3', preticked: true },
    })
    await buyer.browser.post(buyer.path('/payments/initial'), body)
    await buyer.browser.post(buyer.path('/payments/initial'), body)
    await buyer.browser.post(buyer.path('/payments/initial'), { ...body, marketingConsent: false })
    const agreements = await funnel.db
      .selectFrom('agreements')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(agreements).toHaveLength(1)
    expect(agreements[0]?.amounts).toMatchObject({ amountNow: 100, firstFullAmount: 3900, periodDays: 30 })
    const consents = await funnel.db
      .selectFrom('consents')
      .select(['granted', 'wording', 'preticked'])
      .where('session_id', '=', buyer.sessionId)
      .orderBy('id')
      .execute()
    expect(consents).toEqual([
      { granted: true, wording: 'News by mail', preticked: true },
      { granted: false, wording: 'News by mail', preticked: true },
    ])
  })
})

describe('the first payment', () => {
  test('P-04 D-05 D-09 D-10 finalize records, starts the trial, grants, marks the session, new token', async () => {
    const buyer = await funnel.buyer()
    await buyer.browser.put(buyer.path('/price'), { selectedPrice: 1 })
    const [before] = [...buyer.browser.cookies.values()]
    const intentId = await buyer.pay('trial_1')
    expect([...buyer.browser.cookies.values()][0]).not.toBe(before)
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      paymentStatus: 'paid',
      paymentMethodType: 'card',
      nextPage: 'multi-upsell',
    })

    expect(await rows.session(buyer.sessionId)).toMatchObject({
      payment_status: 'paid',
      conversion_status: 'converted',
      payment_intent_id: intentId,
      paid_at: expect.any(Date),
      stripe_subscription_id: expect.stringMatching(/^sub_/),
    })
    const [payment, ...more] = await rows.payments(buyer.sessionId)
    expect(more).toEqual([])
    // the price step is still open in another tab: the price is that of the order by now
    expect((await buyer.browser.put(buyer.path('/price'), { selectedPrice: 17.67 })).status).toBe(200)
    expect(await rows.session(buyer.sessionId)).toMatchObject({ selected_price_cents: 100 })
    expect(payment).toMatchObject({
      purpose: 'first',
      amount_cents: 100,
      currency: 'usd',
      status: 'succeeded',
      product_id: 'trial_1',
      is_trial: true,
      is_upsell: false,
      is_duplicate: false,
      payment_method: 'card',
    })
    const [subscription] = await rows.subscriptions(buyer.sessionId)
    expect(subscription).toMatchObject({ status: 'trialing', source_payment_id: intentId })
    expect((subscription?.trial_end?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3 * 86_400_000 - 60_000)
    const atStripe = await funnel.dashboard('GET', `/v1/subscriptions/${subscription?.stripe_subscription_id}`)
    expect(atStripe).toMatchObject({
      status: 'trialing',
      default_payment_method: payment?.payment_method_id,
      items: {
        data: [
          {
            price: { lookup_key: 'monthly_usd', unit_amount: 3900, recurring: { interval: 'day', interval_count: 30 } },
          },
        ],
      },
    })
    const { data } = await funnel.dashboard('GET', '/v1/prices', { 'lookup_keys[0]': 'trial_1_usd' })
    expect(payment).toMatchObject({ price_id: (data as { id: string }[])[0]?.id, subscription_id: atStripe['id'] })
    expect(await rows.session(buyer.sessionId)).toMatchObject({
      customer_id: atStripe['customer'],
      stripe_payment_method_id: payment?.payment_method_id,
    })
    expect(await rows.grants(buyer.sessionId)).toMatchObject([
      { product_id: 'trial_1', granted_via: 'initial_purchase', source_payment_id: intentId, revoked_at: null },
    ])
    expect(await rows.outbox(buyer.sessionId)).toEqual([
      'conversion:InitiateCheckout',
      'conversion:Lead',
      'conversion:Purchase',
      'conversion:Subscribe',
      'mail:order_confirmation',
      'mail:trial_ends',
    ])
  })

  test('P-04 50 parallel finalize: one payment, one subscription, one grant, the same answer to all', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_5')
    await funnel.confirm(body)
    const before = await funnel.totals()
    const replies = await Promise.all(Array.from({ length: 50 }, () => buyer.finalize(body.paymentIntentId)))
    expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body])))).toEqual(
      new Set([JSON.stringify([200, { status: 'settled', productId: 'trial_5', nextPage: 'multi-upsell' }])]),
    )
    expect((await funnel.totals()).subscriptions - before.subscriptions).toBe(1)
    expect(await rows.payments(buyer.sessionId)).toHaveLength(1)
    expect(await rows.grants(buyer.sessionId)).toHaveLength(1)
    expect(await rows.outbox(buyer.sessionId)).toHaveLength(6)
  })

  test.each(TRIAL_IDS)('P-04 P-13 %s charges what the catalogue lists', async (id) => {
    const buyer = await funnel.buyer()
    await buyer.pay(id)
    expect((await rows.payments(buyer.sessionId))[0]?.amount_cents).toBe(product(id).price)
  })

  test('P-05 O-03 the special offer: $19 now, $39 from one calendar month ahead, nothing prorated', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('special_offer')
    const [subscription] = await rows.subscriptions(buyer.sessionId)
    const month = new Date()
    const day = month.getUTCDate()
    month.setUTCMonth(month.getUTCMonth() + 1)
    if (month.getUTCDate() !== day) month.setUTCDate(0)
    expect(Math.abs((subscription?.trial_end?.getTime() ?? 0) - month.getTime())).toBeLessThan(120_000)
    const invoices = await funnel.dashboard('GET', '/v1/invoices', {
      subscription: subscription?.stripe_subscription_id ?? '',
    })
    expect(invoices.data.map((one: { amount_due: number }) => one.amount_due)).toEqual([0])
    expect((await rows.payments(buyer.sessionId))[0]?.amount_cents).toBe(1900)
  })

  test("P-05 the monthly product pays the subscription's own first invoice: one charge, no trial", async () => {
    const buyer = await funnel.buyer()
    const before = await funnel.totals()
    const opened = await Promise.all(Array.from({ length: 10 }, () => buyer.open('monthly')))
    expect(new Set(opened.map(({ body }) => body.paymentIntentId)).size).toBe(1)
    const { body } = opened[0] ?? { body: {} }
    await funnel.confirm(body)
    expect((await buyer.finalize(body.paymentIntentId)).body).toMatchObject({ status: 'settled', productId: 'monthly' })
    const after = await funnel.totals()
    expect([
      after.charges_succeeded - before.charges_succeeded,
      after.amount - before.amount,
      after.subscriptions - before.subscriptions,
    ]).toEqual([1, 3900, 1])
    const [subscription, ...more] = await eventually(
      () => rows.subscriptions(buyer.sessionId),
      (found) => found[0]?.status === 'active',
    )
    expect(more).toEqual([])
    expect(subscription).toMatchObject({ status: 'active', trial_end: null, source_payment_id: body.paymentIntentId })
    expect(await rows.payments(buyer.sessionId)).toMatchObject([{ purpose: 'first', amount_cents: 3900 }])
    expect(await rows.grants(buyer.sessionId)).toMatchObject([
      { product_id: 'monthly', granted_via: 'initial_purchase' },
    ])
  })

  test('P-05 P-02 changing between monthly and trial leaves one open intent and one subscription', async () => {
    const buyer = await funnel.buyer()
    const trial = await buyer.open('trial_1')
    const monthly = await buyer.open('monthly')
    const again = await buyer.open('trial_1')
    expect(new Set([trial, monthly, again].map(({ body }) => body.paymentIntentId)).size).toBe(3)
    for (const { body } of [trial, monthly]) {
      expect((await funnel.dashboard('GET', `/v1/payment_intents/${body.paymentIntentId}`)).status).toBe('canceled')
    }
    await funnel.confirm(again.body)
    expect((await buyer.finalize(again.body.paymentIntentId)).status).toBe(200)
    expect((await rows.subscriptions(buyer.sessionId)).map(({ status }) => status).sort()).toEqual(
      ['incomplete_expired', 'trialing'].map((status) =>
        status === 'incomplete_expired' ? expect.stringMatching(/canceled|incomplete_expired/) : status,
      ),
    )
  })

  test('P-04 P-12 a reading is sold by its own purpose and grants itself', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('reading_14_days')
    expect(await rows.payments(buyer.sessionId)).toMatchObject([{ purpose: 'reading', amount_cents: 1995 }])
    expect(await rows.grants(buyer.sessionId)).toMatchObject([
      { product_id: 'reading_14_days', granted_via: 'reading' },
    ])
    expect(await rows.subscriptions(buyer.sessionId)).toEqual([])
  })

  test("P-04 not paid yet, not ours and nobody's are told apart; nothing is granted", async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    expect(await buyer.finalize(body.paymentIntentId)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'initial_not_successful',
          message: 'Initial payment not successful. Status: requires_payment_method',
        },
      },
    })
    const other = await funnel.buyer()
    expect(await other.finalize(body.paymentIntentId)).toMatchObject({
      status: 409,
      body: { error: { code: 'customer_mismatch' } },
    })
    expect(await buyer.finalize('pi_nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'payment_not_found' } },
    })
    expect(await buyer.finalize('x'.repeat(300))).toMatchObject({
      status: 422,
      body: { error: { field: 'paymentIntentId' } },
    })
    expect(await rows.grants(buyer.sessionId)).toEqual([])
  })

  test('P-04 a declined card leaves the intent open; the next card pays', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    expect((await funnel.confirm(body, 'pm_card_visa_chargeDeclined')).status).toBe(402)
    expect((await buyer.finalize(body.paymentIntentId)).status).toBe(409)
    expect(await rows.payments(buyer.sessionId)).toEqual([])
    expect((await buyer.open()).body.paymentIntentId).toBe(body.paymentIntentId)
    await buyer.pay()
    expect(await rows.payments(buyer.sessionId)).toHaveLength(1)
    const facts = await funnel.db
      .selectFrom('payment_facts')
      .select('kind')
      .where('session_id', '=', buyer.sessionId)
      .orderBy('id')
      .execute()
    expect(facts.map(({ kind }) => kind)).toEqual(['failed', 'succeeded'])
  })

  test('T-03 T-04 every press of a pay button is noted, and its end; a refused order is none', async () => {
    const buyer = await funnel.buyer()
    expect((await buyer.open('bundle')).status).toBe(422)
    const { body } = await buyer.open('trial_9')
    await funnel.confirm(body, 'pm_card_visa_chargeDeclined')
    await buyer.finalize(body.paymentIntentId)
    await buyer.open('trial_9', 'paypal')
    await buyer.pay('trial_9')
    await buyer.open('trial_9')
    const noted = await funnel.db
      .selectFrom('activities as a')
      .innerJoin('sessions as s', 's.key', 'a.session_key')
      .select(['a.type', 'a.data'])
      .where('s.id', '=', buyer.sessionId)
      .where('a.type', 'like', 'payment%')
      .orderBy('a.id')
      .execute()
    const attempt = (method: string) => ['payment_attempt', { purpose: 'first', productId: 'trial_9', method }]
    expect(noted.map(({ type, data }) => [type, data])).toEqual([
      attempt('card'),
      ['payment_failed', { purpose: 'first', productId: 'trial_9' }],
      attempt('paypal'),
      attempt('card'),
      ['payment_success', { purpose: 'first', productId: 'trial_9', amount: 900 }],
    ])
  })

  test('P-02 a paid session is not charged again', async () => {
    const buyer = await funnel.buyer()
    const intentId = await buyer.pay()
    expect(await buyer.open('special_offer')).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } })
    expect((await buyer.finalize(intentId)).body).toMatchObject({ status: 'settled' })
    // paid in another tab, unknown to this one: opening settles it
    const late = await funnel.buyer()
    const { body } = await late.open()
    await funnel.confirm(body)
    expect((await late.open()).body.error.code).toBe('already_paid')
    expect(await rows.grants(late.sessionId)).toHaveLength(1)
  })
})

describe('when Stripe does not do well', () => {
  const fault = (rule: object) => funnel.control('POST', 'faults', rule)

  test('P-02 a failed or lost creation is answered as such, and the next try opens one intent', async () => {
    for (const mode of ['500', 'execute_then_500', 'drop', 'drop_before', '429']) {
      const buyer = await funnel.buyer()
      await buyer.browser.post(buyer.path('/customer'), { email: `x-${mode}@example.com` })
      await fault({ mode, method: 'POST', path: '/v1/payment_intents', times: mode.startsWith('drop') ? 2 : 1 })
      expect(await buyer.open(), mode).toMatchObject({ status: 503, body: { error: { code: 'stripe_unavailable' } } })
      await funnel.control('DELETE', 'faults')
      await buyer.pay()
      expect(await rows.payments(buyer.sessionId), mode).toHaveLength(1)
    }
  })

  test('P-01 P-11 an address that Stripe refuses is named, so that it can be corrected', async () => {
    const buyer = await funnel.buyer()
    const { db } = funnel
    await db.updateTable('sessions').set({ email: 'ada @example' }).where('id', '=', buyer.sessionId).execute()
    const refused = await buyer.open()
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'invalid_body', field: 'email' } } })
    await buyer.browser.put(buyer.path('/email'), { email: 'ada.corrected@example.com' })
    expect((await buyer.open()).status).toBe(200)
  })

  test("P-01 a lost reply to the customer's creation makes no second one", async () => {
    for (const mode of ['500', 'execute_then_500', 'drop']) {
      const buyer = await funnel.buyer('')
      const email = `lost-${mode}@example.com`
      const before = (await funnel.totals()).customers
      await fault({ mode, method: 'POST', path: '/v1/customers', times: mode === 'drop' ? 2 : 1 })
      expect((await buyer.browser.post(buyer.path('/customer'), { email })).status, mode).toBe(503)
      await funnel.control('DELETE', 'faults')
      expect((await buyer.browser.post(buyer.path('/customer'), { email })).status).toBe(200)
      expect((await funnel.totals()).customers - before, mode).toBe(1)
    }
  })

  test('P-04 a subscription whose creation fails or is lost: access at once, one subscription in the end', async () => {
    for (const mode of ['500', 'execute_then_500', 'drop', '429']) {
      const buyer = await funnel.buyer()
      const { body } = await buyer.open()
      await funnel.confirm(body)
      const before = (await funnel.totals()).subscriptions
      await fault({ mode, method: 'POST', path: '/v1/subscriptions', times: mode === 'drop' ? 2 : 1 })
      expect(await buyer.finalize(body.paymentIntentId), mode).toMatchObject({
        status: 200,
        body: { status: 'settled' },
      })
      expect(await rows.grants(buyer.sessionId), mode).toHaveLength(1)
      await funnel.control('DELETE', 'faults')
      // finalizing again completes it (the reconciler does the same)
      expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
      expect(await rows.subscriptions(buyer.sessionId), mode).toMatchObject([{ status: 'trialing' }])
      expect((await funnel.totals()).subscriptions - before, mode).toBe(1)
    }
  })

  test('P-04 finalize while Stripe is away says pending, and settles when asked again', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    await fault({ mode: '500', method: 'GET', path: '/v1/payment_intents', times: 1 })
    expect(await buyer.finalize(body.paymentIntentId)).toMatchObject({ status: 202, body: { status: 'pending' } })
    await funnel.control('DELETE', 'faults')
    expect(await buyer.browser.get(buyer.path(`/payments/${body.paymentIntentId}`))).toMatchObject({
      status: 200,
      body: { status: 'settled', productId: 'trial_1' },
    })
  })
})
