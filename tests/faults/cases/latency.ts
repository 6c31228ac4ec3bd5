import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { signature } from '../../../payments-service/stripe/sandbox/webhooks.ts'
import { WEBHOOK_SECRET } from '../../service/service.ts'
import { Buyer } from '../buyer.ts'
import { type Case, inWorld } from '../case.ts'
import type { Replica } from '../world.ts'
import { settled } from '../invariants.ts'

const p95 = (list: number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0

/** Milliseconds between the `before:` and `after:` of Stripe calls, as the service wrote them down since line `from`. */
function timeAtStripe(file: string, from: number): { milliseconds: number; lines: number } {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const open = new Map<string, number>()
  let milliseconds = 0
  for (const line of lines.slice(from)) {
    const [point = '', at = '0'] = line.split(' ')
    const [when, name = ''] = point.split(':')
    if (name.startsWith('commit.')) continue
    if (when === 'before') open.set(name, Number(at))
    else milliseconds += Number(at) - (open.get(name) ?? Number(at))
  }
  return { milliseconds, lines: lines.length }
}

export const latency: Case = {
  name: 'latency',
  alone: true,
  title: 'P-04 P-10 finalize takes under 60 ms of our own (p95), a webhook is answered in under 20 ms (p95)',
  run: (context) =>
    inWorld(context, { idle: true }, async (world) => {
      const [one] = world.replicas as [Replica]
      const file = join(world.folder, 'points.txt')
      await one.start(`trace@${file}`)
      // nothing but the finalize call is at work
      await world.control('POST', 'webhooks', { mode: 'lost' })
      const own: number[] = []
      const buyers: Buyer[] = []
      const runs = context.count(200, 10)
      for (let n = 0; n < runs + 3; n++) {
        const buyer = new Buyer(world, context.random, one.url)
        await buyer.arrive()
        const opened = await buyer.open('trial_1')
        if (!opened) throw new Error('paid before it began')
        await buyer.confirm(opened)
        const { lines } = timeAtStripe(file, Number.MAX_SAFE_INTEGER)
        const reply = await buyer.once('POST', buyer.path('/payments/finalize'), { paymentIntentId: opened.paymentIntentId }) // prettier-ignore
        buyers.push(buyer)
        const { milliseconds } = timeAtStripe(file, lines)
        // the first ones warm it up
        if (n >= 3) own.push(reply.milliseconds - milliseconds)
      }
      const { data } = await world.control('GET', 'objects?kind=event&limit=1000')
      const answers: number[] = []
      for (let n = 0; n < runs; n++) {
        const payload = JSON.stringify({ ...data[n % data.length], id: `evt_latency${n}`, type: 'ping.pong' })
        const started = performance.now()
        const reply = await fetch(`${one.url}/api/webhooks/stripe`, { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature(payload, WEBHOOK_SECRET) }, body: payload }) // prettier-ignore
        await reply.arrayBuffer()
        answers.push(performance.now() - started)
      }
      const [finalize, webhook] = [p95(own), p95(answers)]
      const wrong: string[] = []
      // on a machine with other work the figures are told, not judged
      const busy = context.quick || loadavg()[0]! > availableParallelism()
      if (!busy && finalize > 60) wrong.push(`finalize: p95 ${finalize.toFixed(1)} ms of our own`)
      if (!busy && webhook > 20) wrong.push(`webhook: p95 ${webhook.toFixed(1)} ms`)
      const { violations } = await settled(world, buyers)
      return { runs: runs * 2, violations: [...wrong, ...violations], note: `finalize p95 ${finalize.toFixed(1)} ms of our own, webhook p95 ${webhook.toFixed(1)} ms${busy ? `; machine busy, load ${loadavg()[0]?.toFixed(1)}` : ''}` } // prettier-ignore
    }),
}
