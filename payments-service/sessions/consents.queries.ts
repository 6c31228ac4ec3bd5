/** Choices are appended and never changed: the newest of a kind is the one that holds. */
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { PRIVACY_SIGNAL } from '../../contract/consent.ts'
import type { Database } from '../../db/connect.ts'
import type { Consents } from '../../db/types.ts'

/**
 * T-02: notes the browser's own refusal of advertising (metadata.ts), while its visitor has chosen nothing. A signal of
 * every page, so it names none.
 */
export async function noteSignal(db: Database, sessionId: string, country: string | null): Promise<void> {
  await sql`
    insert into consents (session_id, kind, granted, wording, country, page)
    select ${sessionId}, 'advertising', false, ${PRIVACY_SIGNAL}, ${country}, '/'
    where not exists (select from consents where session_id = ${sessionId} and kind = 'advertising')`.execute(db)
}

/** The last choice of a session of that kind; undefined if it was never asked. */
export function lastChoice(db: Database, sessionId: string, kind: string) {
  return db
    .selectFrom('consents')
    .select(['granted', 'wording_version', 'preticked', 'recorded_at'])
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The same within a statement about many sessions, for the one in `column`; null if it was never asked. */
export function lastGranted(column: string, kind: string): RawBuilder<boolean | null> {
  return sql`(select c.granted from consents c where c.session_id = ${sql.ref(column)} and c.kind = ${kind}
    order by c.id desc limit 1)`
}

/** More choices of a kind in one visit than anybody makes by hand. */
export const MOST_CHOICES = 50

/** Whether another choice is appended: the refusal of what was agreed to always is, any other one up to that many. */
export async function isKept(
  db: Database,
  { sessionId, kind, granted }: { sessionId: string; kind: string; granted: boolean },
  last: { granted: boolean } | undefined,
): Promise<boolean> {
  if (last?.granted && !granted) return true
  const { rows } = await sql<{ room: boolean }>`select count(*) < ${MOST_CHOICES}::int as room from consents
    where session_id = ${sessionId} and kind = ${kind}`.execute(db)
  return rows[0]?.room ?? false
}

/** The page of a choice that was made with the link of a mail. */
export const UNSUBSCRIBED = 'unsubscribe'

/**
 * C-11: whether offers may be mailed about the session that a statement calls `s`: its last choice is a yes, and if its
 * address unsubscribed in any visit, a box was ticked by hand since. A pre-ticked box says nothing new.
 */
export const wantsOffers = sql<boolean>`case when ${lastGranted('s.id', 'marketing')} then coalesce((
  select c.granted from sessions v join consents c on c.session_id = v.id and c.kind = 'marketing'
  where lower(v.email) = lower(s.email) and (c.page = ${UNSUBSCRIBED} or (c.granted and not c.preticked))
  order by c.id desc limit 1), true) else false end`

/**
 * D-13: deletes what the consent covered. Waits for answers that are being written and deletes them too; the database
 * refuses answers given before that arrive later (refuse_withdrawn_answer, which takes the same lock).
 */
export async function withdrawHealth(db: Database, choice: Insertable<Consents>): Promise<void> {
  const { session_id } = choice
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`health ${session_id}`}, 0))`.execute(tx)
    // the time after the wait, not of the transaction's start
    await tx
      .insertInto('consents')
      .values({ ...choice, recorded_at: sql<Date>`clock_timestamp()` })
      .execute()
    await tx.deleteFrom('quiz_answers').where('session_id', '=', session_id).execute()
  })
}
