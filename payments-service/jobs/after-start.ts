import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { GoOn } from './loop.ts'
import { holdTurn, leaveTurn, moveMark } from './turns.queries.ts'

/** Seconds for which a replica holds the turn, renewed by each item. If it dies, another begins anew after them. */
const LEASE = 15

/** Asked between two items: whether to go on, with the turn kept. */
export type GoOnHolding = () => Promise<boolean>

/**
 * Work after a start, done by one replica for all that start meanwhile. It is about the time in which none ran, and
 * that had ended when they started: what happens since then, the replica that was running hears of.
 */
export function createAfterStart(db: Database, name: string, work: (goOn: GoOnHolding) => Promise<boolean>) {
  const holder = randomUUID()
  let began: Date | undefined

  /** Whether it is done, by this replica or another. False: another is at it, or `goOn` said no. */
  return async function round(goOn: GoOn): Promise<boolean> {
    began ??= await clockOf(db)
    const done = await holdTurn(db, name, holder, LEASE)
    if (!done) return false
    if (done < began) {
      if (!(await work(async () => goOn() && (await holdTurn(db, name, holder, LEASE)) !== null))) {
        await leaveTurn(db, name, holder)
        return false
      }
      await moveMark(db, name, await clockOf(db))
    }
    await leaveTurn(db, name, holder)
    return true
  }
}

const NOW: RawBuilder<{ now: Date }> = sql`select clock_timestamp() as now`

/** The database's clock, which all replicas share. */
async function clockOf(db: Database): Promise<Date> {
  const { rows } = await NOW.execute(db)
  return rows[0]?.now ?? new Date()
}
