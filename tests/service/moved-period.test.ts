/**
 * H-01: an operator moves a running subscription to a price of another interval, in Stripe's dashboard. What page and
 * mails say of amount, day and period is compared with what Stripe then charges.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORDERED_PERIOD, type Period } from '../../contract/period.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { day } from '../../payments-service/mail/letter.ts'
import type { Mail, MailKind } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { root } from '../../scripts/settings.ts'
import { standingOf } from '../../src/members/words.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { type Membership, startMembership } from './membership.ts'
import { environment, eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const HOUR = 3600
const DAY = 24 * HOUR
const EVERY = { week: { unit: 'week', count: 1 }, month: { unit: 'month', count: 1 } } as const
const identity = identityFrom('Eyes <eyes@example.org>')
const wordsOf = (mail: Mail) => renderText(mail, identity, new Date()).replace(/\s+/g, ' ')
const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const secondsOf = (iso: string) => Date.parse(iso) / 1000

interface Charge {
  amount: number
  created: number
}

/** A member on trial; `renewed`: whose first full charge has been made. */
async function subscriber({ renewed = false } = {}) {
  const email = `period-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  const viewOf = async () => (await buyer.browser.get('/api/account')).body.subscriptions[0]
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer is whatever the test asserts it to be
  const seen = (good: (view: Record<string, any>) => boolean) => eventually(viewOf, good)
  await seen(({ state }) => state === 'trial')
  if (renewed) {
    await world.days(3 + 1 / 12)
    await seen(({ state, collecting, nextCharge }) => state === 'active' && !collecting && nextCharge?.amount === 3900)
  }
  const { stripe_subscription_id: id, stripe_customer_id: customer } = await rowOf(buyer)
  const change = (form: Record<string, string>) => world.dashboard('POST', `/v1/subscriptions/${id}`, form)
  const sent = async <K extends MailKind>(kind: K) =>
    (await world.mails(email)).filter((mail) => mail.kind === kind) as Extract<Mail, { kind: K }>[]
  return {
    email,
    buyer,
    id: id ?? '',
    viewOf,
    seen,
    change,
    sent,
    /** As an operator does it in the dashboard. */
    async moves(period: Period, cents = 3900, form: Record<string, string> = {}) {
      const { items } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
      const price = await world.dashboard('POST', '/v1/prices', {
        product: items.data[0].price.product,
        currency: 'usd',
        unit_amount: String(cents),
        'recurring[interval]': period.unit,
        'recurring[interval_count]': String(period.count),
      })
      await change({ 'items[0][id]': items.data[0].id, 'items[0][price]': price.id, ...form })
    },
    told: () =>
      eventually(
        () => sent('price_changed'),
        (list) => list.length > 0,
      ),
    /** What the bank shows, the first one first. */
    async charges(count: number): Promise<Charge[]> {
      const found = await eventually(
        async () => (await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })).data as Charge[],
        (list) => list.length >= count,
      )
      return found.map(({ amount, created }) => ({ amount, created })).reverse()
    },
  }
}
const amounts = (charges: readonly Charge[]) => charges.map(({ amount }) => amount)

test('H-01 A-05 A-06 a trial moved to every week: page and mails say so, and so it is charged', async () => {
  const { buyer, seen, moves, told, charges } = await subscriber()
  await moves(EVERY.week)
  const view = await seen(({ period }) => period?.unit === 'week')
  expect(view).toMatchObject({ period: EVERY.week, everyDays: 7, nextCharge: { amount: 3900 } })
  expect(standingOf(view as never).next).toMatch(/, then the same every week until you cancel\.$/)
  const [mail, ...more] = await told()
  expect([mail?.data, more]).toMatchObject([
    { oldAmount: 3900, oldPeriod: ORDERED_PERIOD, newAmount: 3900, newPeriod: EVERY.week, nextAmount: 3900 },
    [],
  ])
  expect(mail?.data.fromAt).toBe(view['nextCharge'].at)
  const on = day(view['nextCharge'].at, mail?.data.timeZone)
  expect(wordsOf(mail!)).toContain(`It has been $39 every 30 days until now. From ${on} on it is $39 every week.`)
  const [reminder] = await waitingMails(world.service, 'trial_ends', buyer.sessionId)
  expect(wordsOf(reminder as Mail)).toMatch(/Every week after that: \$39/)
  expect(await charges(1)).toHaveLength(1)
  for (const days of [3 + 1 / 12, 7, 7]) await world.days(days)
  const [, first, second, third] = await charges(4)
  expect(first?.created).toBe(secondsOf(view['nextCharge'].at))
  expect([second!.created - first!.created, third!.created - second!.created]).toEqual([7 * DAY, 7 * DAY])
  expect(amounts(await charges(4))).toEqual([100, 3900, 3900, 3900])
  expect(await told()).toHaveLength(1)
})

test('H-01 A-06 moved while it runs: charged at once; mail, receipt and invoice tell that and the next', async () => {
  const { buyer, seen, moves, told, charges, sent, change } = await subscriber({ renewed: true })
  await world.days(10)
  await moves(EVERY.week, 3900, { proration_behavior: 'none' })
  const view = await seen(({ period, nextCharge }) => period?.unit === 'week' && nextCharge !== null)
  const [, , atOnce] = await charges(3)
  const [mail, ...more] = await told()
  expect([mail?.data, more]).toMatchObject([{ oldPeriod: ORDERED_PERIOD, newPeriod: EVERY.week, newAmount: 3900 }, []])
  // the new price was charged today, and is again in a week
  expect([secondsOf(mail!.data.fromAt), secondsOf(mail!.data.nextChargeAt)]).toEqual([
    atOnce!.created,
    atOnce!.created + 7 * DAY + HOUR,
  ])
  expect(secondsOf(view['nextCharge'].at)).toBe(atOnce!.created + 7 * DAY + HOUR)
  expect(standingOf(view as never).next).toContain('Next charge: $39 on ')
  const receipts = await eventually(
    () => sent('renewal_receipt'),
    (list) => list.length === 2,
  )
  expect(receipts.at(-1)?.data).toMatchObject({ amount: 3900, nextChargeAt: view['nextCharge'].at })
  const { invoices } = (await buyer.browser.get('/api/invoices')).body
  const period = async (id: string) => (await buyer.browser.get(`/api/invoices/${id}`)).body.period
  const lengthOf = ({ from, to }: { from: string; to: string }) => (secondsOf(to) - secondsOf(from)) / DAY
  expect(lengthOf(await period(invoices[0].id))).toBe(7)
  expect(secondsOf((await period(invoices[0].id)).from)).toBe(atOnce!.created)
  expect(lengthOf(await period(invoices[1].id))).toBe(30)
  expect(invoices.map(({ what }: { what: string }) => what)).toEqual([
    'Subscription for 7 days',
    'Monthly subscription',
    '3-day trial',
  ])
  expect((await buyer.browser.get(`/api/invoices/${invoices[0].id}`)).body.what).toBe('Subscription for 7 days')
  // whoever stays after all reads the new period
  await change({ cancel_at_period_end: 'true' })
  await seen(({ state }) => state === 'ending')
  await change({ cancel_at_period_end: 'false' })
  const [undone] = await eventually(
    () => sent('cancellation_undone'),
    (list) => list.length > 0,
  )
  expect(wordsOf(undone!)).toMatch(/Every week after that: \$39/)
  await world.days(7 + 1 / 12)
  const all = await charges(4)
  expect([amounts(all), all[3]!.created]).toEqual([[100, 3900, 3900, 3900], atOnce!.created + 7 * DAY + HOUR])
  expect(await told()).toHaveLength(1)
})

test('H-01 another amount every month, less what was left: the mail tells price and charge apart', async () => {
  const { seen, moves, told, charges } = await subscriber({ renewed: true })
  await moves(EVERY.month, 4500)
  const view = await seen(({ period, nextCharge }) => period?.unit === 'month' && nextCharge?.amount === 4500)
  const [mail] = await told()
  expect(mail?.data).toMatchObject({ oldAmount: 3900, newAmount: 4500, newPeriod: EVERY.month, nextAmount: 4500 })
  expect(wordsOf(mail!)).toMatch(/\$39 every 30 days until now\. From .* on it is \$45 every month\./)
  const [, , atOnce] = await charges(3)
  // nearly all of the $39 was left
  expect(atOnce?.amount).toBeGreaterThanOrEqual(600)
  expect(atOnce?.amount).toBeLessThan(700)
  await world.days(31 + 1 / 12)
  const all = await charges(4)
  expect([all[3]?.amount, all[3]?.created]).toEqual([4500, secondsOf(view['nextCharge'].at)])
  // back to the interval of the order is a change, too
  await moves(ORDERED_PERIOD, 4500, { proration_behavior: 'none' })
  const [, back] = await eventually(told, (list) => list.length === 2)
  expect(back?.data).toMatchObject({ oldPeriod: EVERY.month, newPeriod: ORDERED_PERIOD, oldAmount: 4500 })
})

test('H-01 a row of an earlier release: 30 days until Stripe is read, then the true period', async () => {
  const { buyer, id, viewOf, moves, seen, told } = await subscriber()
  await moves(EVERY.week)
  await seen(({ period }) => period?.unit === 'week')
  expect(await told()).toHaveLength(1)
  const forgets = { period_unit: null, period_count: null }
  await world.db.updateTable('subscriptions').set(forgets).where('session_id', '=', buyer.sessionId).execute()
  expect(await viewOf()).toMatchObject({ period: ORDERED_PERIOD, everyDays: 30 })
  await syncSubscription(world.service.deps, id, undefined)
  expect(await viewOf()).toMatchObject({ period: EVERY.week, everyDays: 7 })
  expect(await rowOf(buyer)).toMatchObject({ period_unit: 'week', period_count: 1 })
  expect(await told()).toHaveLength(1)
})

test('H-01 the catalogue’s price is not for one that was moved: the way back would charge at once', async () => {
  const { moves, seen } = await subscriber({ renewed: true })
  await moves(EVERY.week, 1500)
  await seen(({ period }) => period?.unit === 'week')
  const env = { DATABASE_URL: world.databaseUrl, STRIPE_API_BASE: world.config.stripe.apiBase ?? '' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['payments-service/price-change.command.ts', 'announce'],
    { cwd: root, env: { ...process.env, ...environment(env) } as NodeJS.ProcessEnv },
  )
  expect(stdout).toContain('do not cost $39')
  expect(stdout).not.toContain('$15')
})
