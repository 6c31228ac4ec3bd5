import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { evidenceOf, orderOf, setupOf } from '../support/order.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const DAY = 86_400_000
const FIRST = ['trial_1', 'trial_5', 'trial_9', 'trial_1767', 'special_offer', 'monthly', 'reading_premium'] as const

const order = (buyer: Buyer, body: unknown) => buyer.browser.post(buyer.path('/payments/initial'), body)
const intents = (buyer: Buyer) =>
  funnel.db.selectFrom('payment_intents').selectAll().where('session_id', '=', buyer.sessionId).execute()

describe('an order carries what the page showed', () => {
  test.each(FIRST)(
    'C-13 H-01 %s at another price than the true one is refused with the true one, then taken',
    async (id) => {
      const buyer = await funnel.buyer()
      const { shown, ...rest } = orderOf(id, { paymentMethodType: 'card' })
      const refused = await order(buyer, { ...rest, shown: { ...shown, now: shown.now - 1 } })
      expect(refused.status).toBe(409)
      expect(refused.body.error).toMatchObject({ code: 'terms_changed', field: 'shown', terms: shown })
      expect(await intents(buyer)).toEqual([])
      expect((await order(buyer, { ...rest, shown: refused.body.error.terms })).status).toBe(200)
    },
  )

  test.each(['trial_1', 'special_offer', 'monthly'] as const)(
    'H-01 O-03 %s with another amount, day or period of the first full charge is refused',
    async (id) => {
      const buyer = await funnel.buyer()
      const { shown, ...rest } = orderOf(id, { paymentMethodType: 'card' })
      const { firstFull } = shown
      const wrong = [
        { ...firstFull, amount: 4500 },
        { ...firstFull, everyDays: 31 },
        { ...firstFull, on: evidenceOf(id, new Date(Date.now() - DAY)).shown.firstFull?.on },
        { ...firstFull, on: evidenceOf(id, new Date(Date.now() + DAY)).shown.firstFull?.on },
        null,
      ]
      for (const other of wrong) {
        const refused = await order(buyer, { ...rest, shown: { ...shown, firstFull: other } })
        expect([refused.status, refused.body.error.code]).toEqual([409, 'terms_changed'])
        expect(refused.body.error.terms).toEqual(shown)
      }
      expect(await intents(buyer)).toEqual([])
    },
  )

  test('H-01 days are those of the page’s zone; an unknown zone is answered in UTC and then taken', async () => {
    const buyer = await funnel.buyer()
    const { shown, ...rest } = orderOf('trial_1', { paymentMethodType: 'card' })
    // half a world apart: at any hour, one of the two has a different date than UTC
    const days = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(async (timeZone) => {
        const asked = await order(buyer, { ...rest, shown: { ...shown, now: 0, timeZone } })
        return asked.body.error.terms.firstFull.on as string
      }),
    )
    expect(new Set([...days, shown.firstFull?.on]).size).toBeGreaterThan(1)
    const lost = { ...shown, timeZone: 'Moon/Tranquility', firstFull: { ...shown.firstFull, on: '2020-01-01' } }
    const refused = await order(buyer, { ...rest, shown: lost })
    expect(refused.body.error.terms).toEqual(shown)
    expect((await order(buyer, { ...rest, shown: { ...lost, firstFull: shown.firstFull } })).status).toBe(200)
  })

  test('H-03 an order without figures or words is none; the field is named', async () => {
    const buyer = await funnel.buyer()
    const whole = orderOf('trial_1', { paymentMethodType: 'card' })
    const field = async (body: object) => (await order(buyer, body)).body.error.field as string
    expect(await field({ ...whole, shown: undefined })).toBe('shown')
    expect(await field({ ...whole, agreement: undefined })).toBe('agreement')
    expect(await field({ ...whole, shown: { ...whole.shown, now: 0.5 } })).toBe('shown.now')
    expect(
      await field({ ...whole, shown: { ...whole.shown, firstFull: { ...whole.shown.firstFull, on: 'Friday' } } }),
    ).toBe('shown.firstFull.on')
  })

  test('P-06 a PayPal set-up shows nothing today; one that shows a price is refused', async () => {
    const buyer = await funnel.buyer()
    const open = (body: unknown) => buyer.browser.post(buyer.path('/paypal/setup'), body)
    const refused = await open({ ...setupOf('trial_9'), ...evidenceOf('trial_9') })
    expect(refused.body.error).toMatchObject({ code: 'terms_changed', terms: setupOf('trial_9').shown })
    expect((await open(setupOf('trial_9'))).status).toBe(200)
  })

  test('U-03 U-08 an add-on at another price than shown is refused, and charged once when agreed to', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    const before = await funnel.totals()
    const buy = (body: unknown) => buyer.browser.post(buyer.path('/upsells'), body)
    const whole = orderOf('guide_habits')
    const refused = await buy({ ...whole, shown: { ...whole.shown, now: 990 } })
    expect(refused.body.error).toMatchObject({ code: 'terms_changed', terms: whole.shown })
    expect((await funnel.totals()).charges_succeeded).toBe(before.charges_succeeded)
    expect((await buy({ ...whole, shown: refused.body.error.terms })).body.status).toBe('succeeded')
    expect((await funnel.totals()).amount - before.amount).toBe(1490)
  })
})
