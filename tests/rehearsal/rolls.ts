import { performance } from 'node:perf_hooks'
import { pause } from '../faults/random.ts'
import { settled } from '../faults/invariants.ts'
import { endLeases, type Replica } from '../faults/world.ts'
import { replaced } from './browser.ts'
import type { Asked } from './crowd.ts'
import { byDoor, noticed, type Row, type Scene, seconds } from './row.ts'

/** Milliseconds after which a stop has failed, whatever the machine: the drain, ten seconds, and to end. */
const ENDLESS = 12_000

interface Stop {
  told: number
  took: number
  code: number | null
}

/** Asks one replica to stop and starts it again. */
async function replace({ stage }: Scene, replica: Replica): Promise<Stop> {
  const told = performance.now()
  replica.signal('SIGTERM')
  await replica.gone()
  const took = performance.now() - told
  const code = replica.exitCode
  await stage.start(replica)
  return { told, took, code }
}

/** Whether a stop took longer than the drain, or a request that was under way at its end, and `slack` milliseconds. */
function isLate({ told, took }: Stop, drain: number, asked: readonly Asked[], slack: number): boolean {
  const end = told + drain
  const underWay = asked.filter(({ began, ended }) => began <= end && ended > end)
  return took > Math.max(drain, ...underWay.map(({ ended }) => ended - told)) + slack
}

export const rolls: Row = {
  name: 'rolls',
  title: 'N-03 P-04 two replicas are replaced in turn while buyers buy: no request fails, every stop is in time',
  async run(scene) {
    const { stage, quick } = scene
    const crowd = scene.admit()
    const began = performance.now()
    const stops: Stop[] = []
    await pause(1_000)
    for (let roll = 0; roll < scene.rolls; roll++) {
      for (const replica of stage.world.replicas) stops.push(await replace(scene, replica))
    }
    const elapsed = performance.now() - began
    const came = crowd.buyers.length
    const stopped = await crowd.over()
    const slowest = Math.max(...stops.map(({ took }) => took))
    const drain = stage.drainSeconds * 1_000
    const late = stops.filter((stop) => isLate(stop, drain, crowd.asked, quick ? ENDLESS : 1_000))
    return {
      figures:
        `${scene.rolls} × 2 replaced, failed requests: ${byDoor(stage, crowd.asked)}; ` +
        `${replaced.count} kept connections were over; ` +
        `${(came / (elapsed / 1_000)).toFixed(1)} buyers/s, ` +
        `slowest stop ${seconds(slowest)} of a drain of ${stage.drainSeconds} s`,
      violations: [
        ...noticed(crowd.asked),
        ...stopped,
        ...(late.length > 0
          ? [`${late.length} stops took longer than the drain and the requests under way, and a second`]
          : []),
        ...stops.flatMap(({ code }) => (code === 0 ? [] : [`a replica ended with ${code}`])),
        ...(crowd.done() < scene.rolls * 2 ? [`only ${crowd.done()} buyers came through`] : []),
      ],
    }
  },
}

export const kills: Row = {
  name: 'kills',
  title: 'N-03 P-02 kill -9 of a replica under buyers: only requests under way fail, and their buyers succeed on retry',
  async run(scene) {
    const { stage, quick } = scene
    const crowd = scene.admit()
    const victims = quick
      ? stage.world.replicas.slice(0, 1)
      : Array.from({ length: 5 }, () => stage.world.replicas).flat()
    /** Between these two moments requests may fail: until the process is gone, or its balancer has noticed. */
    const gaps: { from: number; gone: number; seen: number }[] = []
    for (const replica of victims) {
      await pause(1_500)
      const from = performance.now()
      await replica.kill()
      const gone = performance.now()
      while (stage.sees(replica)) await pause(5)
      gaps.push({ from, gone, seen: performance.now() })
      await stage.start(replica)
    }
    await pause(1_000)
    const stopped = await crowd.over()
    const failed = crowd.asked.filter((one) => one.failed !== undefined)
    const excused = failed.filter(({ door, began, ended }) =>
      gaps.some(({ from, gone, seen }) => ended >= from && began <= (door === 'no second try' ? seen : gone)),
    )
    return {
      figures:
        `${victims.length} kills, ${excused.length} of ${crowd.asked.length} requests were under way ` +
        `(${byDoor(stage, crowd.asked)}), ${crowd.done()} of ${crowd.buyers.length} buyers have what they paid for`,
      violations: [...noticed(failed.filter((one) => !excused.includes(one))), ...stopped],
    }
  },
}

export const books: Row = {
  name: 'books',
  title: 'P-02 P-04 P-12 after all of it Stripe and the database agree: every buyer is charged once and has access',
  async run({ stage: { world }, quick }) {
    if (quick) await endLeases(world)
    const { violations, milliseconds } = await settled(world)
    const { charges_succeeded } = (await world.control('GET', 'totals')) as { charges_succeeded: number }
    return { figures: `${charges_succeeded} charges, settled after ${seconds(milliseconds)}`, violations }
  },
}

/** Every row has to leave both replicas ready. */
export async function stillReady({ world }: Scene['stage']): Promise<string[]> {
  const states = await Promise.all(
    world.replicas.map(({ url }) =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  )
  return states.every((status) => status === 200) ? [] : [`afterwards the replicas answer ${states.join(' and ')}`]
}
