/** P-10: events that Stripe lists late are searched for once a minute, not by every poll. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPoll } from '../../payments-service/webhooks/poll.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

test('P-10 an event that Stripe lists ninety seconds late is found by the wide look, one poll in twelve', async () => {
  const poll = createPoll(funnel.service.deps)
  await poll.round(() => true)
  const buyer = await funnel.buyer()
  const { body } = await buyer.open()
  await funnel.confirm(body)
  // polling has advanced ninety seconds by the time the event is listed
  await funnel.db
    .updateTable('bookmarks')
    .set({ at: new Date(Date.now() + 90_000) })
    .where('name', '=', 'stripe_events')
    .execute()
  const known = async () => {
    const events = funnel.db.selectFrom('webhook_events').select('type').where('object_id', '=', body.paymentIntentId)
    return (await events.execute()).map(({ type }) => type)
  }
  for (let narrow = 1; narrow <= 11; narrow++) {
    await poll.round(() => true)
    expect(await known(), `poll ${narrow}`).toEqual([])
  }
  await poll.round(() => true)
  expect(await known()).toContain('payment_intent.succeeded')
})
