import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORDERED_PERIOD } from '../../contract/period.ts'
import { decideMoneyBack, listMoneyBackRequests } from '../../payments-service/money-back/decide.ts'
import { signLink } from '../../payments-service/mail/links.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { hearSessions } from './asked-back.ts'
import { browserOf, type Membership, PASSWORD, startMembership, tokenOf, twice } from './membership.ts'
import { waitingMails } from './mails.ts'
import { type Browser, eventually, type Reply } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const emailOf = async (sessionId: string) =>
  (await world.db.selectFrom('sessions').select('email').where('id', '=', sessionId).executeTakeFirstOrThrow()).email ??
  ''
const signedIn = async (email: string, password = PASSWORD) => {
  const browser = browserOf(world)
  return { browser, reply: await browser.post('/api/account/sign-in', { email, password }) }
}
const funnelCustomer = async (sessionId: string) =>
  (
    await world.db
      .selectFrom('payments')
      .select('stripe_customer_id as id')
      .where('session_id', '=', sessionId)
      .executeTakeFirst()
  )?.id
const account = async (browser: Browser) => (await browser.get('/api/account')).body

describe('signing in', () => {
  test('A-05 with address and password; a wrong one says neither which nor whether', async () => {
    const member = await world.member({ email: 'Signs.In@example.com' })
    const { browser, reply } = await signedIn(' signs.in@EXAMPLE.com ')
    expect([reply.status, reply.body]).toEqual([200, { done: true, choosePassword: false }])
    expect(await account(browser)).toMatchObject({
      email: 'signs.in@example.com',
      programme: 'open',
      hasPassword: true,
    })
    const wrong = [await signedIn('signs.in@example.com', 'Wrong One 1'), await signedIn('nobody@example.com')]
    expect(wrong.map(({ reply }) => [reply.status, reply.body.error.code])).toEqual([
      [401, 'wrong_credentials'],
      [401, 'wrong_credentials'],
    ])
    expect((await browser.post('/api/account/sign-out')).status).toBe(200)
    expect((await browser.get('/api/account')).body.error.code).toBe('sign_in_required')
    // the browser of the purchase stays signed in
    expect((await member.browser.get('/api/account')).status).toBe(200)
  })

  test('A-05 a forgotten password: one link, once, all signed out; strangers get the same answer', async () => {
    const member = await world.member({ email: 'forgets@example.com' })
    const browser = browserOf(world)
    const answers = [
      await browser.post('/api/account/password/forgot', { email: 'forgets@example.com' }),
      await browser.post('/api/account/password/forgot', { email: 'stranger@example.com' }),
    ]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { done: true }],
      [200, { done: true }],
    ])
    expect(await world.mails('stranger@example.com')).toEqual([])
    const { data } = await world.mail('forgets@example.com', 'password_reset')
    const token = tokenOf(data.resetUrl)
    const weak = await browser.post('/api/account/password/reset', {
      token,
      password: 'short',
      passwordConfirmation: 'short',
    })
    expect(weak.body.error).toMatchObject({ code: 'password_too_short', field: 'password' })
    const next = { password: 'Brand New 22', passwordConfirmation: 'Brand New 22' }
    expect((await browser.post('/api/account/password/reset', { token, ...next })).status).toBe(200)
    expect((await browser.post('/api/account/password/reset', { token, ...next })).body.error.code).toBe('link_expired')
    expect((await member.browser.get('/api/account')).status).toBe(401)
    expect((await signedIn('forgets@example.com')).reply.status).toBe(401)
    expect((await signedIn('forgets@example.com', 'Brand New 22')).reply.status).toBe(200)
  })

  test('A-02 A-05 a link signs in once; of an account nobody had proved it drops the password', async () => {
    await world.member({ email: 'magic@example.com' })
    const browser = browserOf(world)
    await browser.post('/api/account/magic-link', { email: 'magic@example.com' })
    const { data } = await world.mail('magic@example.com', 'magic_link')
    const token = tokenOf(data.signInUrl)
    const first = await browser.post('/api/account/magic-link/use', { token })
    expect([first.status, first.body]).toEqual([200, { done: true, choosePassword: true }])
    expect((await browserOf(world).post('/api/account/magic-link/use', { token })).body.error.code).toBe('link_expired')
    expect((await signedIn('magic@example.com')).reply.status).toBe(401)
    expect((await browser.put('/api/account/password', twice)).status).toBe(200)
    expect((await browser.put('/api/account/password', twice)).body.error.code).toBe('has_password')
    expect((await signedIn('magic@example.com')).reply.status).toBe(200)
    expect(await account(browser)).toMatchObject({ emailVerified: true, programme: 'open' })
  })

  test('A-02 orders of other visits join only after a code proved the address', async () => {
    const first = await world.member({ email: 'twice@example.com' })
    // a buyer who has cancelled may order again (P-14)
    const [running] = (await account(first.browser)).subscriptions
    await first.browser.post(`/api/subscriptions/${running.id}/cancel`)
    const second = await world.buyer('TWICE@example.com')
    await second.pay('special_offer')
    expect(await account(first.browser)).toMatchObject({ ordersToJoin: 1, emailVerified: false })
    expect((await account(first.browser)).subscriptions).toHaveLength(1)
    await first.browser.post('/api/account/join')
    const { data } = await world.mail('twice@example.com', 'email_verification_code')
    for (let guess = 0; guess < 2; guess++) {
      const wrong = data.code === '111111' ? '222222' : '111111'
      const reply = await first.browser.post('/api/account/join/confirm', { code: wrong })
      expect(reply.body.error).toMatchObject({ code: 'code_wrong', field: 'code' })
    }
    const joined = await first.browser.post('/api/account/join/confirm', {
      code: `${data.code.slice(0, 3)} ${data.code.slice(3)}`,
    })
    expect(joined.body).toMatchObject({ ordersToJoin: 0, emailVerified: true })
    expect(joined.body.subscriptions).toHaveLength(2)
  })
})

