import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product, READING_IDS, type ReadingId } from '../../contract/catalogue.ts'
import { startEdited } from './edited-settings.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import type { MailKind } from '../../payments-service/mail/mail.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { twice } from './membership.ts'
import { Browser } from './service.ts'

let funnel: Funnel
beforeAll(async () => {
  funnel = await startFunnel({ background: false })
})
afterAll(() => funnel.stop())

const answer = (buyer: Buyer, answers: Record<string, string>) =>
  buyer.browser.post(buyer.path('/answers'), {
    answers: Object.entries(answers).map(([questionId, text]) => ({
      questionId,
      answer: text,
      answeredAt: new Date().toISOString(),
    })),
  })
const view = async (buyer: Buyer) => (await buyer.browser.get(buyer.path('/reading'))).body

describe('what the reading pages know', () => {
  test('X-01 X-02 a session without answers, with answers, and with an insight and a birth date', async () => {
    const buyer = await funnel.buyer()
    expect(await view(buyer)).toEqual({ answers: 0, insight: null, birthDate: null, starseed: null, bought: null })
    await answer(buyer, { eyeColor: 'green' })
    expect(await view(buyer)).toMatchObject({ answers: 1, insight: null })
    await answer(buyer, { personalInsight: ' Soul ', birthDate: '1961-02-29' })
    expect(await view(buyer)).toMatchObject({ answers: 3, insight: 'soul', birthDate: null })
    await answer(buyer, { birthDate: '1964-02-29' })
    expect(await view(buyer)).toMatchObject({ birthDate: '1964-02-29' })
  })

  test('X-02 D-05 the shown result stands in the starseed fields, its type is the saved answer', async () => {
    const buyer = await funnel.buyer()
    const save = (body: object) => buyer.browser.put(buyer.path('/reading'), body)
    expect(await save({ name: 'Your Spiritual Journey', description: '' })).toMatchObject({ status: 200 })
    expect((await view(buyer)).starseed).toEqual({ type: 'default', name: 'Your Spiritual Journey', description: '' })
    await answer(buyer, { personalInsight: 'starseed' })
    await save({ name: 'Your Starseed Reading', description: 'At home in the night sky.' })
    const row = await funnel.db
      .selectFrom('sessions')
      .select(['starseed_type', 'starseed_name', 'starseed_description'])
      .where('id', '=', buyer.sessionId)
      .executeTakeFirst()
    expect(row).toEqual({
      starseed_type: 'starseed',
      starseed_name: 'Your Starseed Reading',
      starseed_description: 'At home in the night sky.',
    })
    expect(await save({ name: ' ', description: '' })).toMatchObject({
      status: 422,
      body: { error: { field: 'name' } },
    })
    expect(await save({ name: 'x', description: 'y'.repeat(2001) })).toMatchObject({ status: 422 })
  })

  test('X-01 another browser learns nothing of a reading', async () => {
    const buyer = await funnel.buyer()
    const other = new Browser(funnel.url)
    expect(await other.get(buyer.path('/reading'))).toMatchObject({ status: 401 })
    expect(await other.put(buyer.path('/reading'), { name: 'x', description: '' })).toMatchObject({ status: 401 })
  })
})

describe('paying for a reading', () => {
  test.each(READING_IDS)('X-03 %s charges what its card shows, once, without a subscription', async (id) => {
    const buyer = await funnel.buyer()
    const intentId = await buyer.pay(id)
    const [payment] = await funnel.db
      .selectFrom('payments')
      .select(['payment_intent_id', 'purpose', 'product_id', 'amount_cents', 'is_trial', 'is_upsell'])
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(payment).toEqual({
      payment_intent_id: intentId,
      purpose: 'reading',
      product_id: id,
      amount_cents: product(id).price,
      is_trial: false,
      is_upsell: false,
    })
    expect(await view(buyer)).toMatchObject({ bought: id })
    expect(await buyer.browser.get(buyer.path(''))).toMatchObject({
      body: { paymentStatus: 'paid', nextPage: 'multi-upsell' },
    })
    const subscriptions = await funnel.db
      .selectFrom('subscriptions')
      .where('session_id', '=', buyer.sessionId)
      .select('id')
      .execute()
    expect(subscriptions).toEqual([])
    expect(await buyer.open(id)).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } })
    expect((await funnel.dashboard('GET', `/v1/payment_intents/${intentId}`)).setup_future_usage).toBeNull()
  })

  test('X-03 P-14 one that was given back is said to be, because its visit pays for no other', async () => {
    const buyer = await funnel.buyer()
    const intentId = await buyer.pay('reading_7_days')
    expect(await view(buyer)).not.toHaveProperty('returned')
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intentId })
    await settlePayment(funnel.service.deps, intentId, undefined, { refunds: true })
    expect(await view(buyer)).toMatchObject({ bought: null, returned: true })
    expect((await buyer.open('reading_7_days')).body.error?.code).toBe('already_paid')
  })

  test('X-03 another package before paying replaces the one open charge', async () => {
    const buyer = await funnel.buyer()
    const first = await buyer.open('reading_7_days')
    const second = await buyer.open('reading_14_days')
    const replaced = await funnel.dashboard('GET', `/v1/payment_intents/${first.body.paymentIntentId}`)
    expect(replaced).toMatchObject({ status: 'canceled' })
    const intent = await funnel.dashboard('GET', `/v1/payment_intents/${second.body.paymentIntentId}`)
    expect(intent).toMatchObject({ amount: 1995, metadata: { product_id: 'reading_14_days', purpose: 'reading' } })
  })
})

