import { MOST_ANSWERS } from '../../../payments-service/sessions/answers.queries.ts'
import { Buyer } from '../buyer.ts'
import { type Case, finished, inWorld } from '../case.ts'
import { settled } from '../invariants.ts'
import { pause } from '../random.ts'
import { crowd } from './kills.ts'

/** Milliseconds within which the service must answer once the database is back. */
const HEALTHY = 5_000

export const databaseKilled: Case = {
  name: 'database-kills',
  alone: true,
  title:
    'D-11 P-04 PostgreSQL killed at once under load: the service stays up, nothing acknowledged is lost, ' +
    'healthy within 5 s',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const kills = context.count(50, 3)
      const wrong: string[] = []
      let over = false
      let slowest = 0
      const { buyers, walkers } = crowd(
        context,
        () => new Buyer(world, context.random),
        8,
        () => over,
      )
      const extra = Array.from({ length: 4 }, async () => {
        // answers are what a visitor writes most often; the next visitor comes before a visit's room for them is full
        while (!over) {
          const visitor = new Buyer(world, context.random)
          await visitor.arrive()
          buyers.push(visitor)
          for (let n = 0; !over && n < MOST_ANSWERS / 2; n++) await visitor.answer(`question${n}`, `answer ${n}`)
        }
      })
      for (const one of extra) one.catch(() => undefined)
      for (let n = 0; n < kills; n++) {
        await pause(300 + context.random.below(700))
        await world.server.kill()
        await pause(context.random.below(200))
        await world.server.start()
        const back = Date.now()
        for (const one of world.replicas) {
          while (
            !(await fetch(`${one.url}/readyz`).then(
              ({ ok }) => ok,
              () => false,
            ))
          ) {
            if (Date.now() - back > 30_000) break
            await pause(20)
          }
          if (!one.running()) wrong.push('a replica ended with the database')
        }
        const took = Date.now() - back
        slowest = Math.max(slowest, took)
        if (took > HEALTHY) wrong.push(`healthy again after ${took} ms`)
      }
      over = true
      const stopped = await finished([...walkers, ...extra])
      const { violations, milliseconds } = await settled(world, buyers)
      const saved = buyers.reduce((sum, one) => sum + one.saved.length + one.acknowledged.length, 0)
      return {
        runs: kills,
        violations: [...wrong, ...stopped, ...violations],
        slowest: milliseconds,
        note: `healthy in ${slowest} ms at most; ${saved} acknowledged writes of ${buyers.length} buyers`,
      }
    }),
}

export const commitCut: Case = {
  name: 'commit-cuts',
  title: 'P-02 P-04 U-08 COMMIT done, connection cut before the word of it: no duplicates',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const wanted = context.count(500, 30)
      world.cut.next = () => world.cut.count < wanted && context.random.next() < 0.08
      const { buyers, walkers } = crowd(
        context,
        () => new Buyer(world, context.random),
        8,
        () => world.cut.count >= wanted,
      )
      const stopped = await finished(walkers)
      const { violations, milliseconds } = await settled(world, buyers)
      const ended = world.replicas.filter((one) => !one.running()).map(() => 'a replica ended with a connection')
      return {
        runs: world.cut.count,
        violations: [...ended, ...stopped, ...violations],
        slowest: milliseconds,
        note: `${buyers.length} buyers`,
      }
    }),
}
