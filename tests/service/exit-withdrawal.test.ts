/** Withdrawing on the page /exit: carried out after its wait, by the day on which it was received. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { orderOf } from '../support/order.ts'
import { type Exits, exitsOf } from './exits.ts'
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

const withdraw = (email: string, contract = 'everything') => exits.leave(email, { kind: 'withdraw', contract })
const requestsOf = ({ sessionId }: Buyer) =>
  world.db.selectFrom('money_back_requests').selectAll().where('session_id', '=', sessionId).execute()
const subscriptionOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const grant = async (buyer: Buyer) => {
  const [request] = await requestsOf(buyer)
  expect(await decideMoneyBack(world.service.deps, request?.id ?? '', { decision: 'approve' }, 'boss')).toBe(true)
}

/** A buyer in Austria who has bought the programme and one guide. */
async function austrian(email: string): Promise<Buyer> {
  const buyer = await world.buyer(email)
  await world.db
    .updateTable('session_metadata')
    .set({ country: 'AT', timezone: 'Europe/Vienna' })
    .where('session_id', '=', buyer.sessionId)
    .execute()
  await buyer.pay()
  expect((await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))).status).toBe(200)
  return buyer
}

test('H-02 a withdrawal stops the charges at once, and gives back what was paid when its wait is over', async () => {
  const email = 'graz@example.com'
  const buyer = await austrian(email)
  const { status, body } = await withdraw(email)
  expect(status).toBe(200)
  expect(Date.parse(body.effectAt as string) - Date.parse(body.receivedAt as string)).toBe(24 * 3_600_000)
  const { data } = await world.mail(email, 'exit_received')
  expect(data).toMatchObject({ statement: 'withdraw', contract: 'everything', effectAt: body.effectAt })
  await eventually(
    () => subscriptionOf(buyer),
    ({ cancel_at_period_end }) => cancel_at_period_end,
  )
  expect(await requestsOf(buyer)).toEqual([])
  await exits.waitIsOver(email)
  const [request] = await requestsOf(buyer)
  expect(request).toMatchObject({ kind: 'withdrawal', status: 'open', contract: 'everything' })
  expect(request?.requested_at.toISOString()).toBe(body.receivedAt)
  await world.mail(email, 'withdrawal_received')
  await grant(buyer)
  await eventually(
    () => exits.chargesOf(buyer),
    (charges) => charges.every((charge) => new Set(charge.split('-')).size === 1),
  )
  expect((await exits.takeBack(email)).body.state).toBe('over')
})

const paidDaysAgo = ({ sessionId }: Buyer, days: number) =>
  sql`update payments set settled_at = now() - make_interval(days => ${days}) where session_id = ${sessionId}`.execute(
    world.db,
  )

test('H-02 received within the fourteen days, carried out after: it counts from when it was received', async () => {
  const email = 'last-day@example.com'
  const buyer = await austrian(email)
  await withdraw(email)
  const { id } = await exits.acknowledged(email)
  await paidDaysAgo(buyer, 15)
  await sql`update exit_requests set received_at = now() - interval '30 hours' where id = ${id}`.execute(world.db)
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toHaveLength(1)
  const late = await austrian('a-day-late@example.com')
  await paidDaysAgo(late, 16)
  await withdraw('a-day-late@example.com')
  await exits.waitIsOver('a-day-late@example.com')
  expect(await requestsOf(late)).toEqual([])
})

test('H-02 a guide alone is given back, and the subscription goes on', async () => {
  const email = 'guide-only@example.com'
  const buyer = await austrian(email)
  await withdraw(email, 'guides')
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toMatchObject([{ contract: 'guides', amount_cents: 1490 }])
  await grant(buyer)
  await eventually(
    () => exits.chargesOf(buyer),
    (charges) => charges.includes('1490-1490'),
  )
  expect((await world.mail(email, 'withdrawal_received')).data.goesOn).toBe(true)
  const { data } = await world.mail(email, 'money_back_decided')
  expect(data).toMatchObject({ decision: 'approved', amount: 1490, accessEndsAt: null })
  expect(await exits.chargesOf(buyer)).toContain('100-0')
  expect(await subscriptionOf(buyer)).toMatchObject({ status: 'trialing', cancel_requested_at: null })
})

