/** Anything mailed is bound to the address it was mailed to: it expires when the visitor turns out to have another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { signLink } from '../../payments-service/mail/links.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { orderOf } from '../support/order.ts'
import type { Buyer } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { browserOf, type Membership, PASSWORD, startMembership, tokenOf, twice } from './membership.ts'
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

const signIn = (email: string) =>
  browserOf(world)
    .post('/api/account/sign-in', { email, password: PASSWORD })
    .then(({ status }) => status)
const nothingWaits = () =>
  eventually(
    () => world.db.selectFrom('outbox').select('id').where('kind', '=', 'asked_mail').execute(),
    (list) => list.length === 0,
  )

test('A-01 A-02 an account made before the slip is seen moves to the right address with its password', async () => {
  const [wrong, right] = [unique('stranger'), unique('buyer')]
  const buyer = await world.member({ email: wrong })
  const { data } = await world.mail(wrong, 'order_confirmation')
  const [stranger, elsewhere] = [browserOf(world), browserOf(world)]
  await elsewhere.post('/api/account/sign-in', { email: wrong, password: PASSWORD })
  await stranger.post('/api/account/magic-link', { email: wrong })
  await stranger.post('/api/account/password/forgot', { email: wrong })
  const magic = tokenOf((await world.mail(wrong, 'magic_link')).data.signInUrl)
  const reset = tokenOf((await world.mail(wrong, 'password_reset')).data.resetUrl)
  await world.correct(buyer, right)
  expect([await signIn(right), await signIn(wrong)]).toEqual([200, 401])
  expect((await buyer.browser.get('/api/account')).body).toMatchObject({
    email: right,
    emailVerified: true,
    programme: 'open',
  })
  expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({ email: right, nextPage: 'thank-you' })
  expect((await elsewhere.get('/api/account')).status).toBe(401)
  // corrected once more by its owner, who is signed in
  const again = unique('again')
  await world.correct(buyer, again)
  expect((await buyer.browser.get('/api/account')).body).toMatchObject({ email: again, programme: 'open' })
  expect([await signIn(again), await signIn(right)]).toEqual([200, 401])

  // what the stranger was mailed, or asks for now, opens nothing
  expect((await stranger.post('/api/account/magic-link/use', { token: magic })).body.error?.code).toBe('link_expired')
  const next = { token: reset, ...twice }
  expect((await stranger.post('/api/account/password/reset', next)).body.error?.code).toBe('link_expired')
  expect((await view(stranger, 'cancel', tokenOf(data.cancelUrl))).body.state).toBe('expired')
  const before = (await world.mails(wrong)).length
  await stranger.post('/api/account/magic-link', { email: wrong })
  await stranger.post('/api/account/password/forgot', { email: wrong })
  await nothingWaits()
  expect(await world.mails(wrong)).toHaveLength(before)
  const rows = await world.db.selectFrom('users').select('email').where('session_id', '=', buyer.sessionId).execute()
  expect(rows).toEqual([{ email: again }])
})

const STRANGERS = {
  'that a stranger made by its link': async (buyer: Buyer, wrong: string, stranger: Browser) => {
    await buyer.pay()
    const { data } = await world.mail(wrong, 'order_confirmation')
    await use(stranger, 'create-account', tokenOf(data.accountUrl ?? ''), twice)
  },
  'that a stranger entered by mail': async (buyer: Buyer, wrong: string, stranger: Browser) => {
    await buyer.pay()
    await buyer.browser.post(buyer.path('/account'), twice)
    await stranger.post('/api/account/magic-link', { email: wrong })
    const { data } = await world.mail(wrong, 'magic_link')
    await stranger.post('/api/account/magic-link/use', { token: tokenOf(data.signInUrl) })
  },
}
for (const [how, enter] of Object.entries(STRANGERS))
  test(`A-01 A-02 an order leaves the account ${how}, and its buyer makes one`, async () => {
    const [wrong, right] = [unique('stranger'), unique('buyer')]
    const buyer = await world.buyer(wrong)
    const stranger = browserOf(world)
    await enter(buyer, wrong, stranger)
    expect((await stranger.get('/api/programme')).status).toBe(200)
    await world.correct(buyer, right)
    expect((await stranger.get('/api/account')).body).toMatchObject({ email: wrong, programme: 'closed' })
    expect((await stranger.get('/api/programme')).status).toBe(403)
    expect((await buyer.browser.get(buyer.path(''))).body.accountCreated).toBe(false)
    expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
    expect((await buyer.browser.get('/api/account')).body).toMatchObject({ email: right, programme: 'open' })
    expect(await signIn(right)).toBe(200)
  })

test('A-01 A-02 only the order leaves a proved account: what else was bought with its address stays', async () => {
  const [first, other] = [unique('owner'), unique('other')]
  const earlier = await world.buyer(first)
  await earlier.pay('trial_1')
  const mailed = tokenOf((await world.mail(first, 'order_confirmation')).data.accountUrl ?? '')
  const owner = browserOf(world)
  await use(owner, 'create-account', mailed, twice)
  const [running] = (await owner.get('/api/account')).body.subscriptions
  await owner.post(`/api/subscriptions/${running.id}/cancel`)
  const later = await world.buyer(first)
  await later.pay('special_offer')
  await world.correct(later, other)
  const { email, programme, subscriptions } = (await owner.get('/api/account')).body
  expect([email, programme, subscriptions.length, await signIn(first)]).toEqual([first, 'open', 1, 200])
})

test('A-01 A-02 an address that has an account takes the order; the one at the mistyped address is gone', async () => {
  const right = unique('returns')
  const first = await world.member({ email: right })
  const [running] = (await first.browser.get('/api/account')).body.subscriptions
  await first.browser.post(`/api/subscriptions/${running.id}/cancel`)
  const wrong = unique('mistyped')
  const second = await world.member({ email: wrong, product: 'special_offer' })
  await world.correct(second, right)
  expect([await signIn(right), await signIn(wrong)]).toEqual([200, 401])
  expect((await first.browser.get('/api/account')).body).toMatchObject({ ordersToJoin: 1 })
})

/** An order with an account, and a browser that came to it by a link mailed to its address. */
async function readByMail() {
  const email = unique('owner')
  const buyer = await world.member({ email })
  await buyer.browser.post(buyer.path('/resume-link'))
  const { data } = await world.mail(email, 'resume_link')
  const reader = browserOf(world)
  await reader.post('/api/session-links', { code: new URL(data.resumeUrl).hash.replace('#resume=', '') })
  return { buyer, reader }
}

