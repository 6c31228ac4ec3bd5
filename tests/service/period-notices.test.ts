/** Mails that time sets off while a subscription runs, on the sandbox's clock: reminders, a second withdrawal right. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appliesIn } from '../../contract/duties/table.ts'
import { ORDERED_PERIOD } from '../../contract/period.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { Mail, MailKind } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { standingOf } from '../../payments-service/money-back/request.ts'
import { createService } from '../../payments-service/service.ts'
import { reminderDue } from '../../payments-service/subscriptions/period-notices.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import type { Buyer } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

const DAY = 86_400_000
/** The buyers, all of whom begin on the same day: today, by Stripe's clock too. */
const PLACES = { ohio: 'US', leeds: 'GB', york: 'GB', bonn: 'DE' } as const
type Who = keyof typeof PLACES

let world: Membership
let began = 0
const buyers = {} as Record<Who, Buyer>
/** Days that have passed by Stripe's clock. */
let passed = 0
const rowOf = (who: Who) =>
  world.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', '=', buyers[who].sessionId)
    .executeTakeFirstOrThrow()
/** The end of the trials that are made longer: 160 days from now, when the United Kingdom's rule is in force. */
let longTrialEnd = new Date()

beforeAll(async () => {
  world = await startMembership()
  began = Date.now()
  longTrialEnd = new Date(Math.floor(began / 1000) * 1000 + 160 * DAY)
  for (const who of Object.keys(PLACES) as Who[]) {
    const buyer = await world.buyer(`${who}@example.com`)
    buyers[who] = buyer
    await buyer.pay()
    const place = { country: PLACES[who], timezone: 'UTC' }
    await world.db.updateTable('session_metadata').set(place).where('session_id', '=', buyer.sessionId).execute()
    await eventually(
      () => rowOf(who),
      ({ status }) => status === 'trialing',
    )
  }
  for (const who of ['york', 'bonn'] as const) {
    const { stripe_subscription_id } = await rowOf(who)
    const form = { trial_end: String(longTrialEnd.getTime() / 1000) }
    await world.dashboard('POST', `/v1/subscriptions/${stripe_subscription_id}`, form)
  }
})
afterAll(() => world.stop())

/** Moves Stripe's clock to a day after the beginning, and waits until the service has followed. */
async function dayOf(day: number): Promise<void> {
  await world.days(day - passed)
  passed = day
  const now = began + day * DAY
  for (const who of Object.keys(PLACES) as Who[]) {
    const { stripe_subscription_id: id } = await rowOf(who)
    await syncSubscription(world.service.deps, id ?? '', undefined)
    const end = (await rowOf(who)).current_period_end?.getTime() ?? 0
    expect(end, who).toBeGreaterThan(now - DAY)
  }
}
const mailsOf = async <K extends MailKind>(who: Who, kind: K) =>
  (await world.mails(`${who}@example.com`)).flatMap((mail) =>
    mail.kind === kind ? [mail as Extract<Mail, { kind: K }>] : [],
  )
const counts = async (kind: MailKind) => {
  const all = (Object.keys(PLACES) as Who[]).map(async (who) => [who, (await mailsOf(who, kind)).length])
  return Object.fromEntries(await Promise.all(all)) as Record<Who, number>
}
const wordsOf = (mail: Mail) =>
  renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')

/** Leeds' trial ends three days after this test began: before the rule is in force, until that day has come. */
const leeds = () => (appliesIn('cooling_off', 'GB', new Date(began + 3 * DAY)) ? 1 : 0)