test('D-12 H-02 a visitor whose withdrawal waits is erased only after it, and still paid back', async () => {
  const email = 'withdrawn-and-gone@example.com'
  const buyer = await austrian(email)
  await world.dashboard('DELETE', `/v1/subscriptions/${(await subscriptionOf(buyer)).stripe_subscription_id}`)
  await eventually(
    () => subscriptionOf(buyer),
    ({ status }) => status === 'canceled',
  )
  await withdraw(email)
  await exits.acknowledged(email)
  const chosen = { who: buyer.sessionId, visits: [buyer.sessionId] }
  await expect(eraseVisitor(world.db, chosen)).rejects.toThrow(/^A withdrawal is carried out on 20.* Erase after that/)
  await exits.waitIsOver(email)
  expect(await eraseVisitor(world.db, chosen)).toMatchObject({ sessions: 1 })
  await grant(buyer)
  await eventually(
    () => exits.chargesOf(buyer),
    (charges) => charges.join() === '100-100,1490-1490',
  )
})

test('H-02 the owner takes a withdrawal back while it waits, by either link: nothing is given back', async () => {
  for (const [email, by] of [
    ['back-by-exit@example.com', 'exit'],
    ['back-by-keeping@example.com', 'keep'],
  ] as const) {
    const buyer = await austrian(email)
    await withdraw(email)
    await exits.acknowledged(email)
    const confirmed = await world.mail(email, 'cancellation_confirmed')
    if (by === 'exit') expect((await exits.takeBack(email)).body.state).toBe('taken_back')
    else {
      const link = { token: tokenOf(confirmed.data.undoUrl) }
      expect((await browserOf(world).post('/api/links/undo-cancel', link)).status).toBe(200)
    }
    await exits.waitIsOver(email)
    await eventually(
      () => subscriptionOf(buyer),
      ({ cancel_at_period_end }) => !cancel_at_period_end,
    )
    expect(await requestsOf(buyer), by).toEqual([])
    expect((await exits.takeBack(email)).body.state).toBe('taken_back')
  }
})

test('H-02 where the right does not exist the charges end, nothing is given back, and operators see why', async () => {
  const email = 'ohio@example.com'
  const buyer = await world.buyer(email)
  await buyer.pay()
  expect((await withdraw(email)).status).toBe(200)
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toEqual([])
  expect(await exits.acknowledged(email)).toMatchObject({ outcome: 'not_eligible' })
  expect(await subscriptionOf(buyer)).toMatchObject({ cancel_at_period_end: true })
})

test('H-02 D-07 a click on an ad abroad moves a visit only until it is paid: the order keeps its country', async () => {
  const email = 'travels@example.com'
  const buyer = await world.buyer(email, 'US')
  const placeAfterClickFrom = async (country: string) => {
    buyer.browser.headers['x-country-code'] = country
    const click = { last: { utm_source: 'holiday', utm_campaign: country } }
    const body = { sessionId: buyer.sessionId, events: [], attribution: click }
    expect((await buyer.browser.post('/api/track', body)).status).toBe(200)
    return world.db
      .selectFrom('session_metadata')
      .select(['country', 'utm_campaign'])
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirst()
  }
  expect(await placeAfterClickFrom('AT')).toEqual({ country: 'AT', utm_campaign: 'AT' })
  await buyer.pay()
  expect(await placeAfterClickFrom('US')).toEqual({ country: 'AT', utm_campaign: 'US' })
  expect((await withdraw(email)).status).toBe(200)
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toMatchObject([{ kind: 'withdrawal', status: 'open' }])
})

