import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { connect, type Database } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { pause } from '../faults/random.ts'
import { byDoor, isTold, noticed, type Row, seconds } from './row.ts'

/** How long a migration may hold a request up, and what a busy machine may add. */
const LONGEST_HOLD = 3_000 + 500
/** How long a transaction is kept open: longer than a migration waits for its lock. */
const HELD = 8_000
const NAME = '20991231000000-rehearsed'

/** Asks PostgreSQL how long the service's statements wait for a lock, until told to stop; resolves with the longest. */
function watchLocks(db: Database): () => Promise<number> {
  let [watching, longest] = [true, 0]
  const watch = (async () => {
    for (; watching; await pause(50)) {
      const { rows } = await sql<{ ms: number }>`
        select coalesce(max(extract(epoch from clock_timestamp() - query_start)) * 1000, 0)::float as ms
        from pg_stat_activity where wait_event_type = 'Lock' and application_name like 'payments-service%'`.execute(db)
      longest = Math.max(longest, rows[0]?.ms ?? 0)
    }
  })()
  return async () => {
    watching = false
    await watch
    return longest
  }
}

export const migration: Row = {
  name: 'migration',
  title: 'D-11 a migration behind an open transaction keeps nobody waiting for more than 3 s, and is applied after it',
  long: true,
  async run(scene) {
    const { stage } = scene
    const { db, close } = connect(stage.world.databaseUrl, { max: 4, name: 'rehearsal' })
    const crowd = scene.admit()
    await pause(4_000)
    const longest = watchLocks(db)
    const from = performance.now()
    const open = db.transaction().execute(async (tx) => {
      await sql`select count(*) from sessions`.execute(tx)
      await pause(HELD)
    })
    await pause(200)
    const change = {
      up: (tx: Database) => sql`alter table sessions add rehearsed text`.execute(tx).then(() => undefined),
    }
    const applied = await migrate(db, { ...migrations, [NAME]: change })
    await open
    const held = await longest()
    await pause(1_000)
    const during = crowd.asked.filter(({ ended }) => ended > from)
    const stopped = await crowd.over()
    await sql`alter table sessions drop rehearsed`.execute(db)
    await sql`delete from kysely_migration where name = ${NAME}`.execute(db)
    await close()
    const slowest = Math.max(...during.map(({ began, ended }) => ended - began))
    return {
      figures:
        `held for ${seconds(HELD)}: longest wait for a lock ${seconds(held)}, slowest of ${during.length} requests ` +
        `${seconds(slowest)}; failed: ${byDoor(stage, during)}`,
      violations: [
        ...noticed(crowd.asked),
        ...stopped,
        ...(held > LONGEST_HOLD ? [`somebody was held up for ${seconds(held)}`] : []),
        ...(applied.includes(NAME) ? [] : ['the migration was not applied']),
      ],
    }
  },
}

export const databaseAway: Row = {
  name: 'database',
  title:
    'D-11 U-08 PostgreSQL is killed and comes back: probes say so within 2 s, buyers get an answer and then all pay',
  long: true,
  async run(scene) {
    const { stage } = scene
    const crowd = scene.admit()
    await pause(2_000)
    await stage.world.server.kill()
    const killed = performance.now()
    const wrong: string[] = []
    for (let round = 0; round < 8; round++) {
      for (const { url } of stage.world.replicas) {
        const began = performance.now()
        const reply = await fetch(`${url}/readyz`)
        const { reasons } = (await reply.json()) as { reasons: string[] }
        const took = performance.now() - began
        if (reply.status !== 503 || !reasons.includes('database')) wrong.push(`/readyz says ${reply.status} ${reasons}`)
        if (took > 2_000) wrong.push(`/readyz took ${seconds(took)}`)
        const alive = await fetch(`${url}/healthz`)
        if (alive.status !== 200) wrong.push(`/healthz says ${alive.status}`)
      }
      await pause(500)
    }
    const before = crowd.done()
    await stage.world.server.start()
    const back = performance.now()
    while (crowd.done() === before && performance.now() - back < 60_000) await pause(50)
    const first = performance.now() - back
    const stopped = await crowd.over()
    const unclear = crowd.asked.filter((one) => one.failed !== undefined && !isTold(one))
    return {
      figures:
        `away for ${seconds(back - killed)}, first purchase ${seconds(first)} after it was back, ` +
        `${crowd.done()} of ${crowd.buyers.length} buyers paid`,
      violations: [...new Set(wrong), ...noticed(unclear), ...stopped],
    }
  },
}
