import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { forgetOldContents } from '../../payments-service/privacy/retention.ts'
import { reviveAll } from '../../payments-service/queue/queue.ts'
import { signature } from '../../stand-ins/stripe/webhooks.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { type Browser, eventually, WEBHOOK_SECRET } from './service.ts'

const DAY = 86_400

/** No event arrives unless a test delivers it: no webhooks, and the poll's bookmark lies ahead. */
let funnel: Funnel
let operator: Browser
beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false })
  const at = new Date(Date.now() + 60 * DAY * 1000)
  await funnel.db
    .insertInto('bookmarks')
    .values({ name: 'stripe_events', at })
    .onConflict((row) => row.column('name').doUpdateSet({ at }))
    .execute()
  operator = (await signedOperator(funnel)).browser
})
afterAll(() => funnel.stop())

/** Delivers a signed event; returns its id. */
async function deliver(event: object): Promise<string> {
  const id = `evt_${randomBytes(8).toString('hex')}`
  const body = JSON.stringify({
    object: 'event',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    ...event,
    id,
  })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature(body, WEBHOOK_SECRET) }
  const reply = await fetch(`${funnel.url}/api/webhooks/stripe`, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
  return id
}

const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
const stored = (id: string) =>
  funnel.db.selectFrom('webhook_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an event that cannot be read', () => {
  test.each([
    ['a type that no table has', { type: 'invoice.turned_blue', data: { object: { object: 'invoice', id: 'in_1' } } }],
    ['no object', { type: 'invoice.paid', data: {} }],
    ['no data', { type: 'charge.refunded' }],
    [
      'another object than its type says',
      { type: 'charge.refunded', data: { object: { object: 'v2.charge', id: 'x' } } },
    ],
    [
      'an object without an id',
      { type: 'customer.subscription.updated', data: { object: { object: 'subscription' } } },
    ],
  ])('P-10 with %s is kept for an operator and is not called handled', async (_what, event) => {
    const id = await deliver(event)
    const dead = await eventually(
      () => stored(id),
      (row) => row.dead_at !== null || row.handled_at !== null,
    )
    expect(dead.handled_at).toBeNull()
    expect(dead.last_error).toContain('cannot be read')
    expect((await operator.get('/operator/letters')).body).toContain(id)
  })

  test('P-10 an operator has it read again, and it is handled once the service understands it', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    const id = await deliver({ type: 'payment_intent.succeeded', data: { object: { object: 'payment_intent' } } })
    await eventually(
      () => stored(id),
      (row) => row.dead_at !== null,
    )
    const object = { object: 'payment_intent', id: body.paymentIntentId }
    await funnel.db
      .updateTable('webhook_events')
      .set({ payload: JSON.stringify({ data: { object } }) })
      .where('id', '=', id)
      .execute()
    const page = (await operator.get('/operator/letters')).body as string
    const token = tokenOf(page)
    expect((await operator.form(`/operator/events/${id}/retry`, { form_token: token })).status).toBe(303)
    await eventually(
      () => stored(id),
      (row) => row.handled_at !== null && row.dead_at === null && row.last_error === null,
    )
    const paid = await funnel.db
      .selectFrom('payments')
      .select('status')
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(paid).toEqual([{ status: 'succeeded' }])
    expect((await operator.form(`/operator/events/${id}/retry`, { form_token: token })).status).toBe(404)
  })
})

