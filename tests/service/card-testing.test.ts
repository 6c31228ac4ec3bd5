import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { orderOf } from '../support/order.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

const PASSWORD = 'Better Eyes 1'

let funnel: Funnel
afterEach(() => funnel.stop())
/** The limits of production. */
const start = async (env: Record<string, string> = {}) =>
  void (funnel = await startFunnel({ env: { LIMIT_FACTOR: '1', ...env } }))

async function from(address: string): Promise<Buyer> {
  const buyer = await funnel.buyer()
  buyer.browser.headers = { ...buyer.browser.headers, 'x-forwarded-for': address }
  return buyer
}

/** Tries stolen cards on one intent until it is cancelled, at most `most`; returns how many were declined. */
async function tryCards(buyer: Buyer, most: number): Promise<number> {
  const { status, body } = await buyer.open()
  if (status !== 200) return 0
  let declined = 0
  for (; declined < most; declined++) {
    if ((await funnel.confirm(body, 'pm_card_visa_chargeDeclined')).status !== 402) break
  }
  const heard = async () =>
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from webhook_events where object_id = ${body.paymentIntentId} and type =
        'payment_intent.payment_failed' and handled_at is not null`.execute(funnel.db)
    ).rows[0]?.n
  await eventually(heard, (n) => n === declined)
  return declined
}

describe('cards that are tried out', () => {
  test('P-02 a session declined ten times loses its intent and gets no other; an honest buyer pays', async () => {
    await start()
    const robot = await from('203.0.113.7')
    expect(await tryCards(robot, 30)).toBeLessThan(30)
    const [row] = await funnel.db
      .selectFrom('payment_intents')
      .select(['status', 'opened_from'])
      .where('session_id', '=', robot.sessionId)
      .execute()
    expect(row?.status).toBe('canceled')
    expect(row?.opened_from).not.toContain('203.0.113')
    const again = await robot.open()
    expect([again.status, again.body.error.code]).toEqual([429, 'too_many_requests'])
    // the tenth-latest decline leaves the window in a day, and the message says so, once
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    expect(again.body.error.message).toBe(
      'Too many cards were declined. Please try again in 24 hours. Nothing was charged.',
    )
    await (await from('203.0.113.8')).pay()
  })

  test.each([
    ['one address', {}, () => '203.0.113.7'],
    ['forged addresses', { TRUST_PROXY: 'false' }, (n: number) => `203.0.113.${n}`],
  ] as const)(
    'P-02 fresh sessions from %s: sixty declines an hour, then none is opened',
    async (_name, env, address) => {
      await start(env)
      let declined = 0
      for (let n = 0; n < 9; n++) declined += await tryCards(await from(address(n)), 9)
      expect(declined).toBeGreaterThanOrEqual(60)
      expect(declined).toBeLessThan(72)
      expect((await (await from(address(10))).open()).status).toBe(429)
      if (address(1) === address(2)) await (await from('198.51.100.1')).pay()
    },
  )

  test('P-02 a siege leaves a session three tries and an address four, and honest buyers pay', async () => {
    await start()
    const clumsy = await from('198.51.100.2')
    expect(await tryCards(clumsy, 3)).toBe(3)
    expect((await clumsy.open()).status).toBe(200)
    const buyer = await from('198.51.100.3')
    const { body } = await buyer.open()
    const { sessionId: crowd } = await funnel.buyer()
    // three thousand others, each from a different address
    await sql`
      insert into payment_intents (session_id, purpose, attempt, product_id, amount_cents, stripe_intent_id,
        opened_from, closed_at)
      select ${crowd}, 'reading', n, 'reading_7_days', 100, 'pi_siege' || n, 'elsewhere' || n, now()
      from generate_series(1, 3000) n`.execute(funnel.db)
    await sql`
      insert into webhook_events (id, type, object_id, payload, created, handled_at)
      select 'evt_siege' || n, 'payment_intent.payment_failed', 'pi_siege' || n, '{}', now(), now()
      from generate_series(1, 3000) n`.execute(funnel.db)
    expect((await clumsy.open()).status).toBe(429)
    await funnel.confirm(body)
    expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
    await (await from('198.51.100.4')).pay()
    // the fourth decline of an address counts, however many others there were
    expect(await tryCards(await from('198.51.100.2'), 1)).toBe(1)
    expect((await (await from('198.51.100.2')).open()).status).toBe(429)
  })

  test('P-02 A-05 cards tried on a set-up for another card count too: it ends, and no other is made', async () => {
    await start()
    const robot = await funnel.buyer()
    await robot.pay()
    await robot.browser.post(robot.path('/account'), { password: PASSWORD, passwordConfirmation: PASSWORD })
    const [subscription] = (await robot.browser.get('/api/account')).body.subscriptions
    const ask = () => robot.browser.post(`/api/subscriptions/${subscription.id}/card/setup`)
    const { setupIntentId, clientSecret } = (await ask()).body
    const tried = async () =>
      (
        await fetch(`${funnel.stripeUrl}/_stripe/v1/setup_intents/${setupIntentId}/confirm`, {
          method: 'POST',
          headers: { authorization: `Bearer ${funnel.config.stripe.publishableKey}` },
          body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa_chargeDeclined' }),
        })
      ).status
    let declined = 0
    while (declined < 10 && (await tried()) === 402) declined++
    expect(declined).toBe(10)
    const status = async (): Promise<string> =>
      (await funnel.dashboard('GET', `/v1/setup_intents/${setupIntentId}`)).status
    await eventually(status, (now) => now === 'canceled')
    const again = await ask()
    expect([again.status, again.body.error.code]).toEqual([429, 'too_many_requests'])
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    // an add-on would be one more try with a card on file
    expect((await robot.browser.post(robot.path('/upsells'), orderOf('bundle'))).status).toBe(429)
  })
})
