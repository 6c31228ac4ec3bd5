/** A mail is one job: its facts are those of the event, everything else is read when it is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitingMails } from './mails.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
let waits: Funnel
beforeAll(async () => {
  world = await startMembership()
  waits = await startFunnel()
})
afterAll(async () => {
  await world.stop()
  await waits.stop()
})

test('A-06 D-12 a mail is one row of the queue, which keeps what was said and no link', async () => {
  const email = 'one-row@example.com'
  const buyer = await world.buyer(email)
  const intentId = await buyer.pay('trial_1767')
  const { data } = await world.mail(email, 'order_confirmation')
  const rows = () =>
    world.db
      .selectFrom('outbox')
      .selectAll()
      .where('dedupe_key', 'like', `mail:order_confirmation:${intentId}%`)
      .execute()
  expect(await rows()).toHaveLength(1)
  const [row] = await eventually(rows, ([one]) => one?.sent_at !== null)
  expect(row?.payload).toMatchObject({ amount: 1767, mail: { to: email, data: { paid: 1767, paidAt: data.paidAt } } })
  expect(JSON.stringify(row?.payload)).not.toMatch(/https?:/)
})

test('A-06 H-04 a mail that waited says what was paid then and what is charged next now', async () => {
  const buyer = await waits.buyer()
  await buyer.pay('trial_1')
  const confirmation = async () => {
    const [mail] = await waitingMails(waits.service, 'order_confirmation', buyer.sessionId)
    if (typeof mail !== 'object') throw new Error(`no confirmation: ${mail}`)
    return mail.data
  }
  await eventually(
    () => waits.db.selectFrom('subscriptions').select('status').where('session_id', '=', buyer.sessionId).execute(),
    ([row]) => row?.status === 'trialing',
  )
  const before = await confirmation()
  expect(before).toMatchObject({ paid: 100, next: { amount: 3900 } })
  await waits.db
    .updateTable('subscriptions')
    .set({ cancel_requested_at: new Date() })
    .where('session_id', '=', buyer.sessionId)
    .execute()
  expect(await confirmation()).toMatchObject({ paid: 100, paidAt: before.paidAt, next: null })
})
