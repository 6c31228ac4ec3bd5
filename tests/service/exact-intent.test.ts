import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product, type ProductId } from '../../contract/catalogue.ts'
import { oneMonthAhead } from '../../contract/terms.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

interface Choice {
  id: ProductId
  method: 'card' | 'paypal'
}
const CHOICES: readonly Choice[] = [
  { id: 'trial_1', method: 'card' },
  { id: 'trial_1767', method: 'card' },
  { id: 'special_offer', method: 'card' },
  { id: 'monthly', method: 'card' },
  { id: 'trial_1', method: 'paypal' },
]
const PAIRS = CHOICES.flatMap((first) => CHOICES.filter((one) => one !== first).map((second) => ({ first, second })))
const nameOf = ({ id, method }: Choice) => `${id} by ${method}`
/** Every call that a change of mind makes: its answer is lost after Stripe has done it. A cut call is sent twice. */
const LOST = (['drop', 'execute_then_500'] as const).flatMap((mode) => [0, 1].map((after) => ({ mode, after })))
const CASES = PAIRS.flatMap(({ first, second }) =>
  LOST.map(({ mode, after }) => ({
    title: `${nameOf(first)}, ${nameOf(second)}, ${mode} ${after}`,
    first,
    second,
    mode,
    after,
  })),
)

/** Retries as a page does while the service answers that it is unavailable. */
async function opened(
  buyer: Buyer,
  { id, method }: Choice,
): Promise<{ paymentIntentId: string; clientSecret: string }> {
  for (let round = 0; round < 5; round++) {
    const reply = await buyer.open(id, method)
    if (reply.status === 200) return reply.body
    if (reply.status < 500) throw new Error(`refused: ${JSON.stringify(reply.body)}`)
  }
  throw new Error('never opened')
}

async function charged(buyer: Buyer, choice: Choice): Promise<string> {
  const intent = await opened(buyer, choice)
  const done = choice.method === 'card' ? await funnel.confirm(intent) : await funnel.paypal(intent)
  if (done.status !== 200) throw new Error(`not confirmed: ${JSON.stringify(done.body)}`)
  expect((await buyer.finalize(intent.paymentIntentId)).status).toBe(200)
  return intent.paymentIntentId
}

/** What Stripe has charged in a session, through any intent, whatever our rows say. */
async function ledger(sessionId: string): Promise<{ id: string; amount: number; type: string }[]> {
  const customers = await funnel.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('session_id', '=', sessionId)
    .execute()
  const lists = await Promise.all(
    customers.map(({ stripe_customer_id: customer }) =>
      funnel.dashboard('GET', '/v1/charges', { customer: customer ?? '' }),
    ),
  )
  return lists
    .flatMap(({ data }) => data)
    .filter(({ status }) => status === 'succeeded')
    .map((charge) => ({ id: charge.payment_intent, amount: charge.amount, type: charge.payment_method_details.type }))
}

const payments = (buyer: Buyer) =>
  funnel.db.selectFrom('payments').selectAll().where('session_id', '=', buyer.sessionId).execute()

async function expectExactly(buyer: Buyer, choice: Choice, intentId: string): Promise<void> {
  const { price, kind } = product(choice.id)
  expect(await ledger(buyer.sessionId)).toEqual([{ id: intentId, amount: price, type: choice.method }])
  expect(await payments(buyer)).toMatchObject([
    { product_id: choice.id, amount_cents: price, payment_method: choice.method, payment_intent_id: intentId },
  ])
  const [subscription] = await funnel.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', '=', buyer.sessionId)
    .where('status', 'in', ['trialing', 'active'])
    .execute()
  if (kind === 'monthly') return expect(subscription?.trial_end).toBeNull()
  const expected = kind === 'special_offer' ? oneMonthAhead(new Date()) : new Date(Date.now() + 3 * 86_400_000)
  expect(Math.abs((subscription?.trial_end?.getTime() ?? 0) - expected.getTime())).toBeLessThan(120_000)
}

