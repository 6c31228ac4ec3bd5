/** What is known of people through the page /exit (D-12). */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** The statement is evidence of a contract's end for as long as claims from it may be raised, and no longer. */
export const EXIT_MONTHS = 36

/** Of these visits, or under these proved addresses. */
function of(ids: readonly string[], emails: readonly string[]): RawBuilder<boolean> {
  return sql`(x.session_ids && ${ids}::uuid[] or lower(x.email) = any (${emails}::text[]))`
}

export async function readExits(db: Database, ids: readonly string[], emails: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(x) as row from exit_requests x where ${of(ids, emails)} order by x.received_at`.execute(db)
  return rows.map(({ row }) => row)
}

/** When the first withdrawal of these visits that still waits takes effect (H-02). */
export async function waitingWithdrawal(
  db: Database,
  ids: readonly string[],
  emails: readonly string[],
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select x.effect_at as at from exit_requests x where ${of(ids, emails)} and x.kind = 'withdraw'
      and x.carried_out_at is null and x.taken_back_at is null order by x.effect_at limit 1`.execute(db)
  return rows[0]?.at
}

/** Empties the statements of erased visits; that one was received, and when, stays with the contract's records. */
export async function emptyExits(tx: Database, ids: readonly string[], emails: readonly string[]): Promise<void> {
  await forgetAcknowledgements(tx, of(ids, emails))
  await sql`update exit_requests x set name = 'erased', email = 'erased', reason = null, country = null
    where ${of(ids, emails)}`.execute(tx)
}

/** Deletes statements past their time, also those for addresses that never bought. Returns how many. */
export async function forgetOldExits(db: Database): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const old = sql<boolean>`x.received_at < now() - make_interval(months => ${EXIT_MONTHS})`
    await forgetAcknowledgements(tx, old)
    const { rows } = await sql`delete from exit_requests x where ${old} returning x.id`.execute(tx)
    return rows.length
  })
}

/** The mail about a statement names the address too, and belongs to no visit. */
async function forgetAcknowledgements(tx: Database, which: RawBuilder<boolean>): Promise<void> {
  const mails = sql`select o.id from outbox o join exit_requests x on o.dedupe_key = 'mail:exit_received:' || x.id
    where ${which}`
  await sql`update mail_log set recipient = 'erased', subject = 'erased', detail = null
    where outbox_id in (${mails})`.execute(tx)
  await sql`delete from outbox where id in (${mails})`.execute(tx)
}
