import { availableParallelism, loadavg } from 'node:os'
import { type Case, inWorld } from '../case.ts'
import { settled } from '../invariants.ts'
import { FINALIZE_LIMIT, ownTimes, quantile, WEBHOOK_LIMIT, webhookTimes } from '../measure.ts'

export const latency: Case = {
  name: 'latency',
  alone: true,
  title: 'P-04 P-10 finalize takes under 60 ms of our own (p95), a webhook is answered in under 20 ms (p95)',
  run: (context) =>
    inWorld(context, { idle: true }, async (world) => {
      const runs = context.count(200, 10)
      const { own, buyers } = await ownTimes(world, context.random, runs)
      const finalize = quantile(own, 0.95)
      const webhook = quantile(await webhookTimes(world, runs, 1), 0.95)
      const wrong: string[] = []
      // on a machine busy with other work the figures are reported, not judged
      const busy = context.quick || loadavg()[0]! > availableParallelism()
      if (!busy && finalize > FINALIZE_LIMIT) wrong.push(`finalize: p95 ${finalize.toFixed(1)} ms of our own`)
      if (!busy && webhook > WEBHOOK_LIMIT) wrong.push(`webhook: p95 ${webhook.toFixed(1)} ms`)
      const { violations } = await settled(world, buyers)
      return {
        runs: runs * 2,
        violations: [...wrong, ...violations],
        note:
          `finalize p95 ${finalize.toFixed(1)} ms of our own, webhook p95 ${webhook.toFixed(1)} ` +
          `ms${busy ? `; machine busy, load ${loadavg()[0]?.toFixed(1)}` : ''}`,
      }
    }),
}
