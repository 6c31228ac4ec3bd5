/** Erasing a visitor while a payment is in progress: no charge is kept, no personal data comes back (D-12). */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noteSent } from '../../payments-service/mail/sender.ts'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { eraseVisitor, NotErasable } from '../../payments-service/privacy/erase.ts'
import { orderOf } from '../support/order.ts'
import { traces } from '../support/traces.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterEach(() => funnel.control('DELETE', 'faults'))
afterAll(() => funnel.stop())

const erase = (buyer: Buyer) => eraseVisitor(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })
const atStripe = async (intentId: string) => {
  const intent = await funnel.dashboard('GET', `/v1/payment_intents/${intentId}`, { 'expand[0]': 'latest_charge' })
  return {
    status: intent.status as string,
    kept: (intent.latest_charge?.amount_captured ?? 0) - (intent.latest_charge?.amount_refunded ?? 0),
  }
}
const awayFor = (path: string, times: number) =>
  funnel.control('POST', 'faults', { mode: '500', method: 'POST', path, from: 'server', times })
const due = () => sql`update outbox set next_attempt_at = now() where sent_at is null`.execute(funnel.db)
const cancelled = async (buyer: Buyer) => {
  const row = () =>
    funnel.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
  const { stripe_subscription_id } = await eventually(row, (one) => one.stripe_subscription_id !== null)
  await funnel.dashboard('DELETE', `/v1/subscriptions/${stripe_subscription_id}`)
  await eventually(row, ({ status }) => status === 'canceled')
}

