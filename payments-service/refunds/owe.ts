import type { Deps } from '../deps.ts'
import { lockSession } from '../sessions/lock.ts'
import { enqueueRefund, type OwedRow, owe } from './owed.queries.ts'

/** Runs `owe` in its own transaction with the lock it needs. Undefined: nothing is left to give back. */
export async function oweNow({ db }: Pick<Deps, 'db'>, about: Parameters<typeof owe>[1]): Promise<OwedRow | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockSession(tx, about.sessionId)
    return owe(tx, about)
  })
}

/**
 * Records that a charge is owed back and leaves the refund to its job; a second call for the same cause changes
 * nothing.
 */
export async function giveBackLater(
  { db, wake }: Pick<Deps, 'db' | 'wake'>,
  about: Parameters<typeof owe>[1],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, about.sessionId)
    const row = await owe(tx, about)
    if (row?.status === 'waiting') await enqueueRefund(tx, row)
  })
  wake('outbox')
}
