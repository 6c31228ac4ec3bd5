/** Programs are killed while buyers buy, five times each; this program plays their supervisor. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { anyPort } from '../../db/ports.ts'
import { RESTART_SECONDS } from '../../scripts/deploy/units.ts'
import { settled } from '../faults/invariants.ts'
import { pause } from '../faults/random.ts'
import { endLeases } from '../faults/world.ts'
import { follow } from '../support/cluster.ts'
import { startPooler, throughPort } from '../support/pooler.ts'
import type { Killable } from '../support/started.ts'
import type { Asked } from './crowd.ts'
import { byDoor, isTold, noticed, type Outcome, type Row, type Scene, seconds } from './row.ts'
import { untilItSaysSo } from './stage.ts'
import { startAnew } from './wrong.ts'

/** How often each program is killed. */
export const DEATHS = 5
/** Milliseconds until its unit starts it again. */
const RESTART = RESTART_SECONDS * 1_000
/**
 * Milliseconds that a balancer may take to be back, beside the pause of its supervisor, and what lies behind: ten
 * seconds in all, as after a failover, because PostgreSQL reads its log first.
 */
const START = { balancer: 2_000, behind: 9_000 }
/** Milliseconds in which every balancer has checked its replicas. */
const CHECK = 1_000

interface Gap {
  door?: string
  from: number
  to: number
}

/** Kills a program and starts it again as its unit does; `back`: when it is there for buyers. */
async function die(
  program: Pick<Killable, 'kill' | 'start'>,
  restart: number,
  back?: () => Promise<void>,
): Promise<Gap> {
  const from = performance.now()
  await program.kill()
  await pause(restart)
  await program.start()
  await back?.()
  return { from, to: performance.now() }
}

/** `CHECK` later where a balancer has to notice that replicas are ready again. */
const isIn = ({ from, to }: Gap, { door, began, ended }: Asked): boolean =>
  ended >= from && began <= to + (door === 'no second try' ? CHECK : 0)
const longestOf = (gaps: readonly Gap[]): number => Math.max(...gaps.map(({ from, to }) => to - from))
const late = (gaps: readonly Gap[], start: number): string[] =>
  longestOf(gaps) <= RESTART + start ? [] : [`away for ${seconds(longestOf(gaps))}`]

export const balancers: Row = {
  name: 'balancers',
  title: 'N-03 each balancer is killed five times: only those who come through it notice, until it is started again',
  async run(scene) {
    const { stage, quick } = scene
    const crowd = scene.admit()
    const gaps: Gap[] = []
    await pause(quick ? 300 : 1_000)
    for (let death = 0; death < (quick ? 1 : DEATHS); death++) {
      for (const door of stage.doors) {
        gaps.push({ ...(await die(door, quick ? 200 : RESTART)), door: door.name })
        await pause(quick ? 100 : 500)
      }
    }
    const stopped = await crowd.over()
    const failed = crowd.asked.filter((one) => one.failed !== undefined)
    const excused = failed.filter((one) => gaps.some((gap) => gap.door === one.door && isIn(gap, one)))
    const elsewhere = crowd.asked.filter(
      (one) => one.failed === undefined && gaps.some((gap) => gap.door !== one.door && isIn(gap, one)),
    )
    return {
      figures:
        `${gaps.length} deaths, away for ${seconds(longestOf(gaps))} at most, failed requests: ` +
        `${byDoor(stage, crowd.asked)}; ${elsewhere.length} answered beside it meanwhile; ` +
        `${crowd.done()} of ${crowd.buyers.length} buyers have what they paid for`,
      violations: [
        ...noticed(failed.filter((one) => !excused.includes(one))),
        ...stopped,
        ...(quick ? [] : late(gaps, START.balancer)),
        ...(excused.length > 0 || quick ? [] : ['nobody noticed: no balancer was away']),
        ...(elsewhere.length > 0 || stage.doors.length === 1 ? [] : ['nobody was answered meanwhile']),
      ],
    }
  },
}