describe('what the page says is what is charged', () => {
  test.each(CASES)(
    'P-02 P-04 back to the first choice after a lost answer: $title',
    async ({ first, second, mode, after }) => {
      const buyer = await funnel.buyer()
      await opened(buyer, first)
      await funnel.control('POST', 'faults', {
        mode,
        method: 'POST',
        path: '/v1',
        from: 'server',
        times: mode === 'drop' ? 2 : 1,
        after,
      })
      await buyer.open(second.id, second.method)
      await funnel.control('DELETE', 'faults')
      await expectExactly(buyer, first, await charged(buyer, first))
    },
  )

  test('P-02 P-04 a change of mind that is answered too late: the choice that is paid is charged', async () => {
    await Promise.all(
      PAIRS.filter(({ first, second }) => first.id !== 'monthly' && second.id !== 'monthly').map(
        async ({ first, second }) => {
          const buyer = await funnel.buyer()
          const { paymentIntentId } = await opened(buyer, first)
          // whichever is done to the first intent: updated or cancelled
          await funnel.control('POST', 'faults', {
            mode: 'hang',
            ms: 9_500,
            method: 'POST',
            path: `/v1/payment_intents/${paymentIntentId}`,
            times: 1,
          })
          await buyer.open(second.id, second.method)
          await expectExactly(buyer, first, await charged(buyer, first))
        },
      ),
    )
  })

  test('P-02 a page that shows $1 is never charged the offer that another page has ordered', async () => {
    const buyer = await funnel.buyer()
    const old = await opened(buyer, { id: 'trial_1', method: 'card' })
    const offer = await opened(buyer, { id: 'special_offer', method: 'card' })
    expect((await funnel.confirm(old)).status).toBe(400)
    expect(await ledger(buyer.sessionId)).toEqual([])
    expect((await funnel.confirm(offer)).status).toBe(200)
    await buyer.finalize(offer.paymentIntentId)
    await expectExactly(buyer, { id: 'special_offer', method: 'card' }, offer.paymentIntentId)
  })

  test('P-02 a declined card, then PayPal whose answer is lost: every further card is taken', async () => {
    const buyer = await funnel.buyer()
    const first = await opened(buyer, { id: 'trial_9', method: 'card' })
    expect((await funnel.confirm(first, 'pm_card_visa_chargeDeclined')).status).toBe(402)
    await funnel.control('POST', 'faults', { mode: 'drop', method: 'POST', path: '/v1', from: 'server', times: 2 })
    await buyer.open('trial_9', 'paypal')
    await funnel.control('DELETE', 'faults')
    const choice = { id: 'trial_9', method: 'card' } as const
    await expectExactly(buyer, choice, await charged(buyer, choice))
  })

  test('P-02 an intent that was changed at Stripe behind our back is not handed out any more', async () => {
    const changes: Record<string, string>[] = [
      { amount: '1900' },
      { 'metadata[product_id]': 'special_offer' },
      { 'metadata[purpose]': 'reading' },
      { 'allowed_payment_method_types[0]': 'paypal' },
    ]
    for (const change of changes) {
      const buyer = await funnel.buyer()
      const choice = { id: 'trial_1', method: 'card' } as const
      const { paymentIntentId } = await opened(buyer, choice)
      await funnel.dashboard('POST', `/v1/payment_intents/${paymentIntentId}`, change)
      await expectExactly(buyer, choice, await charged(buyer, choice))
    }
  })

  test('P-02 P-04 the unanswered intent of another product is not given to the order that waits', async () => {
    const buyer = await funnel.buyer()
    const dear = await opened(buyer, { id: 'trial_1767', method: 'card' })
    const row = await funnel.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('stripe_intent_id', '=', dear.paymentIntentId)
      .executeTakeFirstOrThrow()
    // as after a creation whose answer was lost: the row is given up, and the next order waits for its own answer
    await funnel.db
      .updateTable('payment_intents')
      .set({ stripe_intent_id: null, status: 'failed', closed_at: new Date() })
      .where('id', '=', row.id)
      .execute()
    await funnel.control('POST', 'faults', {
      mode: 'slow',
      ms: 1_500,
      method: 'POST',
      path: '/v1/payment_intents',
      times: 1,
    })
    const slow = buyer.open('trial_1')
    await new Promise((resume) => setTimeout(resume, 500))
    const { settlePayment } = await import('../../payments-service/payments/settle.ts')
    expect(await settlePayment(funnel.service.deps, dear.paymentIntentId, undefined)).toBeNull()
    const { body } = await slow
    expect(body.paymentIntentId).not.toBe(dear.paymentIntentId)
    const choice = { id: 'trial_1', method: 'card' } as const
    expect(await charged(buyer, choice)).toBe(body.paymentIntentId)
    await expectExactly(buyer, choice, body.paymentIntentId)
  })
})
