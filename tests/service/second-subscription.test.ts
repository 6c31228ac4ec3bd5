import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { paymentsOf, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'
import { orderOf } from '../support/order.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

type Bought = Awaited<ReturnType<Membership['buyer']>>

const subscriptionsOf = (...buyers: Bought[]) =>
  world.db
    .selectFrom('subscriptions')
    .selectAll()
    .where(
      'session_id',
      'in',
      buyers.map(({ sessionId }) => sessionId),
    )
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .orderBy('id')
    .execute()
const chargesOf = async (buyer: Bought) => {
  const rows = await world.db
    .selectFrom('payments')
    .select(['amount_cents', 'refunded_cents'])
    .where('session_id', '=', buyer.sessionId)
    .orderBy('id')
    .execute()
  return rows.map((row) => `${row.amount_cents}-${row.refunded_cents}`)
}
/** Opens, confirms and returns the outcome. */
const tryToPay = async (buyer: Bought, productId: 'trial_1' | 'trial_5' | 'special_offer') => {
  const opened = await buyer.open(productId)
  expect(opened.status).toBe(200)
  await world.confirm(opened.body)
  return buyer.finalize(opened.body.paymentIntentId)
}
const pending = async (buyer: Bought) => {
  const [one] = await subscriptionsOf(buyer)
  return one
}

describe('one subscription an address', () => {
  test('P-14 C-02 a visit is over once all was given back or has ended, not while its buyer is leaving', async () => {
    const over = async ({ browser, path }: Bought) => (await browser.get(path(''))).body.over
    const [given, ended] = [await world.member(), await world.member()]
    const unpaid = await world.buyer()
    expect([await over(given), await over(ended), await over(unpaid)]).toEqual([undefined, undefined, undefined])
    const [first] = await paymentsOf(world, given)
    await world.dashboard('POST', '/v1/refunds', { payment_intent: first?.payment_intent_id ?? '' })
    await eventually(
      () => over(given),
      (said) => said === true,
    )
    const { id } = await subscriptionRow(world, ended)
    expect((await ended.browser.post(`/api/subscriptions/${id}/cancel`)).status).toBe(200)
    expect(await over(ended)).toBeUndefined()
    await world.days(8)
    await eventually(
      () => over(ended),
      (said) => said === true,
    )
    // given up by a release that did not keep when
    await world.db.updateTable('subscriptions').set({ ended_at: null }).where('id', '=', id).execute()
    expect(await over(ended)).toBe(true)
    // bought and not begun yet: something is unfinished
    const waiting = await world.member()
    await world.db.deleteFrom('subscriptions').where('session_id', '=', waiting.sessionId).execute()
    expect(await over(waiting)).toBeUndefined()
    // a reading begins nothing that could run
    const reader = await world.buyer()
    await reader.pay('reading_premium')
    expect(await over(reader)).toBe(true)
    // a browser that opens it hears so as well
    const { code } = (await reader.browser.post(reader.path('/handover'))).body
    expect((await browserOf(world).post('/api/session-links', { code })).body).toMatchObject({ over: true })
  })

  test('P-14 a second visit with a subscriber’s address starts no subscription: refunded and said', async () => {
    const email = 'again@example.com'
    const first = await world.member({ email })
    const second = await world.buyer('AGAIN@example.com')
    const answer = await tryToPay(second, 'trial_5')
    expect([answer.status, answer.body.error.code]).toEqual([409, 'already_subscribed'])
    await eventually(
      () => chargesOf(second),
      (charges) => charges.join() === '500-500',
    )
    const mail = await world.mail('AGAIN@example.com', 'duplicate_refunded')
    expect(mail.data).toMatchObject({ elsewhere: true, amount: 500 })
    // the cancellation link of its mail belongs to the running subscription
    const link = await browserOf(world).post('/api/links/cancel/view', { token: tokenOf(mail.data.cancelUrl ?? '') })
    expect(link.body).toMatchObject({ state: 'valid' })
    await world.days(40)
    expect(await subscriptionsOf(first, second)).toHaveLength(1)
    expect(await chargesOf(second)).toEqual(['500-500'])
    expect((await second.browser.get(second.path(''))).body).toMatchObject({ paymentStatus: 'unpaid' })
  })

  test('P-14 A-06 ordered beside a subscription closed for a debt: both mails say so and lead to paying', async () => {
    const email = 'lapsed@example.com'
    const first = await world.member({ email })
    const state = () => subscriptionRow(world, first)
    const { stripe_subscription_id: id, stripe_customer_id } = await state()
    const form = { customer: stripe_customer_id ?? '' }
    const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', form)
    await world.dashboard('POST', `/v1/subscriptions/${id}`, { default_payment_method: bad.id })
    await world.days(3.1)
    await eventually(state, ({ status }) => status === 'past_due')
    await world.days(8)
    await eventually(state, ({ status }) => status === 'unpaid')
    const second = await world.buyer(email)
    expect((await tryToPay(second, 'trial_5')).body.error.code).toBe('already_subscribed')
    for (const kind of ['already_subscribed', 'duplicate_refunded'] as const) {
      const mail = await world.mail(email, kind)
      const words = renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')
      expect(words).toContain('closed, because a payment is open. Once it is paid, your programme opens again')
      expect(words).not.toMatch(/subscription runs|was running|There is nothing to do\./)
      const token = tokenOf(/\S*update-payment#\S*/.exec(words)?.[0] ?? '')
      const link = await browserOf(world).post('/api/links/update-payment/view', { token })
      expect(link.body).toMatchObject({ state: 'valid', subscription: { owed: 3900 } })
    }
  })

  test('P-14 P-07 a second one that returns from PayPal in another browser is no purchase there', async () => {
    const email = 'app-to-safari@example.com'
    await world.member({ email })
    const second = await world.buyer(email)
    const opened = await second.open('trial_5', 'paypal')
    expect((await world.paypal(opened.body)).status).toBe(200)
    const elsewhere = browserOf(world)
    const { paymentIntentId, clientSecret } = opened.body
    const claimed = await elsewhere.post('/api/payment-returns', { clientSecret })
    // the page goes on to ask what became of it
    expect([claimed.status, claimed.body]).toMatchObject([200, { status: 'pending', productId: null }])
    const said = await elsewhere.post(second.path('/payments/finalize'), { paymentIntentId })
    expect([said.status, said.body.error?.code]).toEqual([409, 'already_subscribed'])
    await eventually(
      () => chargesOf(second),
      (charges) => charges.join() === '500-500',
    )
  })

  test('P-14 P-02 ordering again after a second one whose answer was lost says that it goes back', async () => {
    const email = 'lost-answer@example.com'
    await world.member({ email })
    for (const [again, method] of [
      ['trial_5', 'card'],
      ['special_offer', 'paypal'],
    ] as const) {
      const second = await world.buyer(email)
      // before it is opened: an event of that, worked off late, would settle it
      await world.silence()
      const opened = await second.open('trial_5')
      await world.confirm(opened.body)
      const { status, body } = await second.open(again, method)
      await world.hear()
      // the page settles what it is told has succeeded, and hears there what becomes of it
      const { paymentIntentId } = opened.body
      expect([status, body]).toMatchObject([200, { status: 'succeeded', paymentIntentId }])
      const said = await second.finalize(paymentIntentId)
      expect([said.status, said.body.error?.code]).toEqual([409, 'already_subscribed'])
      await eventually(
        () => chargesOf(second),
        (charges) => charges.join() === '500-500',
      )
      const agreed = world.db.selectFrom('agreements').select('id').where('session_id', '=', second.sessionId)
      expect(await agreed.execute()).toHaveLength(1)
    }
  })

  test('P-14 P-02 ordering again after a second one that Stripe’s event has settled charges nothing more', async () => {
    const email = 'settled-unheard@example.com'
    const first = await world.member({ email })
    await world.member({ email: 'somebody-else@example.com' })
    const second = await world.buyer(email)
    const opened = await second.open('trial_5')
    await world.confirm(opened.body)
    await eventually(
      () => chargesOf(second),
      (charges) => charges.join() === '500-500',
    )
    const { paymentIntentId } = opened.body
    for (const [again, method] of [
      ['trial_5', 'card'],
      ['special_offer', 'paypal'],
      ['monthly', 'card'],
    ] as const) {
      const { status, body } = await second.open(again, method)
      expect([status, body]).toMatchObject([200, { status: 'succeeded', paymentIntentId }])
      const said = await second.finalize(paymentIntentId)
      expect([said.status, said.body.error?.code]).toEqual([409, 'already_subscribed'])
    }
    expect(await chargesOf(second)).toEqual(['500-500'])

    // it says nothing of another address, whatever the visit writes next to its payment
    const other = { email: 'somebody-else@example.com' }
    for (const path of ['/email', '/payments/email'])
      expect((await second.browser.put(second.path(path), other)).status).toBe(200)
    expect((await second.open('trial_5')).body).toMatchObject({ status: 'requires_payment_method' })
    for (const path of ['/email', '/payments/email'])
      expect((await second.browser.put(second.path(path), { email })).status).toBe(200)
    // nor does it keep anyone from ordering once the subscription is cancelled
    const { id } = await subscriptionRow(world, first)
    expect((await first.browser.post(`/api/subscriptions/${id}/cancel`)).status).toBe(200)
    expect((await tryToPay(second, 'trial_5')).status).toBe(200)
  })

  test('P-14 H-04 cancelled and ordered again: the end of one is told with the charge of the other', async () => {
    const email = 'back-again@example.com'
    const first = await world.buyer(email)
    await first.pay('trial_5')
    await first.browser.post('/api/links/cancel', {
      token: tokenOf(mailLink(world.config, 'cancel', { subject: first.sessionId, to: email })),
    })
    await world.mail(email, 'cancellation_confirmed')
    // a day later, so that it runs on when the first one ends
    await world.days(1)
    const second = await world.buyer(email)
    await second.pay('trial_1')
    await world.days(2.1)
    await eventually(
      () => subscriptionsOf(first),
      (left) => left.length === 0,
    )
    const mail = await world.mail(email, 'access_ended')
    const words = renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')
    expect(words).toContain('You ordered again since, and that subscription goes on.')
    expect(words).toMatch(/\$39 Next charge|Next charge[^.]*\$39/)
    expect(words).not.toMatch(/not be charged again|nothing more is charged/i)
    // its link cancels the one that goes on
    const { running: other } = mail.data as { running: { cancelUrl: string } }
    const link = await browserOf(world).post('/api/links/cancel/view', { token: tokenOf(other.cancelUrl) })
    expect(link.body).toMatchObject({ state: 'valid', subscription: { nextCharge: { amount: 3900 } } })
  })

  test('P-12 D-10 the status of an account follows the subscription that its owner ordered again', async () => {
    const email = 'followed@example.com'
    const first = await world.member({ email })
    await world.db.updateTable('auth_user').set({ email_verified: true }).where('email', '=', email).execute()
    const noted = async () => {
      const users = world.db.selectFrom('users').select('subscription_status').where('email', '=', email)
      return (await users.executeTakeFirstOrThrow()).subscription_status
    }
    const { id } = await subscriptionRow(world, first)
    expect((await first.browser.post(`/api/subscriptions/${id}/cancel`)).status).toBe(200)
    await world.days(1)
    const second = await world.buyer(email)
    await second.pay('trial_1')
    await eventually(
      () => pending(second),
      (row) => row?.status === 'trialing',
    )
    expect(await noted()).toBe('trialing')
    await world.days(2.1)
    await eventually(
      () => subscriptionsOf(first, second),
      (left) => left.length === 1,
    )
    expect(await noted()).toBe('trialing')
    await world.days(1.1)
    await eventually(
      () => pending(second),
      (row) => row?.status === 'active',
    )
    expect(await noted()).toBe('active')
  })

  test('P-14 H-04 a cancel link ends what its address pays for, also where its visit has nothing to end', async () => {
    const email = 'elsewhere@example.com'
    const linkOf = ({ sessionId }: Bought) => ({
      token: tokenOf(mailLink(world.config, 'cancel', { subject: sessionId, to: email })),
    })
    const first = await world.member({ email })
    const second = await world.buyer(email)
    const { post } = browserOf(world)
    for (const buyer of [first, second])
      expect((await post('/api/links/cancel/view', linkOf(buyer))).body).toMatchObject({
        state: 'valid',
        subscription: { state: 'trial', nextCharge: { amount: 3900 } },
      })
    const done = await post('/api/links/cancel', linkOf(second))
    expect(done.body).toMatchObject({ subscription: { state: 'ending', nextCharge: null } })
    // whoever is leaving orders again: the link of the one that runs out leads to the one that charges
    expect((await tryToPay(second, 'trial_5')).status).toBe(200)
    const again = await post('/api/links/cancel/view', linkOf(first))
    expect(again.body).toMatchObject({ state: 'valid', subscription: { state: 'trial' } })
    expect((await post('/api/links/cancel', linkOf(first))).status).toBe(200)
    const rows = await subscriptionsOf(first, second)
    expect(rows.map(({ cancel_at_period_end, cancel_at }) => cancel_at_period_end || cancel_at !== null)).toEqual([
      true,
      true,
    ])
  })

  test('P-14 two visits that pay in the same moment: one subscription, the other payment goes back', async () => {
    for (let round = 0; round < 3; round++) {
      const email = `race-${round}@example.com`
      const [a, b] = [await world.buyer(email), await world.buyer(email)]
      const answers = await Promise.all([tryToPay(a, 'trial_1'), tryToPay(b, 'special_offer')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      await eventually(
        async () => [...(await chargesOf(a)), ...(await chargesOf(b))].sort().join(),
        (charges) => charges === '100-0,1900-1900' || charges === '100-100,1900-0',
      )
      expect(await subscriptionsOf(a, b)).toHaveLength(1)
    }
  })

  test('P-14 a browser that signed in with the address hears of it before anything is charged', async () => {
    const email = 'known@example.com'
    const first = await world.member({ email })
    const { browser } = first
    const second = `/api/sessions/${await browser.visit()}`
    await browser.put(`${second}/email`, { email })
    const reply = await browser.post(`${second}/payments/initial`, orderOf('trial_1', { paymentMethodType: 'card' }))
    expect([reply.status, reply.body.error.code]).toEqual([409, 'already_subscribed'])
    // products without a subscription are sold as usual
    expect(
      (await browser.post(`${second}/payments/initial`, orderOf('reading_7_days', { paymentMethodType: 'card' })))
        .status,
    ).toBe(200)
  })

  test('P-14 N-02 any other browser learns nothing by ordering; the owner has one mail a day', async () => {
    const email = 'owner@example.com'
    await world.member({ email })
    for (let turn = 0; turn < 3; turn++) {
      const stranger = await world.buyer(email)
      const nobody = await world.buyer(`nobody-${turn}@example.com`)
      const orders = [stranger, nobody].map((one) => one.open('trial_1'))
      const [known, unknown] = await Promise.all(orders)
      expect([known?.status, Object.keys(known?.body)]).toEqual([unknown?.status, Object.keys(unknown?.body)])
    }
    await world.mail(email, 'already_subscribed')
    await new Promise((resume) => setTimeout(resume, 1_500))
    expect((await world.mails(email)).filter(({ kind }) => kind === 'already_subscribed')).toHaveLength(1)
    expect((await world.mails('nobody-0@example.com')).filter(({ kind }) => kind === 'already_subscribed')).toEqual([])
  })

  test('P-14 H-04 whoever is leaving may order again; then the old cancellation cannot be taken back', async () => {
    const email = 'leaves@example.com'
    const first = await world.member({ email })
    const { body } = await first.browser.get('/api/account')
    const { id } = body.subscriptions[0]
    expect((await first.browser.post(`/api/subscriptions/${id}/cancel`)).status).toBe(200)
    const second = await world.buyer(email)
    expect((await tryToPay(second, 'trial_1')).status).toBe(200)
    const kept = await first.browser.post(`/api/subscriptions/${id}/keep`)
    expect([kept.status, kept.body.error.code]).toEqual([409, 'already_subscribed'])
    const rows = await subscriptionsOf(first, second)
    expect(rows.filter(({ cancel_at_period_end, cancel_at }) => !cancel_at_period_end && !cancel_at)).toHaveLength(1)
    expect(await pending(second)).toMatchObject({ subscriber_email: email })
  })

  test('P-14 A-01 a corrected address that has a subscription of its own is refused', async () => {
    await world.member({ email: 'right@example.com' })
    const typo = await world.buyer('rihgt@example.com')
    await typo.pay('trial_1')
    await typo.browser.post(typo.path('/email/correction'), { email: 'right@example.com' })
    const { data } = await world.mail('right@example.com', 'email_verification_code')
    const reply = await typo.browser.post(typo.path('/email/correction/confirm'), {
      email: 'right@example.com',
      code: data.code,
    })
    expect([reply.status, reply.body.error]).toMatchObject([409, { code: 'already_subscribed', field: 'email' }])
    expect(await pending(typo)).toMatchObject({ subscriber_email: 'rihgt@example.com' })
  })

  test('P-14 A-01 an order that has nothing to run on takes the address of a subscriber', async () => {
    const right = 'reads-too@example.com'
    const first = await world.member({ email: right })
    const holder = async () => (await subscriptionsOf(first)).map((row) => row.subscriber_email)
    const reader = await world.buyer('raeds-too@example.com')
    await reader.pay('reading_premium')
    await world.correct(reader, right)
    // whoever is leaving holds neither address any longer
    const leaving = await world.member({ email: 'leavse@example.com' })
    const { id } = await subscriptionRow(world, leaving)
    expect((await leaving.browser.post(`/api/subscriptions/${id}/cancel`)).status).toBe(200)
    await world.correct(leaving, right)
    expect(await subscriptionRow(world, leaving)).toMatchObject({ subscriber_email: null })
    expect(await holder()).toEqual([right])
  })

  test('P-12 P-14 once it is over, the address is free', async () => {
    const email = 'later@example.com'
    const first = await world.member({ email })
    const { body } = await first.browser.get('/api/account')
    await first.browser.post(`/api/subscriptions/${body.subscriptions[0].id}/cancel`)
    await world.days(40)
    await eventually(
      () => subscriptionsOf(first),
      (rows) => rows.length === 0,
    )
    const second = await world.buyer(email)
    expect((await tryToPay(second, 'trial_1')).status).toBe(200)
    expect(await chargesOf(second)).toEqual(['100-0'])
  })
})