test('A-05 V7.3.1 the seven days of a sign-in begin anew with its use, in the browser as well', async () => {
  const { browser } = await world.member({ email: 'stays@example.com' })
  const twoDaysLater = () =>
    sql`update auth_session set expires_at = now() + interval '5 days' where user_id =
      (select id from auth_user where email = 'stays@example.com')`.execute(world.db)
  const cookieOf = ({ headers }: Reply) => headers.getSetCookie().filter((line) => line.includes('session_token='))
  expect(cookieOf(await browser.get('/api/account/standing'))).toEqual([])
  for (const path of ['/api/account/standing', '/api/account', '/api/programme']) {
    await twoDaysLater()
    const renewed = await browser.get(path)
    expect([renewed.status, cookieOf(renewed)], path).toEqual([200, [expect.stringContaining('Max-Age=604800')]])
  }
  await twoDaysLater()
  expect(cookieOf(await browser.post('/api/account/sign-out'))).toEqual([expect.stringContaining('Max-Age=0')])
  expect((await browser.get('/api/account/standing')).body).toEqual({ signedIn: false })
})

test('A-02 A-06 a second order of an address with an account asks for none; signed in, it goes on', async () => {
  const email = 'returning@example.com'
  const first = await world.member({ email })
  const [running] = (await account(first.browser)).subscriptions
  await first.browser.post(`/api/subscriptions/${running.id}/cancel`)
  const second = await world.buyer(email)
  await second.pay('special_offer')
  const finished = await second.browser.post(second.path('/upsell/finish'), { reason: 'skipped' })
  // whoever typed the address learns nothing of the account
  const stranger = (await second.browser.get(second.path(''))).body
  expect([finished.body.nextPage, stranger.nextPage, stranger.accountCreated]).toEqual([
    'user-creation',
    'user-creation',
    false,
  ])
  expect((await world.mail(email, 'order_confirmation')).data).toMatchObject({ accountUrl: null })
  const token = tokenOf(mailLink(world.config, 'create_account', { subject: second.sessionId, to: email }))
  expect((await browserOf(world).post('/api/links/create-account/view', { token })).body.state).toBe('done')
  await second.browser.post('/api/account/sign-in', { email, password: PASSWORD })
  const owner = (await second.browser.get(second.path(''))).body
  expect([owner.nextPage, owner.accountCreated]).toEqual(['thank-you', true])
  const again = await second.browser.post(second.path('/upsell/finish'), { reason: 'skipped' })
  expect(again.body.nextPage).toBe('thank-you')
})

