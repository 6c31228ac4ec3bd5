/**
 * What traces cost the service: its CPU for a purchase against the same without, in turns: with a tenth of the traces
 * kept, as unless said otherwise, and with all. The collector is this program, so its work does not count.
 * `node tests/bench/traces.ts [purchases of a turn] [turns]`.
 */
import { rmSync } from 'node:fs'
import { inTurns, randomFrom } from '../faults/random.ts'
import { startServer, startWorld, type World } from '../faults/world.ts'
import { startCollector } from '../support/collector.ts'
import { buy, cpuOf } from './purchase.ts'
import { finish, judge, note } from './table.ts'

const purchases = Number(process.argv[2] ?? 60)
const turns = Number(process.argv[3] ?? 9)
const WARM = 80

const random = randomFrom(20261123)
const collector = await startCollector()
const server = await startServer({ durable: true })
const worlds: World[] = []
try {
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  for (const env of [{}, traced, { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }]) {
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
  const costs: number[][] = [[], [], []]
  for (let at = 0; at < turns; at++) {
    for (const which of [0, 1, 2]) {
      const next = (which + at) % 3
      costs[next]?.push(await turn(worlds[next]!, purchases))
    }
  }
  // other programs make a turn dearer, never cheaper
  const [off = NaN, some = NaN, all = NaN] = costs.map((ones) => Math.min(...ones))
  const list = (ones: readonly number[]) => ones.map((one) => one.toFixed(1)).join(' ')
  note('CPU for a purchase without traces, with a tenth, with all', costs.map(list).join(' | '))
  note('what traces add where every one is kept', `${((all / off - 1) * 100).toFixed(1)} %`)
  judge('what traces add to the CPU for a purchase', (some / off - 1) * 100, 3, ' %')
} finally {
  for (const world of worlds) await world.stop()
  await server.stop()
  await collector.close()
  rmSync(server.folder, { recursive: true, force: true })
}
finish()
