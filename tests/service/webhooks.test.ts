import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually, WEBHOOK_SECRET } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

const grants = (id: string) =>
  funnel.db.selectFrom('product_access_grants').selectAll().where('session_id', '=', id).execute()
const payments = (id: string) => funnel.db.selectFrom('payments').selectAll().where('session_id', '=', id).execute()
const subscriptions = (id: string) =>
  funnel.db.selectFrom('subscriptions').selectAll().where('session_id', '=', id).execute()
const live = (id: string) =>
  grants(id).then((found) => found.filter(({ revoked_at }) => !revoked_at).map(({ product_id }) => product_id))

function sign(payload: string, at = Math.floor(Date.now() / 1000), secret = WEBHOOK_SECRET): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`
}
const post = async (payload: string, signature?: string) => {
  const reply = await fetch(`${funnel.url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature ? { 'stripe-signature': signature } : {}) },
    body: payload,
  })
  return reply.status
}
const event = (change: object = {}) =>
  JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'invoice.will_be_due',
    created: 1,
    livemode: false,
    api_version: '2026-10-28.endive',
    data: { object: { id: 'x' } },
    ...change,
  })

describe('webhooks', () => {
  test('P-04 P-10 the webhook alone settles when the tab was closed', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_5')
    await funnel.confirm(body)
    await eventually(
      () => live(buyer.sessionId),
      (found) => found.includes('trial_5'),
    )
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.status === 'trialing',
    )
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      paymentStatus: 'paid',
      nextPage: 'multi-upsell',
    })
  })

  test('P-04 P-10 webhooks and 20 finalize calls racing: one payment, one subscription, one grant', async () => {
    const buyers = await Promise.all(Array.from({ length: 5 }, () => funnel.buyer()))
    const before = await funnel.totals()
    await Promise.all(
      buyers.map(async (buyer) => {
        const { body } = await buyer.open()
        await funnel.confirm(body)
        const replies = await Promise.all(Array.from({ length: 20 }, () => buyer.finalize(body.paymentIntentId)))
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
      }),
    )
    await eventually(
      () => funnel.totals(),
      ({ undelivered }) => undelivered === 0,
    )
    for (const { sessionId } of buyers) {
      expect(await payments(sessionId)).toHaveLength(1)
      expect(await grants(sessionId)).toHaveLength(1)
      expect(await subscriptions(sessionId)).toHaveLength(1)
    }
    const after = await funnel.totals()
    expect([after.subscriptions - before.subscriptions, after.charges_succeeded - before.charges_succeeded]).toEqual([
      5, 5,
    ])
  })

  test('P-10 an event whose work failed is not done: it is tried again until it is', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.control('POST', 'faults', {
      mode: '500',
      method: 'GET',
      path: '/v1/payment_intents',
      times: 6,
      from: 'server',
    })
    await funnel.confirm(body)
    const waiting = () =>
      funnel.db
        .selectFrom('webhook_events')
        .select(['attempts', 'handled_at', 'last_error'])
        .where('type', '=', 'payment_intent.succeeded')
        .where('object_id', '=', body.paymentIntentId)
        .executeTakeFirst()
    await eventually(waiting, (event) => (event?.attempts ?? 0) > 0 && event?.last_error !== null)
    expect((await waiting())?.handled_at).toBeNull()
    await eventually(
      () => live(buyer.sessionId),
      (found) => found.includes('trial_1'),
    )
    await eventually(waiting, (event) => event?.handled_at !== null && event?.last_error === null)
  })

  test('P-10 forged, stale, future-dated, cut and live-mode webhooks are refused and write nothing', async () => {
    const stored = async () =>
      Number(
        (
          await funnel.db
            .selectFrom('webhook_events')
            .select(({ fn }) => fn.countAll().as('n'))
            .where('type', '=', 'invoice.will_be_due')
            .executeTakeFirstOrThrow()
        ).n,
      )
    const now = Math.floor(Date.now() / 1000)
    const payload = event()
    expect(await post(payload)).toBe(400)
    expect(await post(payload, 't=1,v1=00')).toBe(400)
    expect(await post(payload, sign(payload, now, 'whsec_another'))).toBe(400)
    expect(await post(payload, sign(payload, now - 400))).toBe(400)
    expect(await post(payload, sign(payload, now + 400))).toBe(400)
    expect(await post(payload.slice(0, -10), sign(payload))).toBe(400)
    expect(await post(payload.slice(0, -10), sign(payload.slice(0, -10)))).toBe(400)
    const wrongMode = event({ livemode: true })
    expect(await post(wrongMode, sign(wrongMode))).toBe(400)
    expect(await stored()).toBe(0)
    expect(await post(payload, sign(payload))).toBe(200)
    expect(await stored()).toBe(1)
  })

  test('P-10 the same event a hundred times at once is stored and worked through once', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const all = await funnel.dashboard('GET', '/v1/events', { type: 'payment_intent.succeeded', limit: '1' })
    // an event new to the service, about a payment it already has
    const id = `evt_${randomBytes(8).toString('hex')}`
    const payload = JSON.stringify({ ...all.data[0], id })
    const statuses = await Promise.all(Array.from({ length: 100 }, () => post(payload, sign(payload))))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await eventually(
      () => funnel.db.selectFrom('webhook_events').select(['handled_at', 'attempts']).where('id', '=', id).execute(),
      (found) => found.length === 1 && found[0]?.handled_at !== null && found[0]?.attempts === 1,
    )
    expect(await payments(buyer.sessionId)).toHaveLength(1)
    expect(await grants(buyer.sessionId)).toHaveLength(1)
  })
})