test('H-02 a second time to withdraw where the law gives it: a mail on the first day, the money back', async () => {
  await dayOf(152)
  expect(await counts('yearly_reminder')).toEqual({ ohio: 0, leeds: 0, york: 0, bonn: 0 })
  await dayOf(159)
  expect(await counts('second_withdrawal')).toEqual({ ohio: 0, leeds: leeds(), york: 0, bonn: 0 })
  await dayOf(160.2)
  await eventually(
    () => mailsOf('york', 'second_withdrawal'),
    (list) => list.length > 0,
  )
  // Germany has none
  expect(await counts('second_withdrawal')).toEqual({ ohio: 0, leeds: leeds(), york: 1, bonn: 0 })
  const [mail] = await mailsOf('york', 'second_withdrawal')
  // the day that the words name lasts to its end
  const until = `${new Date(longTrialEnd.getTime() + 14 * DAY).toISOString().slice(0, 10)}T23:59:59.999Z`
  expect(mail?.data).toMatchObject({ from: longTrialEnd.toISOString(), until, amount: 3900 })
  expect(wordsOf(mail!)).toMatch(/\$39 every 30 days, until you cancel.*without giving a reason. It ends on/)
  const link = { token: tokenOf(mail!.data.withdrawUrl) }
  const view = await browserOf(world).post('/api/links/withdraw/view', link)
  expect([view.status, view.body.state, view.body.amount]).toEqual([200, 'valid', 4000])
  const may = async (who: Who, days: number) => {
    const at = new Date(longTrialEnd.getTime() + days * DAY)
    return (await standingOf(world.service.deps, buyers[who].sessionId, 'withdrawal', { at })).eligible
  }
  expect([await may('york', 13), await may('york', 15), await may('bonn', 1), await may('leeds', 1)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('H-01 in the United Kingdom every six months, from the day of the rule on', async () => {
  // half a year after 23 November: in the period of days 153 to 183 for one, of days 160 to 190 for the other
  await dayOf(186)
  await eventually(
    () => mailsOf('leeds', 'yearly_reminder'),
    (list) => list.length > 0,
  )
  expect(await counts('yearly_reminder')).toEqual({ ohio: 0, leeds: 1, york: 1, bonn: 0 })
})

test('H-01 A-06 once a year of a running subscription: price, period, how to leave; never late or twice', async () => {
  await dayOf(362)
  expect((await counts('yearly_reminder')).ohio).toBe(0)
  // the period of the anniversary has begun, and the anniversary has not come yet
  await dayOf(364.5)
  const [mail] = await eventually(
    () => mailsOf('ohio', 'yearly_reminder'),
    (list) => list.length > 0,
  )
  expect(mail?.data).toMatchObject({ amount: 3900, nextAmount: 3900, period: ORDERED_PERIOD })
  expect(Math.abs(Date.parse(mail?.data.since ?? '') - began)).toBeLessThan(DAY)
  expect(wordsOf(mail!)).toMatch(
    /Price: \$39 Every 30 days, until you cancel .*cancel your subscription .*nothing more is charged/,
  )
  const view = await browserOf(world).post('/api/links/cancel/view', { token: tokenOf(mail!.data.cancelUrl) })
  expect([view.status, view.body.state]).toEqual([200, 'valid'])
  await dayOf(400)
  // other replicas, late and repeated events
  const other = createService(world.config, createLog('silent'))
  const { stripe_subscription_id: id } = await rowOf('ohio')
  await Promise.all([world.service.deps, other.deps].map((deps) => syncSubscription(deps, id ?? '', undefined)))
  await other.stop()
  expect(await counts('yearly_reminder')).toEqual({ ohio: 1, leeds: 2, york: 2, bonn: 1 })
  expect(await counts('second_withdrawal')).toEqual({ ohio: 0, leeds: leeds(), york: 1, bonn: 0 })
})

test('H-01 H-04 nobody who is leaving is reminded; in the second year who stayed is', async () => {
  const { body } = await browserOf(world).post('/api/exit', {
    kind: 'end',
    contract: 'subscription',
    name: 'Ada',
    email: 'bonn@example.com',
  })
  expect(body.receivedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  await eventually(
    () => rowOf('bonn'),
    ({ cancel_done_at }) => cancel_done_at !== null,
  )
  await world.days(735 - passed)
  await eventually(
    () => mailsOf('ohio', 'yearly_reminder'),
    (list) => list.length === 2,
  )
  expect((await counts('yearly_reminder')).bonn).toBe(1)
})

test('H-01 the day of a reminder: the last before the period ends, also after years and at a month’s end', () => {
  const at = (text: string) => new Date(`${text}T10:00:00Z`)
  expect(reminderDue(at('2026-01-31'), at('2027-01-31'), 12)).toBeNull()
  expect(reminderDue(at('2026-01-31'), at('2027-02-01'), 12)).toEqual(at('2027-01-31'))
  expect(reminderDue(at('2024-02-29'), at('2026-03-01'), 12)).toEqual(at('2026-02-28'))
  expect(reminderDue(at('2026-08-31'), at('2027-03-01'), 6)).toEqual(at('2027-02-28'))
})
