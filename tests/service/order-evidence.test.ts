import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ProductId } from '../../contract/catalogue.ts'
import { evidenceOf, orderOf } from '../support/order.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const order = (buyer: Buyer, productId: ProductId, more: object = {}) =>
  buyer.browser.post(buyer.path('/payments/initial'), orderOf(productId, { paymentMethodType: 'card', ...more }))
const agreements = (buyer: Buyer) =>
  funnel.db.selectFrom('agreements').selectAll().where('session_id', '=', buyer.sessionId).orderBy('id').execute()
const paymentOf = (buyer: Buyer, productId: string) =>
  funnel.db
    .selectFrom('payments as p')
    .leftJoin('agreements as a', 'a.id', 'p.agreement_id')
    .select(['p.amount_cents', 'p.product_id', 'p.stripe_customer_id', 'a.words', 'a.amounts', 'a.page', 'a.version'])
    .where('p.session_id', '=', buyer.sessionId)
    .where('p.product_id', '=', productId)
    .executeTakeFirst()

describe('H-03 a payment names what was agreed to', () => {
  test('H-03 a declined trial, then the offer: the payment names the words and figures of the offer', async () => {
    const buyer = await funnel.buyer()
    const trial = await order(buyer, 'trial_9')
    expect((await funnel.confirm(trial.body, 'pm_card_visa_chargeDeclined')).status).toBe(402)
    const offer = await order(buyer, 'special_offer')
    expect((await funnel.confirm(offer.body)).status).toBe(200)
    await buyer.finalize(offer.body.paymentIntentId)
    const { shown, agreement } = evidenceOf('special_offer')
    expect(await paymentOf(buyer, 'special_offer')).toMatchObject({
      amount_cents: 1900,
      words: agreement.words,
      amounts: {
        productId: 'special_offer',
        amountNow: 1900,
        firstFullAmount: 3900,
        firstFullDay: shown.firstFull?.on,
      },
    })
    expect((await agreements(buyer)).map(({ words }) => words)).toEqual([
      evidenceOf('trial_9').agreement.words,
      agreement.words,
    ])
  })

  test('C-11 H-03 other words, version or page are an agreement of their own; the same ones are not', async () => {
    const buyer = await funnel.buyer()
    const { agreement } = evidenceOf('trial_1')
    const changes = [
      agreement,
      agreement,
      { ...agreement, words: 'Other words' },
      { ...agreement, words: 'Other words', version: 'next' },
      { ...agreement, words: 'Other words', version: 'next', page: '/special-offer-intro' },
      { ...agreement, words: 'Other words', version: 'next', page: '/special-offer-intro' },
    ]
    const ids = new Set<string>()
    let last = { body: { paymentIntentId: '', clientSecret: '' } }
    for (const one of changes) {
      last = await order(buyer, 'trial_1', { agreement: one })
      ids.add(last.body.paymentIntentId)
    }
    // the same charge: one intent (P-02)
    expect(ids.size).toBe(1)
    expect(await agreements(buyer)).toHaveLength(4)
    await funnel.confirm(last.body)
    await buyer.finalize(last.body.paymentIntentId)
    expect(await paymentOf(buyer, 'trial_1')).toMatchObject({
      words: 'Other words',
      version: 'next',
      page: '/special-offer-intro',
    })
  })

  test('H-03 a trial ordered again two days later is agreed to anew, with the day that was shown', async () => {
    const buyer = await funnel.buyer()
    const first = await order(buyer, 'trial_1')
    // as if that had been two days ago
    const { firstFull } = evidenceOf('trial_1', new Date(Date.now() - 2 * 86_400_000)).shown
    const terms = JSON.stringify({ ...evidenceOf('trial_1').shown, firstFull })
    await funnel.db.updateTable('payment_intents').set({ terms }).where('session_id', '=', buyer.sessionId).execute()
    const again = await order(buyer, 'trial_1')
    expect(again.body.paymentIntentId).not.toBe(first.body.paymentIntentId)
    expect((await funnel.confirm(first.body)).status).toBe(400)
    await funnel.confirm(again.body)
    await buyer.finalize(again.body.paymentIntentId)
    const { shown } = evidenceOf('trial_1')
    expect(await paymentOf(buyer, 'trial_1')).toMatchObject({
      amounts: { firstFullDay: shown.firstFull?.on, timeZone: 'UTC' },
    })
  })

  test('H-03 an add-on names its own agreement', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    const bought = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
    expect(bought.body.status).toBe('succeeded')
    expect(await paymentOf(buyer, 'guide_habits')).toMatchObject({
      words: evidenceOf('guide_habits').agreement.words,
      amounts: { productId: 'guide_habits', amountNow: 1490 },
    })
  })
})