test('A-01 C-02 who came by a link mailed to the address cannot take the order from its account', async () => {
  const { buyer, reader } = await readByMail()
  const asked = await reader.post(buyer.path('/email/correction'), { email: unique('second') })
  expect([asked.status, asked.body.error?.code]).toEqual([409, 'order_has_account'])
  // the new address has no account that one could sign in to
  expect(asked.body.error?.message).not.toMatch(/sign/i)
})

test('A-01 C-17 nor can they after a hand-over to a browser of their own, or after an add-on they bought', async () => {
  const { buyer, reader } = await readByMail()
  const refused = async (browser: Browser) => {
    const asked = await browser.post(buyer.path('/email/correction'), { email: unique('second') })
    expect([asked.status, asked.body.error?.code]).toEqual([409, 'order_has_account'])
  }
  const charged = await reader.post(buyer.path('/upsells'), orderOf('guide_devices'))
  const { paymentIntentId } = charged.body
  const token = () => [...reader.cookies.values()].join()
  const before = token()
  expect((await reader.post(buyer.path('/payments/finalize'), { paymentIntentId })).status).toBe(200)
  expect(token()).not.toBe(before)
  await refused(reader)
  const { code } = (await reader.post(buyer.path('/handover'))).body
  const other = browserOf(world)
  expect((await other.post('/api/session-links', { code })).status).toBe(200)
  await refused(other)
  const ordered = await other.post(buyer.path('/upsells'), orderOf('guide_habits', { paymentMethodType: 'paypal' }))
  expect((await world.paypal(ordered.body)).status).toBe(200)
  const returned = browserOf(world)
  const { clientSecret } = ordered.body
  expect((await returned.post('/api/payment-returns', { clientSecret })).status).toBe(200)
  await refused(returned)
})

test('A-01 A-02 who signs up in a browser that a mailed link opened may correct the address there', async () => {
  for (const correctsFirst of [false, true]) {
    const email = unique('owner')
    const buyer = await world.buyer(email)
    await buyer.pay()
    await buyer.browser.post(buyer.path('/resume-link'))
    const { data } = await world.mail(email, 'resume_link')
    const browser = browserOf(world)
    await browser.post('/api/session-links', { code: new URL(data.resumeUrl).hash.replace('#resume=', '') })
    if (correctsFirst) await world.correct({ ...buyer, browser }, unique('other'))
    expect((await browser.post(buyer.path('/account'), twice)).status).toBe(200)
    await world.correct({ ...buyer, browser }, unique('right'))
  }
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
