/** Anything mailed is bound to the address it was mailed to: it expires when the visitor turns out to have another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { signLink } from '../../payments-service/mail/links.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { waitingMails } from './mails.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'
import { type Browser, eventually } from './service.ts'

let world: Membership
beforeAll(async () => {
  world = await startMembership()
})
afterAll(() => world.stop())

const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`
const view = (browser: Browser, name: string, token: string) => browser.post(`/api/links/${name}/view`, { token })
const use = (browser: Browser, name: string, token: string, body: object = {}) =>
  browser.post(`/api/links/${name}`, { token, ...body })

/** A buyer whose confirmation went to a mistyped address, and who then corrects it. */
async function corrected() {
  const [wrong, right] = [unique('stranger'), unique('buyer')]
  const buyer = await world.buyer(wrong)
  await buyer.pay()
  const { data } = await world.mail(wrong, 'order_confirmation')
  await world.correct(buyer, right)
  return { buyer, right, links: { account: tokenOf(data.accountUrl ?? ''), cancel: tokenOf(data.cancelUrl) } }
}

test('A-01 A-02 a link that went to a mistyped address makes no account once the address is corrected', async () => {
  const { buyer, right, links } = await corrected()
  const stranger = browserOf(world)
  const seen = (await view(stranger, 'create-account', links.account)).body
  expect([seen.state, JSON.stringify(seen).includes(right)]).toEqual(['expired', false])
  const made = await use(stranger, 'create-account', links.account, twice)
  expect([made.status, made.body.error?.code]).toEqual([410, 'link_expired'])
  expect((await stranger.get('/api/account')).status).toBe(401)
  // the buyer is not kept out by it
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
})

test('A-01 H-04 after a correction the link of the earlier mail cancels nothing, the new one does', async () => {
  const { right, links } = await corrected()
  const anybody = browserOf(world)
  const seen = (await view(anybody, 'cancel', links.cancel)).body
  expect([seen.state, seen.email, seen.subscription]).toEqual(['expired', null, null])
  expect((await use(anybody, 'cancel', links.cancel)).body.error?.code).toBe('link_expired')
  const mail = await world.mail(right, 'fresh_cancel_link')
  const { data } = mail
  const text = renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date())
  // nobody opened an expired link
  expect(text).not.toContain('The link you opened')
  expect(text).toContain('The address of your order was corrected')
  expect((await use(anybody, 'cancel', tokenOf(data.cancelUrl))).body.subscription.state).toBe('ending')
})

test('A-01 C-02 a resume link ends when the visit takes another address, and so does whoever came by it', async () => {
  const [wrong, right] = [unique('stranger'), unique('visitor')]
  const buyer = await world.buyer(wrong)
  await buyer.browser.post(buyer.path('/resume-link'))
  const { data } = await world.mail(wrong, 'resume_link')
  const code = new URL(data.resumeUrl).hash.replace('#resume=', '')
  await buyer.browser.put(buyer.path('/email'), { email: right })
  const stranger = browserOf(world)
  expect((await stranger.post('/api/session-links', { code })).body.error?.code).toBe('link_expired')

  // someone who came in by it earlier is out once the buyer has paid
  const mistyped = unique('mistyped')
  const second = await world.buyer(mistyped)
  await second.browser.post(second.path('/resume-link'))
  const link = (await world.mail(mistyped, 'resume_link')).data.resumeUrl
  const inside = browserOf(world)
  const opened = await inside.post('/api/session-links', { code: new URL(link).hash.replace('#resume=', '') })
  expect(opened.status).toBe(200)
  expect((await inside.get(second.path('/answers'))).status).toBe(200)
  await second.pay()
  expect((await inside.get(second.path('/answers'))).status).toBe(403)
})

test('A-01 A-06 letters that wait go to the corrected address, with links of its own', async () => {
  const { buyer, right } = await corrected()
  const [reminder] = await eventually(
    () => waitingMails(world.service, 'trial_ends', buyer.sessionId),
    (list) => list.length === 1,
  )
  expect(reminder).toMatchObject({ to: right, data: { cancelUrl: expect.stringContaining('/cancel#') } })
})

test('H-04 N-02 a link of a mail carries its token where no log keeps it, and lists no session', async () => {
  const email = unique('fragment')
  const buyer = await world.buyer(email)
  await buyer.pay()
  const { data } = await world.mail(email, 'order_confirmation')
  for (const url of [data.cancelUrl, data.accountUrl ?? '']) {
    const { pathname, search, hash } = new URL(url)
    expect([pathname, search, hash.length > 60]).toEqual([
      expect.stringMatching(/^\/(cancel|create-account)$/),
      '',
      true,
    ])
    expect(url).not.toContain(buyer.sessionId)
  }
  await browserOf(world).post('/api/account/magic-link', { email })
  await buyer.browser.post(buyer.path('/account'), twice)
  await browserOf(world).post('/api/account/magic-link', { email })
  await browserOf(world).post('/api/account/password/forgot', { email })
  const mails = [
    (await world.mail(email, 'magic_link')).data.signInUrl,
    (await world.mail(email, 'password_reset')).data.resetUrl,
  ]
  for (const url of mails) expect([new URL(url).search, new URL(url).hash.length > 20]).toEqual(['', true])
})

test('H-04 a link sent before links named an address works until it expires or is corrected', async () => {
  const sign = (subject: string) =>
    signLink({ purpose: 'cancel', subject, expiresAt: new Date(Date.now() + 60_000) }, world.config.tokenSecret)
  const kept = await world.buyer(unique('earlier'))
  await kept.pay()
  expect((await view(browserOf(world), 'cancel', sign(kept.sessionId))).body.state).toBe('valid')
  const { buyer } = await corrected()
  expect((await view(browserOf(world), 'cancel', sign(buyer.sessionId))).body.state).toBe('expired')
})

test('C-11 A-01 an address that a visit has left cannot end what the one that took its place agreed to', async () => {
  const [wrong, right] = [unique('left'), unique('took-over')]
  const buyer = await world.buyer(right)
  await world.db
    .insertInto('consents')
    .values({ session_id: buyer.sessionId, kind: 'marketing', granted: true, wording: 'Yes', page: 'checkout' })
    .execute()
  const post = (to: string) =>
    fetch(mailLink({ ...world.config, siteUrl: world.url }, 'unsubscribe', { subject: buyer.sessionId, to }), {
      method: 'POST',
    })
  const count = () =>
    world.db
      .selectFrom('consents')
      .select('id')
      .where('session_id', '=', buyer.sessionId)
      .where('granted', '=', false)
      .execute()
  expect((await post(wrong)).status).toBe(200)
  expect(await count()).toHaveLength(0)
  expect((await post(right)).status).toBe(200)
  expect(await count()).toHaveLength(1)
})
