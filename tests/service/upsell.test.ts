import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUIDE_IDS } from '../../contract/catalogue.ts'
import { type Buyer, type Funnel, ownedAddOns, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'
import { orderOf, setupOf } from '../support/order.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

const charge = (buyer: Buyer, productId: string, more: object = {}) =>
  buyer.browser.post(buyer.path('/upsells'), orderOf(productId, more))
const owned = (buyer: Buyer) => ownedAddOns(funnel, buyer)
const paid = async (card?: string) => {
  const buyer = await funnel.buyer()
  await buyer.pay('trial_1', card)
  return buyer
}

describe('one click', () => {
  test('U-03 U-04 P-08 add-ons are charged one by one to the saved card, granted for life and listed', async () => {
    const buyer = await paid()
    expect((await buyer.browser.get(buyer.path('/payment-context'))).body).toMatchObject({
      paymentMethodType: 'card',
      oneClick: true,
    })
    const before = await funnel.totals()
    for (const id of GUIDE_IDS.slice(0, 2)) {
      expect(await charge(buyer, id)).toMatchObject({
        status: 200,
        body: { status: 'succeeded', productId: id, clientSecret: null },
      })
    }
    const after = await funnel.totals()
    expect([after.charges_succeeded - before.charges_succeeded, after.amount - before.amount]).toEqual([2, 2 * 1490])
    expect(await owned(buyer)).toEqual([...GUIDE_IDS.slice(0, 2)].sort())
    const { body } = await buyer.browser.get(buyer.path('/purchases'))
    expect(body.items.map((item: { productId: string; amount: number }) => [item.productId, item.amount])).toEqual([
      ['trial_1', 100],
      ['guide_devices', 1490],
      ['guide_ergonomics', 1490],
    ])
    const payments = await funnel.db
      .selectFrom('payments')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .where('is_upsell', '=', true)
      .execute()
    expect(payments.map(({ purpose, is_trial, status }) => [purpose, is_trial, status])).toEqual([
      ['upsell:guide_devices', false, 'succeeded'],
      ['upsell:guide_ergonomics', false, 'succeeded'],
    ])
  })

  test('U-08 50 parallel clicks and later repeats: one charge, the same answer to all', async () => {
    const buyer = await paid()
    const before = await funnel.totals()
    const replies = await Promise.all(Array.from({ length: 50 }, () => charge(buyer, 'bundle')))
    replies.push(await charge(buyer, 'thank_you_bundle'))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.status} ${body.paymentIntentId}`)).size).toBe(1)
    expect(replies[0]?.body.status).toBe('succeeded')
    const after = await funnel.totals()
    expect([after.charges_succeeded - before.charges_succeeded, after.amount - before.amount]).toEqual([1, 2499])
    expect(await owned(buyer)).toEqual(['bundle'])
  })

  test('U-02 U-08 what is inside the bundle is not sold again, nor the bundle around an owned guide', async () => {
    const withBundle = await paid()
    await charge(withBundle, 'bundle')
    expect(await charge(withBundle, 'guide_habits')).toMatchObject({
      status: 409,
      body: { error: { code: 'already_owned' } },
    })
    const withGuide = await paid()
    await charge(withGuide, 'guide_habits')
    expect(await charge(withGuide, 'bundle')).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'already_owned',
          message: 'You own a guide of this bundle already. You were not charged.',
        },
      },
    })
  })

  test('U-03 nothing is sold before the first payment, to strangers, or outside the catalogue', async () => {
    const unpaid = await funnel.buyer()
    expect(await charge(unpaid, 'bundle')).toMatchObject({ status: 409, body: { error: { code: 'not_paid' } } })
    expect((await unpaid.browser.get(unpaid.path('/payment-context'))).body.error).toMatchObject({
      code: 'no_saved_context',
      message: 'No saved payment context found for this session.',
    })
    const buyer = await paid()
    expect((await charge(buyer, 'trial_1')).body.error).toMatchObject({ code: 'unknown_product', field: 'productId' })
    expect((await unpaid.browser.post(buyer.path('/upsells'), orderOf('bundle'))).status).toBe(403)
  })
})

describe('when the saved card does not do', () => {
  test('U-04 3-D Secure: completed it is bought, failed it can be tried again; nothing is granted unpaid', async () => {
    const buyer = await funnel.buyer()
    const opened = await buyer.open()
    await funnel.confirm(opened.body, 'pm_card_authenticationRequired')
    await funnel.authenticate(opened.body, 'complete')
    expect((await buyer.finalize(opened.body.paymentIntentId)).status).toBe(200)
    const first = await charge(buyer, 'guide_devices')
    expect(first.body).toMatchObject({
      status: 'requires_action',
      message: 'additional_verification',
      clientSecret: expect.any(String),
    })
    expect(await owned(buyer)).toEqual([])
    await funnel.authenticate(first.body, 'fail')
    const second = await charge(buyer, 'guide_devices')
    expect(second.body).toMatchObject({ status: 'requires_action', paymentIntentId: first.body.paymentIntentId })
    await funnel.authenticate(second.body, 'complete')
    expect((await buyer.finalize(second.body.paymentIntentId)).body).toMatchObject({
      status: 'settled',
      productId: 'guide_devices',
    })
    expect(await owned(buyer)).toEqual(['guide_devices'])
  })

  test('U-04 U-10 a declined saved card asks for a new one on the same intent', async () => {
    const buyer = await paid()
    const row = await funnel.db
      .selectFrom('payments')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
    const bad = await funnel.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', {
      customer: row.stripe_customer_id ?? '',
    })
    await funnel.db.updateTable('payments').set({ payment_method_id: bad.id }).where('id', '=', row.id).execute()
    const { body } = await charge(buyer, 'bundle')
    expect(body).toMatchObject({
      status: 'requires_new_card',
      message: 'card_error_reason',
      reason: expect.stringMatching(/declined/),
      clientSecret: expect.any(String),
    })
    expect(await owned(buyer)).toEqual([])
    await funnel.confirm(body)
    expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
    expect(await owned(buyer)).toEqual(['bundle'])
    // buying an add-on does not change which page the session is on
    expect((await buyer.browser.get(buyer.path(''))).body.nextPage).toBe('multi-upsell')
  })

  test('U-04 the reply to the charge is lost: looked up, charged once', async () => {
    for (const mode of ['drop', 'execute_then_500']) {
      const buyer = await paid()
      const before = await funnel.totals()
      await funnel.control('POST', 'faults', {
        mode,
        method: 'POST',
        path: '/v1/payment_intents/*/confirm',
        from: 'server',
        times: mode === 'drop' ? 2 : 1,
      })
      const { body } = await charge(buyer, 'guide_lighting')
      await funnel.control('DELETE', 'faults')
      expect(body.status, mode).toBe('succeeded')
      expect((await funnel.totals()).charges_succeeded - before.charges_succeeded, mode).toBe(1)
      expect(await owned(buyer)).toEqual(['guide_lighting'])
    }
  })
})

describe('PayPal', () => {
  test('P-07 C-14 a PayPal trial: approved on its page, settled on return, the wallet pays the renewals', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_5', 'paypal')
    expect(body.paymentMethodType).toBe('paypal')
    await funnel.paypal(body)
    expect((await buyer.finalize(body.paymentIntentId)).body).toMatchObject({
      status: 'settled',
      productId: 'trial_5',
      nextPage: 'multi-upsell',
    })
    expect((await buyer.browser.get(buyer.path(''))).body.paymentMethodType).toBe('paypal')
    const subscription = await funnel.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
    expect(subscription.status).toBe('trialing')
    await funnel.control('POST', 'clock', { advance: 3 * 86_400 + 2 * 3_600 })
    await eventually(
      () => funnel.db.selectFrom('payments').select('purpose').where('session_id', '=', buyer.sessionId).execute(),
      (found) => found.some(({ purpose }) => purpose.startsWith('renewal:')),
    )
  })

  test("P-07 cancelled on PayPal's page: nothing paid, the same intent can be paid by card", async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body, 'cancel')
    expect(await buyer.finalize(body.paymentIntentId)).toMatchObject({
      status: 409,
      body: { error: { code: 'initial_not_successful' } },
    })
    await buyer.pay('trial_1')
    expect(
      await funnel.db
        .selectFrom('payments')
        .select('payment_method')
        .where('session_id', '=', buyer.sessionId)
        .execute(),
    ).toEqual([{ payment_method: 'card' }])
  })

  test('P-06 the set-up of value 0 starts the subscription, grants by its own name, and charges nothing', async () => {
    const buyer = await funnel.buyer()
    const before = await funnel.totals()
    const opened = await buyer.browser.post(buyer.path('/paypal/setup'), setupOf('trial_9'))
    expect(opened).toMatchObject({
      status: 200,
      body: { paymentIntentId: expect.stringMatching(/^seti_/), paymentMethodType: 'paypal' },
    })
    await funnel.paypal(opened.body)
    const finalized = await buyer.browser.post(buyer.path('/paypal/setup/finalize'), {
      setupIntentId: opened.body.paymentIntentId,
    })
    expect(finalized).toMatchObject({
      status: 200,
      body: { status: 'settled', subscriptionId: expect.stringMatching(/^sub_/), nextPage: 'multi-upsell' },
    })
    const after = await funnel.totals()
    expect([after.charges_succeeded - before.charges_succeeded, after.subscriptions - before.subscriptions]).toEqual([
      0, 1,
    ])
    const grants = await funnel.db
      .selectFrom('product_access_grants')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(grants).toMatchObject([{ product_id: 'trial_9', granted_via: 'paypal_trial_subscription' }])
    const outbox = await funnel.db
      .selectFrom('outbox')
      .select('kind')
      .where('session_id', '=', buyer.sessionId)
      .orderBy('kind')
      .execute()
    expect(outbox.map(({ kind }) => kind)).toEqual([
      'conversion:InitiateCheckout',
      'conversion:Lead',
      'conversion:Purchase',
      'conversion:Subscribe',
      'mail:order_confirmation',
      'mail:trial_ends',
    ])
    expect((await buyer.browser.post(buyer.path('/paypal/setup'), setupOf('trial_9'))).body.error.code).toBe(
      'already_paid',
    )
    expect((await buyer.browser.post(buyer.path('/paypal/setup'), setupOf('special_offer'))).body.error.code).toBe(
      'unknown_product',
    )
  })

  test('U-06 a buyer who paid by PayPal first gets the card form, or PayPal when asked for', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    expect((await buyer.browser.get(buyer.path('/payment-context'))).body).toMatchObject({
      paymentMethodType: 'paypal',
      oneClick: false,
    })
    const form = await charge(buyer, 'bundle')
    expect(form.body).toMatchObject({ status: 'requires_paypal_redirect', clientSecret: expect.any(String) })
    const wallet = await charge(buyer, 'bundle', { paymentMethodType: 'paypal' })
    expect(wallet.body.status).toBe('paypal_redirect_immediate')
    // the card form's secret is void: the add-on is paid by the method chosen last, or not at all
    expect((await funnel.typeCard(form.body)).status).toBe(400)
    await funnel.paypal(wallet.body)
    expect((await buyer.finalize(wallet.body.paymentIntentId)).status).toBe(200)
    expect(await owned(buyer)).toEqual(['bundle'])
  })

  test('U-06 P-08 H-01 the card of a reading is not saved: no press is promised to charge it, none tries', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('reading_7_days')
    expect((await buyer.browser.get(buyer.path('/payment-context'))).body).toMatchObject({
      paymentMethodType: 'card',
      oneClick: false,
      paidWith: null,
    })
    const form = await charge(buyer, 'bundle')
    expect(form.body).toMatchObject({ status: 'requires_new_card', clientSecret: expect.any(String) })
    expect((await funnel.typeCard(form.body)).status).toBe(200)
    expect((await buyer.finalize(form.body.paymentIntentId)).status).toBe(200)
    expect(await owned(buyer)).toEqual(['bundle'])
  })

  test('P-07 a return in another browser proves itself once by its secret', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    const other = (await funnel.buyer()).browser
    const claim = (clientSecret: string) => other.post('/api/payment-returns', { clientSecret })
    expect(await claim(body.clientSecret)).toMatchObject({
      status: 409,
      body: { error: { code: 'initial_not_successful' } },
    })
    await funnel.paypal(body)
    expect((await claim(`${body.clientSecret}x`)).status).toBe(404)
    expect(await claim(body.clientSecret)).toMatchObject({
      status: 200,
      body: { sessionId: buyer.sessionId, status: 'settled', nextPage: 'multi-upsell' },
    })
    expect((await other.get(buyer.path(''))).status).toBe(200)
    const third = (await funnel.buyer()).browser
    expect(await third.post('/api/payment-returns', { clientSecret: body.clientSecret })).toMatchObject({
      status: 410,
      body: { error: { code: 'link_expired' } },
    })
    expect((await third.get(buyer.path(''))).status).toBe(403)
  })
})

describe('prices and abuse', () => {
  test('P-09 P-13 the price of a product is asked of Stripe; an unknown one is no price', async () => {
    const { browser } = await funnel.buyer()
    expect((await browser.get('/api/prices/bundle')).body).toEqual({
      productId: 'bundle',
      amount: 2499,
      currency: 'usd',
      source: 'stripe',
    })
    expect((await browser.get('/api/prices/nothing')).body.error).toMatchObject({
      code: 'unknown_product',
      field: 'productId',
    })
  })

  test('P-02 a session that tries card after card loses its intent and gets no other', async () => {
    const tester = await funnel.buyer()
    const { body } = await tester.open()
    for (let i = 0; i < 10; i++) await funnel.confirm(body, 'pm_card_visa_chargeDeclined')
    await eventually(
      () => funnel.dashboard('GET', `/v1/payment_intents/${body.paymentIntentId}`),
      ({ status }) => status === 'canceled',
    )
    expect(await tester.open()).toMatchObject({ status: 429, body: { error: { code: 'too_many_requests' } } })
    const honest = await funnel.buyer()
    await honest.pay()
  })
})
