/**
 * What traces cost the service: its CPU for a purchase against the same without, in turns: with a tenth of the traces
 * kept, as unless said otherwise, and with all. The
 * collector is this program, so its work does not count. `node tests/bench/traces.ts [purchases of a turn] [turns]`.
 */
import { readFileSync, rmSync } from 'node:fs'
import { Buyer } from '../faults/buyer.ts'
import { inTurns, type Random, randomFrom } from '../faults/random.ts'
import { type Replica, startServer, startWorld, type World } from '../faults/world.ts'
import { startCollector } from '../support/collector.ts'
import { finish, judge, note } from './table.ts'

const purchases = Number(process.argv[2] ?? 60)
const turns = Number(process.argv[3] ?? 9)
const WARM = 80

/** Milliseconds, as Linux counts them in /proc in steps of 10. */
function cpuOf({ replicas }: World): number {
  const fields = readFileSync(`/proc/${replicas[0]?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function buy(world: World, random: Random): Promise<void> {
  const buyer = new Buyer(world, random, (world.replicas[0] as Replica).url)
  await buyer.arrive()
  await buyer.call('PUT', buyer.path('/price'), { selectedPrice: 5 })
  await buyer.pay('trial_5')
  const { status } = await buyer.upsell('guide_devices')
  if (status !== 'succeeded') throw new Error(`the add-on was not bought: ${status}`)
}

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
    const before = cpuOf(world)
    await inTurns(
      Array.from({ length: n }, () => () => buy(world, random)),
      4,
    )
    return (cpuOf(world) - before) / n
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
