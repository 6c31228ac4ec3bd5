/** The monthly product is a subscription from the moment its order is opened: until it is paid it promises nothing. */
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
