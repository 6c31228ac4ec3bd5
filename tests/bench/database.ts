/**
 * What a pooler and an older PostgreSQL cost: the service's writes, 32 requests at once, direct and through PgBouncer,
 * on 18 and on 17, in alternating rounds. `node tests/bench/database.ts [session|answer|view]`. Judged is the
 * processor's time for a row, of service and database together: what else the machine does takes little of that. The
 * pooler's own comes beside it, because it may have a machine of its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { findPostgres17 } from '../support/postgres.ts'
import { findPgBouncer, startPooler, throughPort } from '../support/pooler.ts'
import { type Bed, makeBed, type Service, startService } from './api/bed.ts'
import type { Kind } from './api/caller.ts'
import { finish, judge, median, note } from './table.ts'
import { byTurns } from './turns.ts'

const ROUNDS = 9
const SECONDS = 1.5
const VISITORS = 500
const KINDS: readonly Kind[] = ['session', 'answer', 'view']
/** Of the time that a row takes on 18 without a pooler. */
const MOST = 1.05

const only = process.argv.slice(2)
const kinds = KINDS.filter((kind) => only.length === 0 || only.includes(kind))
if (!findPgBouncer()) throw new Error('There is no pgbouncer: apt-get install pgbouncer')

interface Way {
  name: string
  service: Service
  visitors: Awaited<ReturnType<Service['call']>>['made']
  /** Its processes: service and server, and the pooler. */
  server: number
  pooler: number
}
const ends: (() => Promise<void>)[] = []

/** Ticks of the processor that a process has taken, and those it has started. Linux only. */
function ticksOf(pid: number): number {
  let ticks = 0
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let fields: string[]
    try {
      fields = readFileSync(`/proc/${one}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
    } catch {
      // it has ended
      continue
    }
    const [, parent = ''] = fields
    if (Number(one) === pid || Number(parent) === pid) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks
}

async function waysTo(version: number, bed: Bed): Promise<Way[]> {
  ends.unshift(() => bed.stop())
  const pooler = await startPooler(bed.url, { size: 28 })
  ends.unshift(() => pooler.stop())
  const way = async (name: string, service: Service): Promise<Way> => {
    ends.unshift(() => service.stop())
    const { made } = await service.call({ kind: 'session', times: VISITORS, visitors: [] })
    return { name, service, visitors: made, server: bed.pid, pooler: pooler.pid }
  }
  const through = { url: throughPort(bed.url, pooler.port) }
  return [
    await way(`${version} direct`, await startService(bed)),
    await way(`${version} pooled`, await startService(through, 'service', { DATABASE_URL_DIRECT: bed.url })),
  ]
}

/** Ticks for a thousand rows, of service and server, and of the pooler. */
async function measure(
  { service, visitors, server, pooler }: Way,
  kind: Kind,
): Promise<{ own: number; between: number }> {
  const taken = () => [ticksOf(service.pid) + ticksOf(server), ticksOf(pooler)] as const
  const before = taken()
  const { rate } = await service.call({ kind, visitors, seconds: SECONDS })
  const after = taken()
  const thousands = (rate * SECONDS) / 1_000
  return { own: (after[0] - before[0]) / thousands, between: (after[1] - before[1]) / thousands }
}

try {
  const ways = [...(await waysTo(18, await makeBed())), ...(await waysTo(17, await makeBed(findPostgres17())))]
  for (const kind of kinds) {
    for (const { service, visitors } of ways) await service.call({ kind, visitors, seconds: 1 })
    const [first = [], ...others] = await byTurns(ways, ROUNDS, (way) => measure(way, kind))
    // a tick is ten milliseconds, and a thousand rows: ten microseconds a row
    note(kind, `${(median(first.map(({ own }) => own)) * 10).toFixed(0)} µs a row on 18 without a pooler`)
    for (const [at, all] of others.entries()) {
      const { name } = ways[at + 1]!
      const share = median(all.map(({ own }, round) => own / (first[round]?.own ?? NaN)))
      judge(`${kind}, ${name}, of that time`, share, MOST, '×')
      const between = median(all.map((one) => one.between)) * 10
      if (between > 0) note(`${kind}, ${name}`, `${between.toFixed(0)} µs a row of the pooler's own`)
    }
  }
} finally {
  for (const end of ends) await end()
}
finish()
