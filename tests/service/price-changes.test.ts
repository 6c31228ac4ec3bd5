/** H-01: when a running subscription's price changes in Stripe's dashboard, one mail announces it before the charge. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../payments-service/mail/letter.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { setAside } from '../../payments-service/jobs/given-up.queries.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { createService } from '../../payments-service/service.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const wordsOf = (mail: Mail) =>
  renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')
const viewOf = async ({ browser }: Buyer) => (await browser.get('/api/account')).body.subscriptions[0]
const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)

/** A member whose subscription has renewed once; `sells` changes its price as an operator does in the dashboard. */
async function subscriber() {
  const email = `price-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer is whatever the test asserts it to be
  const seen = (good: (view: Record<string, any>) => boolean) => eventually(() => viewOf(buyer), good)
  await seen(({ state }) => state === 'trial')
  await world.days(3 + 1 / 12)
  await seen(({ state, collecting, nextCharge }) => state === 'active' && !collecting && nextCharge?.amount === 3900)
  const { stripe_subscription_id, stripe_customer_id } = await rowOf(buyer)
  const [id, customer] = [stripe_subscription_id ?? '', stripe_customer_id ?? '']
  const change = (form: Record<string, string>) => world.dashboard('POST', `/v1/subscriptions/${id}`, form)
  return {
    email,
    buyer,
    id,
    customer,
    seen,
    change,
    async sells(cents: number) {
      const { items } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
      const price = await world.dashboard('POST', '/v1/prices', {
        product: items.data[0].price.product,
        currency: 'usd',
        unit_amount: String(cents),
        'recurring[interval]': 'day',
        'recurring[interval_count]': '30',
      })
      await change({ 'items[0][id]': items.data[0].id, 'items[0][price]': price.id })
    },
    /** The mails about a change, in the order in which they were sent. */
    async told() {
      return (await world.mails(email)).flatMap((mail) => (mail.kind === 'price_changed' ? [mail] : []))
    },
    async charges(): Promise<number[]> {
      const { data } = await world.dashboard('GET', '/v1/charges', { customer })
      return (data as { amount: number }[]).map(({ amount }) => amount).reverse()
    },
  }
}

/** Holds mails back while `work` runs, as if the mail server were down. */
async function unsent<T>(work: () => Promise<T>): Promise<T> {
  const hold = (until: string) =>
    sql`create or replace function hold_mails() returns trigger language plpgsql as $$
      begin new.next_attempt_at = ${sql.raw(until)}; return new; end $$`.execute(world.db)
  await hold("now() + interval '1 hour'")
  await sql`create or replace trigger hold_mails before insert on outbox for each row
    when (new.kind = 'mail:price_changed') execute function hold_mails()`.execute(world.db)
  try {
    return await work()
  } finally {
    await sql`drop trigger hold_mails on outbox`.execute(world.db)
    await sql`update outbox set next_attempt_at = now() where kind = 'mail:price_changed'
      and sent_at is null`.execute(world.db)
  }
}
const jobs = async ({ sessionId }: Buyer) =>
  (
    await world.db
      .selectFrom('outbox')
      .select(['sent_at', 'last_error'])
      .where('session_id', '=', sessionId)
      .where('kind', '=', 'mail:price_changed')
      .orderBy('id')
      .execute()
  ).map(({ sent_at, last_error }) => (sent_at ? (last_error ?? 'sent') : 'waiting'))
const UNTRUE = 'not sent: not true any more'

test('H-01 A-06 a changed price: the mail says old, new, from when, how to leave; Stripe charges that', async () => {
  const { buyer, sells, seen, told, charges } = await subscriber()
  expect(await told()).toEqual([])
  await sells(4500)
  const { nextCharge } = await seen((view) => view['nextCharge']?.amount === 4500)
  const [mail, ...more] = await eventually(told, (list) => list.length > 0)
  expect([mail?.data, more]).toMatchObject([
    { oldAmount: 3900, newAmount: 4500, fromAt: nextCharge.at, nextAmount: 4500, nextChargeAt: nextCharge.at },
    [],
  ])
  const words = wordsOf(mail!)
  const on = day(nextCharge.at, mail?.data.timeZone)
  expect(words).toContain(`It has been $39 every 30 days until now. From ${on} on it is $45 every 30 days.`)
  expect(words).toMatch(/Cancel your subscription .*and confirm once, before .* and nothing more is charged/)
  expect(words).toContain(`Next charge: $45 ${on}`)
  const view = await browserOf(world).post('/api/links/cancel/view', { token: tokenOf(mail!.data.cancelUrl) })
  expect([view.status, view.body.state]).toEqual([200, 'valid'])
  await world.days(30)
  await eventually(charges, (list) => list.length === 3)
  expect(await charges()).toEqual([100, 3900, mail?.data.nextAmount])
  await seen(({ collecting, nextCharge: now }) => !collecting && now?.amount === 4500)
  expect(await told()).toHaveLength(1)
  expect((await viewOf(buyer)).nextCharge.amount).toBe(4500)
})

test('H-01 P-10 each change is told once: repeated or late events, a restart, two replicas add no mail', async () => {
  const { buyer, id, sells, seen, told } = await subscriber()
  await world.control('POST', 'webhooks', { mode: 'lost' })
  await sells(4500)
  const replica = () => createService(world.config, createLog('silent'))
  const others = [replica(), replica()]
  const all = [world.service, ...others].flatMap(({ deps }) => [deps, deps])
  await Promise.all(all.map((deps) => syncSubscription(deps, id, undefined)))
  await eventually(told, (list) => list.length > 0)
  await Promise.all(others.map((one) => one.stop()))
  const later = replica()
  await world.control('POST', 'webhooks', { mode: 'normal' })
  // something else changes, and the row is rewritten
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'true' })
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'false' })
  await seen(({ state }) => state === 'active')
  await Promise.all([world.service.deps, later.deps].map((deps) => syncSubscription(deps, id, undefined)))
  await later.stop()
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([[3900, 4500]])
  for (const cents of [5000, 4500, 3900]) {
    const before = (await told()).length
    await sells(cents)
    await seen(({ nextCharge }) => nextCharge?.amount === cents)
    await eventually(told, (list) => list.length > before)
  }
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([
    [3900, 4500],
    [4500, 5000],
    [5000, 4500],
    [4500, 3900],
  ])
  expect(await jobs(buyer)).toEqual(['sent', 'sent', 'sent', 'sent'])
})

test('H-01 a price that went back before the mail left is not told; one that moved on is told as it is', async () => {
  const { buyer, sells, seen, told } = await subscriber()
  await unsent(async () => {
    await sells(4500)
    await seen(({ nextCharge }) => nextCharge?.amount === 4500)
    await sells(3900)
    await seen(({ nextCharge }) => nextCharge?.amount === 3900)
  })
  await eventually(
    () => jobs(buyer),
    ([one]) => one !== 'waiting',
  )
  expect([await jobs(buyer), await told()]).toEqual([[UNTRUE], []])
  await unsent(async () => {
    for (const cents of [4500, 5000, 4500]) {
      await sells(cents)
      await seen(({ nextCharge }) => nextCharge?.amount === cents)
    }
  })
  await eventually(told, (list) => list.length > 0)
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([[3900, 4500]])
})

test('H-01 H-04 nobody who has cancelled reads of a price; who stays after all reads of it then', async () => {
  const { buyer, sells, seen, told, change } = await subscriber()
  const { id } = await viewOf(buyer)
  await unsent(async () => {
    await sells(4500)
    await seen(({ nextCharge }) => nextCharge?.amount === 4500)
    expect((await buyer.browser.post(`/api/subscriptions/${id}/cancel`)).body.state).toBe('ending')
  })
  await eventually(
    () => jobs(buyer),
    ([one]) => one !== 'waiting',
  )
  await sells(5000)
  await seen(({ state }) => state === 'ending')
  expect([await jobs(buyer), await told()]).toEqual([[UNTRUE], []])
  await change({ cancel_at_period_end: 'false' })
  await eventually(told, (list) => list.length > 0)
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([[3900, 5000]])
})

test('H-01 a sum off and a pause are no change of price; beside one, mails tell price and charge apart', async () => {
  const { buyer, customer, change, sells, seen, told, charges } = await subscriber()
  const off = { customer, amount: '-500', currency: 'usd', description: 'Sorry for the trouble' }
  await world.dashboard('POST', '/v1/invoiceitems', off)
  await seen(({ nextCharge }) => nextCharge?.amount === 3400)
  await change({ 'pause_collection[behavior]': 'void' })
  await seen(({ state }) => state === 'paused')
  await sells(4500)
  await eventually(
    () => rowOf(buyer),
    ({ price_id, collection_paused }) => collection_paused && price_id !== null,
  )
  expect([await jobs(buyer), await told()]).toEqual([[], []])
  await change({ pause_collection: '' })
  await seen(({ nextCharge }) => nextCharge?.amount === 4000)
  const [mail] = await eventually(told, (list) => list.length > 0)
  expect(mail?.data).toMatchObject({ oldAmount: 3900, newAmount: 4500, nextAmount: 4000 })
  expect(wordsOf(mail!)).toMatch(/Next charge: \$40 .*What is taken off or added is counted in/)
  expect(wordsOf(mail!)).not.toContain('$35')
  await world.days(30)
  await eventually(charges, (list) => list.length === 3)
  expect(await charges()).toEqual([100, 3900, 4000])
  expect(await told()).toHaveLength(1)
})

test('H-01 U-09 a mail about a price that was set aside does not come back; the next change is told', async () => {
  const { buyer, id, sells, seen, told } = await subscriber()
  await unsent(async () => {
    await sells(4500)
    await seen(({ nextCharge }) => nextCharge?.amount === 4500)
    const own = sql`session_id = ${buyer.sessionId} and kind = 'mail:price_changed'`
    await sql`update outbox set dead_at = now(), last_error = '550 no such user' where ${own}`.execute(world.db)
    expect(await setAside(world.db, own, 'operator@example.com')).toBe(1)
    // the same sum under another id of Stripe's: the row is written again
    const { price_id } = await rowOf(buyer)
    await sells(4500)
    await syncSubscription(world.service.deps, id, undefined)
    expect((await rowOf(buyer)).price_id).not.toBe(price_id)
    expect(await jobs(buyer)).toEqual(['not sent: set aside by operator@example.com'])
  })
  await sells(5000)
  await eventually(told, (list) => list.length > 0)
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([[3900, 5000]])
})

test('H-01 from before prices were noted: what it costs at the next look is what its owner knows', async () => {
  const { buyer, id, sells, told } = await subscriber()
  await world.db
    .updateTable('subscriptions')
    .set({ agreed_cents: null })
    .where('session_id', '=', buyer.sessionId)
    .execute()
  await syncSubscription(world.service.deps, id, undefined)
  expect([(await rowOf(buyer)).agreed_cents, await jobs(buyer)]).toEqual([3900, []])
  await sells(4500)
  await eventually(told, (list) => list.length > 0)
  expect((await told()).map(({ data }) => [data.oldAmount, data.newAmount])).toEqual([[3900, 4500]])
})
