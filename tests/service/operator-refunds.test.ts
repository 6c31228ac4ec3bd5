/** An operator handles a refund that the bank returned, in the operator pages: retries it, or pays by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { requestMoneyBack } from '../../payments-service/money-back/request.ts'
import { orderOf } from '../support/order.ts'
import { type Membership, startMembership } from './membership.ts'
import { formTokenOf, signedOperator, type SignedOperator } from './operators.ts'
import { eventually } from './service.ts'

let world: Membership
let boss: SignedOperator
beforeAll(async () => {
  world = await startMembership()
  boss = await signedOperator(world)
})
afterAll(() => world.stop())

const LIST = '/operator/money-back'
const page = async (): Promise<string> => (await boss.browser.get(LIST)).body as string
const answer = async (id: string, act: string) =>
  boss.browser.form(`/operator/refunds/${id}`, { act, form_token: formTokenOf(await page()) })

/** A buyer whose refund from the dashboard was returned by the bank; `disputed`: the charge was in between. */
async function sentBack({ cents = 500, disputed = false } = {}) {
  const email = `owed-${crypto.randomUUID().slice(0, 8)}@example.com`
  const { sessionId } = await world.member({ email, product: 'trial_1767' })
  const { payment_intent_id: intent, charge_id: charge } = await world.db
    .selectFrom('payments')
    .select(['payment_intent_id', 'charge_id'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const refunds = async () => (await world.dashboard('GET', '/v1/refunds', { payment_intent: intent })).data
  const subscription = () =>
    world.db.selectFrom('subscriptions').select('status').where('session_id', '=', sessionId).executeTakeFirst()
  await eventually(subscription, (row) => row?.status === 'trialing')
  await world.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: String(cents) })
  await world.mail(email, 'refund')
  const [made] = await refunds()
  const dispute = disputed ? ((await world.control('POST', 'disputes', { charge })).id as string) : ''
  await world.control('POST', 'refunds/settle', { refund: made.id, status: 'failed', reason: 'lost_or_stolen_card' })
  const owed = () =>
    world.db.selectFrom('owed_refunds').selectAll().where('session_id', '=', sessionId).executeTakeFirst()
  const { id = '' } = (await eventually(owed, (row) => row?.status === 'impossible')) ?? {}
  const story = async () => (await boss.browser.get(`/operator/sessions/${sessionId}`)).body as string
  const form = `action="/operator/refunds/${id}"`
  return { email, sessionId, subscription, id, owed, refunds, story, dispute, form }
}

