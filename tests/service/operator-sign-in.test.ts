/** Operators have their own sign-in: nothing that buyers receive opens the operator pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'
import type { Browser } from './service.ts'

const PASSWORD = 'A Long Pass Phrase 1'
let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const PATHS = ['/operator', '/operator/privacy', '/operator/funnel.csv', '/upsell-links']

async function expectShut(browser: Browser): Promise<void> {
  for (const path of PATHS) expect([path, (await browser.get(path)).status]).toEqual([path, 404])
}

test("N-02 no way of the buyers' sign-in opens the operator pages for an operator's address", async () => {
  const email = 'both@example.com'
  const buyer = await world.member({ email })
  await createOperator(world.db, email, PASSWORD)

  // the visit whose order made the account, then each way to sign in to it
  await expectShut(buyer.browser)
  const typed = browserOf(world)
  expect((await typed.post('/api/account/sign-in', { email, password: twice.password })).status).toBe(200)
  await expectShut(typed)
  const linked = browserOf(world)
  await linked.post('/api/account/magic-link', { email })
  const link = await world.mail(email, 'magic_link')
  expect((await linked.post('/api/account/magic-link/use', { token: tokenOf(link.data.signInUrl) })).status).toBe(200)
  await expectShut(linked)
  const resets = browserOf(world)
  await resets.post('/api/account/password/forgot', { email })
  const reset = await world.mail(email, 'password_reset')
  const chosen = { password: 'Chosen By Mail 77', passwordConfirmation: 'Chosen By Mail 77' }
  const token = tokenOf(reset.data.resetUrl)
  expect((await resets.post('/api/account/password/reset', { token, ...chosen })).status).toBe(200)
  expect((await resets.post('/api/account/sign-in', { email, password: chosen.password })).status).toBe(200)
  await expectShut(resets)

  // a buyer's password does not work for an operator, nor the other way round
  for (const password of [twice.password, chosen.password]) {
    expect((await browserOf(world).form('/operator/sign-in', { email, password })).status).toBe(401)
  }
  expect((await browserOf(world).post('/api/account/sign-in', { email, password: PASSWORD })).status).toBe(401)
})

test('N-02 an operator who never bought has no account to sign in to, and gets no mail about one', async () => {
  const email = 'staff@example.com'
  await createOperator(world.db, email, PASSWORD)
  const browser = browserOf(world)
  expect((await browser.post('/api/account/sign-in', { email, password: PASSWORD })).status).toBe(401)
  for (const path of ['/api/account/magic-link', '/api/account/password/forgot']) await browser.post(path, { email })
  // the arrival of a mail requested later proves that these two requests have been handled
  await world.member({ email: 'later@example.com' })
  await browser.post('/api/account/magic-link', { email: 'later@example.com' })
  await world.mail('later@example.com', 'magic_link')
  expect(await world.mails(email)).toEqual([])
})

test('N-02 erasing a visitor leaves the operator of the same address, and takes the account of the buyer', async () => {
  const email = 'leaves@example.com'
  const buyer = await world.member({ email })
  await createOperator(world.db, email, PASSWORD)
  await world.db.deleteFrom('subscriptions').where('session_id', '=', buyer.sessionId).execute()
  const { eraseVisitor } = await import('../../payments-service/privacy/erase.ts')
  await eraseVisitor(world.db, { who: email, visits: [buyer.sessionId] })
  expect(await world.db.selectFrom('auth_user').select('id').where('email', '=', email).execute()).toEqual([])
  const browser = browserOf(world)
  expect((await browser.form('/operator/sign-in', { email, password: PASSWORD })).status).toBe(303)
})
