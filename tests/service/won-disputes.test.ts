/** P-12: a dispute that was lost and is won on appeal: the buyer reads what is open again and what is charged next. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { orderOf } from '../support/order.ts'
import type { Buyer } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const page = async ({ browser }: Buyer) => (await browser.get('/api/account')).body
/** The message to the buyer, written in the same transaction as the change. */
const reopened = ({ sessionId }: Buyer) =>
  world.db
    .selectFrom('outbox')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'mail:access_reopened')
    .execute()
const wordsOf = (mail: Mail) =>
  renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')

/** The first payment as its invoice shows it; the list says the same. */
const invoice = async ({ browser }: Buyer) => {
  const [line] = (await browser.get('/api/invoices')).body.invoices
  const { body } = await browser.get(`/api/invoices/${line.id}`)
  expect(body).toMatchObject(line)
  return body
}

/** A member and the dispute of one of their charges; `move` as the bank does. */
async function disputed(product?: 'guide_habits') {
  const email = `won-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  await eventually(
    () => page(buyer),
    ({ subscriptions }) => subscriptions[0]?.state === 'trial',
  )
  if (product)
    expect((await buyer.browser.post(buyer.path('/upsells'), orderOf(product))).body.status).toBe('succeeded')
  const { charge_id } = await world.db
    .selectFrom('payments')
    .select('charge_id')
    .where('session_id', '=', buyer.sessionId)
    .where('product_id', '=', product ?? 'trial_1')
    .executeTakeFirstOrThrow()
  const { id } = await world.control('POST', 'disputes', { charge: charge_id })
  const move = (status: string) => world.control('POST', 'disputes/close', { dispute: id, status })
  const grants = async () =>
    (
      await world.db
        .selectFrom('product_access_grants')
        .select('product_id')
        .where('session_id', '=', buyer.sessionId)
        .where('revoked_at', 'is', null)
        .execute()
    ).map(({ product_id }) => product_id)
  return { email, buyer, move, grants }
}

test('P-12 A-05 A-06 won on appeal: page, invoice and mail say what is open, came back and is charged', async () => {
  const { email, buyer, move } = await disputed()
  await move('lost')
  await eventually(
    () => page(buyer),
    ({ programme, subscriptions }) => programme !== 'open' && subscriptions[0].state === 'ended',
  )
  expect((await world.mail(email, 'access_ended')).data.reason).toBe('disputed')
  expect(await invoice(buyer)).toMatchObject({ amount: 100, refunded: 0, returned: 100 })
  for (const status of ['appeal_needs_response', 'appeal_under_review', 'won']) await move(status)
  const mail = await world.mail(email, 'access_reopened')
  const { open_until } = await world.db
    .selectFrom('subscriptions')
    .select('open_until')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  expect(mail.data).toMatchObject({ productIds: ['trial_1'], openUntil: open_until?.toISOString(), next: null })
  expect(wordsOf(mail)).toMatch(/programme is open until .*Nothing more is charged\. The subscription has ended/)
  expect(wordsOf(mail)).not.toContain('Cancel your subscription')
  const now = await page(buyer)
  expect([now.programme, now.subscriptions[0].state, now.subscriptions[0].nextCharge]).toEqual(['open', 'ended', null])
  expect(await reopened(buyer)).toHaveLength(1)
  expect(await invoice(buyer)).toMatchObject({ amount: 100, refunded: 0, returned: 0 })
})

test('P-12 A-06 the appeal of an add-on: the mail names it, and the next charge as the page does', async () => {
  const { email, buyer, move, grants } = await disputed('guide_habits')
  await move('lost')
  await eventually(grants, (open) => !open.includes('guide_habits'))
  await move('won')
  const mail = await world.mail(email, 'access_reopened')
  const { nextCharge } = (await page(buyer)).subscriptions[0]
  expect(mail.data).toMatchObject({ productIds: ['guide_habits'], openUntil: null, next: nextCharge })
  expect(wordsOf(mail)).toMatch(/open for life\..*\$39\b/)
  expect(wordsOf(mail)).toContain('Cancel your subscription')
  expect(await grants()).toContain('guide_habits')
})

test('P-12 a dispute that is won without ever being lost closed nothing, and no mail says that it opens', async () => {
  const { buyer, move } = await disputed()
  await move('under_review')
  await move('won')
  await eventually(
    () => world.db.selectFrom('payment_facts').select('kind').where('session_id', '=', buyer.sessionId).execute(),
    (facts) => facts.some(({ kind }) => kind === 'dispute_won'),
  )
  expect(await reopened(buyer)).toEqual([])
  expect((await page(buyer)).programme).toBe('open')
})
