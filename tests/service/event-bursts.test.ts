/** Stripe sends several events for each step of a payment, within moments of each other. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workInbox } from '../../payments-service/webhooks/inbox.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const BURST = 8

async function receive(type: string, object: object): Promise<void> {
  const rows = Array.from({ length: BURST }, () => ({
    id: `evt_${randomUUID()}`,
    type,
    object_id: (object as { id: string }).id,
    payload: JSON.stringify({ type, data: { object } }),
    source: 'webhook',
    created: new Date(),
  }))
  await funnel.db.insertInto('webhook_events').values(rows).execute()
}

/** How often the service reads a path at Stripe while it works through what it received. */
async function readsOf(path: string, type: string, object: object): Promise<number> {
  const most = 1_000
  await funnel.control('POST', 'faults', { mode: 'slow', ms: 100, times: most, method: 'GET', path, from: 'server' })
  await receive(type, object)
  await workInbox(funnel.service.deps)
  const { rules } = (await funnel.control('GET', 'faults')) as { rules: { times: number }[] }
  await funnel.control('DELETE', 'faults')
  const waiting = await funnel.db.selectFrom('webhook_events').select('id').where('handled_at', 'is', null).execute()
  expect(waiting).toEqual([])
  return most - (rules[0]?.times ?? most)
}

test('P-10 a burst of events about one payment or subscription reads it at Stripe once, not once each', async () => {
  const buyer = await funnel.buyer()
  const id = await buyer.pay('trial_1')
  const intent = await funnel.dashboard('GET', `/v1/payment_intents/${id}`)
  expect(await readsOf(`/v1/payment_intents/${id}`, 'payment_intent.succeeded', intent)).toBe(1)
  const { data } = await funnel.dashboard('GET', '/v1/subscriptions', { customer: intent.customer })
  expect(await readsOf(`/v1/subscriptions/${data[0].id}`, 'customer.subscription.updated', data[0])).toBe(1)
})
