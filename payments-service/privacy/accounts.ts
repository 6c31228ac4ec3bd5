/** The accounts of a visitor, and the mails about them, which belong to no visit (D-12). */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { endMailedTokens } from '../accounts/accounts.queries.ts'
import type { MailKind } from '../mail/mail.ts'
import { OVER } from '../stripe/subscription-status.ts'
import type { VisitorSessions } from './visitor.ts'

/** Without a visit, these go only to the address of an account. A code that corrects an address names its visit. */
const MAILS = ['magic_link', 'password_reset', 'email_verification_code'] as const satisfies MailKind[]

export interface Account {
  id: string
  name: string
  email: string
  email_verified: boolean
  created_at: Date
  created_from: string | null
}

/** Made from one of these visits, or under a proved address. */
export async function accountsOf(
  db: Database,
  { ids, emails }: Pick<VisitorSessions, 'ids' | 'emails'>,
): Promise<Account[]> {
  const { rows } = await sql<Account>`select id, name, email, email_verified, created_at, created_from from auth_user
    where quiz_session_id = any (${ids}::uuid[]) or lower(email) = any (${emails}::text[])`.execute(db)
  return rows
}

/** A visit with a live subscription that accounts own: one was made from it, or its address is theirs and proved. */
export async function liveVisitOf(db: Database, accounts: readonly Account[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select session_id as id from subscriptions
    where not status = any (${OVER}::text[]) and session_id in (
      select quiz_session_id from auth_user where id = any (${accounts.map(({ id }) => id)}::text[])
      union select s.id from sessions s join auth_user u on lower(s.email) = lower(u.email)
        where u.id = any (${accounts.map(({ id }) => id)}::text[])
          and (u.email_verified or s.email_proved_at is not null)) limit 1`.execute(db)
  return rows[0]?.id
}

export const addressesOf = (accounts: readonly Account[]): string[] => accounts.map(({ email }) => email.toLowerCase())

const queued = (accounts: readonly Account[]): RawBuilder<boolean> =>
  sql`(session_id is null and kind = any (${MAILS.map((kind) => `mail:${kind}`)}::text[])
    and lower(payload -> 'mail' ->> 'to') = any (${addressesOf(accounts)}::text[]))`
const logged = (accounts: readonly Account[]): RawBuilder<boolean> =>
  sql`(session_id is null and kind = any (${[...MAILS]}::text[])
    and lower(recipient) = any (${addressesOf(accounts)}::text[]))`

export async function mailsOfAccounts(
  db: Database,
  accounts: readonly Account[],
): Promise<{ outbox: unknown[]; mailLog: unknown[] }> {
  const rowsOf = async (table: string, which: RawBuilder<boolean>): Promise<unknown[]> => {
    const { rows } = await sql<{ row: unknown }>`select to_jsonb(t) as row from ${sql.table(table)} t
      where ${which} order by t.created_at`.execute(db)
    return rows.map(({ row }) => row)
  }
  return accounts.length === 0
    ? { outbox: [], mailLog: [] }
    : { outbox: await rowsOf('outbox', queued(accounts)), mailLog: await rowsOf('mail_log', logged(accounts)) }
}

/** Deletes the accounts with their sign-ins, open links and codes, and with what was mailed about them. */
export async function forgetAccounts(tx: Database, accounts: readonly Account[]): Promise<void> {
  if (accounts.length === 0) return
  const ids = accounts.map(({ id }) => id)
  // first, because it waits for a mail that is being recorded
  await sql`delete from outbox where ${queued(accounts)}`.execute(tx)
  await sql`update mail_log set recipient = 'erased', subject = 'erased', detail = null
    where ${logged(accounts)}`.execute(tx)
  await sql`delete from email_codes where subject = any (${ids}::text[])`.execute(tx)
  await endMailedTokens(tx, accounts)
  await tx.deleteFrom('auth_user').where('id', 'in', ids).execute()
}
