import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { Buyer } from '../buyer.ts'
import { type Case, type Context, inWorld, type Outcome, together } from '../case.ts'
import { type FlowName, FLOWS } from '../flows.ts'
import { settled } from '../invariants.ts'
import { inTurns, pause } from '../random.ts'
import { endLeases, type Replica } from '../world.ts'

const POINTS: readonly { point: string; flow: FlowName }[] = [
  { point: 'before:subscriptions.create', flow: 'trial' },
  { point: 'before:commit.payment_intents#3', flow: 'trial' },
  { point: 'after:subscriptions.create', flow: 'trial' },
  { point: 'before:refunds.create', flow: 'charged twice' },
  // the first ones only look into an empty inbox
  { point: 'after:commit.webhook_events#4', flow: 'trial' },
  { point: 'before:paymentIntents.confirm', flow: 'trial and bundle' },
  { point: 'after:paymentIntents.confirm', flow: 'trial and bundle' },
  { point: 'after:refunds.create', flow: 'charged twice' },
  { point: 'before:commit.subscriptions', flow: 'monthly' },
  { point: 'before:setupIntents.create', flow: 'PayPal at value 0' },
  { point: 'after:paymentIntents.retrieve', flow: 'money back' },
  { point: 'before:customers.create', flow: 'trial' },
]

/** Whether the replica's process is stopped by a signal. */
function frozen(one: Replica): boolean {
  if (!one.pid) return false
  if (process.platform === 'linux') return /^\d+ \(.*\) T/.test(readFileSync(`/proc/${one.pid}/stat`, 'utf8'))
  return execFileSync('ps', ['-o', 'state=', '-p', String(one.pid)])
    .toString()
    .trim()
    .startsWith('T')
}

/** One replica freezes at a point and the other finishes its work; then the first resumes, unaware of it. */
async function freeze(context: Context, { point, flow }: (typeof POINTS)[number]): Promise<Outcome> {
  return inWorld(context, { replicas: 2, idle: true }, async (world) => {
    const [one, other] = world.replicas as [Replica, Replica]
    if (point.includes('webhook_events')) {
      // the events of the catalogue are processed first, or it would freeze before there is a buyer
      await other.start()
      await pause(3_000)
      await other.kill()
    }
    await one.start(`stop@${point}`)
    const buyer = new Buyer(world, context.random, one.url)
    const walking = FLOWS[flow](buyer).catch(() => undefined)
    let done = false
    void walking.then(() => (done = true))
    for (const end = Date.now() + 20_000; !frozen(one) && Date.now() < end;) {
      await pause(20)
      if (done && Date.now() > end - 12_000) break
    }
    const reached = frozen(one)
    await other.start()
    // the buyer continues with the other replica, as a balancer would arrange
    buyer.base = other.url
    const again = context.quick ? undefined : pause(50_000)
    if (reached && buyer.sessionId) await retry(buyer)
    await again
    if (context.quick) await endLeases(world)
    const without = await settled(world, [], 100_000)
    one.signal('SIGCONT')
    await Promise.race([walking, pause(15_000)])
    await pause(1_000)
    const { violations, milliseconds } = await settled(world)
    const wrong = [
      ...without.violations.map((text) => `while it stood still: ${text}`),
      ...violations.map((text) => `when it went on: ${text}`),
    ]
    return {
      runs: reached ? 1 : 0,
      violations: wrong.map((text) => `${point}: ${text}`),
      slowest: Math.max(without.milliseconds, milliseconds),
      ...(reached ? {} : { note: `${point} not reached` }),
    }
  })
}

/** What the page does after a reload: pays for what is not paid yet. */
async function retry(buyer: Buyer): Promise<void> {
  const { body } = await buyer.call('GET', buyer.path(''))
  if (body.paymentStatus !== 'unpaid' || !body.email || !body.hasCustomer) return
  await buyer.pay('trial_1').catch(() => undefined)
}

export const workerStopped: Case = {
  name: 'worker-stopped',
  title: 'P-04 P-10 U-08 a replica stopped (SIGSTOP) past its lease, then continued: no double effect',
  async run(context) {
    const points = POINTS.filter(({ point }) => point.includes(context.only))
    const chosen = context.quick ? points.slice(0, 3) : points
    return together(
      await inTurns(
        chosen.map((one) => () => freeze(context, one)),
        context.quick ? 3 : 4,
      ),
    )
  },
}
