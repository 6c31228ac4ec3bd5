/** Ending a subscription on the page /exit: what is answered, mailed, charged and resumed. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acknowledgeExit } from '../../payments-service/exit/carry-out.ts'
import type { OutboxJob } from '../../payments-service/jobs/outbox.ts'
import { keepCancellation } from '../../payments-service/payments/subscriptions.queries.ts'
import { lockSession } from '../../payments-service/sessions/lock.ts'
import { carryOut } from '../../payments-service/subscriptions/cancel.ts'
import { keepSubscription } from '../../payments-service/subscriptions/change.ts'
import { type Exits, exitsOf, statement } from './exits.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
let exits: Exits
beforeAll(async () => {
  world = await startMembership()
  exits = exitsOf(world)
})
afterAll(() => world.stop())

const subscriptionOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const kindsTo = async (email: string) => (await world.mails(email)).map(({ kind }) => kind)
const paid = async (email: string): Promise<Buyer> => {
  const buyer = await world.buyer(email)
  await buyer.pay()
  return buyer
}
const ended = (buyer: Buyer) =>
  eventually(
    () => subscriptionOf(buyer),
    ({ cancel_at_period_end }) => cancel_at_period_end,
  )

test('H-04 a subscription ends without a sign-in: answered and mailed with time, never charged again', async () => {
  const email = 'leaves@example.com'
  const buyer = await paid(email)
  const before = Date.now()
  const { status, body } = await exits.leave('LEAVES@example.com'.toLowerCase(), { reason: 'Too expensive' })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['effectAt', 'receivedAt'])
  expect(Math.abs(Date.parse(body.receivedAt as string) - before)).toBeLessThan(60_000)
  expect(body.effectAt).toBe(body.receivedAt)
  const { data } = await world.mail(email, 'exit_received')
  expect(Date.now() - before).toBeLessThan(60_000)
  expect(data).toMatchObject({ statement: 'end', contract: 'subscription', receivedAt: body.receivedAt })
  // what a stranger typed for a reason is mailed to no one
  expect(JSON.stringify(data)).not.toContain('Too expensive')
  await ended(buyer)
  expect((await subscriptionOf(buyer)).cancel_requested_at?.toISOString()).toBe(body.receivedAt)
  await world.mail(email, 'cancellation_confirmed')
  await world.days(45)
  await eventually(
    () => subscriptionOf(buyer),
    ({ status: now }) => now === 'canceled',
  )
  expect(await exits.chargesOf(buyer)).toEqual(['100-0'])
})

test('H-04 an unknown address gets the same answer and the same mail; nothing else happens', async () => {
  const { status, body } = await exits.leave('nobody-here@example.com')
  expect([status, Object.keys(body).sort()]).toEqual([200, ['effectAt', 'receivedAt']])
  expect(await exits.acknowledged('nobody-here@example.com')).toMatchObject({ outcome: 'nothing', session_ids: [] })
  expect(await kindsTo('nobody-here@example.com')).toEqual(['exit_received'])
})

describe('H-04 a stranger cannot end a subscription unseen', () => {
  test('H-04 the owner takes it back with the one link of the mail; the subscription goes on', async () => {
    const email = 'not-me@example.com'
    const buyer = await paid(email)
    await exits.leave(email)
    await ended(buyer)
    const { data } = await world.mail(email, 'exit_received')
    const link = { token: tokenOf(data.takeBackUrl) }
    const browser = browserOf(world)
    // mail programs open links by themselves
    expect((await browser.post('/api/exit/view', link)).body).toMatchObject({ state: 'valid', kind: 'end' })
    expect((await subscriptionOf(buyer)).cancel_at_period_end).toBe(true)
    const answers = await Promise.all([browser.post('/api/exit/take-back', link), exits.takeBack(email)])
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual([
      [200, 'taken_back'],
      [200, 'taken_back'],
    ])
    // every page says so from now on
    expect((await subscriptionOf(buyer)).cancel_at_period_end).toBe(false)
    await world.mail(email, 'cancellation_undone')
    await world.days(4)
    await eventually(
      () => exits.chargesOf(buyer),
      (charges) => charges.length === 2,
    )
    expect(await exits.chargesOf(buyer)).toEqual(['100-0', '3900-0'])
  })

  test('H-04 taken back while Stripe is away: not called so, and the next press takes it back', async () => {
    const email = 'taken-back-away@example.com'
    const buyer = await paid(email)
    await world.control('POST', 'faults', {
      from: 'server',
      mode: 'drop_before',
      path: '/v1/subscriptions',
      times: 9e3,
    })
    try {
      await exits.leave(email)
      await exits.acknowledged(email)
      expect((await exits.takeBack(email)).status).toBe(503)
    } finally {
      await world.control('DELETE', 'faults')
    }
    expect(await exits.acknowledged(email)).toMatchObject({ taken_back_at: null })
    expect((await exits.takeBack(email)).body.state).toBe('taken_back')
    await world.mail(email, 'cancellation_undone')
    // a job may have been about to end it
    const now = await eventually(
      () => subscriptionOf(buyer),
      ({ cancel_at_period_end }) => !cancel_at_period_end,
    )
    expect(now.cancel_requested_at).toBeNull()
  })

  /** Ends a subscription as a job does that `meanwhile` overtakes, before each of its calls to Stripe. */
  async function endOvertaken(id: string, ...meanwhile: (() => Promise<void>)[]): Promise<void> {
    const { deps } = world.service
    const cancelAtPeriodEnd: typeof deps.stripe.cancelAtPeriodEnd = async (...given) => {
      await meanwhile.shift()?.()
      return deps.stripe.cancelAtPeriodEnd(...given)
    }
    await carryOut({ ...deps, stripe: { ...deps.stripe, cancelAtPeriodEnd } }, id, undefined)
    // the worker beside it may have taken the step back before the job could
    for (const left of meanwhile.splice(0)) await left()
  }

  test.each([
    ['taken back', false],
    ['taken back and cancelled again', true],
  ])('H-04 %s while a job is carrying it out: the last wish holds at Stripe', async (what, ends) => {
    const buyer = await paid(`${what.replaceAll(' ', '-')}-between@example.com`)
    const { id, stripe_subscription_id: stripeId } = await subscriptionOf(buyer)
    const { deps } = world.service
    const cancel = () =>
      deps.db.transaction().execute(async (tx) => {
        // a row written twice has its visit checked anew, which another writer may have locked
        await lockSession(tx, buyer.sessionId)
        await keepCancellation(tx, { id })
        // out of the hands of the worker that runs beside this
        const looked_at = new Date(Date.now() + 3_600_000)
        await tx.updateTable('subscriptions').set({ looked_at }).where('id', '=', id).execute()
      })
    const carriedOut = async () => carryOut(deps, id, undefined)
    await cancel()
    await endOvertaken(
      id,
      async () => {
        await carriedOut()
        await keepSubscription(deps, await subscriptionOf(buyer), undefined)
      },
      async () => {
        if (ends) await cancel().then(carriedOut)
      },
    )
    const now = await subscriptionOf(buyer)
    expect([now.cancel_at_period_end, now.cancel_requested_at !== null]).toEqual([ends, ends])
    expect((await world.dashboard('GET', `/v1/subscriptions/${stripeId}`)).cancel_at_period_end).toBe(ends)
  })

  test('H-04 taken back while Stripe is away, and cancelled again: the last wish holds', async () => {
    const email = 'taken-back-and-left@example.com'
    const buyer = await paid(email)
    await exits.leave(email)
    await ended(buyer)
    const { data } = await world.mail(email, 'order_confirmation')
    await world.control('POST', 'faults', {
      from: 'server',
      mode: 'drop_before',
      path: '/v1/subscriptions',
      times: 9e3,
    })
    await exits.takeBack(email)
    const cancelled = await browserOf(world).post('/api/links/cancel', { token: tokenOf(data.cancelUrl) })
    await world.control('DELETE', 'faults')
    expect(cancelled.body.subscription).toMatchObject({ nextCharge: null })
    await new Promise((resume) => setTimeout(resume, 8_000))
    expect(await subscriptionOf(buyer)).toMatchObject({ cancel_at_period_end: true })
  })

  test('H-04 P-14 whoever has ordered again since is not told that the cancellation was taken back', async () => {
    const email = 'ordered-again@example.com'
    const buyer = await paid(email)
    await exits.leave(email)
    await ended(buyer)
    const again = await world.buyer(email)
    await again.pay('trial_5')
    const { data } = await world.mail(email, 'exit_received')
    const viewed = await browserOf(world).post('/api/exit/view', { token: tokenOf(data.takeBackUrl) })
    expect([viewed.body.state, (await exits.takeBack(email)).body.state]).toEqual(['over', 'over'])
    expect(await exits.acknowledged(email)).toMatchObject({ taken_back_at: null })
    expect((await subscriptionOf(buyer)).cancel_at_period_end).toBe(true)
  })

  test('H-04 after the paid time nothing can be taken back, and a link of something else opens nothing', async () => {
    const email = 'too-late@example.com'
    const buyer = await paid(email)
    await exits.leave(email)
    await ended(buyer)
    await world.days(4)
    await eventually(
      () => subscriptionOf(buyer),
      ({ status }) => status === 'canceled',
    )
    expect((await exits.takeBack(email)).body.state).toBe('over')
    const { data } = await world.mail(email, 'order_confirmation')
    const other = { token: tokenOf(data.cancelUrl) }
    expect((await browserOf(world).post('/api/exit/view', other)).body.state).toBe('invalid')
    expect((await browserOf(world).post('/api/exit/take-back', other)).status).toBe(404)
  })
})