test('U-01 C-02 who is signed in when a second order is paid is offered the add-ons first, too', async () => {
  const email = 'signed-in-first@example.com'
  const first = await world.member({ email })
  const [running] = (await account(first.browser)).subscriptions
  await first.browser.post(`/api/subscriptions/${running.id}/cancel`)
  const second = await world.buyer(email)
  await second.browser.post('/api/account/sign-in', { email, password: PASSWORD })
  await second.pay('special_offer')
  expect((await second.browser.get(second.path(''))).body.nextPage).toBe('multi-upsell')
  const finished = await second.browser.post(second.path('/upsell/finish'), { reason: 'skipped' })
  expect(finished.body.nextPage).toBe('thank-you')
})

describe('the right address', () => {
  test("A-01 'Wrong email?': a code to the new address corrects it everywhere; five wrong tries end it", async () => {
    const buyer = await world.buyer('typo@exmaple.com')
    await buyer.pay()
    expect((await buyer.browser.post(buyer.path('/email/correction'), { email: 'right@example.com' })).status).toBe(200)
    const { data } = await world.mail('right@example.com', 'email_verification_code')
    const confirm = (code: string) =>
      buyer.browser.post(buyer.path('/email/correction/confirm'), { email: 'right@example.com', code })
    expect((await confirm('000000')).body.error.code).toBe('code_wrong')
    expect((await confirm(data.code)).status).toBe(200)
    expect((await buyer.browser.get(buyer.path(''))).body.email).toBe('right@example.com')
    expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
    expect((await signedIn('right@example.com')).reply.status).toBe(200)
    // Stripe's own receipts go to its customer's address
    const customer = (await funnelCustomer(buyer.sessionId)) ?? ''
    await eventually(
      () => world.dashboard('GET', `/v1/customers/${customer}`),
      ({ email }) => email === 'right@example.com',
    )

    const other = await world.buyer('typo2@exmaple.com')
    await other.pay()
    await other.browser.post(other.path('/email/correction'), { email: 'right2@example.com' })
    const second = (await world.mail('right2@example.com', 'email_verification_code')).data.code
    const guess = second === '123456' ? '654321' : '123456'
    const path = other.path('/email/correction/confirm')
    for (let n = 0; n < 5; n++) await other.browser.post(path, { email: 'right2@example.com', code: guess })
    expect((await other.browser.post(path, { email: 'right2@example.com', code: second })).body.error.code).toBe(
      'code_wrong',
    )
  })

  test('A-02 A-06 the confirmation mail makes the account in another browser, proved and signed in', async () => {
    const buyer = await world.buyer('elsewhere@example.com')
    await buyer.pay('trial_9')
    const { data } = await world.mail('elsewhere@example.com', 'order_confirmation')
    expect(data).toMatchObject({
      productId: 'trial_9',
      paid: 900,
      paidWith: { type: 'card', brand: 'visa', last4: '4242' },
    })
    const token = tokenOf(data.accountUrl ?? '')
    const phone = browserOf(world)
    expect((await phone.post('/api/links/create-account/view', { token })).body).toMatchObject({
      state: 'valid',
      email: 'elsewhere@example.com',
    })
    expect((await phone.post('/api/links/create-account', { token, ...twice })).status).toBe(200)
    expect(await account(phone)).toMatchObject({ emailVerified: true, programme: 'open' })
    expect((await phone.post('/api/links/create-account/view', { token })).body.state).toBe('done')
    // a token for one purpose is worthless for any other
    expect((await phone.post('/api/links/cancel/view', { token })).body.state).toBe('invalid')
    expect((await phone.post('/api/links/cancel', { token })).body.error.code).toBe('link_invalid')
  })
})

