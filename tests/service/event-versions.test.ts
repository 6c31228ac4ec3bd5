import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

const DAY = 86_400
const OURS = '2026-10-28.endive'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

const renewalsOf = ({ sessionId }: Buyer) =>
  funnel.db
    .selectFrom('payments')
    .select(['amount_cents', 'status'])
    .where('session_id', '=', sessionId)
    .where('purpose', 'like', 'renewal:%')
    .execute()

const subscriptionOf = ({ sessionId }: Buyer) =>
  funnel.db
    .selectFrom('subscriptions')
    .select(['status', 'stripe_subscription_id'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()

const grantsOf = async ({ sessionId }: Buyer) =>
  (
    await funnel.db
      .selectFrom('product_access_grants')
      .select('product_id')
      .where('session_id', '=', sessionId)
      .where('revoked_at', 'is', null)
      .execute()
  ).map(({ product_id }) => product_id)

/** The number of events that are not delivered or not processed yet. */
const waiting = async (): Promise<number> => {
  const { undelivered } = await funnel.totals()
  const stored = await funnel.db.selectFrom('webhook_events').select('id').where('handled_at', 'is', null).execute()
  return undelivered + stored.length
}

describe.each(['2024-06-20', '2025-03-31.basil', OURS])('an account that renders its events in %s', (version) => {
  test('P-10 P-12 a purchase, its renewal, a refund and a lost dispute are all on record', async () => {
    expect(await funnel.control('POST', 'account', { api_version: version })).toMatchObject({ api_version: version })
    const [renewing, refunded, disputed] = await Promise.all([funnel.buyer(), funnel.buyer(), funnel.buyer()])
    await renewing.pay('trial_1')
    const back = await refunded.pay('trial_5')
    await disputed.pay('trial_9')

    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: back })
    await eventually(
      () => grantsOf(refunded),
      (found) => found.length === 0,
    )
    const charges = await funnel.control('GET', 'objects?kind=charge&limit=1')
    const dispute = await funnel.control('POST', 'disputes', { charge: charges.data[0].id })
    await funnel.control('POST', 'disputes/close', { dispute: dispute.id, status: 'lost' })
    await eventually(
      () => grantsOf(disputed),
      (found) => found.length === 0,
    )

    await eventually(
      () => subscriptionOf(renewing),
      ({ status }) => status === 'trialing',
    )
    // the draft is made and charged an hour later: only the invoice's own events report the charge
    await funnel.control('POST', 'clock', { advance: 3 * DAY + 600 })
    await eventually(
      () => subscriptionOf(renewing),
      ({ status }) => status === 'active',
    )
    await eventually(waiting, (count) => count === 0)
    await funnel.control('POST', 'clock', { advance: 3_600 })
    await eventually(
      () => renewalsOf(renewing),
      (found) => found.length === 1,
    )
    expect(await renewalsOf(renewing)).toEqual([{ amount_cents: 3900, status: 'succeeded' }])
    const mails = await eventually(
      () =>
        funnel.db
          .selectFrom('outbox')
          .select('kind')
          .where('session_id', '=', renewing.sessionId)
          .where('kind', '=', 'mail:renewal_receipt')
          .execute(),
      (found) => found.length === 1,
    )
    expect(mails).toHaveLength(1)
    const versions = await funnel.db
      .selectFrom('webhook_events')
      .select('api_version')
      .where('type', '=', 'invoice.paid')
      .orderBy('received_at', 'desc')
      .limit(1)
      .execute()
    expect(versions).toEqual([{ api_version: version }])
  })
})
