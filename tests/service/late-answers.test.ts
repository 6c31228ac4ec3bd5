/** Mails that answer somebody and wait: what they say of the subscription is true when they are sent (late-mails). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTool } from '../../scripts/processes.ts'
import { enqueue } from '../../payments-service/jobs/outbox.queries.ts'
import { queueMail } from '../../payments-service/jobs/mails.ts'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { type LinkPurpose, signLink } from '../../payments-service/mail/links.ts'
import type { MailKind } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { decideMoneyBack, type Decision } from '../../payments-service/money-back/decide.ts'
import { requestMoneyBack } from '../../payments-service/money-back/request.ts'
import { orderOf } from '../support/order.ts'
import { type Buyer, type Funnel, startFunnel, subscriptionRow } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { twice } from './membership.ts'
import { addresses, environment, eventually } from './service.ts'

let world: Funnel
beforeAll(async () => void (world = await startFunnel()))
afterAll(() => world.stop())

const identity = identityFrom('Eyes <eyes@example.com>')
const DROPPED = 'not true any more'
const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
/** The words of the waiting mails of a kind, oldest first; DROPPED for one that would not be sent. */
const waiting = async ({ sessionId }: Buyer, kind: MailKind): Promise<string[]> =>
  (await waitingMails(world.service, kind, sessionId)).map((mail) =>
    typeof mail === 'string' ? mail : renderText(mail, identity, new Date()).replaceAll(/\s+/g, ' '),
  )
const first = (buyer: Buyer, kind: MailKind) =>
  eventually(
    () => waiting(buyer, kind),
    ({ length }) => length > 0,
  )