/** What lies behind the replicas dies: whoever asks meanwhile is told so in time, and everybody buys in the end. */
async function outages(scene: Scene, program: Pick<Killable, 'kill' | 'start'>): Promise<Outcome> {
  const { stage } = scene
  const crowd = scene.admit()
  const gaps: Gap[] = []
  await pause(1_000)
  for (let death = 0; death < DEATHS; death++) {
    gaps.push(await die(program, RESTART, () => stage.ready()))
    await pause(1_500)
  }
  const stopped = await crowd.over()
  const failed = crowd.asked.filter((one) => one.failed !== undefined)
  const gapOf = (one: Asked) => gaps.find((gap) => isIn(gap, one))
  const told = failed.filter((one) => isTold(one) && gapOf(one))
  // what was under way before had other things to wait for
  const slowest = Math.max(0, ...told.map((one) => one.ended - Math.max(one.began, gapOf(one)!.from)))
  return {
    figures:
      `${gaps.length} deaths, away for ${seconds(longestOf(gaps))} at most, ${told.length} of ` +
      `${crowd.asked.length} requests told so (${byDoor(stage, crowd.asked)}), ` +
      `the slowest after ${seconds(slowest)}; ${crowd.done()} of ${crowd.buyers.length} buyers have what they paid for`,
    violations: [
      ...noticed(failed.filter((one) => !told.includes(one))),
      ...stopped,
      ...late(gaps, START.behind),
      ...(slowest > 2_000 ? [`somebody was told only after ${seconds(slowest)}`] : []),
      ...(told.length > 0 ? [] : ['nobody noticed: it was not away']),
    ],
  }
}

export const postgres: Row = {
  name: 'postgres',
  title: 'D-11 P-04 PostgreSQL is killed five times: who asks meanwhile is told within 2 s, all are served after it',
  long: true,
  run: (scene) => outages(scene, scene.stage.world.server),
}

export const pooler: Row = {
  name: 'pooler',
  title: 'D-11 P-04 the pooler is killed five times: who asks meanwhile is told within 2 s, all are served after it',
  long: true,
  async run(scene) {
    const { world } = scene.stage
    const direct = world.databaseUrl
    const between = await startPooler(direct, { size: 28 })
    const through = { DATABASE_URL: throughPort(direct, between.port), DATABASE_URL_DIRECT: direct }
    try {
      await startAnew(scene.stage, [through, through])
      return await outages(scene, between)
    } finally {
      await startAnew(scene.stage)
      await between.stop()
    }
  },
}

export const deaths: Row = {
  name: 'deaths',
  title: 'N-03 D-11 worker and receiver of the log are killed five times each while buyers buy: no request fails',
  long: true,
  async run(scene) {
    const { stage } = scene
    const { world } = stage
    const backups = join(world.server.folder, 'rehearsed-backups')
    const env = { PATH: process.env['PATH'], ...stage.env, ROLE: 'worker' }
    const startWorker = async () => {
      const port = await anyPort()
      const child = spawn(process.execPath, [world.server.program], {
        env: { ...env, PORT: String(port) } as NodeJS.ProcessEnv,
        stdio: 'ignore',
      })
      const gone = new Promise<void>((done) => child.once('exit', () => done()))
      await untilItSaysSo({ url: `http://127.0.0.1:${port}` })
      return { kill: () => (child.kill('SIGKILL'), gone) }
    }
    // the work beside requests is the worker's alone
    await startAnew(stage, [{ ROLE: 'web' }, { ROLE: 'web' }])
    const crowd = scene.admit()
    const wrong: string[] = []
    for (let death = 0; death < DEATHS; death++) {
      const worker = await startWorker()
      const receiver = follow(world.databaseUrl, backups)
      await pause(2_500)
      await Promise.all([worker.kill(), receiver.kill()])
    }
    const last = await startWorker()
    const receiver = follow(world.databaseUrl, backups)
    const stopped = await crowd.over()
    await endLeases(world)
    const { violations, milliseconds } = await settled(world)
    for (const end = Date.now() + 60_000; !receiver.said().includes('as its server read it'); await pause(200)) {
      if (Date.now() < end) continue
      wrong.push(`the receiver of the log: ${receiver.said().slice(-300)}`)
      break
    }
    await receiver.stop()
    await last.kill()
    await startAnew(stage)
    return {
      figures:
        `${DEATHS} deaths each, failed requests: ${byDoor(stage, crowd.asked)}; ` +
        `${crowd.done()} of ${crowd.buyers.length} buyers served, the work done after ${seconds(milliseconds)}`,
      violations: [...noticed(crowd.asked), ...stopped, ...violations, ...wrong],
    }
  },
}
