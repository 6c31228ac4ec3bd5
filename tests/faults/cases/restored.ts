import { join } from 'node:path'
import { Buyer } from '../buyer.ts'
import { type Case, type Context, inWorld, type Outcome, together } from '../case.ts'
import { FLOW_NAMES, type FlowName, FLOWS } from '../flows.ts'
import { settled } from '../invariants.ts'
import { inTurns, pause } from '../random.ts'
import { type Passed, passed } from '../trace.ts'
import { endLeases, type Replica, type World } from '../world.ts'

/** Its second charge has no mark of this installation, so that its visit, once lost, cannot be known. */
const WALKED = FLOW_NAMES.filter((name) => name !== 'charged twice')

/** Where one write about a visit or its money is done, and the next one is not. */
const BETWEEN =
  /^after:(commit\.(sessions|customers|payment\w+|subscriptions|\w+_grants|owed_refunds)|\w+\.(create|update))$/

/** How often a world's backup is restored; afterwards another flow gets a new world. */
const ROUNDS = 10

/** The points that a replica passes, one after the other, while it takes in what Stripe has of the visits. */
async function pointsOf(world: World, one: Replica): Promise<Passed[]> {
  const file = join(world.folder, 'points.txt')
  await world.restore()
  await one.start(`trace@${file}`)
  const { violations } = await settled(world)
  if (violations.length > 0) throw new Error(`does not hold even undisturbed: ${violations.join('; ')}`)
  return passed(file).filter(({ point }) => BETWEEN.test(point))
}

/**
 * One visit went through a flow, another one's tab was closed after it had paid. The backup from before both is
 * restored again and again; two replicas take them in, and one of them dies, or stands still, at one of the points.
 */
async function restores(context: Context, flow: FlowName): Promise<Outcome> {
  return inWorld(context, { replicas: 2, idle: true }, async (world) => {
    const [one, other] = world.replicas as [Replica, Replica]
    await other.start()
    await FLOWS[flow](new Buyer(world, context.random))
    const outcomes: Outcome[] = [{ runs: 0, violations: (await settled(world)).violations }]
    const closed = new Buyer(world, context.random)
    await closed.arrive()
    const opened = await closed.open(context.random.pick(['trial_5', 'monthly'] as const))
    if (opened) await closed.confirm(opened)

    const points = await pointsOf(world, one)
    for (let round = 0; round < ROUNDS; round++) {
      const { point, nth } = context.random.pick(points)
      const target = `${context.random.pick(['kill', 'stop'] as const)}@${point}#${nth}`
      await world.restore()
      // where it stands still before it has answered, it goes on starting afterwards
      const starting = one.start(target)
      await Promise.race([starting, pause(5_000)])
      await other.start()
      await Promise.race([one.gone(), pause(1_000)])
      // the other one takes over what this one held
      await endLeases(world)
      await pause(1_000)
      one.signal('SIGCONT')
      await starting
      if (!one.running()) await one.start()
      await endLeases(world)
      const { violations, milliseconds } = await settled(world)
      outcomes.push({ runs: 1, violations: violations.map((text) => `${target}: ${text}`), slowest: milliseconds })
    }
    return together(outcomes)
  })
}

export const restoredBackup: Case = {
  name: 'restored',
  title: 'P-10 P-14 two replicas adopt the visits that a restored backup lacks, one dies or stands still: each once',
  async run(context) {
    const chosen = context.random.shuffle(WALKED).filter((flow) => flow.includes(context.only))
    const worlds = Array.from({ length: Math.ceil(context.count(150, ROUNDS) / ROUNDS) }, (_, at) =>
      chosen.at(at % chosen.length),
    ).filter((flow) => flow !== undefined)
    const jobs = worlds.map((flow) => () => restores(context, flow))
    return together(await inTurns(jobs, 2))
  },
}