test('D-12 a mail that is being recorded waits for an erasure, and holds nothing that it removes', async () => {
  const { sessionId } = await funnel.buyer()
  const { db } = funnel
  const [job] = await db
    .insertInto('outbox')
    .values({
      kind: 'mail:resume_link',
      dedupe_key: `mail:resume_link:${sessionId}`,
      session_id: sessionId,
      payload: '{}',
      next_attempt_at: new Date(Date.now() + 3_600_000),
    })
    .returningAll()
    .execute()
  const mail = { kind: 'resume_link', to: 'ada@example.com', data: {} } as never
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`.execute(db)
    return rows.length
  }
  let noted: Promise<void> | undefined
  await db.transaction().execute(async (erasing) => {
    await sql`select from sessions where id = ${sessionId} for update`.execute(erasing)
    noted = noteSent(db, job as never, { mail, subject: 'x', messageId: sessionId })
    await eventually(waiting, (count) => count > 0)
    await sql`set local lock_timeout = '300ms'`.execute(erasing)
    await sql`delete from outbox where session_id = ${sessionId}`.execute(erasing)
  })
  await noted
  const entry = await db
    .selectFrom('mail_log')
    .selectAll()
    .where('message_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const gone = { outbox_id: null, recipient: 'erased', subject: 'erased', detail: null }
  expect(entry).toMatchObject({ ...gone, result: 'sent', kind: 'resume_link', session_id: sessionId })
})

describe('refunds that were promised', () => {
  test('D-12 H-05 an add-on that was taken back is refunded, although the buyer was erased meanwhile', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
    await cancelled(buyer)
    await awayFor('/v1/refunds', 2)
    expect((await buyer.browser.post(buyer.path('/upsells/guide_habits/undo'))).body.state).toBe('undoing')
    await erase(buyer)
    await due()
    await eventually(
      () => atStripe(body.paymentIntentId),
      ({ kept }) => kept === 0,
    )
  })

  test('D-12 A-07 money back that was granted is given, although the buyer was erased meanwhile', async () => {
    const buyer = await funnel.buyer()
    const intent = await buyer.pay('trial_1767')
    await cancelled(buyer)
    const { id } = await funnel.db
      .insertInto('money_back_requests')
      .values({
        session_id: buyer.sessionId,
        kind: 'guarantee',
        amount_cents: 1767,
        listened_sessions: 7,
        first_paid_at: new Date(),
        answer_by: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await awayFor('/v1/refunds', 2)
    await decideMoneyBack(funnel.service.deps, id, { decision: 'approve' }, 'op')
    await erase(buyer)
    await due()
    await eventually(
      () => atStripe(intent),
      ({ kept }) => kept === 0,
    )
    await eventually(
      () => funnel.db.selectFrom('money_back_requests').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
      ({ status }) => status === 'refunded',
    )
  })
})

describe('payments that are open', () => {
  test('D-12 an open intent ends at Stripe, so that the tab which holds its secret cannot pay', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1')
    await awayFor('/v1/payment_intents', 1)
    await erase(buyer)
    await eventually(
      () => atStripe(body.paymentIntentId),
      ({ status }) => status === 'canceled',
    )
    expect((await funnel.confirm(body)).status).toBe(400)
  })

  test('D-12 a payment that arrives after the erasure goes back by itself and starts nothing', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_9')
    // Stripe accepts the cancellation only after the buyer's confirmation
    await funnel.control('POST', 'faults', {
      mode: '500',
      method: 'POST',
      path: `/v1/payment_intents/${body.paymentIntentId}/cancel`,
      from: 'server',
      times: 5,
    })
    await erase(buyer)
    expect((await funnel.confirm(body)).status).toBe(200)
    await eventually(
      () => atStripe(body.paymentIntentId),
      ({ kept }) => kept === 0,
    )
    const [payment] = await eventually(
      () => funnel.db.selectFrom('payments').selectAll().where('session_id', '=', buyer.sessionId).execute(),
      ([one]) => one?.status === 'refunded',
    )
    expect(payment).toMatchObject({ amount_cents: 900, refunded_cents: 900, customer_email: null })
    for (const table of ['subscriptions', 'product_access_grants', 'session_access'] as const) {
      expect([
        table,
        await funnel.db.selectFrom(table).selectAll().where('session_id', '=', buyer.sessionId).execute(),
      ]).toEqual([table, []])
    }
  })

  test('D-12 P-07 neither a mailed link nor a client secret opens an erased visit, used before or not', async () => {
    const buyer = await funnel.buyer('opens@example.com')
    const { body } = await buyer.open('trial_1', 'paypal')
    await funnel.paypal(body)
    const claim = () => buyer.browser.post('/api/payment-returns', { clientSecret: body.clientSecret })
    expect((await claim()).status).toBe(200)
    await eventually(
      () => funnel.db.selectFrom('payments').select('id').where('session_id', '=', buyer.sessionId).execute(),
      (list) => list.length === 1,
    )
    await cancelled(buyer)
    await erase(buyer)
    expect([404, 410]).toContain((await claim()).status)
    expect((await buyer.browser.get(buyer.path(''))).status).toBe(403)
    await expect(
      sql`insert into customers (session_id, email) values (${buyer.sessionId}, 'again@example.com')`.execute(
        funnel.db,
      ),
    ).rejects.toThrow('erased')
  })

  test('D-12 erased at any moment of a hundred payments: no charge is kept and nothing names the buyer', async () => {
    const emails: string[] = []
    let erased = 0
    const arrive = async () => {
      const email = `vanishes-${crypto.randomUUID().slice(0, 8)}@example.com`
      emails.push(email)
      const buyer = await funnel.buyer(email)
      const { body } = await buyer.open('trial_9')
      return { email, buyer, body }
    }
    const pay = async ({ email, buyer, body }: Awaited<ReturnType<typeof arrive>>, delay: number) => {
      const paying = funnel.confirm(body).then(() => buyer.finalize(body.paymentIntentId))
      await new Promise((later) => setTimeout(later, delay))
      const gone = await erase(buyer).then(
        ({ sessions }) => sessions === 1,
        (error: unknown) => {
          if (error instanceof NotErasable) return false
          throw error
        },
      )
      await paying
      return { buyer, intent: body.paymentIntentId as string, email, gone }
    }
    const all = []
    for (let round = 0; round < 10; round++) {
      const buyers = []
      for (let n = 0; n < 10; n++) buyers.push(await arrive())
      all.push(...(await Promise.all(buyers.map((buyer, n) => pay(buyer, n * 12)))))
    }
    for (const { buyer, intent, email, gone } of all) {
      if (!gone) continue
      erased += 1
      const { status } = await eventually(
        () => atStripe(intent),
        (now) => now.status === 'canceled' || (now.status === 'succeeded' && now.kept === 0),
      )
      expect(['canceled', 'succeeded']).toContain(status)
      const live = await funnel.db
        .selectFrom('subscriptions')
        .select('id')
        .where('session_id', '=', buyer.sessionId)
        .where('status', '!=', 'canceled')
        .execute()
      expect(live).toEqual([])
      // an event that Stripe sent later is emptied once it has been processed
      await eventually(
        () => traces(funnel.db, email),
        (tables) => tables.length === 0,
      )
      const access = await funnel.db
        .selectFrom('session_access')
        .select('kind')
        .where('session_id', '=', buyer.sessionId)
        .execute()
      expect(access).toEqual([])
    }
    expect(erased).toBeGreaterThan(5)
  }, 600_000)
})
