/**
 * What traces cost the service: its CPU for a purchase against the same without, in turns: with a tenth of the traces
 * kept, as unless said otherwise, and with all. Two services without traces say what chance adds. The collector is this
 * program, so its work does not count.
 * `node tests/bench/traces.ts [purchases of a turn] [turns]`.
 */
import { rmSync } from 'node:fs'
import { inTurns, randomFrom } from '../faults/random.ts'
import { startServer, startWorld, type World } from '../faults/world.ts'
import { startCollector } from '../support/collector.ts'
import { buy, cpuOf } from './purchase.ts'
import { finish, judge, median, note } from './table.ts'
import { byTurns } from './turns.ts'

const purchases = Number(process.argv[2] ?? 60)
const turns = Number(process.argv[3] ?? 9)
const WARM = 80
const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length

const random = randomFrom(20261123)
const collector = await startCollector()
const server = await startServer({ durable: true })
const worlds: World[] = []
try {
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  for (const env of [{}, {}, traced, { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }]) {
    worlds.push(await startWorld(server, { direct: true, env: { LOG_LEVEL: 'info', ...env } }))
  }
  const turn = async (world: World, n: number): Promise<number> => {
    const { pid } = world.replicas[0] ?? {}
    const before = cpuOf(pid)
    await inTurns(
      Array.from({ length: n }, () => () => buy(world, random)),
      4,
    )
    return (cpuOf(pid) - before) / n
  }
  for (const world of worlds) await turn(world, WARM)
  const costs = await byTurns(worlds, turns, (world) => turn(world, purchases))
  const [off = [], again = [], some = [], all = []] = costs
  // within a round, because what other programs take changes from one to the next
  const added = (ones: readonly number[], than: readonly (readonly number[])[]): number =>
    (median(ones.map((one, at) => one / mean(than.map((those) => those[at]!)))) - 1) * 100
  const list = (ones: readonly number[]) => ones.map((one) => one.toFixed(1)).join(' ')
  note('CPU for a purchase without traces, again without, with a tenth, with all', costs.map(list).join(' | '))
  note('what chance adds', `${added(again, [off]).toFixed(1)} %`)
  note('what traces add where every one is kept', `${added(all, [off, again]).toFixed(1)} %`)
  judge('what traces add to the CPU for a purchase', added(some, [off, again]), 3, ' %')
} finally {
  for (const world of worlds) await world.stop()
  await server.stop()
  await collector.close()
  rmSync(server.folder, { recursive: true, force: true })
}
finish()