describe('what becomes of the money', () => {
  test('P-12 a full refund in the dashboard ends the grant, a partial one does not', async () => {
    const buyer = await funnel.buyer()
    const intent = await buyer.pay('trial_9')
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: '400' })
    await eventually(
      () => payments(buyer.sessionId),
      ([one]) => one?.status === 'partially_refunded' && one.refunded_cents === 400,
    )
    expect(await live(buyer.sessionId)).toEqual(['trial_9'])
    expect((await subscriptions(buyer.sessionId))[0]?.status).toBe('trialing')
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent })
    await eventually(
      () => live(buyer.sessionId),
      (found) => found.length === 0,
    )
    expect((await grants(buyer.sessionId))[0]).toMatchObject({ revoked_reason: 'refunded' })
    expect(
      (
        await funnel.db
          .selectFrom('sessions')
          .select('payment_status')
          .where('id', '=', buyer.sessionId)
          .executeTakeFirstOrThrow()
      ).payment_status,
    ).toBe('refunded')
  })

  test('P-12 a lost dispute ends the grant, an open one and a won one do not', async () => {
    const lost = await funnel.buyer()
    const won = await funnel.buyer()
    const ids: string[] = []
    for (const buyer of [lost, won]) {
      const intent = await funnel.dashboard('GET', `/v1/payment_intents/${await buyer.pay()}`)
      const dispute = await funnel.control('POST', 'disputes', { charge: intent.latest_charge })
      ids.push(dispute.id)
      await eventually(
        () => payments(buyer.sessionId),
        ([one]) => one?.status === 'disputed',
      )
      expect(await live(buyer.sessionId)).toEqual(['trial_1'])
    }
    await funnel.control('POST', 'disputes/close', { dispute: ids[0], status: 'lost' })
    await funnel.control('POST', 'disputes/close', { dispute: ids[1], status: 'won' })
    await eventually(
      () => live(lost.sessionId),
      (found) => found.length === 0,
    )
    await eventually(
      () => payments(won.sessionId),
      ([one]) => one?.status === 'succeeded',
    )
    expect(await live(won.sessionId)).toEqual(['trial_1'])
  })

  test('P-12 cancelled in the dashboard: the grant follows the subscription', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const [subscription] = await subscriptions(buyer.sessionId)
    const id = subscription?.stripe_subscription_id
    await funnel.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'true' })
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.cancel_at_period_end === true,
    )
    expect(await live(buyer.sessionId)).toEqual(['trial_1'])
    await funnel.dashboard('DELETE', `/v1/subscriptions/${id}`)
    await eventually(
      () => live(buyer.sessionId),
      (found) => found.length === 0,
    )
    expect((await grants(buyer.sessionId))[0]).toMatchObject({ revoked_reason: 'subscription_ended' })
  })

  test('P-12 money given back whole ends the subscription at once, with a mail: no charge follows', async () => {
    const buyer = await funnel.buyer()
    const intent = await buyer.pay('trial_5')
    const [before] = await subscriptions(buyer.sessionId)
    await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent })
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.status === 'canceled',
    )
    const atStripe = await funnel.dashboard('GET', `/v1/subscriptions/${before?.stripe_subscription_id}`)
    expect(atStripe.status).toBe('canceled')
    const kinds = await eventually(
      () =>
        funnel.db.selectFrom('outbox').select(['kind', 'payload']).where('session_id', '=', buyer.sessionId).execute(),
      (found) => found.some(({ kind }) => kind === 'mail:access_ended'),
    )
    expect(kinds.filter(({ kind }) => kind === 'mail:refund')).toHaveLength(1)
    expect(kinds.filter(({ kind }) => kind === 'mail:access_ended')).toHaveLength(1)
  })

  test('P-12 P-04 a refund while the subscription is still being made: none lives in the end', async () => {
    const [refused, lost] = [await funnel.buyer(), await funnel.buyer()]
    for (const [buyer, mode] of [
      [refused, '500'],
      [lost, 'execute_then_500'],
    ] as const) {
      await funnel.control('POST', 'faults', {
        mode,
        method: 'POST',
        path: '/v1/subscriptions',
        times: mode === '500' ? 50 : 1,
        from: 'server',
      })
      const intent = await buyer.pay()
      await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent })
      await eventually(
        () => subscriptions(buyer.sessionId),
        ([one]) => one?.status === 'canceled',
      )
      await funnel.control('DELETE', 'faults')
      const [row] = await subscriptions(buyer.sessionId)
      const customer = row?.stripe_customer_id ?? ''
      const made = (await funnel.dashboard('GET', '/v1/subscriptions', { customer, status: 'all' })).data
      expect(made.map(({ status }: { status: string }) => status)).toEqual(mode === '500' ? [] : ['canceled'])
    }
  })

  test('P-14 two first payments that succeed are recorded; the second is refunded by itself, with a mail', async () => {
    const buyer = await funnel.buyer()
    const first = await buyer.open('trial_1')
    // an intent of the same session and purpose that another life of the service had made
    const customer = (await funnel.dashboard('GET', `/v1/payment_intents/${first.body.paymentIntentId}`)).customer
    const second = await funnel.dashboard('POST', '/v1/payment_intents', {
      amount: '1900',
      currency: 'usd',
      customer,
      'allowed_payment_method_types[0]': 'card',
      setup_future_usage: 'off_session',
      'metadata[session_id]': buyer.sessionId,
      'metadata[product_id]': 'special_offer',
      'metadata[purpose]': 'first',
    })
    await funnel.confirm(first.body)
    await buyer.finalize(first.body.paymentIntentId)
    await funnel.confirm({ paymentIntentId: second.id, clientSecret: second.client_secret })
    const both = await eventually(
      () => payments(buyer.sessionId),
      (found) => found.length === 2 && found.some((one) => one.refunded_cents === 1900),
    )
    expect(both.map(({ is_duplicate }) => is_duplicate).sort()).toEqual([false, true])
    expect(await live(buyer.sessionId)).toEqual(['trial_1'])
    expect(await subscriptions(buyer.sessionId)).toHaveLength(1)
    const mails = await eventually(
      () => funnel.db.selectFrom('outbox').select('kind').where('session_id', '=', buyer.sessionId).execute(),
      (found) => found.some(({ kind }) => kind === 'mail:duplicate_refunded'),
    )
    expect(mails.filter(({ kind }) => kind === 'conversion:Purchase')).toHaveLength(1)
  })

  test('P-10 P-12 a month later: the renewal is recorded, a failed one is told, the access follows', async () => {
    const buyer = await funnel.buyer()
    const failing = await funnel.buyer()
    await buyer.pay()
    await failing.pay('trial_1')
    const [bad] = await subscriptions(failing.sessionId)
    const method = await funnel.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', {
      customer: bad?.stripe_customer_id ?? '',
    })
    await funnel.dashboard('POST', `/v1/subscriptions/${bad?.stripe_subscription_id}`, {
      default_payment_method: method.id,
    })
    await funnel.control('POST', 'clock', { advance: 3 * 86_400 + 2 * 3_600 })
    await eventually(
      () => payments(buyer.sessionId),
      (found) => found.some(({ purpose, amount_cents }) => purpose.startsWith('renewal:in_') && amount_cents === 3900),
    )
    expect(await live(buyer.sessionId)).toEqual(['trial_1'])
    await eventually(
      () => subscriptions(failing.sessionId),
      ([one]) => one?.status === 'past_due',
    )
    expect(await live(failing.sessionId)).toEqual(['trial_1'])
    await eventually(
      () => funnel.db.selectFrom('outbox').select('kind').where('session_id', '=', failing.sessionId).execute(),
      (found) => found.some(({ kind }) => kind === 'mail:payment_failed'),
    )
  })
})