describe('a refund that needs a person', () => {
  test('P-12 “Try again” refunds the rest once, however often it is pressed, and the list lets it go', async () => {
    const { email, id, owed, refunds, form } = await sentBack()
    expect(await page()).toContain(form)
    const replies = await Promise.all([answer(id, 'again'), answer(id, 'again')])
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 404])
    const row = await eventually(owed, (one) => one?.status === 'refunded')
    expect(row).toMatchObject({ wanted_cents: 500, back_cents: 500 })
    const list = (await refunds()) as { status: string; amount: number }[]
    expect(list.map(({ status, amount }) => [status, amount])).toEqual([
      ['succeeded', 500],
      ['failed', 500],
    ])
    expect(await page()).not.toContain(form)
    expect((await world.mail(email, 'refund')).data).toMatchObject({ amount: 500 })
  })

  test('P-12 “I paid it in another way” sends nothing more through Stripe and names who said so', async () => {
    const { id, owed, refunds, form, story } = await sentBack()
    expect(await story()).toContain('needs you')
    expect((await answer(id, 'settled')).status).toBe(303)
    expect(await owed()).toMatchObject({ status: 'settled', settled_by: boss.email, back_cents: 0 })
    expect(await page()).not.toContain(form)
    expect(await story()).toContain(`settled in another way by ${boss.email}`)
    // pressed late, in a list that someone else had left open
    expect((await answer(id, 'again')).status).toBe(404)
    expect(await refunds()).toHaveLength(1)
    const trail = await world.db
      .selectFrom('operator_trail')
      .select('action')
      .where('subject', '=', id)
      .orderBy('id')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual([
      'POST /operator/refunds/:id settled',
      'POST /operator/refunds/:id again',
    ])
  })

  test('P-12 while the bank holds a disputed one it is not tried again or paid by hand, and told once', async () => {
    const { email, id, owed, form, dispute } = await sentBack({ disputed: true })
    expect(await owed()).toMatchObject({ reason: 'charge_disputed' })
    const [, own = ''] = (await page()).split(email)
    expect(own.slice(0, own.indexOf('</tr>'))).toMatch(/if you lose, the bank pays the buyer.*accept the dispute/s)
    expect(own.slice(0, own.indexOf('</tr>'))).not.toContain(form)
    expect([await answer(id, 'again'), await answer(id, 'settled')]).toMatchObject([{ status: 404 }, { status: 404 }])
    expect(await owed()).toMatchObject({ status: 'impossible' })
    expect((await world.mails(email)).filter(({ kind }) => kind === 'refund_failed')).toHaveLength(1)
    await world.control('POST', 'disputes/close', { dispute, status: 'won' })
    await eventually(owed, (row) => row?.reason !== 'charge_disputed')
    expect((await answer(id, 'again')).status).toBe(303)
    await eventually(owed, (row) => row?.status === 'refunded')
  })
})

test('P-12 paid in another way, all of it, ends a subscription that had gone on while the refund failed', async () => {
  // Stripe cannot end it until the bank has sent the refund back
  await world.control('POST', 'faults', {
    ...{ mode: 'drop_before', method: 'DELETE', path: '/v1/subscriptions', from: 'server', times: 400 },
  })
  const { id, sessionId, subscription } = await sentBack({ cents: 1767 })
  const ends = () =>
    world.db
      .selectFrom('outbox')
      .select(['sent_at', 'last_error'])
      .where('session_id', '=', sessionId)
      .where('kind', '=', 'end_subscription')
      .execute()
  await eventually(ends, ([job]) => job?.last_error !== null || job.sent_at !== null)
  await world.control('DELETE', 'faults')
  await eventually(ends, (jobs) => jobs.every(({ sent_at: at }) => at !== null))
  expect(await subscription()).toEqual({ status: 'trialing' })
  expect((await answer(id, 'settled')).status).toBe(303)
  await eventually(subscription, (row) => row?.status === 'canceled')
})

