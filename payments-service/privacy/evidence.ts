/** H-03, D-13: the end of evidence: what was agreed and consented to is kept as long as the law asks, no longer. */
import { type RawBuilder, sql } from 'kysely'
import { EVIDENCE } from '../../contract/duties/table.ts'
import type { Database } from '../../db/connect.ts'
import type { GoOn } from '../jobs/loop.ts'
import { OVER } from '../stripe/subscription-status.ts'

/** Rows per round and table. */
const ROUND = 500

/** Older than evidence has to be, of a visit whose subscription, if it had one, ended long enough ago. */
const isOver = (at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  ${at} < now() - make_interval(months => ${EVIDENCE.months})
  and not exists (select from subscriptions s where s.session_id = x.session_id
    and (s.status <> all (${OVER}::text[])
      or coalesce(s.ended_at, s.updated_at) > now() - make_interval(months => ${EVIDENCE.monthsAfterEnd})))`

/** Deletes agreements and consents past their time. Payments stay for the books. Returns how many. */
export async function forgetOldEvidence(db: Database, goOn: GoOn = () => true): Promise<number> {
  let deleted = 0
  for (let full = true; full && goOn();) {
    const round = await forgetSome(db)
    full = round.includes(ROUND)
    deleted += round[0] + round[1]
  }
  return deleted
}

/** One round: how many agreements and how many consents. */
function forgetSome(db: Database): Promise<[number, number]> {
  return db.transaction().execute(async (tx) => {
    const agreements = await sql<{ id: string }>`
      select x.id from agreements x where ${isOver(sql`x.agreed_at`)}
      order by x.id limit ${ROUND} for update of x skip locked`.execute(tx)
    const ids = agreements.rows.map(({ id }) => id)
    for (const table of ['payments', 'payment_intents'] as const) {
      await sql`update ${sql.table(table)} set agreement_id = null where agreement_id = any (${ids}::uuid[])`.execute(
        tx,
      )
    }
    await sql`delete from agreements where id = any (${ids}::uuid[])`.execute(tx)
    // answers about health are never kept without the consent to them
    const consents = await sql`
      delete from consents where id in (
        select x.id from consents x where ${isOver(sql`x.recorded_at`)}
          and not (x.kind = 'health' and exists (select from quiz_answers q where q.session_id = x.session_id))
        order by x.id limit ${ROUND} for update of x skip locked)
      returning id`.execute(tx)
    return [ids.length, consents.rows.length]
  })
}
