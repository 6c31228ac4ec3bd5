/** D-12: what a visitor received before the erasure opens nothing after it: mailed links, codes, client secrets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import type { Buyer } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { Browser } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const erase = ({ sessionId }: Buyer) => eraseVisitor(world.db, { who: sessionId, visits: [sessionId] })
const opens = async (code: string) => (await new Browser(world.url).post('/api/session-links', { code })).status

test('D-12 C-02 a resume link that was mailed before the erasure opens nothing, used or not', async () => {
  for (const used of [false, true]) {
    const email = `resumes-${String(used)}@example.com`
    const buyer = await world.buyer(email)
    await buyer.browser.post(buyer.path('/resume-link'))
    const code = (await world.mail(email, 'resume_link')).data.resumeUrl.split('#resume=')[1] ?? ''
    if (used) expect(await opens(code)).toBe(200)
    await erase(buyer)
    expect(await opens(code)).toBe(410)
  }
})

test('D-12 C-17 a hand-over code that was made before the erasure opens nothing', async () => {
  const buyer = await world.buyer()
  const { body } = await buyer.browser.post(buyer.path('/handover'))
  await erase(buyer)
  expect(await opens(body.code)).toBe(410)
})

test('D-12 P-07 the return of a payment that nobody came back from opens nothing after the erasure', async () => {
  const buyer = await world.buyer()
  const { body } = await buyer.open('trial_1', 'paypal')
  await erase(buyer)
  // the buyer approves in a tab that was open all along; whatever happens to the payment, the visit stays closed
  await world.paypal(body).catch(() => undefined)
  const browser = new Browser(world.url)
  const claimed = await browser.post('/api/payment-returns', { clientSecret: body.clientSecret })
  expect(claimed.status).toBeGreaterThanOrEqual(400)
  expect(claimed.status).toBeLessThan(500)
  expect((await browser.get(buyer.path('/answers'))).status).toBe(401)
})

test('D-12 D-01 nothing makes a token of an erased visit, however far its request had come', async () => {
  const buyer = await world.buyer()
  await erase(buyer)
  const token = world.db.insertInto('session_access').values({
    token_hash: Buffer.from(crypto.randomUUID()),
    session_id: buyer.sessionId,
    kind: 'browser',
    expires_at: new Date(Date.now() + 60_000),
  })
  await expect(token.execute()).rejects.toThrow('erased')
})