describe('H-04 whatever else is going on', () => {
  test('H-04 sent twice it is one statement; sent again it changes nothing', async () => {
    const email = 'twice@example.com'
    const buyer = await paid(email)
    const id = crypto.randomUUID()
    const [one, two] = await Promise.all([exits.leave(email, { id }), exits.leave(email, { id })])
    expect([one?.status, two?.status, one?.body]).toEqual([200, 200, two?.body])
    await ended(buyer)
    expect((await exits.leave(email)).status).toBe(200)
    await eventually(
      () => kindsTo(email),
      (kinds) => kinds.filter((kind) => kind === 'exit_received').length === 2,
    )
    expect((await kindsTo(email)).filter((kind) => kind === 'cancellation_confirmed')).toHaveLength(1)
    expect((await subscriptionOf(buyer)).cancel_requested_at?.toISOString()).toBe(one?.body.receivedAt)
  })

  test('H-04 after the end, and before any payment: received, and nothing changes', async () => {
    const email = 'after-the-end@example.com'
    const buyer = await paid(email)
    await exits.leave(email)
    await ended(buyer)
    await world.days(4)
    await eventually(
      () => subscriptionOf(buyer),
      ({ status }) => status === 'canceled',
    )
    expect((await exits.leave(email)).status).toBe(200)
    const visitor = await world.buyer('never-paid@example.com')
    expect((await exits.leave('never-paid@example.com')).status).toBe(200)
    expect(await exits.acknowledged('never-paid@example.com')).toMatchObject({ outcome: 'nothing' })
    await visitor.pay()
    await eventually(
      () => subscriptionOf(visitor),
      ({ status }) => status === 'trialing',
    )
  })

  test('H-04 a renewal that is charged between receipt and execution is paid back', async () => {
    const email = 'charged-between@example.com'
    const buyer = await paid(email)
    await world.control('POST', 'clock', { advance: 3 * 86_400 + 1_800 })
    await eventually(
      () => subscriptionOf(buyer),
      ({ status }) => status === 'active',
    )
    await world.control('POST', 'faults', {
      from: 'server',
      mode: 'drop_before',
      method: 'DELETE',
      path: '/v1/subscriptions',
      times: 9e3,
    })
    expect((await exits.leave(email)).status).toBe(200)
    await exits.acknowledged(email)
    await world.control('POST', 'clock', { advance: 3_600 })
    await world.control('DELETE', 'faults')
    await eventually(
      () => exits.chargesOf(buyer),
      (charges) => charges.includes('3900-3900'),
    )
    expect((await world.mail(email, 'refund')).data.amount).toBe(3900)
    expect((await exits.chargesOf(buyer))[0]).toBe('100-0')
  })
})

