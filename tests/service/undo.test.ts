import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { GUIDE_IDS, product } from '../../contract/catalogue.ts'
import { signLink } from '../../payments-service/mail/links.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { type Buyer, type Funnel, ownedAddOns, startFunnel } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { eventually, type Reply } from './service.ts'
import { evidenceOf, orderOf } from '../support/order.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

const paid = async (): Promise<Buyer> => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  return buyer
}
const charge = (buyer: Buyer, productId: string, more: object = {}) =>
  buyer.browser.post(buyer.path('/upsells'), orderOf(productId, more))
const undo = (buyer: Buyer, productId: string) => buyer.browser.post(buyer.path(`/upsells/${productId}/undo`))
const items = async (buyer: Buyer) =>
  (await buyer.browser.get(buyer.path('/purchases'))).body.items as {
    productId: string
    undoSeconds: number | null
    undoing: boolean
  }[]
const owned = (buyer: Buyer) => ownedAddOns(funnel, buyer)
const elevenMinutesLater = (buyer: Buyer) =>
  funnel.db
    .updateTable('payments')
    .set({ created_at: sql<Date>`created_at - interval '11 minutes'` })
    .where('session_id', '=', buyer.sessionId)
    .execute()
const tokenOf = (intentId: string, to: string) =>
  new URL(mailLink(funnel.config, 'undo_add_on', { subject: intentId, to })).hash.slice(1)

const addressOf = async (buyer: Buyer): Promise<string> => (await buyer.browser.get(buyer.path(''))).body.email

