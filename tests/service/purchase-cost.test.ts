/** What a purchase asks of the database: most of the service's time goes into it. Times are the bench's (purchases). */
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { workInbox } from '../../payments-service/webhooks/inbox.ts'
import { createPoll, type Poll } from '../../payments-service/webhooks/poll.ts'
import { orderOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
let poll: Poll
beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false, background: false })
  poll = createPoll(funnel.service.deps)
})
afterAll(() => funnel.stop())

interface Asked {
  /** A statement outside of a transaction is one by itself. */
  transactions: number
  /** Each is a way to the database and back. */
  statements: number
}

/** What the service asks of the database during `work`. */
async function askedDuring(work: () => Promise<unknown>): Promise<Asked> {
  const asked = { transactions: 0, statements: 0 }
  const open = new WeakSet<object>()
  const query = pg.Client.prototype.query as (this: object, ...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: object, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '')
    asked.statements += 1
    if (/^begin/i.test(text)) open.add(this)
    else if (!open.has(this)) asked.transactions += 1
    else if (/^(commit|rollback)/i.test(text)) {
      open.delete(this)
      asked.transactions += 1
    }
    return query.apply(this, args)
  } as never)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return asked
}

async function purchase(): Promise<void> {
  const buyer = await funnel.buyer()
  await buyer.browser.put(buyer.path('/price'), { selectedPrice: 5 })
  await buyer.pay('trial_5')
  const { body } = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices'))
  expect(body.status).toBe('succeeded')
}

/** What Stripe tells of it, and the jobs that it queued. */
async function followUp(): Promise<void> {
  const { deps } = funnel.service
  await poll.round(() => true)
  while (await workInbox(deps));
  while (await workOutbox(deps, OUTBOX_HANDLERS));
}

/** Of some purchases the one that asked least, and what followed it. */
async function fewest(tries: number): Promise<[own: Asked, after: Asked]> {
  const all: [Asked, Asked][] = []
  while (all.length < tries) all.push([await askedDuring(purchase), await askedDuring(followUp)])
  return all.toSorted(([one], [other]) => one.transactions - other.transactions)[0]!
}

test('P-02 P-04 U-08 a purchase with an add-on asks the database no more often than it has to', async () => {
  // settings, prices and compiled modules are there
  await purchase()
  await followUp()
  // settings that are kept for some seconds are read once more on a slow machine
  const [own, after] = await fewest(3)
  expect(own.transactions).toBeLessThanOrEqual(52)
  expect(own.statements).toBeLessThanOrEqual(92)
  // how many events share a look at Stripe depends on the order of their ids
  expect(after.transactions).toBeLessThanOrEqual(28)
  expect(after.statements).toBeLessThanOrEqual(28)
})