describe('P-04 a charge that is not what was ordered', () => {
  test.each([
    [{ amount: '500' }, 'amount', { amount_cents: 500, product_id: 'trial_1' }],
    [{ 'metadata[product_id]': 'trial_5' }, 'product', { amount_cents: 100, product_id: 'trial_5' }],
  ])('P-04 %j behind our back: recorded as it was charged, and an alarm', async (change, difference, recorded) => {
    const buyer = await funnel.buyer()
    const { body } = await order(buyer, 'trial_1')
    await funnel.dashboard('POST', `/v1/payment_intents/${body.paymentIntentId}`, change)
    await funnel.confirm(body)
    const alarm = vi.spyOn(funnel.service.deps.log, 'error')
    try {
      expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
      await buyer.finalize(body.paymentIntentId)
      const told = alarm.mock.calls.filter(([, words]) => String(words).includes('not what was ordered'))
      expect(told.map(([about]) => about)).toMatchObject([{ difference, intentId: body.paymentIntentId }])
      // the intent finds the visit and the customer, whose ids are in no log (N-02)
      expect(JSON.stringify(told)).not.toMatch(new RegExp(`${buyer.sessionId}|cus_`))
    } finally {
      alarm.mockRestore()
    }
    expect(await paymentOf(buyer, recorded.product_id)).toMatchObject(recorded)
  })
})

describe('the card that is typed', () => {
  test('C-13 3-D Secure left by a reload: the next order has its own intent, the first is never charged', async () => {
    const buyer = await funnel.buyer()
    const left = await order(buyer, 'trial_9')
    const asked = await funnel.confirm(left.body, 'pm_card_authenticationRequired')
    expect(asked.body.status).toBe('requires_action')
    const next = await order(buyer, 'trial_9')
    expect(next.body.status).toBe('requires_payment_method')
    // the bank's answer to the first card comes too late for anything
    await funnel.authenticate(left.body, 'complete')
    await funnel.confirm(next.body, 'pm_card_mastercard')
    await buyer.finalize(next.body.paymentIntentId)
    const { stripe_customer_id: customer } = (await paymentOf(buyer, 'trial_9')) ?? {}
    const charges = await funnel.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
    const cards = charges.data.map(
      (one: { payment_method_details: { card: { last4: string } } }) => one.payment_method_details.card.last4,
    )
    expect(cards).toEqual(['4444'])
  })
})

describe('P-01 a customer deleted in the dashboard', () => {
  const customerOf = async (buyer: Buyer) => {
    const row = await funnel.db
      .selectFrom('customers')
      .select('stripe_customer_id')
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
    return row.stripe_customer_id ?? ''
  }

  test.each(['trial_1', 'special_offer', 'monthly'] as const)(
    'P-01 P-02 %s: with or without an open intent the order goes on with a new customer',
    async (id) => {
      for (const opened of [true, false]) {
        const buyer = await funnel.buyer()
        if (opened) await order(buyer, id)
        else await buyer.browser.post(buyer.path('/customer'), { email: `${crypto.randomUUID()}@example.com` })
        const gone = await customerOf(buyer)
        await funnel.dashboard('DELETE', `/v1/customers/${gone}`)
        const { status, body } = await order(buyer, id)
        expect([status, body.error]).toEqual([200, undefined])
        expect((await funnel.confirm(body)).status).toBe(200)
        expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
        const payment = await paymentOf(buyer, id)
        expect(payment?.stripe_customer_id).toBe(await customerOf(buyer))
        expect(payment?.stripe_customer_id).not.toBe(gone)
      }
    },
  )

  test('P-01 U-06 after the first payment an add-on is paid by a typed card, with a new customer', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    await funnel.dashboard('DELETE', `/v1/customers/${await customerOf(buyer)}`)
    const asked = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
    expect(asked.body).toMatchObject({ status: 'requires_new_card', clientSecret: expect.any(String) })
    expect((await funnel.typeCard(asked.body)).status).toBe(200)
    expect((await buyer.finalize(asked.body.paymentIntentId)).status).toBe(200)
    expect((await paymentOf(buyer, 'guide_habits'))?.stripe_customer_id).toBe(await customerOf(buyer))
  })
})