describe('taking an add-on back', () => {
  test('H-05 P-12 all of it is refunded once, the grant ends, the mail is queued, a repeat says the same', async () => {
    const buyer = await paid()
    await charge(buyer, 'guide_habits')
    const [, guide] = await items(buyer)
    expect(guide?.undoSeconds).toBeGreaterThan(9 * 60)
    expect(guide?.undoSeconds).toBeLessThanOrEqual(10 * 60)
    const before = await funnel.totals()
    const replies = await Promise.all(Array.from({ length: 8 }, () => undo(buyer, 'guide_habits')))
    replies.push(await undo(buyer, 'guide_habits'))
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([200, { state: 'undone', productId: 'guide_habits', amount: 1490 }])
    }
    expect((await funnel.totals()).refunded - before.refunded).toBe(1490)
    expect(await owned(buyer)).toEqual([])
    expect((await items(buyer)).map(({ productId }) => productId)).toEqual(['trial_1'])
    const mails = await funnel.db
      .selectFrom('outbox')
      .select(['kind', 'payload'])
      .where('session_id', '=', buyer.sessionId)
      .where('kind', 'in', ['mail:addon_receipt', 'mail:refund'])
      .orderBy('id')
      .execute()
    expect(mails).toMatchObject([
      { kind: 'mail:addon_receipt', payload: { productId: 'guide_habits', amount: 1490 } },
      { kind: 'mail:refund', payload: { productId: 'guide_habits', amount: 1490 } },
    ])
    const session = await buyer.browser.get(buyer.path(''))
    expect(session.body.paymentStatus).toBe('paid')
  })

  test('H-05 after ten minutes it says so and changes nothing', async () => {
    const buyer = await paid()
    await charge(buyer, 'bundle')
    await elevenMinutesLater(buyer)
    expect(await undo(buyer, 'bundle')).toMatchObject({ status: 409, body: { error: { code: 'undo_over' } } })
    expect(await owned(buyer)).toEqual(['bundle'])
    expect((await items(buyer)).at(-1)).toMatchObject({ productId: 'bundle', undoSeconds: null, undoing: false })
  })

  test('H-05 the programme, what was never bought, and what others bought cannot be taken back', async () => {
    const buyer = await paid()
    await charge(buyer, 'bundle')
    expect((await undo(buyer, 'trial_1')).body.error.code).toBe('unknown_product')
    expect((await undo(buyer, 'guide_habits')).body.error.code).toBe('payment_not_found')
    const other = await paid()
    expect((await other.browser.post(buyer.path('/upsells/bundle/undo'))).status).toBe(403)
    expect(await owned(buyer)).toEqual(['bundle'])
  })

  test('H-05 asked for in time and Stripe away: it is written down, and done when Stripe is back', async () => {
    const buyer = await paid()
    await charge(buyer, 'guide_devices')
    const before = await funnel.totals()
    await funnel.control('POST', 'faults', {
      mode: '500',
      method: 'POST',
      path: '/v1/refunds',
      from: 'server',
      times: 2,
    })
    const first = await undo(buyer, 'guide_devices')
    expect([first.status, first.body.state]).toEqual([202, 'undoing'])
    await elevenMinutesLater(buyer)
    // neither for sale nor owned permanently while its refund is pending
    const again = await charge(buyer, 'guide_devices')
    expect([again.status, again.body.error?.code]).toEqual([409, 'payment_open'])
    await eventually(
      () => owned(buyer),
      (list) => list.length === 0,
    )
    await funnel.control('DELETE', 'faults')
    expect((await funnel.totals()).refunded - before.refunded).toBe(1490)
    expect((await undo(buyer, 'guide_devices')).body.state).toBe('undone')
  })

  test('H-05 Stripe is slow to answer this request: no job overtakes it, and it says “undone”', async () => {
    const buyer = await paid()
    await charge(buyer, 'guide_disorders')
    const slow = { mode: 'stall', path: '/v1', from: 'server' }
    await funnel.control('POST', 'faults', { ...slow, method: 'GET', ms: 4_000, times: 1 })
    await funnel.control('POST', 'faults', { ...slow, method: 'POST', ms: 6_000, times: 5 })
    const reply = undo(buyer, 'guide_disorders')
    await new Promise((resume) => setTimeout(resume, 1_000))
    funnel.service.deps.wake('outbox')
    const { status, body } = await reply
    await funnel.control('DELETE', 'faults')
    expect([status, body.state]).toEqual([200, 'undone'])
  })

  test('H-05 the answer to the refund is lost: refunded once', async () => {
    const buyer = await paid()
    await charge(buyer, 'guide_lighting')
    const before = await funnel.totals()
    await funnel.control('POST', 'faults', { mode: 'execute_then_500', method: 'POST', path: '/v1/refunds', times: 1 })
    expect([200, 202]).toContain((await undo(buyer, 'guide_lighting')).status)
    await eventually(
      () => owned(buyer),
      (list) => list.length === 0,
    )
    expect((await funnel.totals()).refunded - before.refunded).toBe(1490)
  })

  test('H-05 U-08 a refund that the bank has not decided: the add-on is neither owned nor charged again', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1', 'pm_card_pendingRefund')
    const refundOf = async (payment_intent: string) =>
      (await funnel.dashboard('GET', '/v1/refunds', { payment_intent })).data[0].id
    const guides = { guide_habits: '', guide_devices: '' }
    for (const id of Object.keys(guides) as (keyof typeof guides)[])
      guides[id] = (await charge(buyer, id)).body.paymentIntentId
    expect((await undo(buyer, 'guide_habits')).body.state).toBe('undoing')
    // by an operator, in Stripe's dashboard
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: guides.guide_devices })
    await eventually(
      () => owned(buyer),
      (list) => list.length === 0,
    )
    expect(await items(buyer)).toMatchObject([{ productId: 'trial_1' }, { productId: 'guide_habits', undoing: true }])
    const before = await funnel.totals()
    for (const [id, intent] of Object.entries(guides)) {
      const again = await charge(buyer, id)
      expect([again.status, again.body.error?.code]).toEqual([409, 'payment_open'])
      expect(again.body.error.message).toContain('refund')
      await funnel.control('POST', 'refunds/settle', { refund: await refundOf(intent), status: 'succeeded' })
      await eventually(
        () => charge(buyer, id),
        ({ body }) => body.status === 'succeeded',
      )
    }
    expect((await funnel.totals()).charges_succeeded - before.charges_succeeded).toBe(2)
    expect(await owned(buyer)).toEqual(['guide_devices', 'guide_habits'])
  })

  test('H-05 U-08 taken back and bought again: charged once more, granted, kept', async () => {
    const buyer = await paid()
    await charge(buyer, 'bundle')
    await undo(buyer, 'bundle')
    const before = await funnel.totals()
    expect((await charge(buyer, 'bundle')).body.status).toBe('succeeded')
    expect((await charge(buyer, 'bundle')).body.status).toBe('succeeded')
    const after = await funnel.totals()
    expect([after.charges_succeeded - before.charges_succeeded, after.refunded - before.refunded]).toEqual([1, 0])
    expect(await owned(buyer)).toEqual(['bundle'])
    // the second one can be taken back too, and then a guide is for sale
    expect((await undo(buyer, 'bundle')).body.state).toBe('undone')
    expect((await charge(buyer, 'guide_habits')).body.status).toBe('succeeded')
    const duplicates = await funnel.db
      .selectFrom('payments')
      .select('id')
      .where('session_id', '=', buyer.sessionId)
      .where('is_duplicate', '=', true)
      .execute()
    expect(duplicates).toEqual([])
  })
})

