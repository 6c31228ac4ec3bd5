/** after a member signs out of a computer, its next user cannot buy anything with their card. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailLink, newNonce } from '../../payments-service/mail/mailed-links.ts'
import { orderOf } from '../support/order.ts'
import { type Buyer } from './funnel.ts'
import { type Membership, PASSWORD, startMembership, tokenOf } from './membership.ts'
import { Browser } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

/** A second tab, or someone who copied the cookies: a session revoked at the service cannot be used again. */
function copyOf(browser: Browser): Browser {
  const copy = new Browser(world.url)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}
const visitCookies = ({ cookies }: Browser) => [...cookies.keys()].filter((name) => /^(__Host-)?funnel\./.test(name))
const read = async ({ path }: Pick<Buyer, 'path'>, browser: Browser) => (await browser.get(path('/answers'))).status

test('A-05 D-01 V7.4.1 a sign-out ends the paid visit in this browser: no add-on, answers or purchases', async () => {
  const { browser, path, sessionId } = await world.member()
  const before = copyOf(browser)
  expect(visitCookies(browser)).toHaveLength(1)
  const charged = (await world.totals()).charges_succeeded
  expect((await browser.post('/api/account/sign-out')).status).toBe(200)
  expect(visitCookies(browser)).toEqual([])
  expect((await browser.get(path('/answers'))).body.error.code).toBe('session_token_missing')
  for (const rest of ['', '/answers', '/purchases']) expect((await before.get(path(rest))).status).toBe(403)
  expect((await before.post(path('/upsells'), orderOf('bundle'))).body.error.code).toBe('session_forbidden')
  expect((await before.post(path('/handover'))).status).toBe(403)
  expect((await world.totals()).charges_succeeded).toBe(charged)
  // the owner returns through the account; nothing left in this browser reopens the visit
  expect((await browser.post('/api/account/sign-in', { email: 'nobody@example.com', password: PASSWORD })).status).toBe(
    401,
  )
  const live = await world.db
    .selectFrom('session_access')
    .select('token_hash')
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
  expect(live).toEqual([])
})

test('A-05 D-01 a sign-out keeps the unpaid quiz of this browser, and other browsers the paid visit', async () => {
  const member = await world.member()
  const { sessionId: subject, browser: computer } = member
  const { email: to } = (await computer.get(member.path(''))).body
  // a mailed link lets the phone in and leaves the computer in
  const phone = new Browser(world.url)
  const code = tokenOf(mailLink(world.config, 'resume', { subject, to, nonce: newNonce() })).replace('resume=', '')
  expect((await phone.post('/api/session-links', { code })).status).toBe(200)
  const quiz = await computer.visit()
  const unpaid = { path: (rest: string) => `/api/sessions/${quiz}${rest}` }
  const open = () => Promise.all([read(member, computer), read(unpaid, computer), read(member, phone)])
  expect(await open()).toEqual([200, 200, 200])
  await computer.post('/api/account/sign-out')
  expect(await open()).toEqual([403, 200, 200])
  expect(visitCookies(computer)).toHaveLength(1)
})

test('A-05 D-01 a sign-out reaches a token that a later one replaced, and that of an expired session', async () => {
  const buyer = await world.buyer()
  const opened = await buyer.open()
  await world.confirm(opened.body)
  const earlier = copyOf(buyer.browser)
  await buyer.finalize(opened.body.paymentIntentId)
  await buyer.browser.post(buyer.path('/account'), { password: PASSWORD, passwordConfirmation: PASSWORD })
  await world.db.deleteFrom('auth_session').execute()
  expect([await read(buyer, earlier), await read(buyer, buyer.browser)]).toEqual([200, 200])
  expect((await buyer.browser.post('/api/account/sign-out')).status).toBe(200)
  expect([await read(buyer, earlier), await read(buyer, buyer.browser)]).toEqual([403, 401])
})
