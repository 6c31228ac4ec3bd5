/** Rights whose end the pages name by a day alone last until that day is over, where their buyer is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { signLink, verifyLink } from '../../payments-service/mail/links.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { requestMoneyBack, standingOf } from '../../payments-service/money-back/request.ts'
import { readBuyer } from '../../payments-service/notices/buyer.ts'
import type { Buyer } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const at = (text: string) => new Date(text)

/** A buyer in Austria who paid at a moment, with the time zone that the browser named. */
async function austrian(email: string, paidAt: Date, timezone: string | null): Promise<Buyer> {
  const buyer = await world.buyer(email, 'AT')
  await buyer.pay()
  const own = { country: 'AT', timezone }
  await world.db.updateTable('session_metadata').set(own).where('session_id', '=', buyer.sessionId).execute()
  await world.db.updateTable('sessions').set({ paid_at: paidAt }).where('id', '=', buyer.sessionId).execute()
  const settled = { settled_at: paidAt }
  await world.db.updateTable('payments').set(settled).where('session_id', '=', buyer.sessionId).execute()
  return buyer
}

const withdrawalOf = ({ sessionId }: Buyer, moment: string) =>
  standingOf(world.service.deps, sessionId, 'withdrawal', { at: at(moment) })

test('H-02 A-07 both rights end with their last day, in the time zone of the order', async () => {
  const buyer = await austrian('wien@example.com', at('2026-11-01T10:00:00Z'), 'Europe/Vienna')
  expect(await withdrawalOf(buyer, '2026-11-15T22:59:59Z')).toMatchObject({
    until: at('2026-11-15T22:59:59.999Z'),
    eligible: true,
    amount: 100,
  })
  expect((await withdrawalOf(buyer, '2026-11-15T23:00:00Z')).eligible).toBe(false)
  const guarantee = await standingOf(world.service.deps, buyer.sessionId, 'guarantee')
  expect(guarantee.until).toEqual(at('2026-12-01T22:59:59.999Z'))
})

test('H-02 a statement of the last evening is carried out, one of the next morning is not', async () => {
  const buyer = await austrian('linz@example.com', at('2026-11-01T10:00:00Z'), 'Europe/Vienna')
  const ask = (moment: string) =>
    requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal', { at: at(moment) })
  await expect(ask('2026-11-16T07:00:00Z')).rejects.toMatchObject({ code: 'not_eligible' })
  await ask('2026-11-15T22:30:00Z')
  const [request] = await world.db
    .selectFrom('money_back_requests')
    .selectAll()
    .where('session_id', '=', buyer.sessionId)
    .execute()
  expect(request).toMatchObject({ kind: 'withdrawal', amount_cents: 100, requested_at: at('2026-11-15T22:30:00Z') })
})

test('H-02 the link in a mail opens as long as the right lasts', async () => {
  const paidAt = new Date()
  const buyer = await austrian('graz@example.com', paidAt, 'Europe/Vienna')
  const { withdrawUrl } = (await readBuyer(world.service.deps, buyer.sessionId)) ?? {}
  const link = verifyLink(tokenOf(withdrawUrl ?? ''), 'withdraw', world.config.tokenSecret)
  const until = link.state === 'valid' ? link.expiresAt : paidAt
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Vienna', timeStyle: 'medium' }).format(until)
  expect(time).toBe('23:59:59')
  expect((await withdrawalOf(buyer, until.toISOString())).eligible).toBe(true)
})

test('H-02 where no zone is known, or an invented one, the right lasts until that day is over everywhere', async () => {
  for (const [email, zone] of [
    ['nowhere@example.com', null],
    ['mars@example.com', 'Mars/Olympus'],
  ] as const) {
    const buyer = await austrian(email, at('2026-11-01T23:30:00Z'), zone)
    // in Vienna the order was on 2 November already
    expect((await withdrawalOf(buyer, '2026-11-16T22:59:59Z')).eligible, email).toBe(true)
    expect((await withdrawalOf(buyer, '2026-11-18T00:00:00Z')).eligible, email).toBe(false)
  }
})

test('H-02 the link pressed after the last day says that the time is over; it offers no fresh one', async () => {
  const buyer = await austrian('salzburg@example.com', at('2026-11-01T10:00:00Z'), 'Europe/Vienna')
  const expiresAt = new Date(Date.now() - 60_000)
  const token = signLink({ purpose: 'withdraw', subject: buyer.sessionId, expiresAt }, world.config.tokenSecret)
  const view = async () => (await browserOf(world).post('/api/links/withdraw/view', { token })).body
  expect(await view()).toMatchObject({ state: 'done', withdrawal: null, subscription: null })
  // a later order may be withdrawn from all the same
  const again = { settled_at: new Date() }
  await world.db.updateTable('payments').set(again).where('session_id', '=', buyer.sessionId).execute()
  expect((await view()).state).toBe('expired')
  await browserOf(world).post('/api/links/withdraw/fresh', { token })
  const fresh = await world.mail('salzburg@example.com', 'fresh_cancel_link')
  const words = renderText(fresh, identityFrom('Eyes <eyes@example.org>'), new Date())
  expect(words).toContain('Your link to withdraw')
  const mailed = tokenOf(/Withdraw from the contract:\s+(\S+)/.exec(words)?.[1] ?? '')
  const opened = (await browserOf(world).post('/api/links/withdraw/view', { token: mailed })).body
  expect(opened).toMatchObject({ state: 'valid', amount: 100 })
})
