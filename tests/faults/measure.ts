/** How long the service takes over what money waits for: its own time, without the time that it waits for Stripe. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signature } from '../../stand-ins/stripe/webhooks.ts'
import { WEBHOOK_SECRET } from '../service/service.ts'
import { Buyer, type Opened } from './buyer.ts'
import { inTurns, type Random } from './random.ts'
import type { Replica, World } from './world.ts'

/** Limits in milliseconds. */
export const FINALIZE_LIMIT = 60
export const WEBHOOK_LIMIT = 20

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Buyers who are measured, and those before them who warm up the service. */
const WARM = 10

/** Milliseconds between the `before:` and `after:` of Stripe calls, as the service logged them from line `from` on. */
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

async function paidAtStripe(world: World, random: Random): Promise<{ buyer: Buyer; opened: Opened }> {
  const buyer = new Buyer(world, random, (world.replicas[0] as Replica).url)
  await buyer.arrive()
  const opened = await buyer.open('trial_1')
  if (!opened) throw new Error('paid before it began')
  await buyer.confirm(opened)
  return { buyer, opened }
}

async function finalize({ buyer, opened }: Awaited<ReturnType<typeof paidAtStripe>>): Promise<number> {
  const reply = await buyer.once('POST', buyer.path('/payments/finalize'), { paymentIntentId: opened.paymentIntentId })
  if (reply.status !== 200) throw new Error(`not settled: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.milliseconds
}

/**
 * Starts the one (idle) replica of `world` and lets `runs` buyers finalize one after the other: milliseconds of the
 * service's own for each. No webhook comes, so that nothing but the call itself settles and grants.
 */
export async function ownTimes(
  world: World,
  random: Random,
  runs: number,
): Promise<{ own: number[]; buyers: Buyer[] }> {
  const file = join(world.folder, 'points.txt')
  await (world.replicas[0] as Replica).start(`trace@${file}`)
  await world.control('POST', 'webhooks', { mode: 'lost' })
  const own: number[] = []
  const buyers: Buyer[] = []
  for (let n = 0; n < runs + WARM; n++) {
    const paid = await paidAtStripe(world, random)
    buyers.push(paid.buyer)
    const { lines } = timeAtStripe(file, Number.MAX_SAFE_INTEGER)
    const whole = await finalize(paid)
    if (n >= WARM) own.push(whole - timeAtStripe(file, lines).milliseconds)
  }
  return { own, buyers }
}

/** `runs` buyers finalize, `width` at a time: the milliseconds of each, including the embedded Stripe's time. */
export async function wholeTimes(world: World, random: Random, runs: number, width: number): Promise<number[]> {
  const paid = await inTurns(
    Array.from({ length: runs }, () => () => paidAtStripe(world, random)),
    4,
  )
  return inTurns(
    paid.map((one) => () => finalize(one)),
    width,
  )
}

/** Sends `runs` new signed events, `width` at a time; returns the milliseconds until each is answered. */
export async function webhookTimes(world: World, runs: number, width: number): Promise<number[]> {
  const { data } = await world.control('GET', 'objects?kind=event&limit=1000')
  const url = `${(world.replicas[0] as Replica).url}/api/webhooks/stripe`
  const send = async (n: number): Promise<number> => {
    const payload = JSON.stringify({
      ...data[n % data.length],
      id: `evt_measured${crypto.randomUUID()}`,
      type: 'ping.pong',
    })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature(payload, WEBHOOK_SECRET) }
    const started = performance.now()
    const reply = await fetch(url, { method: 'POST', headers, body: payload })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`a webhook was refused: ${reply.status}`)
    return performance.now() - started
  }
  return inTurns(
    Array.from({ length: runs }, (_, n) => () => send(n)),
    width,
  )
}
