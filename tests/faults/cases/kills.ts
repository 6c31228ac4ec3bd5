import { join } from 'node:path'
import { Buyer } from '../buyer.ts'
import { type Case, type Context, finished, inWorld, type Outcome, together } from '../case.ts'
import { FLOW_NAMES, type FlowName, FLOWS } from '../flows.ts'
import { settled } from '../invariants.ts'
import { pause } from '../random.ts'
import { type Passed, passed } from '../trace.ts'
import { endLeases, type Replica } from '../world.ts'

interface Target extends Passed {
  flow: FlowName
}

/** Reads that run every few seconds in any flow: the service is killed there once, not in every flow. */
const BACKGROUND = /:(events\.list|commit\.(bookmarks|rate_limits))$/

/** Commits that two loops repeat in the same way (received, claimed, done), and how often a flow is killed there. */
const LOOPS = /:commit\.(webhook_events|outbox)$/
const MOST_OF_A_LOOP = 6

/** Every point that each flow passes, in order, found by running the flows one after the other. */
async function findTargets(context: Context): Promise<Target[]> {
  const targets: Target[] = []
  const outcome = await inWorld(context, { idle: true }, async (world) => {
    const file = join(world.folder, 'points.txt')
    const [one] = world.replicas as [Replica]
    await one.start(`trace@${file}`)
    const wrong: string[] = []
    let read = 0
    for (const flow of FLOW_NAMES) {
      const buyer = new Buyer(world, context.random)
      await FLOWS[flow](buyer)
      const { violations } = await settled(world, [buyer])
      wrong.push(...violations)
      const points = passed(file, read)
      for (const { point, nth } of points) {
        const most = BACKGROUND.test(point) ? 1 : LOOPS.test(point) ? MOST_OF_A_LOOP : Infinity
        if (nth <= most) targets.push({ flow, point, nth })
      }
      read += points.length
    }
    return { runs: FLOW_NAMES.length, violations: wrong }
  })
  if (outcome.violations.length > 0)
    throw new Error(`a flow does not hold even undisturbed: ${outcome.violations.join('; ')}`)
  return targets
}

/** One kill per named point for the quick run; per flow, point and occurrence for the full one. */
function choose(context: Context, targets: readonly Target[]): Target[] {
  const wanted = targets.filter(({ flow, point, nth }) => `${flow} ${point}#${nth}`.includes(context.only))
  const seen = new Set<string>()
  return wanted.filter(({ flow, point, nth }) => {
    const key =
      context.quick || BACKGROUND.test(point)
        ? point
        : context.scale < 1
          ? `${flow} ${point}`
          : `${flow} ${point} ${nth}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Buyers of one replica who may be waiting for an answer before it is left alive long enough to give them one. */
const MOST_STRANDED = 4

/** One replica that is killed at one target after another; all its buyers carry on until they are through. */
async function lane(context: Context, targets: readonly Target[]): Promise<Outcome> {
  return inWorld(context, { idle: true }, async (world) => {
    const [one] = world.replicas as [Replica]
    const buyers: Buyer[] = []
    const flows: Promise<unknown>[] = []
    let [missed, open] = [0, 0]
    for (const { flow, point, nth } of targets) {
      if (open >= MOST_STRANDED) {
        // waiting buyers pass the next points too and trigger each next death early, so that no one gets through
        await one.start()
        await Promise.race([Promise.allSettled(flows), pause(60_000)])
        await one.kill()
      }
      await one.start(`kill@${point}#${nth}`)
      const buyer = new Buyer(world, context.random)
      buyers.push(buyer)
      open += 1
      const walking = FLOWS[flow](buyer).finally(() => (open -= 1))
      walking.catch(() => undefined)
      flows.push(walking)
      // background work may reach a point that the buyer does not
      const late = walking.then(() => pause(context.quick ? 1_500 : 7_000)).catch(() => undefined)
      const died = await Promise.race([
        one.gone().then(() => true),
        late.then(() => false),
        pause(30_000).then(() => false),
      ])
      if (!died) {
        missed += 1
        await one.kill()
      }
    }
    await one.start()
    const stopped = await finished(flows)
    if (context.quick) await endLeases(world)
    const { violations, milliseconds } = await settled(world, buyers)
    return {
      runs: targets.length - missed,
      violations: [...stopped, ...violations],
      slowest: milliseconds,
      ...(missed ? { note: `${missed} killed elsewhere` } : {}),
    }
  })
}

export const killsAtPoints: Case = {
  name: 'kill-points',
  title:
    'P-02 P-04 U-08 kill -9 before and after every Stripe call and commit of each flow: settled within 60 s of restart',
  async run(context) {
    const targets = choose(context, await findTargets(context))
    const lanes = context.quick ? 2 : 3
    const share = (n: number) => targets.filter((_, at) => at % lanes === n)
    if (!context.quick) context.say(`       kill-points: ${targets.length} kills`)
    const jobs = Array.from({ length: lanes }, (_, n) => share(n)).filter(({ length }) => length > 0)
    const outcome = together(await Promise.all(jobs.map((one) => lane(context, one))))
    const points = new Set(targets.map(({ point }) => point)).size
    return { ...outcome, note: `${points} points${outcome.note ? `; ${outcome.note}` : ''}` }
  },
}

/** Buyers come one after the other until `over`; every flow is drawn from the seed. */
export function crowd(context: Context, arrive: () => Buyer, size: number, over: () => boolean) {
  const buyers: Buyer[] = []
  const walkers = Array.from({ length: size }, async () => {
    while (!over()) {
      const buyer = arrive()
      buyers.push(buyer)
      await FLOWS[context.random.pick(FLOW_NAMES)](buyer)
    }
  })
  // `finished` reports rejections, possibly much later
  for (const walker of walkers) walker.catch(() => undefined)
  return { buyers, walkers }
}

export const killsAtRandom: Case = {
  name: 'kill-random',
  title: 'P-02 P-04 P-14 U-08 kill -9 at random points of two replicas, 16 buyers in flight at each',
  async run(context) {
    const all = context.count(1_000, 12)
    const batches = Array.from({ length: Math.ceil(all / 100) }, (_, n) => Math.min(100, all - n * 100))
    const outcomes: Outcome[] = []
    for (const wanted of batches) {
      outcomes.push(
        await inWorld(context, { replicas: 2 }, async (world) => {
          let kills = 0
          const { buyers, walkers } = crowd(
            context,
            () => new Buyer(world, context.random),
            context.quick ? 6 : 16,
            () => kills >= wanted,
          )
          const supervise = async (one: Replica) => {
            await one.kill()
            while (kills < wanted) {
              await one.start(`kill@*#${1 + context.random.below(300)}`)
              await Promise.race([one.gone(), pause(15_000)])
              if (one.running()) await one.kill()
              kills += 1
            }
            await one.start()
          }
          await Promise.all(world.replicas.map(supervise))
          const stopped = await finished(walkers)
          if (context.quick) await endLeases(world)
          const { violations, milliseconds } = await settled(world, buyers)
          return {
            runs: kills,
            violations: [...stopped, ...violations],
            slowest: milliseconds,
            note: `${buyers.length} buyers`,
          }
        }),
      )
    }
    return together(outcomes)
  },
}
