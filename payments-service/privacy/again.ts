/** D-12: erases again, on a restored database, whoever was erased after the backup. */
import { sql } from 'kysely'
import type { ErasedEntry } from '../../db/backup/erased-list.ts'
import type { Database } from '../../db/connect.ts'
import { erasedAmong } from '../erasures/erased.queries.ts'
import { eraseVisitor, noteErasure } from './erase.ts'

export interface ErasedAgain {
  /** Visits that were in the backup, and were erased now. */
  again: number
  /** Visits that the backup does not know: whatever Stripe still says of them stays out. */
  unknown: number
}

/**
 * Safe to repeat, also after it was cut off. No service may work on this database meanwhile: until it is done, mails
 * could go to people who were erased.
 */
export async function eraseAgain(db: Database, entries: readonly ErasedEntry[]): Promise<ErasedAgain> {
  const done: ErasedAgain = { again: 0, unknown: 0 }
  for (const together of Map.groupBy(entries, ({ at }) => at).values()) {
    const ids = together.map(({ visit }) => visit)
    const [{ at, address }] = together as [ErasedEntry]
    const present = await db.selectFrom('sessions').select('id').where('id', 'in', ids).execute()
    const erased = await erasedAmong(db, ids)
    const left = present.map(({ id }) => id).filter((id) => !erased.has(id))
    // by its address where this database has proved it: a typed one may be someone else's, who was not erased
    for (const who of address ? await addressesOf(db, left) : [])
      done.again += (await eraseVisitor(db, { who, visits: left }, { at })).sessions
    const gone = await erasedAmong(db, left)
    for (const who of left.filter((id) => !gone.has(id)))
      done.again += (await eraseVisitor(db, { who, visits: [who] }, { at })).sessions
    for (const id of ids.filter((one) => !present.some((known) => known.id === one))) {
      await noteUnknown(db, id, { ofAddress: address, again: { at } })
      done.unknown += 1
    }
  }
  return done
}

/** The addresses of these visits, wherever one is noted. */
async function addressesOf(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct lower(email) as email from (
      select email from sessions where id = any (${ids}::uuid[])
      union all select email from customers where session_id = any (${ids}::uuid[])
      union all select email from users where session_id = any (${ids}::uuid[])
      union all select customer_email from payments where session_id = any (${ids}::uuid[])
    ) found (email) where email is not null`.execute(db)
  return rows.map(({ email }) => email)
}

/** An empty visit that is erased: a charge that names it is recorded, but brings no one back. */
async function noteUnknown(db: Database, id: string, what: Parameters<typeof noteErasure>[2]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('sessions').values({ id }).execute()
    await noteErasure(tx, id, what)
  })
}
