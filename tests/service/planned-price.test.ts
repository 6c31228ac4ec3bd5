/**
 * H-01: a new price of the catalogue reaches running subscriptions by an operator's command: announced, then charged.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planPrice } from '../../payments-service/subscriptions/planned-price.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { root } from '../../scripts/settings.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { environment, eventually } from './service.ts'

const DAY = 86_400_000
let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const planOf = async (buyer: Buyer) => {
  const { id } = await rowOf(buyer)
  return world.db.selectFrom('price_changes').selectAll().where('subscription_id', '=', id).executeTakeFirst()
}
const outcome = async (buyer: Buyer) => (await planOf(buyer))?.outcome

/** The command of an operator, as a program of its own. */
async function command(verb: string): Promise<string> {
  const env = { DATABASE_URL: world.databaseUrl, STRIPE_API_BASE: world.config.stripe.apiBase ?? '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['payments-service/price-change.command.ts', verb], {
    cwd: root,
    env: { ...process.env, ...environment(env) } as NodeJS.ProcessEnv,
  })
  return stdout
}

/** A buyer who has renewed once and pays $35 since, an older price than the catalogue's $39. */
async function subscriber(country = 'US') {
  const email = `older-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  await world.db.updateTable('session_metadata').set({ country }).where('session_id', '=', buyer.sessionId).execute()
  const settled = (cents: number) =>
    eventually(
      () => rowOf(buyer),
      ({ status, next_charge_cents, next_charge_at, current_period_end }) =>
        status === 'active' && next_charge_cents === cents && next_charge_at! >= current_period_end!,
    )
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  await world.days(3 + 1 / 12)
  const { stripe_subscription_id, stripe_customer_id } = await settled(3900)
  const id = stripe_subscription_id ?? ''
  const { items } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  const price = await world.dashboard('POST', '/v1/prices', {
    product: items.data[0].price.product,
    currency: 'usd',
    unit_amount: '3500',
    'recurring[interval]': 'day',
    'recurring[interval_count]': '30',
  })
  await world.dashboard('POST', `/v1/subscriptions/${id}`, {
    'items[0][id]': items.data[0].id,
    'items[0][price]': price.id,
  })
  await settled(3500)
  const told = async () =>
    (await world.mails(email)).flatMap((mail) =>
      mail.kind === 'price_changed' ? [[mail.data.oldAmount, mail.data.newAmount, mail.data.fromAt] as const] : [],
    )
  await eventually(told, (list) => list.length === 1)
  return {
    buyer,
    email,
    id,
    settled,
    told,
    async charges(): Promise<number[]> {
      const { data } = await world.dashboard('GET', '/v1/charges', { customer: stripe_customer_id ?? '' })
      return (data as { amount: number }[]).map(({ amount }) => amount).reverse()
    },
    async priceAtStripe(): Promise<number> {
      return (await world.dashboard('GET', `/v1/subscriptions/${id}`)).items.data[0].price.unit_amount
    },
  }
}

/** Holds mails about prices back while `work` runs, as if the mail server were down. */
async function unsent(work: () => Promise<void>): Promise<void> {
  await sql`create or replace function hold_mails() returns trigger language plpgsql as $$
      begin new.next_attempt_at = now() + interval '1 hour'; return new; end $$`.execute(world.db)
  await sql`create or replace trigger hold_mails before insert on outbox for each row
    when (new.kind = 'mail:price_changed') execute function hold_mails()`.execute(world.db)
  await work()
  await sql`drop trigger hold_mails on outbox`.execute(world.db)
  await sql`update outbox set next_attempt_at = now() where kind in ('mail:price_changed', 'change_price')
    and sent_at is null`.execute(world.db)
}

test('H-01 told first, charged at the first renewal a week later; until then the old price', async () => {
  const one = await subscriber()
  expect(await command('list')).toMatch(/\$35 → \$39\n1 running subscriptions do not cost \$39/)
  expect([await planOf(one.buyer), await one.priceAtStripe()]).toEqual([undefined, 3500])
  await unsent(async () => {
    expect(await command('announce')).toContain('$35 → $39  planned')
    await eventually(
      () => planOf(one.buyer),
      (plan) => Boolean(plan?.from_at),
    )
    // several tries of the job, and events that change the row
    await new Promise((resume) => setTimeout(resume, 4_000))
    await syncSubscription(world.service.deps, one.id, undefined)
    expect([await one.priceAtStripe(), await outcome(one.buyer), (await one.told()).length]).toEqual([3500, null, 1])
  })
  await eventually(
    () => outcome(one.buyer),
    (found) => found === 'changed',
  )
  const row = await one.settled(3900)
  const [, [before, after, from] = []] = await one.told()
  expect([before, after, Date.parse(from ?? '')]).toEqual([3500, 3900, row.next_charge_at?.getTime()])
  const lead = (row.current_period_end!.getTime() - row.current_period_start!.getTime()) / DAY
  expect(lead).toBeGreaterThanOrEqual(7)
  expect(lead).toBeLessThanOrEqual(30)
  expect(await one.charges()).toEqual([100, 3900])
  expect(await command('announce')).toContain('0 running subscriptions do not cost $39')
  await world.days(30)
  await eventually(one.charges, (list) => list.length === 3)
  expect(await one.charges()).toEqual([100, 3900, 3900])
  expect(await one.told()).toHaveLength(2)
})

test('H-01 a mail that could not be sent leaves the plan to the next period, whatever changes now', async () => {
  const one = await subscriber()
  await unsent(async () => {
    await command('announce')
    const plan = await eventually(
      () => planOf(one.buyer),
      (found) => Boolean(found?.from_at),
    )
    await sql`update outbox set dead_at = now() where kind = 'mail:price_changed'
      and payload ->> 'plan' = ${plan?.id}`.execute(world.db)
  })
  const waits = async () => (await planOf(one.buyer))?.from_at === null
  await eventually(waits, Boolean)
  await sql`update subscriptions set owed_cents = 1 where stripe_subscription_id = ${one.id}`.execute(world.db)
  await syncSubscription(world.service.deps, one.id, undefined)
  expect(await waits()).toBe(true)
  await world.days(30)
  await eventually(
    () => outcome(one.buyer),
    (found) => found === 'changed',
  )
  expect(await one.charges()).toEqual([100, 3900, 3500])
  expect(await one.told()).toHaveLength(2)
})

test('H-01 too little time before the next charge: it keeps the old price, the period after is announced', async () => {
  const one = await subscriber()
  const row = await rowOf(one.buyer)
  const price = await world.service.deps.prices.priceOf('monthly', undefined)
  const look = await syncSubscription(world.service.deps, one.id, undefined)
  const soon = { periodStart: new Date(Date.now() - 25 * DAY), periodEnd: new Date(Date.now() + 5 * DAY) }
  const subscription = { ...look!.subscription, ...soon }
  const next = { ...look!.next!, at: new Date(soon.periodEnd.getTime() + 3_600_000) }
  expect(await planPrice(world.service.deps, row, price, { subscription, next })).toBe(true)
  expect(await planPrice(world.service.deps, row, price, { subscription, next })).toBe(false)
  expect([(await planOf(one.buyer))?.from_at, (await one.told()).length]).toEqual([null, 1])
  await world.days(30)
  await eventually(one.charges, (list) => list.length === 3)
  expect(await one.charges()).toEqual([100, 3900, 3500])
  await eventually(one.told, (list) => list.length === 2)
  await eventually(
    () => outcome(one.buyer),
    (found) => found === 'changed',
  )
  await world.days(30)
  await eventually(one.charges, (list) => list.length === 4)
  expect((await one.charges()).at(-1)).toBe(3900)
  expect(await one.told()).toHaveLength(2)
})

test('H-01 a price that was corrected before it was announced is neither mailed nor charged', async () => {
  const one = await subscriber()
  const row = await rowOf(one.buyer)
  const { id, amount } = await world.service.deps.prices.priceOf('monthly', undefined)
  const plan = (cents: number) =>
    world.db
      .insertInto('price_changes')
      .values({ subscription_id: row.id, old_cents: 3500, new_cents: cents, price_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
  const wrong = await plan(5900)
  expect(await command('list')).toContain('$35 → $39  planned before: $59')
  expect(await command('announce')).toMatch(/1 plans of another price ended[^]*\$35 → \$39  planned\n/)
  await eventually(
    () => world.db.selectFrom('price_changes').selectAll().where('subscription_id', '=', row.id).execute(),
    (plans) => plans.some(({ new_cents, outcome: end }) => new_cents === amount && end === 'changed'),
  )
  const ended = await world.db.selectFrom('price_changes').selectAll().where('id', '=', wrong.id).executeTakeFirst()
  expect(ended?.outcome).toBe('superseded')
  expect((await one.told()).map(([, after]) => after)).not.toContain(5900)
})

test('H-01 a price that was corrected while its mail waited is neither mailed nor charged', async () => {
  const one = await subscriber()
  const row = await rowOf(one.buyer)
  const look = await syncSubscription(world.service.deps, one.id, undefined)
  const price = await world.service.deps.prices.priceOf('monthly', undefined)
  await unsent(async () => {
    expect(await planPrice(world.service.deps, row, { ...price, amount: 5900 }, look!)).toBe(true)
    expect((await planOf(one.buyer))?.from_at).not.toBeNull()
    expect(await command('announce')).toContain('1 plans of another price ended')
  })
  await one.settled(3900)
  expect((await one.told()).map(([, after]) => after)).toEqual([3500, 3900])
})

test('H-01 where the law asks for consent the price stays, and in Canada; who leaves before keeps theirs', async () => {
  const [german, canadian, leaving] = [await subscriber('DE'), await subscriber('CA'), await subscriber()]
  const { body } = await leaving.buyer.browser.get('/api/account')
  await unsent(async () => {
    expect((await command('announce')).match(/planned/g)).toHaveLength(1)
    const path = `/api/subscriptions/${body.subscriptions[0].id}/cancel`
    expect((await leaving.buyer.browser.post(path)).body.state).toBe('ending')
  })
  await eventually(
    () => outcome(leaving.buyer),
    (found) => found === 'left',
  )
  expect([await leaving.priceAtStripe(), (await leaving.told()).length]).toEqual([3500, 1])
  for (const { buyer, priceAtStripe } of [german, canadian])
    expect([await planOf(buyer), await priceAtStripe()]).toEqual([undefined, 3500])
})

test('H-01 a subscription to more than one keeps its price: a plan gives one item one price', async () => {
  const one = await subscriber()
  const { items } = await world.dashboard('GET', `/v1/subscriptions/${one.id}`)
  await world.dashboard('POST', `/v1/subscriptions/${one.id}`, {
    'items[0][id]': items.data[0].id,
    'items[0][quantity]': '2',
    proration_behavior: 'none',
  })
  await one.settled(7000)
  const { id } = await rowOf(one.buyer)
  expect(await command('announce')).toContain(`${id}  $70  keeps its price`)
  expect([await planOf(one.buyer), await one.priceAtStripe()]).toEqual([undefined, 3500])
})
