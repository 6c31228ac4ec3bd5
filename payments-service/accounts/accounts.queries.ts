import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** The account of an address, or of a session, with its password hash. */
export function findAccount(db: Database, email: string, sessionId: string) {
  return db
    .selectFrom('auth_user as u')
    .leftJoin('auth_account as a', (join) =>
      join.onRef('a.user_id', '=', 'u.id').on('a.provider_id', '=', 'credential'),
    )
    .select(['u.id', 'u.quiz_session_id', 'u.created_from', 'a.password', 'u.email'])
    .where(({ or, eb }) => or([eb('u.email', '=', email), eb('u.quiz_session_id', '=', sessionId)]))
    .orderBy(sql`u.email = ${email}`, 'desc')
    .executeTakeFirst()
}

export async function writeSignUpMetadata(
  db: Database,
  userId: string,
  { sessionId, createdFrom, proved }: { sessionId: string; createdFrom: string; proved: boolean },
): Promise<void> {
  await db
    .updateTable('auth_user')
    .set({ quiz_session_id: sessionId, created_from: createdFrom, ...(proved ? { email_verified: true } : {}) })
    .where('id', '=', userId)
    .execute()
}

/**
 * Ends the open links for a new password, with which better-auth keeps the account's id, and for signing in, with which
 * it keeps the address.
 */
export async function endMailedTokens(tx: Database, accounts: readonly { id: string; email: string }[]): Promise<void> {
  const ids = accounts.map(({ id }) => id)
  const emails = accounts.map(({ email }) => email.toLowerCase())
  await sql`delete from auth_verification where value = any (${ids}::text[])
    or lower(case when value like '{%' then value::jsonb ->> 'email' end) = any (${emails}::text[])`.execute(tx)
}

/**
 * D-10: upsert on the address; active on creation (section 3 of the second text), later it follows the subscription.
 */
export async function linkUser(
  tx: Database,
  user: { email: string; sessionId: string; authUserId: string },
): Promise<void> {
  await sql`
    insert into users (email, session_id, auth_user_id, subscription_status)
    values (${user.email}, ${user.sessionId}, ${user.authUserId}, 'active')
    on conflict (lower(email)) do update set session_id = excluded.session_id, auth_user_id = excluded.auth_user_id
  `.execute(tx)
}
