/** After signing out the next person at the same computer finds nothing of the account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Membership, startMembership } from './membership.ts'
import { formTokenOf, signedOperator } from './operators.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

test('A-05 N-02 V14.3.1 signing out tells the browser to drop the pages it kept', async () => {
  const { browser } = await world.member()
  const out = await browser.post('/api/account/sign-out')
  expect([out.status, out.headers.get('clear-site-data')]).toEqual([200, '"cache"'])
  expect((await browser.get('/api/account')).status).toBe(401)

  const operator = await signedOperator(world)
  const form_token = formTokenOf((await operator.browser.get('/operator')).body as string)
  const left = await operator.browser.form('/operator/sign-out', { form_token })
  expect([left.status, left.headers.get('clear-site-data')]).toEqual([303, '"cache"'])
})
