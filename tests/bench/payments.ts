/**
 * What a buyer and Stripe wait for: finalize calls one after another (the service's own time, without the time that it
 * waits for Stripe) and 20 at once, and webhooks. Real service, embedded Stripe, a PostgreSQL that flushes every
 * commit. `node tests/bench/payments.ts`, with its limits.
 */
import { rmSync } from 'node:fs'
import { FINALIZE_LIMIT, ownTimes, quantile, WEBHOOK_LIMIT, webhookTimes, wholeTimes } from '../faults/measure.ts'
import { randomFrom } from '../faults/random.ts'
import { startServer, startWorld } from '../faults/world.ts'
import { finish, judge, note } from './table.ts'

const random = randomFrom(20261121)
const server = await startServer({ durable: true })
try {
  const world = await startWorld(server, { idle: true, direct: true })
  const told = (times: readonly number[]) =>
    [0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(1)).join(' / ')
  try {
    const { own } = await ownTimes(world, random, 200)
    const crowd = await wholeTimes(world, random, 200, 20)
    const webhooks = await webhookTimes(world, 500, 1)
    const burst = await webhookTimes(world, 500, 10)
    judge('finalize, own time, p95 of 200', quantile(own, 0.95), FINALIZE_LIMIT, ' ms')
    judge('webhook, p95 of 500', quantile(webhooks, 0.95), WEBHOOK_LIMIT, ' ms')
    note('p50 / p95 / p99', `finalize ${told(own)} ms, webhook ${told(webhooks)} ms`)
    note('20 finalize calls at once', `${told(crowd)} ms, the embedded Stripe's time included`)
    note('10 webhooks at once', `${told(burst)} ms`)
  } finally {
    await world.stop()
  }
} finally {
  await server.stop()
  rmSync(server.folder, { recursive: true, force: true })
}
finish()