describe('the link of a receipt', () => {
  test('H-05 shows before it does, does it without a token, and says afterwards what became of it', async () => {
    const buyer = await paid()
    const { body } = await charge(buyer, 'guide_ergonomics')
    const token = tokenOf(body.paymentIntentId, await addressOf(buyer))
    const anybody = (await funnel.buyer()).browser
    const [view, path] = ['/api/links/undo-add-on/view', '/api/links/undo-add-on']
    for (let look = 0; look < 2; look++) {
      expect((await anybody.post(view, { token })).body).toMatchObject({
        state: 'valid',
        productId: 'guide_ergonomics',
        amount: 1490,
      })
    }
    expect(await owned(buyer)).toEqual(['guide_ergonomics'])
    expect((await anybody.post(path, { token })).body).toEqual({
      state: 'undone',
      productId: 'guide_ergonomics',
      amount: 1490,
    })
    expect(await owned(buyer)).toEqual([])
    expect((await anybody.post(view, { token })).body.state).toBe('undone')
    expect((await anybody.post(path, { token })).body.state).toBe('undone')
  })

  test('H-05 A-06 one receipt per charge carries how it was paid, the link and the time', async () => {
    const buyer = await paid()
    await charge(buyer, 'guide_devices')
    await charge(buyer, 'guide_habits')
    const letters = () => waitingMails(funnel.service, 'addon_receipt', buyer.sessionId)
    const all = await eventually(letters, (list) => list.length === 2)
    const two = all.flatMap((mail) => (typeof mail === 'string' ? [] : [mail.data]))
    expect(two.map(({ items }) => items[0]?.productId).sort()).toEqual(['guide_devices', 'guide_habits'])
    for (const { items, undoUntil, paidWith } of two) {
      expect(paidWith).toMatchObject({ type: 'card', last4: '4242' })
      expect(Date.parse(undoUntil ?? '')).toBeGreaterThan(Date.now())
      const link = new URL(items[0]?.undoUrl ?? '')
      expect([link.pathname, link.hash]).toEqual(['/undo', expect.stringMatching(/^#[\w-]+$/)])
      const seen = await buyer.browser.post('/api/links/undo-add-on/view', { token: link.hash.slice(1) })
      expect(seen.body).toMatchObject({ state: 'valid', undoSeconds: expect.any(Number) })
    }
  })

  test('H-05 an old link says that the time is over; a forged one or another’s opens nothing', async () => {
    const buyer = await paid()
    const { body } = await charge(buyer, 'bundle')
    await elevenMinutesLater(buyer)
    const [view, path] = ['/api/links/undo-add-on/view', '/api/links/undo-add-on']
    const link = { token: tokenOf(body.paymentIntentId, await addressOf(buyer)) }
    expect((await buyer.browser.post(view, link)).body.state).toBe('over')
    expect((await buyer.browser.post(path, link)).body.error.code).toBe('undo_over')
    const other = signLink(
      { purpose: 'cancel', subject: body.paymentIntentId, expiresAt: new Date(Date.now() + 60_000) },
      funnel.config.tokenSecret,
    )
    for (const token of ['nonsense', other]) {
      expect((await buyer.browser.post(view, { token })).body.state).toBe('invalid')
      expect((await buyer.browser.post(path, { token })).status).toBe(404)
    }
    expect(await owned(buyer)).toEqual(['bundle'])
  })
})

describe('many at once', () => {
  const statuses = (replies: Reply[]) =>
    [...new Set(replies.map(({ status, body }) => `${status} ${body.status ?? body.error.code}`))].sort()

  test('U-03 U-08 50 parallel submissions of five guides: each is charged once', async () => {
    const buyer = await paid()
    const before = await funnel.totals()
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => charge(buyer, GUIDE_IDS[i % 5] ?? 'bundle')))
    expect(statuses(replies)).toEqual(['200 succeeded'])
    const after = await funnel.totals()
    expect([after.charges_succeeded - before.charges_succeeded, after.amount - before.amount]).toEqual([5, 5 * 1490])
    expect(after.refunded).toBe(before.refunded)
    expect(await owned(buyer)).toEqual([...GUIDE_IDS].sort())
  })

  test('U-02 U-08 50 parallel submissions of the bundle and its guides: never both', async () => {
    for (const [first, clicks] of [
      ['bundle', 50],
      ['guide_habits', 10],
    ] as const) {
      const buyer = await paid()
      const before = await funnel.totals()
      const ids = [first, 'bundle', ...GUIDE_IDS]
      const replies = await Promise.all(
        Array.from({ length: clicks }, (_, i) => charge(buyer, ids[i % ids.length] ?? first)),
      )
      const has = await owned(buyer)
      expect(has.includes('bundle') ? ['bundle'] : has).toEqual(has)
      expect(has.length).toBeGreaterThan(0)
      for (const status of statuses(replies)) expect(['200 succeeded', '409 already_owned']).toContain(status)
      const after = await funnel.totals()
      const worth = has.reduce((sum, id) => sum + product(id as 'bundle').price, 0)
      expect([after.amount - before.amount, after.refunded - before.refunded]).toEqual([worth, 0])
    }
  })

  test('U-03 a replica that died with its turn holds the order up for seconds only', async () => {
    const buyer = await paid()
    const turn = (seconds: number) =>
      funnel.db
        .insertInto('upsell_turns')
        .values({
          session_id: buyer.sessionId,
          holder: crypto.randomUUID(),
          until: sql<Date>`now() + make_interval(secs => ${seconds})`,
        })
        .execute()
    await turn(1.5)
    const before = Date.now()
    expect((await buyer.browser.get(buyer.path('/purchases'))).body.upsellBusy).toBe(true)
    expect((await charge(buyer, 'guide_devices')).body.status).toBe('succeeded')
    expect(Date.now() - before).toBeGreaterThan(1_000)
    expect((await buyer.browser.get(buyer.path('/purchases'))).body.upsellBusy).toBe(false)
  })

  test('U-08 a form open elsewhere for a guide cannot be paid once the bundle is bought', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    const guide = await charge(buyer, 'guide_habits')
    expect(guide.body.status).toBe('requires_paypal_redirect')
    const bundle = await charge(buyer, 'bundle')
    await funnel.confirm(bundle.body)
    await buyer.finalize(bundle.body.paymentIntentId)
    expect((await funnel.confirm(guide.body)).status).toBe(400)
    expect(await owned(buyer)).toEqual(['bundle'])
  })

  test('U-08 P-11 while a bank decides about a guide, its bundle is not charged beside it', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    const guide = (await charge(buyer, 'guide_habits')).body.paymentIntentId
    // the sandbox decides at once: Stripe refuses to cancel what is processing as it does what has been paid
    const { stripe } = funnel.service.deps
    const read = stripe.readIntent.bind(stripe)
    const cancel = stripe.cancelIntent.bind(stripe)
    const spies = [
      vi.spyOn(stripe, 'readIntent').mockImplementation(async (id, by) => {
        const intent = await read(id, by)
        return id === guide ? { ...intent, status: 'processing' } : intent
      }),
      vi.spyOn(stripe, 'cancelIntent').mockImplementation((_, by) => cancel(body.paymentIntentId, by)),
    ]
    const refused = await charge(buyer, 'bundle')
    for (const spy of spies) spy.mockRestore()
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'payment_open'])
    expect(await owned(buyer)).toEqual([])
    // undecided no longer, and left unpaid: it makes room for the bundle
    expect((await charge(buyer, 'bundle')).body.status).toBe('requires_paypal_redirect')
  })

  test('U-06 a card typed in for one add-on is enough for the rest of the order', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    const first = await charge(buyer, 'guide_habits')
    await funnel.typeCard(first.body)
    expect((await buyer.finalize(first.body.paymentIntentId)).status).toBe(200)
    expect((await charge(buyer, 'guide_lighting')).body.status).toBe('succeeded')
    expect((await buyer.browser.get(buyer.path('/payment-context'))).body.oneClick).toBe(true)
    expect(await owned(buyer)).toEqual(['guide_habits', 'guide_lighting'])
  })

  test('U-03 U-08 an order left in its card form: what Stripe has not said is not "not charged"', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    const look = async () => (await buyer.browser.get(buyer.path('/purchases'))).body
    await funnel.silence()
    const form = await charge(buyer, 'guide_habits')
    expect(await look()).toMatchObject({ upsellBusy: false, items: [{ productId: 'trial_1' }] })
    // paid in the form, and the page is gone before it could tell
    await funnel.typeCard(form.body)
    const path = `/v1/payment_intents/${form.body.paymentIntentId}`
    await funnel.control('POST', 'faults', { mode: '500', method: 'GET', path, from: 'server', times: 100 })
    expect(await look()).toMatchObject({ upsellBusy: true, items: [{ productId: 'trial_1' }] })
    await funnel.control('DELETE', 'faults')
    const known = await look()
    await funnel.hear()
    expect(known).toMatchObject({ upsellBusy: false, items: [{ productId: 'trial_1' }, { productId: 'guide_habits' }] })
  })

  test('H-01 U-06 a press charges the method that the page named, and another one never', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    await buyer.finalize(body.paymentIntentId)
    const named = async () => (await buyer.browser.get(buyer.path('/payment-context'))).body.paidWith
    const press = async (productId: string, paidWith: object) => {
      const { agreement } = evidenceOf(productId)
      return (await charge(buyer, productId, { agreement: { ...agreement, paidWith } })).body
    }
    const paypal = await named()
    expect(paypal).toEqual({ type: 'paypal' })
    const form = await press('guide_habits', paypal)
    expect(form.status).toBe('requires_paypal_redirect')
    await funnel.typeCard(form)
    await buyer.finalize(form.paymentIntentId)
    const card = await named()
    expect(card).toMatchObject({ type: 'card', brand: 'visa', last4: '4242' })
    // a page that was opened before, and one that names a card of before
    expect((await press('guide_lighting', paypal)).status).toBe('requires_new_card')
    expect((await press('guide_lighting', { ...card, last4: '4444' })).status).toBe('requires_new_card')
    expect(await owned(buyer)).toEqual(['guide_habits'])
    expect((await press('guide_lighting', card)).status).toBe('succeeded')
    expect(await owned(buyer)).toEqual(['guide_habits', 'guide_lighting'])
  })
})