describe('the programme', () => {
  test('A-05 without a live grant nothing of it is served: 401 signed out, 403 signed in', async () => {
    const paths = [
      '/api/programme',
      '/api/programme/days/1',
      '/api/programme/days/1/audio',
      '/api/programme/guides/bundle',
    ]
    const stranger = browserOf(world)
    for (const path of paths) expect([path, (await stranger.get(path)).status]).toEqual([path, 401])
    const member = await world.member()
    await world.db
      .updateTable('product_access_grants')
      .set({ revoked_at: new Date(), revoked_reason: 'test' })
      .where('session_id', '=', member.sessionId)
      .execute()
    for (const path of paths) {
      const { status, body } = await member.browser.get(path)
      expect([path, status, body.error?.code]).toEqual([path, 403, 'no_access'])
    }
    expect((await member.browser.post('/api/programme/days/1/listening', { seconds: 5 })).status).toBe(403)
  })

  test('A-05 weeks, days, steps and sound with ranges; the next day opens after the one before', async () => {
    const { browser } = await world.member()
    const programme = (await browser.get('/api/programme')).body
    expect(programme.weeks).toHaveLength(6)
    expect(programme.weeks.flatMap(({ days }: { days: unknown[] }) => days)).toHaveLength(42)
    expect(programme).toMatchObject({ today: 1, listened: 0, guides: [] })
    const day = (await browser.get('/api/programme/days/1')).body
    expect(day).toMatchObject({
      day: 1,
      week: 1,
      listened: false,
      audioUrl: '/api/programme/days/1/audio',
      sample: true,
    })
    expect(day.steps.length).toBeGreaterThan(2)
    expect(day.audioSeconds).toBeGreaterThan(60)
    expect(JSON.stringify(day)).not.toMatch(/files\//)
    const whole = await browser.get(day.audioUrl)
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      'audio/mpeg',
      'bytes',
    ])
    const part = await browser.get(day.audioUrl, { range: 'bytes=100-199' })
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '100'])
    expect(part.headers.get('cache-control')).toContain('no-store')
    expect((await browser.get(day.audioUrl, { range: 'bytes=99999999-' })).status).toBe(416)
    expect((await browser.get('/api/programme/days/2')).body.error.code).toBe('not_yet')
    expect((await browser.get('/api/programme/days/2/audio')).status).toBe(403)
    expect((await browser.get('/api/programme/days/99')).status).toBe(404)
  })

  test('A-07 a session counts by play time that the clock confirms, once; the next day opens', async () => {
    const { browser, sessionId } = await world.member()
    const length = (await browser.get('/api/programme/days/1')).body.audioSeconds as number
    const report = (seconds: number) => browser.post('/api/programme/days/1/listening', { seconds })
    // many reports in quick succession do not count as minutes
    for (let n = 0; n < 20; n++) await report(60)
    const fast = (await report(3_600)).body
    expect(fast.counted).toBe(false)
    expect(fast.heard).toBeLessThan(1)
    const userId =
      (
        await world.db
          .selectFrom('users')
          .select('auth_user_id')
          .where('session_id', '=', sessionId)
          .executeTakeFirstOrThrow()
      ).auth_user_id ?? ''
    const back = (seconds: number) =>
      world.db
        .updateTable('listened_sessions')
        .set({ last_report_at: new Date(Date.now() - seconds * 1000) })
        .where('user_id', '=', userId)
        .execute()
    await back(length)
    expect((await report(length)).body).toEqual({ heard: 1, counted: true, listened: 1 })
    expect((await report(5)).body).toEqual({ heard: 1, counted: true, listened: 1 })
    expect((await browser.get('/api/programme')).body).toMatchObject({
      ...{ today: 2, listened: 1, doneToday: true },
      lastListenedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect((await browser.get('/api/programme/days/2')).status).toBe(200)
  })

  test('A-07 a session whose first report comes late, because the network went with Play, counts in full', async () => {
    const { browser, sessionId } = await world.member()
    const view = async () => (await browser.get('/api/programme/days/1')).body
    const length = (await view()).audioSeconds as number
    const mine = world.db
      .selectFrom('users')
      .select('auth_user_id')
      .where('session_id', '=', sessionId)
      .$castTo<{ auth_user_id: string }>()
    await world.db
      .updateTable('listened_sessions')
      .set({ last_report_at: new Date(Date.now() - length * 1000) })
      .where('user_id', '=', mine)
      .execute()
    // opened again meanwhile: the time counts from the first time
    expect(await view()).toMatchObject({ heard: 0, listened: false })
    expect((await browser.get('/api/programme')).body).toMatchObject({
      today: 1,
      listened: 0,
      doneToday: false,
      lastListenedAt: null,
    })
    const report = () => browser.post('/api/programme/days/1/listening', { seconds: length })
    expect((await report()).body).toEqual({ heard: 1, counted: true, listened: 1 })
    // not by somebody who has only just opened it
    expect((await browser.get('/api/programme/days/2')).status).toBe(200)
    const early = (await browser.post('/api/programme/days/2/listening', { seconds: length })).body
    expect(early.heard).toBeLessThan(0.2)
  })

  test('A-05 P-12 guides are read by those who bought them, for life', async () => {
    const { browser, sessionId } = await world.member()
    expect((await browser.get('/api/programme/guides/guide_lighting')).status).toBe(403)
    await world.db
      .insertInto('product_access_grants')
      .values({ session_id: sessionId, product_id: 'guide_lighting', granted_via: 'operator' })
      .execute()
    const guide = (await browser.get('/api/programme/guides/guide_lighting')).body
    expect(guide).toMatchObject({ productId: 'guide_lighting', title: 'Environmental Lighting Guides' })
    expect(guide.body.length).toBeGreaterThan(3)
    // the programme ends, the guide stays
    await world.db
      .updateTable('product_access_grants')
      .set({ revoked_at: new Date(), revoked_reason: 'test' })
      .where('session_id', '=', sessionId)
      .where('product_id', 'like', 'trial%')
      .execute()
    expect((await browser.get('/api/programme')).body).toMatchObject({
      weeks: [],
      guides: [{ productId: 'guide_lighting' }],
    })
    expect((await browser.get('/api/programme/days/1')).status).toBe(403)
  })
})

