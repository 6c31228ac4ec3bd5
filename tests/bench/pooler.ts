/**
 * What a transaction pooler in front of PostgreSQL costs: the time of a purchase through a real PgBouncer against the
 * time without, in turns; and the service's CPU for it. Two services without a pooler say what chance adds. Judged
 * where many buy at once, as a pooler is for; who buys alone waits for one more program at each statement.
 * `node tests/bench/pooler.ts [purchases of a turn] [turns]`.
 */
import { rmSync } from 'node:fs'
import { inTurns, randomFrom } from '../faults/random.ts'
import { startServer, startWorld, type World } from '../faults/world.ts'
import { type Pooler, startPooler } from '../support/pooler.ts'
import { buy, cpuOf } from './purchase.ts'
import { finish, judge, note } from './table.ts'
import { addedPercent, byTurns } from './turns.ts'

const purchases = Number(process.argv[2] ?? 40)
const turns = Number(process.argv[3] ?? 9)
const WARM = 80

const random = randomFrom(20261128)
const server = await startServer({ durable: true })
const worlds: World[] = []
let pooler: Pooler | undefined
try {
  pooler = await startPooler(server.url('postgres'))
  for (const way of [{}, {}, { pooler: pooler.port }]) {
    worlds.push(await startWorld(server, { direct: true, env: { LOG_LEVEL: 'info' }, ...way }))
  }
  /** The milliseconds of a purchase in a row of them, `width` at once. */
  const turn = async (world: World, n: number, width: number): Promise<number> => {
    const started = performance.now()
    await inTurns(
      Array.from({ length: n }, () => () => buy(world, random)),
      width,
    )
    return (performance.now() - started) / n
  }
  const turnOfCpu = async (world: World): Promise<number> => {
    const before = cpuOf(world.replicas[0]?.pid)
    await turn(world, purchases, 4)
    return (cpuOf(world.replicas[0]?.pid) - before) / purchases
  }
  for (const world of worlds) await turn(world, WARM, 4)
  const compare = async (what: string, measure: (world: World) => Promise<number>): Promise<number> => {
    const [off = [], again = [], on = []] = await byTurns(worlds, turns, measure)
    const list = (ones: readonly number[]) => ones.map((one) => one.toFixed(1)).join(' ')
    note(`${what} in ms without a pooler, again without, with`, [off, again, on].map(list).join(' | '))
    note(`what chance adds to ${what}`, `${addedPercent(again, [off]).toFixed(1)} %`)
    return addedPercent(on, [off, again])
  }
  const alone = await compare('the time of a purchase, one at once', (world) => turn(world, purchases, 1))
  note('what a pooler adds to the time of a purchase made alone', `${alone.toFixed(1)} %`)
  const busy = await compare('the time of a purchase, 16 at once', (world) => turn(world, purchases * 2, 16))
  judge('what a pooler adds to the time of a purchase, 16 at once', busy, 5, ' %')
  const cpu = await compare('the CPU of the service for a purchase', turnOfCpu)
  note("what a pooler adds to the service's CPU for a purchase", `${cpu.toFixed(1)} %`)
} finally {
  for (const world of worlds) await world.stop()
  await pooler?.stop()
  await server.stop()
  rmSync(server.folder, { recursive: true, force: true })
}
finish()
