/** Refunds, charge by charge: what is refunded, pending or impossible, and what the buyer reads. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { decideMoneyBack, listMoneyBackRequests } from '../../payments-service/money-back/decide.ts'
import { FACTS } from '../../payments-service/metrics/facts.ts'
import { moneyBackPage } from '../../payments-service/operator/money-back.pages.ts'
import { answerOwed } from '../../payments-service/operator/owed.pages.ts'
import { PAID_OTHERWISE } from '../../payments-service/refunds/owed.queries.ts'
import { orderOf } from '../support/order.ts'
import { askBack, hearSessions } from './asked-back.ts'
import { type Buyer, paymentsOf } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterEach(() => world.control('DELETE', 'faults'))
afterAll(() => world.stop())

const charges = (buyer: Buyer) => paymentsOf(world, buyer)
const refunded = async (buyer: Buyer) => (await charges(buyer)).map(({ refunded_cents }) => refunded_cents)
const settle = async (intentId: string, status: 'succeeded' | 'failed', reason?: string) => {
  const { data } = await world.dashboard('GET', '/v1/refunds', { payment_intent: intentId })
  return world.control('POST', 'refunds/settle', { refund: data[0].id, status, reason })
}
const requestOf = (buyer: Buyer) =>
  world.db
    .selectFrom('money_back_requests')
    .selectAll()
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
const viewed = async (buyer: Buyer) =>
  (await buyer.browser.get('/api/account')).body.subscriptions[0].moneyBack.request as Record<string, unknown>

/** A buyer with an account asks for their money back, optionally after the renewal. */
async function asks(product: 'trial_1' | 'trial_1767', options: { renewed?: boolean; card?: string } = {}) {
  const email = `back-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email, product, ...(options.card ? { card: options.card } : {}) })
  if (options.renewed) {
    await world.days(3.1)
    await eventually(
      () => charges(buyer),
      (list) => list.length === 2,
    )
  }
  await hearSessions(world, buyer.sessionId)
  return { buyer, email, ask: () => askBack(world, buyer) }
}
/** Decides a dispute, and waits until the service has read that. */
async function closeDispute(dispute: string, status: 'lost' | 'won'): Promise<void> {
  await world.control('POST', 'disputes/close', { dispute, status })
  const now = world.db.selectFrom('disputes').select('status').where('id', '=', dispute)
  await eventually(
    () => now.executeTakeFirst(),
    (found) => found?.status === status,
  )
}

/** What is owed to a buyer because of a dispute: in the list and the alert of operators, and by their hand. */
async function disputed(amount: number) {
  const { buyer, email, ask } = await asks('trial_1767')
  const id = await ask()
  const [first] = await charges(buyer)
  const { id: dispute } = await world.control('POST', 'disputes', { charge: first?.charge_id, amount })
  await approve(id)
  await world.mail(email, 'money_back_decided')
  const owed = () =>
    world.db.selectFrom('owed_refunds').selectAll().where('session_id', '=', buyer.sessionId).executeTakeFirstOrThrow()
  const { id: row } = await owed()
  return {
    buyer,
    email,
    owed,
    close: (status: 'lost' | 'won') => closeDispute(dispute, status),
    listed: async () => {
      const [needy = ''] = (await moneyBackPage(world.service.deps, 'x')).text.split('Refunds under way')
      return needy.includes(first?.payment_intent_id ?? '')
    },
    alarming: async () => {
      const fact = FACTS.find(({ name }) => name === 'funnel_refunds_impossible')
      return Number((await fact?.query.execute(world.db))?.rows[0]?.value)
    },
    settled: () => answerOwed(world.service.deps, row, 'settled', 'op'),
    byHand: async () => {
      const { rows } = await sql<{ cents: number }>`select o.cents from ${PAID_OTHERWISE} o
        where o.payment_intent_id = ${first?.payment_intent_id}`.execute(world.db)
      return rows.map(({ cents }) => cents)
    },
  }
}

const approve = (id: string) => decideMoneyBack(world.service.deps, id, { decision: 'approve' }, 'op')

describe('money back', () => {
  test('A-07 one disputed charge does not hold up the others; buyer and operator read which', async () => {
    const { buyer, email, ask } = await asks('trial_1', { renewed: true })
    const id = await ask()
    const [first] = await charges(buyer)
    const { id: dispute } = await world.control('POST', 'disputes', { charge: first?.charge_id })
    await approve(id)
    await eventually(
      () => refunded(buyer),
      ([one, two]) => one === 0 && two === 3900,
    )
    expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 3900, withBank: 100, open: 0 })
    expect(await viewed(buyer)).toMatchObject({ status: 'incomplete', refunded: 3900, withBank: 100 })
    const page = (await moneyBackPage(world.service.deps, 'x')).text
    expect(page).toContain('disputed the charge')
    // the shop wins: the promise is kept after all, and the buyer is informed
    await world.control('POST', 'disputes/close', { dispute, status: 'won' })
    await eventually(
      () => refunded(buyer),
      ([one]) => one === 100,
    )
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    expect((await world.mail(email, 'refund')).data.amount).toBe(100)
  })

  test('A-07 P-12 what the bank gives back of a disputed charge is said to be missing no more', async () => {
    const { buyer, email, ask } = await asks('trial_1767')
    const id = await ask()
    const [first] = await charges(buyer)
    const part = await world.control('POST', 'disputes', { charge: first?.charge_id, amount: 1000 })
    await approve(id)
    expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 0, withBank: 1767 })
    await world.control('POST', 'disputes/close', { dispute: part.id, status: 'lost' })
    await eventually(
      () => viewed(buyer),
      ({ withBank }) => withBank === 767,
    )
    const [, own = ''] = (await moneyBackPage(world.service.deps, 'x')).text.split(`>${email}<`)
    expect(own.slice(0, own.indexOf('<form'))).toContain('$7.67')
    // on appeal the shop wins: all of it is owed again
    await world.control('POST', 'disputes/close', { dispute: part.id, status: 'won' })
    await eventually(
      () => refunded(buyer),
      ([one]) => one === 1767,
    )
  })

  test('A-07 P-12 paid by hand is what a lost dispute left missing; an appeal that is won owes the rest', async () => {
    const { buyer, close, listed, settled, byHand } = await disputed(1000)
    await close('lost')
    expect([await listed(), await settled(), await settled()]).toEqual([true, true, false])
    expect([await listed(), await byHand()]).toEqual([false, [767]])
    expect(await viewed(buyer)).toMatchObject({ refunded: 767, withBank: 0, open: 0 })
    await close('won')
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    expect([await viewed(buyer), await refunded(buyer)]).toMatchObject([{ refunded: 1767 }, [1000]])
    // the payment does not stand: no mail says that the programme is open again
    const told = world.db.selectFrom('outbox').select('id').where('session_id', '=', buyer.sessionId)
    expect(await told.where('kind', '=', 'mail:access_reopened').execute()).toEqual([])
  })

  test('A-07 P-12 N-03 of what a lost dispute gave back whole, nothing is to be paid by hand or alarms', async () => {
    const { buyer, owed, close, listed, alarming, settled, byHand } = await disputed(1767)
    const before = await alarming()
    expect([await listed(), await settled()]).toEqual([true, false])
    await close('lost')
    expect([await listed(), await alarming(), await settled(), await byHand()]).toEqual([false, before, false, []])
    await close('won')
    await eventually(owed, ({ status }) => status === 'refunded')
    expect(await refunded(buyer)).toEqual([1767])
  })

  test('A-07 P-12 a request is done once a lost dispute gave back the rest, until an appeal is won', async () => {
    const { buyer, email, close } = await disputed(1767)
    const decided = async () => {
      const [, own = ''] = (await moneyBackPage(world.service.deps, 'x')).text.split('Decided').at(-1)!.split(email)
      return own.slice(0, own.indexOf('</tr>')).replace(/<[^>]*>/g, ' ')
    }
    expect([(await viewed(buyer))['status'], await decided()]).toEqual([
      'incomplete',
      expect.stringMatching(/not all could go back.*disputed the charge/s),
    ])
    await close('lost')
    expect(await viewed(buyer)).toMatchObject({ status: 'refunded', refunded: 0, withBank: 0, open: 0 })
    expect(await decided()).toMatch(/granted, done.*\$17\.67:\s+nothing of it is missing\s/s)
    expect(await decided()).not.toMatch(/could go back|disputed the charge/)
    await close('won')
    await eventually(
      () => viewed(buyer),
      ({ refunded: back }) => back === 1767,
    )
    expect(await decided()).toMatch(/granted, done.*\$17\.67:\s+refunded\s/s)
  })

  test('A-07 P-12 a refund that fails after a lost dispute gave it all back is missing in no mail', async () => {
    const { buyer, email, ask } = await asks('trial_1767', { card: 'pm_card_pendingRefund' })
    const [charge] = await charges(buyer)
    await approve(await ask())
    await world.mail(email, 'money_back_decided')
    const { id: dispute } = await world.control('POST', 'disputes', { charge: charge?.charge_id, amount: 1767 })
    await closeDispute(dispute, 'lost')
    await settle(charge?.payment_intent_id ?? '', 'failed', 'declined')
    const owed = world.db.selectFrom('owed_refunds').select('status').where('session_id', '=', buyer.sessionId)
    await eventually(
      () => owed.executeTakeFirst(),
      (row) => row?.status === 'impossible',
    )
    const queued = world.db.selectFrom('outbox').select('kind').where('session_id', '=', buyer.sessionId)
    expect(await queued.where('kind', '=', 'mail:refund_failed').execute()).toEqual([])
  })

  test('A-07 H-04 granted while Stripe cannot end it: no more charges or announcements, no keeping of it', async () => {
    const { buyer, email, ask } = await asks('trial_1')
    const card = async () => (await buyer.browser.get('/api/account')).body.subscriptions[0]
    const { id: subscription } = await card()
    const own = async (what: 'cancel' | 'keep') => buyer.browser.post(`/api/subscriptions/${subscription}/${what}`)
    expect((await own('cancel')).body.state).toBe('ending')
    const id = await ask()
    await world.control('POST', 'faults', {
      ...{ mode: 'drop_before', method: 'DELETE', path: '/v1/subscriptions', from: 'server', times: 400 },
    })
    await approve(id)
    const kept = await own('keep')
    expect([kept.status, kept.body.error?.code ?? kept.body.state]).toEqual([409, 'subscription_over'])
    expect((await card()).nextCharge).toBeNull()
    // two days later the first full charge is due
    await world.days(4)
    await world.control('DELETE', 'faults')
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    expect((await charges(buyer)).map(({ amount_cents: paid, refunded_cents: back }) => paid - back)).toEqual([0])
    const kinds = (await world.mails(email)).map(({ kind }) => kind)
    expect(kinds).not.toContain('trial_ends')
    expect(kinds).not.toContain('cancellation_undone')
  })

  test('A-07 H-04 granted while Stripe cannot be reached: a charge in between goes back, too', async () => {
    const { buyer, email, ask } = await asks('trial_1')
    const id = await ask()
    await world.control('POST', 'faults', {
      ...{ mode: 'drop_before', path: '/v1/subscriptions', from: 'server', times: 400 },
    })
    await approve(id)
    const [view] = (await buyer.browser.get('/api/account')).body.subscriptions
    expect(view).toMatchObject({ state: 'cancelling', nextCharge: null })
    await world.days(4)
    await world.control('DELETE', 'faults')
    await eventually(
      () => charges(buyer),
      (all) => all.length === 2 && all.every(({ amount_cents: paid, refunded_cents: back }) => paid === back),
    )
    const kinds = (await world.mails(email)).map(({ kind }) => kind)
    expect(kinds).not.toContain('trial_ends')
    expect(kinds).not.toContain('cancellation_confirmed')
  })

  test('A-07 renewed after it was asked for: all that was paid goes back, as the page had promised', async () => {
    const { buyer, email, ask } = await asks('trial_1')
    const id = await ask()
    await world.days(3.1)
    await world.days(30.1)
    await eventually(
      () => charges(buyer),
      (all) => all.length === 3,
    )
    const [open] = (await listMoneyBackRequests(world.service.deps, 'open')).filter((one) => one.id === id)
    expect(open?.amount_cents).toBe(7900)
    await approve(id)
    expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 7900, pending: 0 })
    expect(await viewed(buyer)).toMatchObject({ status: 'refunded', amount: 7900, refunded: 7900 })
    expect(await refunded(buyer)).toEqual([100, 3900, 3900])
    // however many were decided before it, an operator sees the latest
    expect((await listMoneyBackRequests(world.service.deps, 'decided', 1)).map((one) => one.id)).toEqual([id])
  })

  test('A-07 after a partial refund the answer names the sum that went back now', async () => {
    const { buyer, email, ask } = await asks('trial_1767')
    const [charge] = await charges(buyer)
    await world.dashboard('POST', '/v1/refunds', { payment_intent: charge?.payment_intent_id ?? '', amount: '1000' })
    await eventually(
      () => refunded(buyer),
      ([sum]) => sum === 1000,
    )
    await approve(await ask())
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 767 })
    expect(await viewed(buyer)).toMatchObject({ amount: 767, refunded: 767 })
    expect(await requestOf(buyer)).toMatchObject({ amount_cents: 767, refunded_cents: 767 })
  })

  test('A-07 a pending refund is on its way; sent back days later, buyer and operator learn of it', async () => {
    const { buyer, email, ask } = await asks('trial_1', { card: 'pm_card_pendingRefund' })
    const [charge] = await charges(buyer)
    await approve(await ask())
    expect((await world.mail(email, 'money_back_decided')).data).toMatchObject({ amount: 0, pending: 100 })
    expect([await viewed(buyer), await refunded(buyer)]).toMatchObject([{ status: 'refunding', pending: 100 }, [0]])
    expect((await world.mails(email)).filter(({ kind }) => kind === 'refund')).toEqual([])
    await settle(charge?.payment_intent_id ?? '', 'succeeded')
    expect((await world.mail(email, 'refund')).data.amount).toBe(100)
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    await settle(charge?.payment_intent_id ?? '', 'failed', 'lost_or_stolen_card')
    expect((await world.mail(email, 'refund_failed')).data).toMatchObject({ amount: 100, next: 'person' })
    await eventually(
      () => viewed(buyer),
      ({ status, open }) => status === 'incomplete' && open === 100,
    )
    expect((await moneyBackPage(world.service.deps, 'x')).text).toContain('lost or stolen')
  })

  test('A-07 Stripe away, an answer lost and a refund in the dashboard at once: never more than was paid', async () => {
    const { buyer, ask } = await asks('trial_1767', { renewed: true })
    const id = await ask()
    const [first, renewal] = await charges(buyer)
    await world.control('POST', 'faults', {
      mode: 'execute_then_500',
      method: 'POST',
      path: '/v1/refunds',
      from: 'server',
      times: 1,
    })
    await world.control('POST', 'faults', {
      mode: 'drop_before',
      method: 'POST',
      path: '/v1/refunds',
      from: 'server',
      times: 2,
      after: 1,
    })
    await Promise.all([
      approve(id),
      world.dashboard('POST', '/v1/refunds', { payment_intent: renewal?.payment_intent_id ?? '', amount: '900' }),
    ])
    await eventually(
      async () => {
        await sql`update outbox set next_attempt_at = now() where sent_at is null and kind = 'money_back'`.execute(
          world.db,
        )
        return viewed(buyer)
      },
      ({ status }) => status === 'refunded',
    )
    expect(await refunded(buyer)).toEqual([1767, 3900])
    for (const one of [first, renewal]) {
      const { data } = await world.dashboard('GET', '/v1/refunds', { payment_intent: one?.payment_intent_id ?? '' })
      const sum = (data as { amount: number; status: string }[])
        .filter(({ status }) => status === 'succeeded')
        .reduce((all, { amount }) => all + amount, 0)
      expect(sum).toBe(one?.amount_cents)
    }
  })

  test('A-07 P-12 an add-on refunded after a money-back gets its letter', async () => {
    const { buyer, email, ask } = await asks('trial_1')
    const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
    await approve(await ask())
    await eventually(
      () => viewed(buyer),
      ({ status }) => status === 'refunded',
    )
    await world.dashboard('POST', '/v1/refunds', { payment_intent: body.paymentIntentId })
    expect((await world.mail(email, 'refund')).data).toMatchObject({ amount: 1490, productIds: ['guide_habits'] })
    expect((await world.mails(email)).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  })
})

describe('refunds that the bank sends back', () => {
  test('H-05 an add-on taken back: sent again where that can help, else told, an operator decides', async () => {
    const email = `bank-${crypto.randomUUID().slice(0, 8)}@example.com`
    const buyer = await world.member({ email })
    const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices'))
    expect(body).toMatchObject({ status: 'succeeded' })
    const undo = async () => (await buyer.browser.post(buyer.path('/upsells/guide_devices/undo'))).body.state as string
    expect(await undo()).toBe('undone')
    // the bank refuses days later: the job that requested the refund is already done
    const [job] = await eventually(
      () =>
        world.db
          .selectFrom('outbox')
          .select('sent_at')
          .where('dedupe_key', '=', `undo_add_on:${body.paymentIntentId}`)
          .execute(),
      ([one]) => one?.sent_at !== null,
    )
    expect(job).toBeDefined()
    await settle(body.paymentIntentId, 'failed', 'declined')
    expect((await world.mail(email, 'refund_failed')).data).toMatchObject({ amount: 1490, next: 'again' })
    await eventually(
      async () => (await charges(buyer)).at(-1)?.refunded_cents,
      (cents) => cents === 1490,
    )
    await settle(body.paymentIntentId, 'failed', 'expired_or_canceled_card')
    await eventually(undo, (state) => state === 'unrefunded')
    const told = async () =>
      (await world.mails(email)).flatMap((one) => (one.kind === 'refund_failed' ? [one.data.next] : []))
    await eventually(told, (next) => next.includes('person'))
    expect(await told()).toEqual(['again', 'person'])
    expect((await moneyBackPage(world.service.deps, 'x')).text).toContain('has expired or was closed')
  })

  test('P-14 the second of two charges: its refund fails later, and somebody is asked', async () => {
    const buyer = await world.buyer()
    const opened = await buyer.open('trial_1')
    const other = await world.dashboard('POST', '/v1/payment_intents', {
      amount: '100',
      currency: 'usd',
      customer:
        (
          await world.db
            .selectFrom('customers')
            .select('stripe_customer_id')
            .where('session_id', '=', buyer.sessionId)
            .executeTakeFirstOrThrow()
        ).stripe_customer_id ?? '',
      'allowed_payment_method_types[0]': 'card',
      'metadata[session_id]': buyer.sessionId,
      'metadata[purpose]': 'first',
      'metadata[product_id]': 'trial_1',
    })
    await world.confirm(opened.body)
    await buyer.finalize(opened.body.paymentIntentId)
    await world.confirm({ paymentIntentId: other.id, clientSecret: other.client_secret }, 'pm_card_refundFail')
    await eventually(
      () => charges(buyer),
      (list) => list.some(({ is_duplicate, refunded_cents }) => is_duplicate && refunded_cents === 100),
    )
    await world.control('POST', 'clock', { advance: 61 })
    const owed = () =>
      world.db
        .selectFrom('owed_refunds')
        .selectAll()
        .where('session_id', '=', buyer.sessionId)
        .executeTakeFirstOrThrow()
    const row = await eventually(owed, ({ status }) => status === 'impossible')
    expect(row).toMatchObject({ cause: 'duplicate', back_cents: 0, reason: 'expired_or_canceled_card' })
    const told = await eventually(
      () =>
        world.db
          .selectFrom('outbox')
          .select('kind')
          .where('session_id', '=', buyer.sessionId)
          .where('kind', '=', 'mail:refund_failed')
          .execute(),
      (list) => list.length > 0,
    )
    expect(told).toHaveLength(1)
  })

  test('P-12 a refund from the dashboard that the bank sent back is owed by us from then on', async () => {
    const email = `dash-${crypto.randomUUID().slice(0, 8)}@example.com`
    const buyer = await world.member({ email, product: 'trial_1767' })
    const [charge] = await charges(buyer)
    const intent = charge?.payment_intent_id ?? ''
    await world.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: '500' })
    await world.mail(email, 'refund')
    await settle(intent, 'failed', 'lost_or_stolen_card')
    expect((await world.mail(email, 'refund_failed')).data).toMatchObject({ amount: 500, next: 'person' })
    expect(await refunded(buyer)).toEqual([0])
  })
})