test('P-10 U-09 D-12 an operator sets aside what cannot be read, but no payment that is not recorded', async () => {
  const given = async (type: string) => {
    const id = await deliver({ type, data: {} })
    await eventually(
      () => stored(id),
      (row) => row.dead_at !== null,
    )
    return id
  }
  const [one, two, paid] = [
    await given('invoice.red'),
    await given('invoice.red'),
    await given('setup_intent.succeeded'),
  ]
  const page = (await operator.get('/operator/letters')).body as string
  const act = async (path: string, form: Record<string, string> = {}) =>
    (await operator.form(`/operator/events/${path}`, { form_token: tokenOf(page), ...form })).status
  expect(page).toContain(`/operator/events/${one}/aside`)
  expect(page).not.toContain(`/operator/events/${paid}/aside`)
  expect(await act(`${paid}/aside`)).toBe(404)
  expect(await act('all/aside', { type: 'setup_intent.succeeded' })).toBe(404)
  await sql`update webhook_events set received_at = received_at - interval '31 days' where id = ${one}`.execute(
    funnel.db,
  )
  expect(await act(`${one}/aside`)).toBe(303)
  expect(await stored(one)).toMatchObject({ dead_at: null, last_error: expect.stringMatching(/set aside by .+@/) })
  expect(await stored(one)).toMatchObject({ handled_at: expect.any(Date), payload: {} })
  expect(await act(`${one}/retry`)).toBe(404)
  expect(await act('all/aside', { type: 'invoice.red' })).toBe(303)
  expect((await stored(two)).handled_at).not.toBeNull()
  expect((await stored(paid)).dead_at).not.toBeNull()
  expect(await act('all/retry', { type: 'setup_intent.succeeded' })).toBe(303)
})

test('P-10 U-09 A-05 a card saved in place of another is no payment that waits, and is set aside', async () => {
  const saved = async () => {
    const metadata = { use: 'update_card' }
    const object = { object: 'v2.setup', id: `seti_${randomBytes(8).toString('hex')}`, metadata }
    const id = await deliver({ type: 'setup_intent.succeeded', data: { object } })
    await eventually(
      () => stored(id),
      (row) => row.dead_at !== null,
    )
    return id
  }
  const [late, one, two] = [await saved(), await saved(), await saved()]
  await sql`update webhook_events set received_at = received_at - interval '31 days' where id = ${late}`.execute(
    funnel.db,
  )
  await forgetOldContents(funnel.service.deps)
  const page = (await operator.get('/operator/letters')).body as string
  const act = async (path: string, form: Record<string, string> = {}) =>
    (await operator.form(`/operator/events/${path}`, { form_token: tokenOf(page), ...form })).status
  for (const id of [late, one]) {
    expect(page).toContain(`/operator/events/${id}/aside`)
    expect(await act(`${id}/aside`)).toBe(303)
  }
  expect(await act('all/aside', { type: 'setup_intent.succeeded' })).toBe(303)
  expect((await stored(two)).handled_at).not.toBeNull()
})

describe('what an event that cannot be read tells of a person', () => {
  /** Delivers an event of a type that no table has about a payment, with a name. */
  async function dead(payment: string): Promise<string> {
    const object = { object: 'payment_intent', id: payment, shipping: { name: 'Zephyrina' } }
    const id = await deliver({ type: 'payment_intent.turned_blue', data: { object } })
    await eventually(
      () => stored(id),
      (row) => row.dead_at !== null,
    )
    return id
  }
  const hasName = async (id: string) => JSON.stringify((await stored(id)).payload).includes('Zephyrina')
  /** Another release knows the type. */
  async function understood(id: string) {
    await funnel.db
      .updateTable('webhook_events')
      .set({ type: 'payment_intent.succeeded' })
      .where('id', '=', id)
      .execute()
    expect(await reviveAll(funnel.db, 'webhook_events', sql`id = ${id}`)).toBe(1n)
    return eventually(
      () => stored(id),
      (row) => row.handled_at !== null || row.dead_at !== null,
    )
  }

  test('D-12 P-10 goes with the visit, also if it comes after the erasure; it can still be read again', async () => {
    const buyer = await funnel.buyer()
    const payment = await buyer.pay()
    const id = await dead(payment)
    expect(await hasName(id)).toBe(true)
    await sql`update subscriptions set status = 'canceled' where session_id = ${buyer.sessionId}`.execute(funnel.db)
    await eraseVisitor(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })
    expect(await hasName(id)).toBe(false)
    const late = await dead(payment)
    await eventually(
      () => hasName(late),
      (named) => !named,
    )
    for (const one of [id, late]) {
      expect(await understood(one)).toMatchObject({ dead_at: null, last_error: null, payload: { erased: true } })
    }
  })

  test('D-12 P-10 ends after thirty days, and what it is about is settled once it is understood', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    const id = await dead(body.paymentIntentId)
    await forgetOldContents(funnel.service.deps)
    expect(await hasName(id)).toBe(true)
    await sql`update webhook_events set received_at = received_at - interval '31 days' where id = ${id}`.execute(
      funnel.db,
    )
    await forgetOldContents(funnel.service.deps)
    expect(await hasName(id)).toBe(false)
    expect(await understood(id)).toMatchObject({ dead_at: null, last_error: null })
    const paid = funnel.db.selectFrom('payments').select('status').where('session_id', '=', buyer.sessionId)
    expect(await paid.execute()).toEqual([{ status: 'succeeded' }])
  })
})