describe('the subscription', () => {
  test('A-05 P-12 cancelled: open until the end of what is paid, then closed, no further charge', async () => {
    const member = await world.member({ email: 'leaves@example.com' })
    const [before] = (await account(member.browser)).subscriptions
    expect(before).toMatchObject({ state: 'trial', nextCharge: { amount: 3900 }, paidWith: { last4: '4242' } })
    const cancelled = await member.browser.post(`/api/subscriptions/${before.id}/cancel`)
    expect(cancelled.body).toMatchObject({ state: 'ending', nextCharge: null, accessUntil: before.paidUntil })
    expect((await member.browser.post(`/api/subscriptions/${before.id}/cancel`)).body.state).toBe('ending')
    expect((await member.browser.get('/api/programme')).status).toBe(200)
    const mail = await world.mail('leaves@example.com', 'cancellation_confirmed')
    expect(mail.data).toMatchObject({ accessUntil: before.paidUntil, cancelUrl: null })

    const kept = await member.browser.post(`/api/subscriptions/${before.id}/keep`)
    expect(kept.body).toMatchObject({ state: 'trial', nextCharge: before.nextCharge })
    await world.mail('leaves@example.com', 'cancellation_undone')

    // H-04: the undo link of the first mail works too, and does nothing twice
    await member.browser.post(`/api/subscriptions/${before.id}/cancel`)
    await world.days(4)
    await eventually(
      async () => (await account(member.browser)).subscriptions[0].state,
      (state) => state === 'ended',
    )
    expect((await member.browser.get('/api/programme')).status).toBe(403)
    expect((await member.browser.post(`/api/subscriptions/${before.id}/keep`)).body.error.code).toBe(
      'subscription_over',
    )
    expect((await world.mail('leaves@example.com', 'access_ended')).data).toMatchObject({
      reason: 'cancelled',
      asked: true,
    })
    const kinds = (await world.mails('leaves@example.com')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'cancellation_confirmed')).toHaveLength(2)
    expect(kinds).not.toContain('renewal_receipt')
  })

  test('A-05 nobody sees or ends the subscription of another; invoices are the member’s own', async () => {
    const [one, other] = [await world.member(), await world.member()]
    const [theirs] = (await account(other.browser)).subscriptions
    for (const verb of ['cancel', 'keep', 'card/setup', 'money-back', 'withdrawal']) {
      expect([verb, (await one.browser.post(`/api/subscriptions/${theirs.id}/${verb}`)).status]).toEqual([verb, 404])
    }
    const mine = (await one.browser.get('/api/invoices')).body.invoices
    expect(mine).toMatchObject([{ what: '3-day trial', amount: 100, refunded: 0 }])
    expect((await one.browser.get(`/api/invoices/${mine[0].id}`)).body).toMatchObject({
      paidWith: { last4: '4242' },
      amount: 100,
    })
    expect((await other.browser.get(`/api/invoices/${mine[0].id}`)).status).toBe(404)
  })

  test('H-04 a mailed link cancels without a sign-in, never by being opened; an expired one is renewed', async () => {
    const buyer = await world.buyer('bymail@example.com')
    await buyer.pay()
    const { data } = await world.mail('bymail@example.com', 'order_confirmation')
    const link = { token: tokenOf(data.cancelUrl) }
    const anybody = browserOf(world)
    for (let n = 0; n < 3; n++) {
      expect((await anybody.post('/api/links/cancel/view', link)).body).toMatchObject({
        state: 'valid',
        email: 'by•••@example.com',
        subscription: { state: 'trial' },
      })
    }
    for (let click = 0; click < 2; click++) {
      const cancelled = await anybody.post('/api/links/cancel', link)
      expect(cancelled.body).toMatchObject({ state: 'done', subscription: { state: 'ending' } })
    }
    const undo = (await world.mail('bymail@example.com', 'cancellation_confirmed')).data.undoUrl
    const kept = await anybody.post('/api/links/undo-cancel', { token: tokenOf(undo) })
    expect(kept.body.subscription).toMatchObject({ state: 'trial' })

    const old = signLink(
      { purpose: 'cancel', subject: buyer.sessionId, expiresAt: new Date(Date.now() - 1000) },
      world.config.tokenSecret,
    )
    expect((await anybody.post('/api/links/cancel/view', { token: old })).body).toMatchObject({
      state: 'expired',
      subscription: null,
    })
    expect((await anybody.post('/api/links/cancel', { token: old })).body.error.code).toBe('link_expired')
    expect((await anybody.post('/api/links/cancel/fresh', { token: old })).status).toBe(200)
    await anybody.post('/api/links/cancel/fresh', { token: old })
    const fresh = (await world.mails('bymail@example.com')).filter(({ kind }) => kind === 'fresh_cancel_link')
    expect(fresh).toHaveLength(1)
    const token = tokenOf(fresh[0]?.data.cancelUrl ?? '')
    expect((await anybody.post('/api/links/cancel', { token })).body.subscription.state).toBe('ending')
    expect((await anybody.post('/api/links/cancel/view', { token: 'nonsense' })).body.state).toBe('invalid')
    expect((await anybody.post('/api/links/cancel/fresh', { token: 'nonsense' })).status).toBe(404)
  })

  test('P-12 A-06 dunning: open while it is tried, closed after the last try, open with another card', async () => {
    const member = await world.member({ email: 'late@example.com', card: 'pm_card_visa' })
    const [row] = await world.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('session_id', '=', member.sessionId)
      .execute()
    const stripeId = row?.stripe_subscription_id ?? ''
    const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', {
      customer: row?.stripe_customer_id ?? '',
    })
    await world.dashboard('POST', `/v1/subscriptions/${stripeId}`, { default_payment_method: bad.id })
    await world.days(3.1)
    const state = async () => (await account(member.browser)).subscriptions[0].state as string
    await eventually(state, (now) => now === 'late')
    expect((await member.browser.get('/api/programme')).status).toBe(200)
    const first = await world.mail('late@example.com', 'payment_failed')
    expect(first.data).toMatchObject({ attempt: 1, amount: 3900 })
    // the try that Stripe plans, two days after the charge
    expect(first.data.nextTryAt).toBe((await account(member.browser)).subscriptions[0].nextCharge.at)
    await world.days(8)
    await eventually(state, (now) => now === 'unpaid')
    expect((await member.browser.get('/api/programme')).status).toBe(403)
    const ended = await world.mail('late@example.com', 'access_ended')
    expect(ended.data.reason).toBe('payment_failed')

    // repaired from the mail, without signing in
    const phone = browserOf(world)
    const token = tokenOf(ended.data.returnUrl)
    expect((await phone.post('/api/links/update-payment/view', { token })).body).toMatchObject({
      state: 'valid',
      subscription: { owed: 3900 },
    })
    const setup = (await phone.post('/api/links/update-payment/setup', { token })).body
    await world.confirmSetup(setup, 'pm_card_mastercard')
    const saved = await phone.post('/api/links/update-payment', { token, setupIntentId: setup.setupIntentId })
    expect(saved.body).toMatchObject({
      result: 'paid',
      subscription: { state: 'active', owed: null, paidWith: { brand: 'mastercard' } },
    })
    expect((await member.browser.get('/api/programme')).status).toBe(200)
    expect((await world.mail('late@example.com', 'renewal_receipt')).data).toMatchObject({
      amount: 3900,
      paidWith: { brand: 'mastercard' },
    })
    const invoiceUrl = (await world.mail('late@example.com', 'renewal_receipt')).data.invoiceUrl ?? ''
    expect((await phone.post('/api/links/invoice/view', { token: tokenOf(invoiceUrl) })).body.invoice).toMatchObject({
      amount: 3900,
      what: 'Monthly subscription',
    })
  })

  test('A-05 another card is charged from now on; a set-up of somebody else is none', async () => {
    const [one, other] = [await world.member(), await world.member()]
    const [mine] = (await account(one.browser)).subscriptions
    const [theirs] = (await account(other.browser)).subscriptions
    const setup = (await other.browser.post(`/api/subscriptions/${theirs.id}/card/setup`)).body
    await world.confirmSetup(setup, 'pm_card_mastercard')
    const stolen = await one.browser.post(`/api/subscriptions/${mine.id}/card`, { setupIntentId: setup.setupIntentId })
    expect(stolen.body.error).toMatchObject({ code: 'payment_not_found', field: 'setupIntentId' })
    const saved = await other.browser.post(`/api/subscriptions/${theirs.id}/card`, {
      setupIntentId: setup.setupIntentId,
    })
    expect(saved.body).toMatchObject({
      result: 'saved',
      subscription: { paidWith: { brand: 'mastercard' }, state: 'trial' },
    })
    // later invoices of the customer follow the same card
    const row = await world.db
      .selectFrom('subscriptions')
      .select(['stripe_customer_id', 'payment_method_id'])
      .where('id', '=', theirs.id)
      .executeTakeFirstOrThrow()
    const customer = await world.dashboard('GET', `/v1/customers/${row.stripe_customer_id}`)
    expect(customer.invoice_settings.default_payment_method).toBe(row.payment_method_id)
  })
})