test('H-02 withdrawn from a guide first and then from the rest: all of it comes back', async () => {
  const email = 'piece-by-piece@example.com'
  const buyer = await austrian(email)
  await withdraw(email, 'guides')
  await exits.waitIsOver(email)
  const { data } = await world.mail(email, 'order_confirmation')
  const link = { token: tokenOf(data.withdrawUrl ?? '') }
  expect((await browserOf(world).post('/api/links/withdraw/view', link)).body).toMatchObject({
    state: 'valid',
    amount: 100,
  })
  expect((await browserOf(world).post('/api/links/withdraw', link)).body).toMatchObject({ state: 'done' })
  expect(await requestsOf(buyer)).toMatchObject([
    { contract: 'guides', amount_cents: 1490 },
    { contract: 'everything', amount_cents: 100 },
  ])
  for (const { id } of (await requestsOf(buyer)).reverse()) {
    expect(await decideMoneyBack(world.service.deps, id, { decision: 'approve' }, 'boss')).toBe(true)
  }
  await eventually(
    () => requestsOf(buyer),
    (all) => all.every(({ status }) => status === 'refunded'),
  )
  expect((await exits.chargesOf(buyer)).sort()).toEqual(['100-100', '1490-1490'])
})

test('H-02 withdrawn from while a money-back request waits: all that was paid is asked for', async () => {
  const email = 'guarantee-first@example.com'
  const buyer = await austrian(email)
  await world.db
    .insertInto('money_back_requests')
    .values({
      ...{ session_id: buyer.sessionId, kind: 'guarantee', amount_cents: 100, listened_sessions: 7 },
      ...{ first_paid_at: new Date(), answer_by: new Date() },
    })
    .execute()
  await withdraw(email)
  await exits.waitIsOver(email)
  expect(await requestsOf(buyer)).toMatchObject([{ kind: 'guarantee' }, { kind: 'withdrawal', amount_cents: 1590 }])
  await world.mail(email, 'withdrawal_received')
})

test('H-02 H-04 a subscription that was withdrawn from cannot be kept, and no page offers it', async () => {
  const email = 'not-kept@example.com'
  const buyer = await world.member({ email, country: 'AT' })
  const row = await eventually(
    () => subscriptionOf(buyer),
    ({ status }) => status === 'trialing',
  )
  const own = (what: string) => buyer.browser.post(`/api/subscriptions/${row.id}/${what}`)
  expect((await own('cancel')).body).toMatchObject({ state: 'ending', keepable: true })
  const { data } = await world.mail(email, 'cancellation_confirmed')
  expect((await own('withdrawal')).status).toBe(200)
  await eventually(
    () => subscriptionOf(buyer),
    ({ cancel_done_at }) => cancel_done_at !== null,
  )
  expect((await own('cancel')).body).toMatchObject({ state: 'ending', keepable: false })
  expect((await own('keep')).body.error.code).toBe('subscription_over')
  const link = { token: tokenOf(data.undoUrl) }
  expect((await browserOf(world).post('/api/links/undo-cancel/view', link)).body.state).toBe('done')
  await grant(buyer)
  await eventually(
    () => exits.chargesOf(buyer),
    (charges) => charges.every((charge) => new Set(charge.split('-')).size === 1),
  )
})

test('H-02 H-04 cancelled by the form, withdrawn from by a link: the form is not taken back, and says so', async () => {
  const email = 'both-ways@example.com'
  const buyer = await austrian(email)
  const { data } = await world.mail(email, 'order_confirmation')
  await exits.leave(email)
  await exits.acknowledged(email)
  const link = { token: tokenOf(data.withdrawUrl ?? '') }
  expect((await browserOf(world).post('/api/links/withdraw', link)).status).toBe(200)
  expect((await exits.takeBack(email)).body.state).toBe('over')
  expect((await subscriptionOf(buyer)).cancel_requested_at).not.toBeNull()
})
