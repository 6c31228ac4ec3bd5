import { Buyer } from '../buyer.ts'
import { type Case, type Context, finished, inWorld, type Outcome, together } from '../case.ts'
import { type FlowName, FLOWS } from '../flows.ts'
import { settled } from '../invariants.ts'
import { pause } from '../random.ts'
import type { World } from '../world.ts'

/** The calls to Stripe in these flows, as method and path, each with a flow that makes it. */
const CALLS: readonly { method: string; path: string; flow: FlowName }[] = [
  { method: 'POST', path: '/v1/payment_intents', flow: 'trial' },
  { method: 'POST', path: '/v1/subscriptions', flow: 'trial' },
  { method: 'POST', path: '/v1/payment_intents/*/confirm', flow: 'trial and add-ons' },
  { method: 'POST', path: '/v1/customers', flow: 'trial' },
  { method: 'GET', path: '/v1/payment_intents/*', flow: 'trial' },
  { method: 'POST', path: '/v1/refunds', flow: 'charged twice' },
  { method: 'POST', path: '/v1/setup_intents', flow: 'PayPal at value 0' },
  { method: 'POST', path: '/v1/subscriptions', flow: 'monthly' },
  { method: 'POST', path: '/v1/payment_intents/*', flow: 'special offer after a trial was opened' },
  { method: 'GET', path: '/v1/subscriptions', flow: 'trial' },
  { method: 'GET', path: '/v1/customers', flow: 'trial' },
  { method: 'GET', path: '/v1/prices', flow: 'reading' },
]

/** Stripe.js and the SDK send once more by themselves when a connection is cut. */
const MODES = [
  { mode: 'drop', times: 2 },
  { mode: 'execute_then_500', times: 1 },
  { mode: '500', times: 1 },
  { mode: '409', times: 2 },
  { mode: '429', times: 1 },
  { mode: 'hang', times: 1 },
  { mode: 'drop_before', times: 2 },
  { mode: 'stall', times: 1 },
] as const

interface Storm {
  method: string
  path: string
  flow: FlowName
  mode: string
  times: number
}

/** Reads the pages meanwhile: a slow answer means that the pool is exhausted. */
async function bystander(
  context: Context,
  world: World,
  over: () => boolean,
): Promise<{ slowest: number; failed: number }> {
  let [slowest, failed] = [0, 0]
  const visitor = new Buyer(world, context.random)
  while (!over()) {
    const reply = await visitor.once('POST', '/api/sessions', { clientKey: crypto.randomUUID() }).catch(() => undefined)
    if (reply?.status !== 200) failed += 1
    else slowest = Math.max(slowest, reply.milliseconds)
    await pause(150)
  }
  return { slowest, failed }
}

/** One call goes wrong for every buyer of a storm at once. */
async function storm(context: Context, world: World, { method, path, flow, mode, times }: Storm): Promise<Outcome> {
  const size = context.count(25, 3)
  await world.control('POST', 'faults', { mode, method, path, times: times * size, from: 'server', ms: 30_000 })
  const buyers = Array.from({ length: size }, () => new Buyer(world, context.random))
  let over = false
  const watching = bystander(context, world, () => over)
  const flows = buyers.map((buyer) => FLOWS[flow](buyer))
  const stopped = await finished(flows)
  over = true
  await world.control('DELETE', 'faults')
  const { slowest, failed } = await watching
  const { violations, milliseconds } = await settled(world, buyers)
  const about = `${mode} ${method} ${path} (${flow})`
  const wrong = [...stopped, ...violations].map((one) => `${about}: ${one}`)
  // a busy machine answers late, an exhausted pool after seconds or not at all
  if (slowest > 5_000 || failed > 0)
    wrong.push(`${about}: a bystander waited ${Math.round(slowest)} ms, ${failed} refused`)
  return { runs: size, violations: wrong, slowest: milliseconds }
}

export const stripeTrouble: Case = {
  name: 'stripe-trouble',
  title:
    'P-02 P-04 U-08 Stripe executes and the reply is lost, answers 500, 409, 429, hangs 30 s: no double ' +
    'charge, an answer within 35 s, the pool not exhausted',
  async run(context) {
    const storms = CALLS.flatMap((call) => MODES.map(({ mode, times }) => ({ ...call, mode, times })))
    const wanted = context.quick
      ? storms.filter(
          ({ mode, path }, at) =>
            (mode === 'hang' ? at === 5 : mode !== 'stall') &&
            /intents(\/\*\/confirm)?$|subscriptions$/.test(path) &&
            at < 24,
        )
      : storms
    const chosen = wanted.filter(({ mode, method, path, flow }) =>
      `${mode} ${method} ${path} ${flow}`.includes(context.only),
    )
    // those that hang take their time, so they are spread over the lanes
    const lanes = context.quick ? 2 : 4
    const jobs = Array.from({ length: lanes }, (_, lane) => chosen.filter((_, at) => at % lanes === lane))
    const outcomes = await Promise.all(
      jobs.map((share) =>
        inWorld(context, {}, async (world) => {
          const parts: Outcome[] = []
          for (const one of share) parts.push(await storm(context, world, one))
          return together(parts)
        }),
      ),
    )
    return { ...together(outcomes), note: `${chosen.length} kinds of trouble` }
  },
}
