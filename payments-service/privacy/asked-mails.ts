/** Mails that were asked for and have not gone out (jobs/asked-mails.ts): of no visit, they hold what was typed. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { PAST } from '../erasures/erased.queries.ts'

/** The jobs about these addresses or ids of visits; the two conditions in time are those of the indexes. */
const about = (subjects: readonly string[]): RawBuilder<boolean> =>
  sql`(kind = 'asked_mail' and (dead_at is not null or (sent_at is null and dead_at is null))
    and lower(payload ->> 'subject') = any (${subjects}::text[]))`

export async function askedMailsAbout(db: Database, subjects: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`select to_jsonb(t) as row from outbox t where ${about(subjects)}
    order by t.created_at`.execute(db)
  return rows.map(({ row }) => row)
}

export async function forgetAskedMails(tx: Database, subjects: readonly string[]): Promise<void> {
  await sql`delete from outbox where ${about(subjects)}`.execute(tx)
}

/** D-12: what could not be looked up is kept for whoever looks into the fault, as the contents of events are. */
export async function forgetOldAskedMails(db: Database): Promise<void> {
  await sql`delete from outbox where kind = 'asked_mail' and dead_at < ${PAST}`.execute(db)
}