/** A statement whose first job is not queued: the test carries it out when its time has come. */
const received = (email: string) =>
  world.db
    .insertInto('exit_requests')
    .values({ ...statement(email), effect_at: new Date() })
    .returningAll()
    .executeTakeFirstOrThrow()
const carriedOut = ({ id }: { id: string }) =>
  acknowledgeExit(world.service.deps, { payload: { exit: id } } as unknown as OutboxJob)

test('H-04 A-01 an address that is corrected before the statement is carried out loses no cancellation', async () => {
  const buyer = await paid('lost-typo@example.com')
  const row = await received('Lost-Typo@example.com')
  await world.correct(buyer, 'lost-right@example.com')
  await carriedOut(row)
  await ended(buyer)
  await world.mail('lost-right@example.com', 'cancellation_confirmed')
  await world.days(45)
  await eventually(
    () => subscriptionOf(buyer),
    ({ status }) => status === 'canceled',
  )
  expect(await exits.chargesOf(buyer)).toEqual(['100-0'])
})

test('H-04 A-01 an address that is corrected while the purchase is being looked up loses no cancellation', async () => {
  const buyer = await paid('while-typo@example.com')
  const row = await received('while-typo@example.com')
  // the job has read the statement, and waits for what was paid
  const job = await world.db.transaction().execute(async (tx) => {
    await sql`lock table payments in access exclusive mode`.execute(tx)
    const carrying = carriedOut(row)
    await eventually(
      () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%from sessions s where%order by s.id%'`.execute(world.db),
      ({ rows }) => rows.length > 0,
    )
    await sql`update sessions set email = 'while-right@example.com' where id = ${buyer.sessionId}`.execute(tx)
    // not awaited by the transaction, which it waits for
    return { carrying }
  })
  await job.carrying
  await ended(buyer)
})

test('H-04 A-01 a statement about a former address, sent after it was corrected, ends nothing', async () => {
  const buyer = await paid('former@example.com')
  await world.correct(buyer, 'present@example.com')
  await carriedOut(await received('former@example.com'))
  expect(await exits.acknowledged('former@example.com')).toMatchObject({ outcome: 'nothing', session_ids: [] })
  expect((await subscriptionOf(buyer)).cancel_requested_at).toBeNull()
})
