/** What disputes and refunds of the programme's charges do to access and to the subscription. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Funnel, paymentsOf, startFunnel } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

const charges = (buyer: Buyer) => paymentsOf(funnel, buyer)
const open = async (buyer: Buyer) => {
  const rows = await funnel.db
    .selectFrom('product_access_grants')
    .select('product_id')
    .where('session_id', '=', buyer.sessionId)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ product_id }) => product_id)
}
const revoked = async (buyer: Buyer) => {
  const rows = await funnel.db
    .selectFrom('product_access_grants')
    .select('revoked_reason')
    .where('session_id', '=', buyer.sessionId)
    .where('revoked_at', 'is not', null)
    .execute()
  return rows.map(({ revoked_reason }) => revoked_reason)
}
const subscription = (buyer: Buyer) =>
  funnel.db.selectFrom('subscriptions').selectAll().where('session_id', '=', buyer.sessionId).executeTakeFirstOrThrow()
const ends = async ({ sessionId }: Buyer) => waitingMails(funnel.service, 'access_ended', sessionId)
const dispute = (charge: string | null, status?: string) => funnel.control('POST', 'disputes', { charge, status })
const move = (id: string, status: string) => funnel.control('POST', 'disputes/close', { dispute: id, status })

/** A buyer whose first renewal was charged. */
async function renewed(): Promise<Buyer> {
  const buyer = await funnel.buyer()
  await buyer.pay('trial_1')
  await eventually(
    () => subscription(buyer),
    ({ status }) => status === 'trialing',
  )
  await funnel.control('POST', 'clock', { advance: 3 * 86_400 + 7_200 })
  await eventually(
    () => charges(buyer),
    (list) => list.length === 2,
  )
  return buyer
}

describe('a charge of the programme that is taken back', () => {
  test('P-12 a renewal lost in a dispute ends access and subscription, although the first payment stands', async () => {
    const buyer = await renewed()
    const [, renewal] = await charges(buyer)
    const { id } = await dispute(renewal?.charge_id ?? null)
    await eventually(
      () => charges(buyer),
      ([, one]) => one?.status === 'disputed',
    )
    expect(await open(buyer)).toEqual(['trial_1'])
    await move(id, 'lost')
    await eventually(
      () => subscription(buyer),
      ({ status }) => status === 'canceled',
    )
    expect(await open(buyer)).toEqual([])
    expect(await revoked(buyer)).toEqual(['dispute_lost'])
    const [told] = await eventually(
      () => ends(buyer),
      (list) => list.length > 0,
    )
    expect(told).toMatchObject({ data: { reason: 'disputed' } })
    await funnel.control('POST', 'clock', { advance: 32 * 86_400 })
    await new Promise((later) => setTimeout(later, 500))
    expect((await charges(buyer)).map(({ amount_cents }) => amount_cents)).toEqual([100, 3900])
  })

  test.each([
    ['a renewal of which the bank still decides', 'needs_response'],
    ['a reading whose dispute was lost', 'lost'],
  ])('P-12 H-04 beside %s, who cancels is told of the cancellation', async (_, status) => {
    const buyer = await renewed()
    if (status === 'lost') await buyer.pay('reading_7_days')
    const disputed = (await charges(buyer)).at(-1)
    const { id: made } = await dispute(disputed?.charge_id ?? null)
    if (status === 'lost') await move(made, status)
    await eventually(
      () => charges(buyer),
      (list) => list.some((one) => one.status === 'disputed'),
    )
    const { stripe_subscription_id: id } = await subscription(buyer)
    await funnel.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'true' })
    await funnel.control('POST', 'clock', { advance: 31 * 86_400 })
    const [told] = await eventually(
      () => ends(buyer),
      (list) => list.length > 0,
    )
    expect(told).toMatchObject({ data: { reason: 'cancelled' } })
  })

  test('P-12 a renewal refunded whole in the dashboard ends its period and charges nothing more', async () => {
    const buyer = await renewed()
    const [, renewal] = await charges(buyer)
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: renewal?.payment_intent_id ?? '', amount: '900' })
    await eventually(
      () => charges(buyer),
      ([, one]) => one?.refunded_cents === 900,
    )
    expect(await open(buyer)).toEqual(['trial_1'])
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: renewal?.payment_intent_id ?? '' })
    await eventually(
      () => subscription(buyer),
      ({ status }) => status === 'canceled',
    )
    expect([await open(buyer), await revoked(buyer)]).toEqual([[], ['refunded']])
    const [told] = await eventually(
      () => ends(buyer),
      (list) => list.length > 0,
    )
    expect(told).toMatchObject({ data: { reason: 'refunded' } })
  })

  test('P-12 a dispute lost and won on appeal gives access back for the time that was left', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    await eventually(
      () => subscription(buyer),
      ({ status }) => status === 'trialing',
    )
    const [first] = await charges(buyer)
    const { id } = await dispute(first?.charge_id ?? null)
    await move(id, 'lost')
    await eventually(
      () => subscription(buyer),
      ({ status }) => status === 'canceled',
    )
    expect(await open(buyer)).toEqual([])
    for (const status of ['appeal_needs_response', 'appeal_under_review']) {
      await move(id, status)
      await new Promise((later) => setTimeout(later, 700))
      expect(await open(buyer)).toEqual([])
    }
    await move(id, 'won')
    await eventually(
      () => open(buyer),
      (list) => list.length === 1,
    )
    expect((await charges(buyer)).map(({ status }) => status)).toEqual(['succeeded'])
    const { open_until, status } = await subscription(buyer)
    expect(status).toBe('canceled')
    const days = ((open_until?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(2.8)
    expect(days).toBeLessThan(3.1)
    // the paid time is over
    await sql`update subscriptions set open_until = now() - interval '1 second'
      where session_id = ${buyer.sessionId}`.execute(funnel.db)
    await sql`update outbox set next_attempt_at = now() where kind = 'close_programme'`.execute(funnel.db)
    await eventually(
      () => open(buyer),
      (list) => list.length === 0,
    )
  })

  test('P-12 inquiries and prevented disputes change nothing; one that ends as a lost dispute does', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay('trial_1')
    const [first] = await charges(buyer)
    const { id } = await dispute(first?.charge_id ?? null, 'warning_needs_response')
    for (const status of ['warning_under_review', 'warning_closed', 'prevented']) await move(id, status)
    await eventually(
      () => funnel.db.selectFrom('disputes').select('status').where('id', '=', id).executeTakeFirst(),
      (row) => row?.status === 'prevented',
    )
    expect((await charges(buyer)).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await open(buyer)).toEqual(['trial_1'])
    await move(id, 'needs_response')
    await move(id, 'lost')
    await eventually(
      () => open(buyer),
      (list) => list.length === 0,
    )
  })
})