describe('money back', () => {
  test('A-07 asked for, granted: refund, end of the subscription and of the access, one mail', async () => {
    const member = await world.member({ email: 'back@example.com', product: 'trial_1767' })
    const [subscription] = (await account(member.browser)).subscriptions
    const path = `/api/subscriptions/${subscription.id}/money-back`
    await hearSessions(world, member.sessionId, 6)
    expect((await member.browser.post(path)).body.error.code).toBe('not_eligible')
    await world.db.deleteFrom('listened_sessions').execute()
    await hearSessions(world, member.sessionId, 7)
    expect((await account(member.browser)).subscriptions[0].moneyBack).toMatchObject({
      listened: 7,
      needed: 7,
      eligible: true,
      amount: 1767,
      request: null,
    })
    const asked = await Promise.all([member.browser.post(path), member.browser.post(path)])
    expect(asked.map(({ body }) => body.moneyBack?.request?.status)).toEqual(['open', 'open'])
    expect((await world.mail('back@example.com', 'money_back_requested')).data.amount).toBe(1767)
    const waiting = (await listMoneyBackRequests(world.service.deps, 'open')).filter(
      ({ sessionId }) => sessionId === member.sessionId,
    )
    expect(waiting).toMatchObject([
      { kind: 'guarantee', amount_cents: 1767, listened_sessions: 7, email: 'back@example.com' },
    ])
    expect(await decideMoneyBack(world.service.deps, waiting[0]?.id ?? '', { decision: 'approve' }, 'op')).toBe(true)
    expect(await decideMoneyBack(world.service.deps, waiting[0]?.id ?? '', { decision: 'approve' }, 'op')).toBe(false)
    await eventually(
      async () => (await account(member.browser)).subscriptions[0].moneyBack.request.status,
      (status) => status === 'refunded',
    )
    expect((await member.browser.get('/api/programme')).status).toBe(403)
    expect((await account(member.browser)).subscriptions[0].state).toBe('ended')
    expect((await world.mail('back@example.com', 'money_back_decided')).data).toMatchObject({
      decision: 'approved',
      amount: 1767,
    })
    const [payment] = await world.db
      .selectFrom('payments')
      .select(['refunded_cents', 'status'])
      .where('session_id', '=', member.sessionId)
      .execute()
    expect(payment).toEqual({ refunded_cents: 1767, status: 'refunded' })
    const kinds = (await world.mails('back@example.com')).map(({ kind }) => kind)
    expect(kinds).not.toContain('refund')
    expect(kinds).not.toContain('access_ended')
  })

  test('A-07 declined with a reason: everything goes on, and it may be asked again', async () => {
    const member = await world.member({ email: 'declined@example.com' })
    const [subscription] = (await account(member.browser)).subscriptions
    await hearSessions(world, member.sessionId, 8)
    const path = `/api/subscriptions/${subscription.id}/money-back`
    await member.browser.post(path)
    const [one] = (await listMoneyBackRequests(world.service.deps, 'open')).filter(
      ({ sessionId }) => sessionId === member.sessionId,
    )
    await expect(
      decideMoneyBack(world.service.deps, one?.id ?? '', { decision: 'decline', reason: ' ' }, 'op'),
    ).rejects.toThrow()
    await decideMoneyBack(
      world.service.deps,
      one?.id ?? '',
      { decision: 'decline', reason: 'The payment was disputed already.' },
      'op',
    )
    expect((await world.mail('declined@example.com', 'money_back_decided')).data).toMatchObject({
      decision: 'declined',
      reason: 'The payment was disputed already.',
    })
    expect((await account(member.browser)).subscriptions[0]).toMatchObject({
      state: 'trial',
      moneyBack: { request: { status: 'declined' } },
    })
    expect((await member.browser.post(path)).body.moneyBack.request.status).toBe('open')
  })

  test('H-02 withdrawal only where the law gives it, from account and mail, within 14 days', async () => {
    for (const [country, email] of [
      ['AT', 'wien@example.com'],
      ['CA', 'toronto@example.com'],
    ] as const) {
      const there = await world.buyer(email)
      await world.db
        .updateTable('session_metadata')
        .set({ country })
        .where('session_id', '=', there.sessionId)
        .execute()
      await there.pay('trial_5')
      const { data } = await world.mail(email, 'order_confirmation')
      const link = { token: tokenOf(data.withdrawUrl ?? '') }
      const anybody = browserOf(world)
      expect((await anybody.post('/api/links/withdraw/view', link)).body).toMatchObject({ state: 'valid', amount: 500 })
      expect((await anybody.post('/api/links/withdraw', link)).body).toMatchObject({ state: 'done' })
      expect((await world.mail(email, 'withdrawal_received')).data).toMatchObject({
        amount: 500,
        productIds: ['trial_5'],
      })
    }

    const here = await world.member({ email: 'ohio@example.com' })
    expect((await world.mail('ohio@example.com', 'order_confirmation')).data.withdrawUrl).toBeNull()
    const [subscription] = (await account(here.browser)).subscriptions
    expect(subscription.withdrawUntil).toBeNull()
    expect((await here.browser.post(`/api/subscriptions/${subscription.id}/withdrawal`)).body.error.code).toBe(
      'not_eligible',
    )
  })
})

