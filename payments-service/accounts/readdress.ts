import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import type { Database } from '../../db/connect.ts'
import { endMailedTokens } from './accounts.queries.ts'

/** The account that was made from a visit. */
export function accountFrom(db: Database, sessionId: string) {
  return db.selectFrom('auth_user').select(['id', 'email', 'email_verified']).where('quiz_session_id', '=', sessionId)
}

/**
 * what becomes of the account made from a visit that takes another, proved address. Nobody has proved the old
 * one: the account is of the browser that paid, and goes with it; its other browsers are signed out (`signedIn`: the
 * sign-in that stays), and what was mailed to the old address opens nothing. Where the new address has an account
 * already, that one is the buyer's. Somebody has proved the old one: the account is theirs, and only the visit leaves,
 * unless this browser is signed in to it and it opens nothing else.
 */
export async function readdressAccount(
  tx: Database,
  visit: { sessionId: string; address: string; signedIn: string | null },
): Promise<void> {
  const email = emailKey(visit.address)
  // a sign-in by mail that proves the old address waits, or comes first
  const own = await accountFrom(tx, visit.sessionId).forUpdate().executeTakeFirst()
  if (!own || own.email === email) return
  const taken = await tx.selectFrom('auth_user').select('id').where('email', '=', email).executeTakeFirst()
  if (own.email_verified && (taken || !(await isAlone(tx, own, visit.signedIn)))) {
    await tx.updateTable('auth_user').set({ quiz_session_id: null }).where('id', '=', own.id).execute()
    await tx.updateTable('users').set({ session_id: null }).where('auth_user_id', '=', own.id).execute()
    return
  }
  await endMailedTokens(tx, [own])
  if (taken) {
    // what was listened to goes along
    await sql`insert into listened_sessions (user_id, day, played_seconds, length_seconds, first_played_at,
        last_report_at, counted_at)
      select ${taken.id}, day, played_seconds, length_seconds, first_played_at, last_report_at, counted_at
        from listened_sessions where user_id = ${own.id}
      on conflict (user_id, day) do update set
        counted_at = coalesce(listened_sessions.counted_at, excluded.counted_at),
        played_seconds = greatest(listened_sessions.played_seconds, excluded.played_seconds)`.execute(tx)
    await tx.deleteFrom('auth_user').where('id', '=', own.id).execute()
    return
  }
  await tx.updateTable('auth_user').set({ email, email_verified: true }).where('id', '=', own.id).execute()
  await tx
    .deleteFrom('auth_session')
    .where('user_id', '=', own.id)
    .where('id', '!=', visit.signedIn ?? '')
    .execute()
  // the row of a quiz that was begun with this address
  await tx
    .deleteFrom('users')
    .where(({ fn, ref }) => fn<string>('lower', [ref('email')]), '=', email)
    .where('auth_user_id', 'is', null)
    .execute()
  await tx.updateTable('users').set({ email }).where('auth_user_id', '=', own.id).execute()
}

/** Whether a sign-in is of this account, and no order is left under its address. */
async function isAlone(tx: Database, own: { id: string; email: string }, signedIn: string | null): Promise<boolean> {
  const session = tx
    .selectFrom('auth_session')
    .select('id')
    .where('id', '=', signedIn ?? '')
    .where('user_id', '=', own.id)
  if (!signedIn || !(await session.executeTakeFirst())) return false
  const others = tx
    .selectFrom('sessions')
    .select('id')
    .where(({ fn, ref }) => fn<string>('lower', [ref('email')]), '=', own.email)
    .where('payment_status', '!=', 'unpaid')
  return (await others.executeTakeFirst()) === undefined
}
