/**
 * What a pooler and an older PostgreSQL cost: the service's writes, 32 requests at once, direct and through PgBouncer, on
 * 18 and on 17, in alternating rounds. `node tests/bench/database.ts [session|answer|view]`. The pooler takes its share
 * of the same cores here; the time of one request alone is what it costs where it has its own.
 */
import { findPostgres17 } from '../support/postgres.ts'
import { findPgBouncer, startPooler, throughPort } from '../support/pooler.ts'
import { type Bed, makeBed, type Service, startService } from './api/bed.ts'
import type { Kind } from './api/caller.ts'
import { finish, judgeLeast, median, note } from './table.ts'

const ROUNDS = 5
const SECONDS = 3
const VISITORS = 500
const KINDS: readonly Kind[] = ['session', 'answer', 'view']
/** Of the rate of a service on 18 without a pooler. */
const LEAST = 0.95

const only = process.argv.slice(2)
const kinds = KINDS.filter((kind) => only.length === 0 || only.includes(kind))
if (!findPgBouncer()) throw new Error('There is no pgbouncer: apt-get install pgbouncer')

interface Way {
  name: string
  service: Service
  visitors: Awaited<ReturnType<Service['call']>>['made']
}
const ends: (() => Promise<void>)[] = []

async function waysTo(version: number, bed: Bed): Promise<Way[]> {
  ends.unshift(() => bed.stop())
  const pooler = await startPooler(bed.url, { size: 28 })
  ends.unshift(() => pooler.stop())
  const way = async (name: string, service: Service): Promise<Way> => {
    ends.unshift(() => service.stop())
    const { made } = await service.call({ kind: 'session', times: VISITORS, visitors: [] })
    return { name, service, visitors: made }
  }
  const through = { url: throughPort(bed.url, pooler.port) }
  return [
    await way(`${version} direct`, await startService(bed)),
    await way(`${version} pooled`, await startService(through, 'service', { DATABASE_URL_DIRECT: bed.url })),
  ]
}

try {
  const ways = [...(await waysTo(18, await makeBed())), ...(await waysTo(17, await makeBed(findPostgres17())))]
  for (const kind of kinds) {
    const rates = new Map<string, number[]>(ways.map(({ name }) => [name, []]))
    for (const { service, visitors } of ways) await service.call({ kind, visitors, seconds: 1 })
    for (let round = 0; round < ROUNDS; round++) {
      // each round begins with another one
      for (const at of ways.keys()) {
        const { name, service, visitors } = ways[(at + round) % ways.length] as Way
        rates.get(name)?.push((await service.call({ kind, visitors, seconds: SECONDS })).rate)
      }
    }
    const first = rates.get('18 direct') ?? []
    note(kind, `${median(first).toFixed(0)}/s on 18 without a pooler`)
    for (const [name, found] of [...rates].slice(1)) {
      // of the same round: what else the machine did is the same
      const share = median(found.map((rate, round) => rate / (first[round] ?? NaN)))
      judgeLeast(`${kind}, ${name}, of the rate without a pooler`, share, LEAST, '×')
    }
  }
} finally {
  for (const end of ends) await end()
}
finish()