test('X-02 A-05 the links of its mails and of its account open a paid reading in any browser', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay('reading_premium')
  const { path, sessionId } = buyer
  const opened = async (link: string) => {
    const { pathname, search, hash } = new URL(link, funnel.url)
    const other = new Browser(funnel.url)
    await other.post('/api/session-links', { code: hash.replace('#resume=', '') })
    return [pathname + search, (await other.get(path('/reading'))).body.bought]
  }
  const mailed = async <K extends MailKind>(kind: K) => (await waitingMails(funnel.service, kind, sessionId)).at(-1)
  const receipt = await mailed('one_time_receipt')
  if (typeof receipt !== 'object') throw new Error(receipt)
  expect(await opened(receipt.data.openUrl)).toEqual(['/redirect?to=summary', 'reading_premium'])
  expect(receipt.data.accountUrl).toContain('/create-account#')
  // a fresh one, asked for in any browser
  await new Browser(funnel.url).post(path('/resume-link'))
  while (await workOutbox(funnel.service.deps, OUTBOX_HANDLERS));
  const fresh = await mailed('resume_link')
  if (typeof fresh !== 'object') throw new Error(fresh)
  expect(await opened(fresh.data.resumeUrl)).toEqual(['/redirect?to=summary', 'reading_premium'])
  expect((await buyer.browser.post(path('/account'), twice)).status).toBe(200)
  expect(await mailed('account_welcome')).toMatchObject({ data: { readingOnly: true } })
  // whoever has not proved the address gets no link that would prove it
  const { email, readings } = (await buyer.browser.get('/api/account')).body
  expect(readings).toEqual([{ title: 'Premium reading', url: `/summary/${sessionId}` }])
  await funnel.db.updateTable('auth_user').set({ email_verified: true }).where('email', '=', email).execute()
  const [proved] = (await buyer.browser.get('/api/account')).body.readings
  expect(await opened(proved.url)).toEqual([`/redirect/${sessionId}?to=summary`, 'reading_premium'])
})

describe('a price that Stripe does not have', () => {
  const retire = async (shop: Funnel, id: ReadingId) => {
    const prices = await shop.dashboard('GET', '/v1/prices', { 'lookup_keys[0]': product(id).lookupKey })
    await shop.dashboard('POST', `/v1/prices/${prices.data[0].id}`, { active: 'false' })
  }

  test('P-09 the fallback table stands in where it is what the card shows; elsewhere nothing is guessed', async () => {
    // a separate service: prices are cached for five minutes
    const fresh = await startFunnel({ background: false })
    try {
      for (const id of READING_IDS) await retire(fresh, id)
      const expected = { reading_14_days: 1995, reading_premium: 2999 } as Partial<Record<ReadingId, number>>
      for (const id of READING_IDS) {
        const buyer = await fresh.buyer()
        const opened = await buyer.open(id)
        const amount = expected[id]
        if (amount === undefined) {
          expect(opened, id).toMatchObject({
            status: 502,
            body: { error: { code: 'price_not_found', message: 'Product price not found and no fallback available.' } },
          })
        } else {
          const intent = await fresh.dashboard('GET', `/v1/payment_intents/${opened.body.paymentIntentId}`)
          expect(intent.amount, id).toBe(amount)
          await fresh.confirm(opened.body)
          expect(await buyer.finalize(opened.body.paymentIntentId), id).toMatchObject({ body: { status: 'settled' } })
        }
      }
    } finally {
      await fresh.stop()
    }
  })
})

describe('switched off in the settings', () => {
  test('X-01 X-03 no reading is priced or sold, and nothing reaches Stripe; the trial is sold as before', async () => {
    const off = await startEdited({ readingEnabled: false })
    try {
      const buyer = await off.buyer()
      const refused = { status: 422, body: { error: { code: 'unknown_product', field: 'productId' } } }
      for (const id of READING_IDS) {
        expect(await buyer.open(id), id).toMatchObject(refused)
        expect(await buyer.browser.get(`/api/prices/${id}`), id).toMatchObject(refused)
      }
      const left = await off.db
        .selectFrom('payment_intents')
        .selectAll()
        .where('session_id', '=', buyer.sessionId)
        .execute()
      expect(left).toEqual([])
      expect(await buyer.open('trial_1767')).toMatchObject({ status: 200 })
    } finally {
      await off.stop()
    }
  })
})