/** A buyer in Austria who has taken a guide back, for which the bank refuses the refund. */
async function unrefundedGuide(before: (sessionId: string) => Promise<void> = async () => {}) {
  const email = `guide-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email, country: 'AT' })
  const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
  await before(buyer.sessionId)
  expect((await buyer.browser.post(buyer.path('/upsells/guide_habits/undo'))).body.state).toBe('undone')
  const { data } = await world.dashboard('GET', '/v1/refunds', { payment_intent: body.paymentIntentId })
  const failed = { status: 'failed', reason: 'expired_or_canceled_card' }
  await world.control('POST', 'refunds/settle', { refund: data[0].id, ...failed })
  const owed = () =>
    world.db
      .selectFrom('owed_refunds')
      .select(['cause', 'status', 'wanted_cents'])
      .where('session_id', '=', buyer.sessionId)
      .orderBy('id')
      .execute()
  await eventually(owed, (rows) => rows[0]?.status === 'impossible')
  return {
    email,
    owed,
    buyer,
    sessionId: buyer.sessionId,
    offered: async () => (await buyer.browser.get('/api/account')).body.subscriptions[0].withdrawAmount,
    async grant() {
      const { id } = await world.db
        .selectFrom('money_back_requests')
        .select('id')
        .where('session_id', '=', buyer.sessionId)
        .executeTakeFirstOrThrow()
      expect(await decideMoneyBack(world.service.deps, id, { decision: 'approve' }, 'boss')).toBe(true)
      return (await world.mail(email, 'money_back_decided')).data
    },
  }
}

const ONCE = [
  { cause: 'undo_add_on', status: 'impossible', wanted_cents: 1490 },
  { cause: 'money_back', status: 'refunded', wanted_cents: 100 },
]
const withdraw = (sessionId: string) => requestMoneyBack(world.service.deps, sessionId, 'withdrawal')

describe('a charge that is owed already and needs a person', () => {
  test('P-12 A-05 paid in another way: what it had bought closes, and its invoice says refunded', async () => {
    const { buyer, sessionId } = await unrefundedGuide()
    const guide = async () => {
      const { body } = await buyer.browser.get('/api/invoices')
      const [line] = (body.invoices as { id: string; amount: number }[]).filter(({ amount }) => amount === 1490)
      const grants = await world.db
        .selectFrom('product_access_grants')
        .select('revoked_reason')
        .where('session_id', '=', sessionId)
        .where('product_id', '=', 'guide_habits')
        .orderBy('granted_at', 'desc')
        .execute()
      return { closed: grants[0]?.revoked_reason, ...(await buyer.browser.get(`/api/invoices/${line?.id}`)).body }
    }
    const { tax, ...before } = await guide()
    expect(before).toMatchObject({ closed: null, refunded: 0, returned: 0, taxRefunded: 0 })
    const { id } = await world.db
      .selectFrom('owed_refunds')
      .select('id')
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect((await answer(id, 'settled')).status).toBe(303)
    expect(await guide()).toMatchObject({
      ...{ closed: 'refunded', refunded: 1490, returned: 0, taxRefunded: tax?.taxAmount ?? 0 },
    })
    const payment = world.db.selectFrom('payments').select(['status', 'refunded_cents'])
    expect(await payment.where('session_id', '=', sessionId).where('amount_cents', '=', 1490).execute()).toEqual([
      { status: 'refunded', refunded_cents: 0 },
    ])
  })

  test('H-05 P-12 given back by the bank in a dispute: the buyer reads of no other way that we look for', async () => {
    const { buyer, sessionId } = await unrefundedGuide()
    const undo = async () => (await buyer.browser.post(buyer.path('/upsells/guide_habits/undo'))).body.state as string
    expect(await undo()).toBe('unrefunded')
    const { charge_id: charge } = await world.db
      .selectFrom('payments')
      .select('charge_id')
      .where('session_id', '=', sessionId)
      .where('amount_cents', '=', 1490)
      .executeTakeFirstOrThrow()
    const { id: dispute } = await world.control('POST', 'disputes', { charge })
    await world.control('POST', 'disputes/close', { dispute, status: 'lost' })
    const status = world.db
      .selectFrom('disputes')
      .select('status')
      .where('id', '=', dispute as string)
    await eventually(
      () => status.executeTakeFirst(),
      (found) => found?.status === 'lost',
    )
    expect(await undo()).toBe('undone')
  })

  test('H-02 H-05 a withdrawal after it does not ask for it again: it stays one row of the list', async () => {
    const { offered, sessionId, grant, owed } = await unrefundedGuide()
    expect(await offered()).toBe(100)
    await withdraw(sessionId)
    expect(await grant()).toMatchObject({ amount: 100, open: 0 })
    expect(await owed()).toEqual(ONCE)
  })

  test('H-02 H-05 nor does one that had asked for it before: the mail of its own has told the buyer', async () => {
    const { email, grant, owed } = await unrefundedGuide(withdraw)
    expect((await world.mail(email, 'refund_failed')).data).toMatchObject({ amount: 1490, next: 'person' })
    expect(await grant()).toMatchObject({ amount: 100, open: 0 })
    expect(await owed()).toEqual(ONCE)
  })
})