describe('an event that hides what it belongs to', () => {
  test('P-10 P-12 its charge, refund, dispute or invoice is read again by its id', async () => {
    const buyer = await funnel.buyer()
    const intent = await buyer.pay('trial_1')
    const payment = () =>
      funnel.db
        .selectFrom('payments')
        .select(['refunded_cents', 'status'])
        .where('payment_intent_id', '=', intent)
        .executeTakeFirstOrThrow()
    const part = async (amount: number) =>
      funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: String(amount) })

    const first = await part(10)
    await deliver({ type: 'refund.created', data: { object: { object: 'refund', id: first.id } } })
    await eventually(payment, ({ refunded_cents }) => refunded_cents === 10)

    await part(20)
    await deliver({ type: 'charge.refunded', data: { object: { object: 'charge', id: first.charge } } })
    await eventually(payment, ({ refunded_cents }) => refunded_cents === 30)

    const dispute = await funnel.control('POST', 'disputes', { charge: first.charge })
    await deliver({ type: 'charge.dispute.created', data: { object: { object: 'dispute', id: dispute.id } } })
    await eventually(payment, ({ status }) => status === 'disputed')

    const renewing = await funnel.buyer()
    await renewing.pay('trial_5')
    await funnel.control('POST', 'clock', { advance: 3 * DAY + 2 * 3_600 })
    const { data } = await funnel.control('GET', 'objects?kind=event&limit=200')
    const row = await funnel.db
      .selectFrom('subscriptions')
      .select('stripe_subscription_id')
      .where('session_id', '=', renewing.sessionId)
      .executeTakeFirstOrThrow()
    const paid = data.find(
      (one: {
        type: string
        data: { object: { amount_paid: number; parent: { subscription_details: { subscription: string } } } }
      }) =>
        one.type === 'invoice.paid' &&
        one.data.object.amount_paid === 3900 &&
        one.data.object.parent.subscription_details.subscription === row.stripe_subscription_id,
    )
    await deliver({ type: 'invoice.paid', data: { object: { object: 'invoice', id: paid.data.object.id } } })
    const renewals = () =>
      funnel.db
        .selectFrom('payments')
        .select('amount_cents')
        .where('session_id', '=', renewing.sessionId)
        .where('purpose', 'like', 'renewal:%')
        .execute()
    expect(await eventually(renewals, (found) => found.length > 0)).toEqual([{ amount_cents: 3900 }])
  })

  test('P-10 one that is gone at Stripe, or belongs to nothing, is handled', async () => {
    const id = await deliver({ type: 'invoice.deleted', data: { object: { object: 'invoice', id: 'in_gone' } } })
    const done = await eventually(
      () => stored(id),
      (row) => row.handled_at !== null || row.dead_at !== null,
    )
    expect(done).toMatchObject({ last_error: null, dead_at: null })
  })
})
