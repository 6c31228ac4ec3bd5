/** A buyer who writes or calls instead of using the page: an operator cancels as the buyer would have done it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Membership, startMembership } from './membership.ts'
import { formTokenOf, signedOperator, type SignedOperator } from './operators.ts'

let world: Membership
let boss: SignedOperator
beforeAll(async () => {
  world = await startMembership()
  boss = await signedOperator(world)
})
afterAll(() => world.stop())

test('H-04 D-12 an operator cancels for a buyer who asked: with its mail, once, on the trail', async () => {
  const email = 'wrote@example.com'
  const { sessionId, browser } = await world.member({ email })
  const [{ id }] = (await browser.get('/api/account')).body.subscriptions
  const story = async () => (await boss.browser.get(`/operator/sessions/${sessionId}`)).body as string
  const form = `action="/operator/subscriptions/${id}/cancel"`
  expect(await story()).toContain(form)
  const form_token = formTokenOf(await story())

  // the erasure leads there
  const privacy = (await boss.browser.form('/operator/privacy', { who: email, form_token })).body as string
  expect(privacy).toContain(`<a href="/operator/sessions/${sessionId}">cancel it</a> first`)

  const press = (fields: Record<string, string>) =>
    boss.browser.form(`/operator/subscriptions/${id}/cancel`, { form_token, visit: sessionId, ...fields })
  expect((await press({})).status).toBe(404)
  expect((await browser.get('/api/account')).body.subscriptions[0].state).toBe('trial')
  const replies = await Promise.all([press({ sure: 'yes' }), press({ sure: 'yes' })])
  expect(replies.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [303, `/operator/sessions/${sessionId}`],
    [303, `/operator/sessions/${sessionId}`],
  ])
  expect((await browser.get('/api/account')).body.subscriptions[0]).toMatchObject({ state: 'ending', nextCharge: null })
  expect(await story()).not.toContain(form)
  await world.mail(email, 'cancellation_confirmed')
  const mails = await world.db.selectFrom('outbox').select('kind').where('session_id', '=', sessionId).execute()
  expect(mails.filter(({ kind }) => kind === 'mail:cancellation_confirmed')).toHaveLength(1)

  const trail = await world.db
    .selectFrom('operator_trail')
    .select('action')
    .where('subject', '=', sessionId)
    .where('action', 'like', '%cancel%')
    .execute()
  expect(trail.length).toBe(3)
  for (const other of ['not-an-id', '0190b5b0-0000-7000-8000-000000000000'])
    expect(
      (await boss.browser.form(`/operator/subscriptions/${other}/cancel`, { form_token, sure: 'yes' })).status,
    ).toBe(404)
  expect((await browser.form(`/operator/subscriptions/${id}/cancel`, { form_token, sure: 'yes' })).status).toBe(404)
})
