/**
 * What one purchase costs, from the visit to the trial or on to an add-on: transactions, CPU of the service, and how
 * many are made a second with 16 buyers at once. Real service, embedded Stripe, a PostgreSQL that flushes every commit,
 * all on this machine. `node tests/bench/purchases.ts [purchases]`, with its limits.
 */
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { inTurns, pause, randomFrom } from '../faults/random.ts'
import { type Replica, startServer, startWorld, type World } from '../faults/world.ts'
import { buy, cpuOf } from './purchase.ts'
import { finish, judge, note } from './table.ts'

const purchases = Number(process.argv[2] ?? 150)
/** How many at once, and whether each goes on to an add-on; the limits are of transactions, and of milliseconds. */
const ROUNDS = [
  { width: 1, addOn: false, most: 75, ms: 45 },
  { width: 1, addOn: true, most: 100, ms: 60 },
  { width: 16, addOn: true, most: 100, ms: 60 },
]
const WARM = 60
/**
 * Milliseconds after which the loops are through, and idle connections have reported to PostgreSQL what they did (10
 * s).
 */
const SETTLED = 12_000
/** Milliseconds for which the loops are watched alone. */
const ALONE = 12_000

async function commitsIn({ db }: World): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select xact_commit as n from pg_stat_database where datname = current_database()`.execute(db)
  return Number(rows[0]?.n)
}

const random = randomFrom(20261123)
const server = await startServer({ durable: true })
try {
  const world = await startWorld(server, { direct: true, env: { LOG_LEVEL: 'info' } })
  try {
    const pid = (world.replicas[0] as Replica).pid ?? 0
    const many = (n: number, addOn = true) => Array.from({ length: n }, () => () => buy(world, random, addOn))
    await inTurns(many(WARM), 4)
    await pause(SETTLED)
    const before = await commitsIn(world)
    await pause(ALONE)
    const loops = ((await commitsIn(world)) - before) / ALONE
    note('transactions of the loops alone', `${(loops * 1_000).toFixed(1)} a second`)

    for (const { width, addOn, most, ms } of ROUNDS) {
      const [commits, cpu, started] = [await commitsIn(world), cpuOf(pid), performance.now()]
      await inTurns(many(purchases, addOn), width)
      const seconds = (performance.now() - started) / 1_000
      await pause(SETTLED)
      const others = loops * (performance.now() - started)
      const about = `${addOn ? 'with an add-on' : 'alone'}, ${width} at once`
      note(`purchases, ${about}`, `${(purchases / seconds).toFixed(1)} a second`)
      judge(`transactions of a purchase, ${about}`, ((await commitsIn(world)) - commits - others) / purchases, most)
      judge(`the service's CPU for a purchase, ${about}`, (cpuOf(pid) - cpu) / purchases, ms, ' ms')
    }
  } finally {
    await world.stop()
  }
} finally {
  await server.stop()
  rmSync(server.folder, { recursive: true, force: true })
}
finish()
