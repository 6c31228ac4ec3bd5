/** P-12: a lost dispute closes only its add-on: the buyer reads which one, why, and that nothing more is due. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { renderMail, renderText } from '../../payments-service/mail/render.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import { createService } from '../../payments-service/service.ts'
import { orderOf } from '../support/order.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const identity = identityFrom('Eyes <eyes@example.org>')
const wordsOf = (mail: Mail) => renderText(mail, identity, new Date()).replace(/\s+/g, ' ')

/** A member with two guides, and the dispute of the payment for one of their orders. */
async function disputed(product = 'guide_habits', status?: string) {
  const email = `disputed-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  for (const id of ['guide_habits', 'guide_lighting'] as const) {
    expect((await buyer.browser.post(buyer.path('/upsells'), orderOf(id))).body.status).toBe('succeeded')
  }
  const { charge_id: charge, payment_intent_id: intent } = await world.db
    .selectFrom('payments')
    .select(['charge_id', 'payment_intent_id'])
    .where('session_id', '=', buyer.sessionId)
    .where('product_id', '=', product)
    .executeTakeFirstOrThrow()
  const { id } = await world.control('POST', 'disputes', { charge, status })
  const move = (status: string) => world.control('POST', 'disputes/close', { dispute: id, status })
  const open = async () => {
    const grants = world.db.selectFrom('product_access_grants').select('product_id').where('revoked_at', 'is', null)
    const rows = await grants.where('session_id', '=', buyer.sessionId).orderBy('product_id').execute()
    return rows.map(({ product_id }) => product_id)
  }
  /** Mails that say that something is closed. */
  const closing = async () => (await world.mails(email)).filter((mail) => /is closed/.test(wordsOf(mail)))
  return { buyer, intent, move, open, closing }
}

test('P-12 A-06 a lost dispute of an add-on: one mail says which, why, that it costs no more, who to ask', async () => {
  const { buyer, move, open, closing } = await disputed()
  await move('under_review')
  expect(await open()).toEqual(['guide_habits', 'guide_lighting', 'trial_1'])
  await move('lost')
  await eventually(open, (list) => !list.includes('guide_habits'))
  const [mail, ...more] = await closing()
  expect([mail?.kind, more]).toEqual(['purchase_ended', []])
  const text = wordsOf(mail!)
  expect((await renderMail(mail!, identity, new Date())).subject).toContain('20-20-20 Habit Formation is closed')
  expect(text).toMatch(/You paid \$14\.90 for 20-20-20 Habit Formation on .*disputed.* taken back/)
  expect(text).toContain('It was paid once: we charge you nothing more for it.')
  expect(text).toContain('eyes@example.org')
  expect(text).toContain('You bought Environmental Lighting Guides for life: that stays open')
  // the programme goes on, with the cancellation link in the footer
  expect(await open()).toEqual(['guide_lighting', 'trial_1'])
  expect(text).not.toMatch(/programme is closed/)
  const { state, nextCharge } = (await buyer.browser.get('/api/account')).body.subscriptions[0]
  expect([state, nextCharge.amount]).toEqual(['trial', 3900])
  expect(text).toContain('Cancel your subscription')
})

test('P-08 P-12 U-08 an add-on that a lost dispute closed is not listed as owned and can be bought again', async () => {
  const { buyer, intent, move, open } = await disputed()
  const listed = async () => {
    const { items } = (await buyer.browser.get(buyer.path('/purchases'))).body
    return (items as { productId: string }[]).map(({ productId }) => productId)
  }
  await move('under_review')
  expect(await listed()).toEqual(['trial_1', 'guide_habits', 'guide_lighting'])
  await move('lost')
  await eventually(open, (list) => !list.includes('guide_habits'))
  expect(await listed()).toEqual(['trial_1', 'guide_lighting'])
  const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_habits'))
  expect(body.status).toBe('succeeded')
  expect(body.paymentIntentId).not.toBe(intent)
  expect(await listed()).toEqual(['trial_1', 'guide_lighting', 'guide_habits'])
})

test('P-10 P-12 events of the lost dispute again, in disorder and at two replicas: still one mail', async () => {
  const { intent, move, open, closing } = await disputed()
  const other = createService(world.config, createLog('silent'))
  try {
    await world.control('POST', 'webhooks', { mode: 'lost' })
    await move('lost')
    const looks = [world.service.deps, other.deps].flatMap((deps) => [deps, deps, deps])
    await Promise.all(looks.map((deps) => settlePayment(deps, intent, undefined)))
    await world.control('POST', 'webhooks', { mode: 'normal' })
    await eventually(open, (list) => !list.includes('guide_habits'))
    await settlePayment(other.deps, intent, undefined)
    expect((await closing()).map(({ kind }) => kind)).toEqual(['purchase_ended'])
  } finally {
    await other.stop()
  }
})

test('P-12 a dispute lost about a guide that was refunded before closes nothing, and no mail says so', async () => {
  const { buyer, intent, move, open, closing } = await disputed('guide_habits', 'warning_needs_response')
  await world.dashboard('POST', '/v1/refunds', { payment_intent: intent })
  await eventually(open, (list) => !list.includes('guide_habits'))
  await move('needs_response')
  await move('lost')
  await eventually(
    () => world.db.selectFrom('payment_facts').select('kind').where('session_id', '=', buyer.sessionId).execute(),
    (facts) => facts.some(({ kind }) => kind === 'dispute_lost'),
  )
  expect((await closing()).map(({ kind }) => kind)).toEqual([])
})

test('P-12 a dispute of the programme is lost: its end is told, and no guide is said to be closed', async () => {
  const { move, open, closing } = await disputed('trial_1')
  await move('lost')
  await eventually(open, (list) => !list.includes('trial_1'))
  const [mail] = await eventually(closing, (list) => list.length > 0)
  expect([mail?.kind, await open()]).toEqual(['access_ended', ['guide_habits', 'guide_lighting']])
  expect((await closing()).map(({ kind }) => kind)).toEqual(['access_ended'])
})
