/** The monthly product is a subscription from the moment its order is opened: until it is paid it promises nothing. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { standingOf } from '../../src/members/words.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

type Visit = Awaited<ReturnType<Membership['buyer']>>
const stateOf = async (visit: Visit) =>
  (
    await world.db
      .selectFrom('subscriptions')
      .select('status')
      .where('session_id', '=', visit.sessionId)
      .executeTakeFirst()
  )?.status
const linked = async (visit: Visit, to: string) => {
  const token = tokenOf(mailLink(world.config, 'cancel', { subject: visit.sessionId, to }))
  return (await browserOf(world).post('/api/links/cancel/view', { token })).body.subscription
}

test('P-05 H-04 an unpaid order of the monthly product announces no charge; cancelled it cannot start', async () => {
  const email = 'undecided@example.com'
  const visit = await world.buyer(email)
  const opened = await visit.open('monthly')
  await eventually(
    () => stateOf(visit),
    (status) => status === 'incomplete',
  )
  // Stripe's events about it have been read: what is known now is all there is
  await world.days(0)
  const view = await linked(visit, email)
  expect(view).toMatchObject({ state: 'not_started', nextCharge: null, owed: null, collecting: false })
  expect(standingOf(view).next).toBe(
    'It starts when its first payment goes through. Until then there is no subscription, and nothing is charged.',
  )
  const token = tokenOf(mailLink(world.config, 'cancel', { subject: visit.sessionId, to: email }))
  expect((await browserOf(world).post('/api/links/cancel', { token })).status).toBe(200)
  await eventually(
    () => stateOf(visit),
    (status) => status === 'canceled' || status === 'incomplete_expired',
  )
  expect((await world.confirm(opened.body)).status).toBe(400)
})

test('P-05 P-14 H-04 beside a trial that is paid it comes second, and its cancel link is about the trial', async () => {
  const email = 'both@example.com'
  const first = await world.member({ email, product: 'trial_1' })
  const second = await world.buyer(email)
  await second.open('monthly')
  await eventually(
    () => stateOf(second),
    (status) => status === 'incomplete',
  )
  const all = (await first.browser.get('/api/account')).body.subscriptions
  expect(all[0]).toMatchObject({ state: 'trial', nextCharge: { amount: 3900 } })
  expect(await linked(second, email)).toMatchObject({ id: all[0].id, state: 'trial', nextCharge: { amount: 3900 } })
  const token = tokenOf(mailLink(world.config, 'cancel', { subject: second.sessionId, to: email }))
  const done = await browserOf(world).post('/api/links/cancel', { token })
  expect(done.body.subscription).toMatchObject({ id: all[0].id, state: 'ending', nextCharge: null })
  expect(await stateOf(second)).toBe('incomplete')
})

const CREATE = { method: 'POST', path: '/v1/subscriptions', from: 'server' }

/** A visit whose monthly order Stripe did not hear of, made `hours` ago. */
async function unheard(hours: number): Promise<Visit> {
  const visit = await world.buyer()
  await world.control('POST', 'faults', { ...CREATE, mode: 'drop_before', times: 100 })
  expect((await visit.open('monthly')).status).toBe(503)
  await world.control('DELETE', 'faults')
  expect(await stateOf(visit)).toBe('creating')
  for (const table of ['subscriptions', 'payment_intents']) {
    await sql`update ${sql.table(table)} set created_at = now() - make_interval(hours => ${hours})
      where session_id = ${visit.sessionId}`.execute(world.db)
  }
  return visit
}
const statesOf = async ({ sessionId }: Visit) =>
  (
    await world.db
      .selectFrom('subscriptions')
      .select('status')
      .where('session_id', '=', sessionId)
      .orderBy('created_at')
      .execute()
  ).map(({ status }) => status)

test('P-05 a monthly order that Stripe never heard of can be made again after its key is forgotten', async () => {
  const visit = await unheard(21)
  const again = await visit.open('monthly')
  expect(again.status, JSON.stringify(again.body)).toBe(200)
  expect(await statesOf(visit)).toEqual(['canceled', 'incomplete'])
  await world.confirm(again.body)
  expect((await visit.finalize(again.body.paymentIntentId)).status).toBe(200)
})

test('P-04 P-05 after such an order a trial starts its subscription', async () => {
  const visit = await unheard(21)
  await visit.pay('trial_1')
  const states = await eventually(
    () => statesOf(visit),
    (found) => found.includes('trialing'),
  )
  expect(states).toEqual(['canceled', 'trialing'])
})

test('P-05 D-12 an order that nobody comes back to is given up after a day', async () => {
  const visit = await unheard(25)
  await sql`alter table subscriptions disable trigger subscriptions_touch`.execute(world.db)
  await sql`update subscriptions set updated_at = now() - interval '1 hour', looked_at = null
    where session_id = ${visit.sessionId}`.execute(world.db)
  await sql`alter table subscriptions enable trigger subscriptions_touch`.execute(world.db)
  await eventually(
    () => stateOf(visit),
    (status) => status === 'canceled',
    30_000,
  )
  const row = world.db.selectFrom('payment_intents').select('status').where('session_id', '=', visit.sessionId)
  expect(await row.execute()).toEqual([{ status: 'given_up' }])
})

test('P-05 P-11 what Stripe refuses with PayPal can be ordered by card at once', async () => {
  const visit = await world.buyer()
  await world.control('POST', 'faults', { ...CREATE, mode: 'drop_before', times: 100 })
  expect((await visit.open('monthly', 'paypal')).status).toBe(503)
  await world.control('DELETE', 'faults')
  await world.control('POST', 'faults', { ...CREATE, mode: '400', times: 1 })
  expect((await visit.open('monthly', 'card')).status).toBe(200)
  const refused = await world.buyer()
  await world.control('POST', 'faults', { ...CREATE, mode: '400', times: 1 })
  expect((await refused.open('monthly', 'paypal')).body.error.code).toBe('paypal_use_card')
  expect((await refused.open('monthly', 'card')).status).toBe(200)
})