describe('mails', () => {
  test('A-06 the reminder of the first full charge waits for its day, with date, amount and the way out', async () => {
    const buyer = await world.buyer('reminded@example.com')
    await buyer.pay()
    const [mail] = await eventually(
      () => waitingMails(world.service, 'trial_ends', buyer.sessionId),
      (list) => list.length > 0,
    )
    if (typeof mail !== 'object') throw new Error(`no reminder: ${mail}`)
    const { data } = mail
    expect(data).toMatchObject({ amount: 3900, period: ORDERED_PERIOD, productId: 'trial_1' })
    const row = await world.db
      .selectFrom('outbox')
      .select('next_attempt_at')
      .where('kind', '=', 'mail:trial_ends')
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
    const lead = Date.parse(data.chargeAt) - row.next_attempt_at.getTime()
    expect(lead).toBe(2 * 86_400_000)
    expect(await emailOf(buyer.sessionId)).toBe('reminded@example.com')
  })

  test('C-11 unsubscribing: a GET shows a page, a POST does it, for every visit of the address', async () => {
    const [one, two] = [await world.buyer('news@example.com'), await world.buyer('news@example.com')]
    for (const { sessionId } of [one, two]) {
      await world.db
        .insertInto('consents')
        .values({ session_id: sessionId, kind: 'marketing', granted: true, wording: 'Yes', page: 'checkout' })
        .execute()
    }
    const token = signLink(
      { purpose: 'unsubscribe', subject: one.sessionId, expiresAt: new Date(Date.now() + 60_000) },
      world.config.tokenSecret,
    )
    const granted = async () =>
      (
        await Promise.all(
          [one, two].map(({ sessionId }) =>
            world.db
              .selectFrom('consents')
              .select('granted')
              .where('session_id', '=', sessionId)
              .orderBy('id', 'desc')
              .limit(1)
              .executeTakeFirstOrThrow(),
          ),
        )
      ).map((row) => row.granted)
    const page = await fetch(`${world.url}/api/unsubscribe/${token}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')])
    expect(await granted()).toEqual([true, true])
    const done = await fetch(`${world.url}/api/unsubscribe/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'cross-site' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(done.status).toBe(200)
    expect(await granted()).toEqual([false, false])
    expect((await fetch(`${world.url}/api/unsubscribe/nonsense`, { method: 'POST' })).status).toBe(404)
  })
})