async function onTrial(email?: string, country?: string): Promise<Buyer> {
  const buyer = await world.buyer(email, country)
  await buyer.pay()
  await buyer.browser.post(buyer.path('/account'), twice)
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  return buyer
}
const cancel = async (buyer: Buyer) => buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/cancel`)

test('P-14 “your subscription runs”: one a day while it waits, none once its owner has left', async () => {
  const email = 'owner-waits@example.com'
  const owner = await onTrial(email)
  for (let turn = 0; turn < 3; turn++) await (await world.buyer(email)).open('trial_5')
  await eventually(
    () => world.db.selectFrom('outbox').select('id').where('kind', '=', 'asked_mail').execute(),
    ({ length }) => length === 0,
  )
  expect(await first(owner, 'already_subscribed')).toEqual([expect.stringContaining('Your subscription runs')])
  await cancel(owner)
  expect(await waiting(owner, 'already_subscribed')).toEqual([DROPPED])
})

test('P-14 A-01 an address that was corrected meanwhile: its new reader hears of no order', async () => {
  const buyer = await world.buyer('order-on-typo@example.com')
  await buyer.pay()
  await (await world.buyer('order-on-typo@example.com')).open('trial_5')
  expect(await first(buyer, 'already_subscribed')).toHaveLength(1)
  const email = 'order-on-right@example.com'
  await world.db.updateTable('sessions').set({ email }).where('id', '=', buyer.sessionId).execute()
  expect(await waiting(buyer, 'already_subscribed')).toEqual([DROPPED])
})

test('H-04 a fresh link names the charge that comes when it is sent, and none once it was cancelled', async () => {
  const buyer = await onTrial()
  const old = { purpose: 'cancel', subject: buyer.sessionId, expiresAt: new Date(Date.now() - 1000) } as const
  const token = signLink(old, world.config.tokenSecret)
  for (let click = 0; click < 2; click++) await buyer.browser.post('/api/links/cancel/fresh', { token })
  expect(await waiting(buyer, 'fresh_cancel_link')).toEqual([expect.stringContaining('charge would be $39 on')])
  const form = { customer: (await rowOf(buyer)).stripe_customer_id ?? '', amount: '500', currency: 'usd' }
  await world.dashboard('POST', '/v1/invoiceitems', form)
  await eventually(
    () => rowOf(buyer),
    ({ next_charge_cents }) => next_charge_cents === 4400,
  )
  expect(await waiting(buyer, 'fresh_cancel_link')).toEqual([expect.stringContaining('charge would be $44 on')])
  await cancel(buyer)
  const [told] = await waiting(buyer, 'fresh_cancel_link')
  expect(told).toContain('/cancel#')
  expect(told).not.toContain('$')
})

const expiredLink = (purpose: LinkPurpose, subject: string, seconds = 1) =>
  signLink({ purpose, subject, expiresAt: new Date(Date.now() - seconds * 1000) }, world.config.tokenSecret)

const paidOnly = async () => {
  const buyer = await world.buyer()
  await buyer.pay()
  return buyer
}
const left = async () => {
  const buyer = await onTrial()
  await cancel(buyer)
  return buyer
}

test.each([
  ['create-account', 'create_account', paidOnly, /choose a password[\s\S]*\/create-account#/],
  ['update-payment', 'update_payment', onTrial, /pay what is open[\s\S]*\/update-payment#/],
  ['undo-cancel', 'undo_cancel', left, /keep your subscription[\s\S]*\/undo-cancel#/],
] as const)('H-04 a fresh link for %s says what it is for, nothing of answers', async (name, purpose, of, words) => {
  const buyer = await of()
  const token = expiredLink(purpose, buyer.sessionId)
  expect((await buyer.browser.post(`/api/links/${name}/view`, { token })).body).toMatchObject({ state: 'expired' })
  await buyer.browser.post(`/api/links/${name}/fresh`, { token })
  const [told] = await waiting(buyer, 'resume_link')
  expect(told).toMatch(words)
  expect(told).not.toMatch(/answers are saved|did not start this|where you left off|works once|programme opens/)
})

const over = async () => {
  const buyer = await left()
  await world.dashboard('DELETE', `/v1/subscriptions/${(await rowOf(buyer)).stripe_subscription_id}`)
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'canceled',
  )
  return buyer
}

test.each([
  ['create-account', 'create_account', 'where there is an account', onTrial],
  ['undo-cancel', 'undo_cancel', 'where it runs', onTrial],
  ['undo-cancel', 'undo_cancel', 'after the end', over],
  ['update-payment', 'update_payment', 'after the end', over],
  ['cancel', 'cancel', 'after the end', over],
  ['cancel', 'cancel', 'where it is cancelled and runs to its end', left],
] as const)('H-04 an expired link for %s (%s) that can do nothing, %s, says so, and none is mailed', async (...row) => {
  const [name, purpose, _where, of] = row
  const buyer = await of()
  const token = expiredLink(purpose, buyer.sessionId)
  const { body } = await buyer.browser.post(`/api/links/${name}/view`, { token })
  expect(body).toMatchObject({ state: 'done', subscription: null })
  expect((await buyer.browser.post(`/api/links/${name}/fresh`, { token })).status).toBe(200)
  expect(await waiting(buyer, 'resume_link')).toEqual([])
  expect(await waiting(buyer, 'fresh_cancel_link')).toEqual([])
})

test('A-07 money asked back after the end: nothing is said to close or to stay open', async () => {
  const ask = async (buyer: Buyer) => {
    const now = new Date()
    const listened = { listened_sessions: 7, first_paid_at: now }
    await world.db
      .insertInto('money_back_requests')
      .values({ session_id: buyer.sessionId, kind: 'guarantee', amount_cents: 100, answer_by: now, ...listened })
      .execute()
    const { id } = await world.db
      .selectFrom('money_back_requests')
      .select('id')
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
    const fact = { reason: id, sessionId: buyer.sessionId, payload: { requestId: id } }
    await enqueue(world.db, { kind: 'mail:money_back_requested', ...fact })
    return first(buyer, 'money_back_requested')
  }
  expect(await ask(await onTrial())).toEqual([expect.stringContaining('Until then everything stays open.')])
  const gone = await onTrial()
  const { source_payment_id: intent } = await rowOf(gone)
  await world.dashboard('POST', '/v1/refunds', { payment_intent: intent ?? '' })
  await eventually(
    () => rowOf(gone),
    ({ status }) => status === 'canceled',
  )
  const [told] = await ask(gone)
  expect(told).toContain('When it is granted, the money goes back the way you paid.')
  expect(told).not.toMatch(/subscription ends|programme closes|stays open/)
})

test('H-04 a fresh link that is not mailed because it is the sixth of a day is not said to be on its way', async () => {
  const buyer = await onTrial()
  const statuses: number[] = []
  const ask = async (token: string) => {
    const { status, body } = await buyer.browser.post('/api/links/update-payment/fresh', { token })
    statuses.push(status)
    return body
  }
  // a link's end is in whole seconds: those of two are never the same
  const links = [1, 2, 3, 4, 5, 6].map((old) => expiredLink('update_payment', buyer.sessionId, old * 60))
  const [fifth = '', sixth = ''] = links.slice(-2)
  for (const token of links.slice(0, -1)) await ask(token)
  // pressed twice: the mail is on its way
  await ask(fifth)
  expect((await ask(sixth)).error).toMatchObject({ code: 'too_many_requests' })
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  expect(await waiting(buyer, 'resume_link')).toHaveLength(5)
})

test.each([
  ['granted', { decision: 'approve' }],
  ['declined', { decision: 'decline', reason: 'No.' }],
] as const)('H-02 A-07 a guide withdrawn and %s: “goes on” only while it does', async (_what, decision: Decision) => {
  const buyer = await onTrial(undefined, 'AT')
  await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
  await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal', { contract: 'guides' })
  const { id } = await world.db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  await decideMoneyBack(world.service.deps, id, decision, 'op')
  const answers = async () => [
    ...(await first(buyer, 'withdrawal_received')),
    ...(await first(buyer, 'money_back_decided')),
  ]
  for (const told of await answers()) expect(told).toMatch(/Your subscription (goes on|continues)/)
  await cancel(buyer)
  for (const told of await answers()) {
    expect(told).toContain('Your subscription stays cancelled: nothing more is charged')
    expect(told).not.toMatch(/goes on|continues/)
  }
})

test('A-07 a decision by command bears the name of the person, not of the user that the shop runs as', async () => {
  const buyer = await onTrial(undefined, 'AT')
  await requestMoneyBack(world.service.deps, buyer.sessionId, 'withdrawal')
  const request = () =>
    world.db
      .selectFrom('money_back_requests')
      .select(['id', 'decided_by'])
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirstOrThrow()
  const command = ['payments-service/money-back.command.ts', 'decline', (await request()).id, 'No.']
  const shop = { STRIPE_API_BASE: world.stripeUrl, ...addresses(world.databaseUrl) }
  // as the units' wrapper starts it (docs/ops/systemd/eye-funnel)
  const env = environment({ ...shop, USER: 'eye-funnel', SUDO_USER: 'ann' }) as Record<string, string>
  expect(await runTool(command, { env })).toMatchObject({ ok: true })
  expect((await request()).decided_by).toBe('ann')
})

test('A-06 a mail that an earlier release has written while it was queued is sent as it stands', async () => {
  const buyer = await onTrial()
  const common = { cancelUrl: 'https://example.com/cancel#x' }
  const to = 'reader@example.com'
  const about = { sessionId: buyer.sessionId }
  const data = { ...common, receivedAt: new Date().toISOString(), productIds: [], amount: 1490, goesOn: true }
  await queueMail(world.db, { kind: 'withdrawal_received', to, data }, 'old-1', about)
  const owner = { ...common, appUrl: 'https://example.com/app/' }
  await queueMail(world.db, { kind: 'already_subscribed', to, data: owner }, 'old-2', about)
  const [told] = await waiting(buyer, 'withdrawal_received')
  expect(told).toMatch(/Your subscription (goes on|continues)/)
  expect(await waiting(buyer, 'already_subscribed')).toEqual([expect.stringContaining('Your subscription runs')])
})
