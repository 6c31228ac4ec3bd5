import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { type RowStatus, meaningOf, statusesWith } from '../stripe/subscription-status.ts'

/**
 * D-10: `users.subscription_status` follows the subscription that counts for its owner, whichever of their visits
 * ordered it: one that opens the programme, else the newest. `began`: the visit's own has just begun, and who signed up
 * in it stays as the account was made. Nothing here reads it; it is for whoever reads the database. Runs in the
 * caller's transaction, which holds the lock on the session's row.
 */
export async function followStatus(tx: Database, sessionId: string, began: boolean): Promise<void> {
  // another visit of theirs writes after this one, and then sees what it wrote
  const { rows: users } = await sql<{ id: string }>`
    select id from users where id in (
      select id from users where session_id = ${sessionId}
      union
      select u.id from sessions s
        join auth_user a on a.email = lower(s.email) and a.email_verified
        join users u on u.auth_user_id = a.id
        where s.id = ${sessionId})
      and (not ${began}::boolean or session_id is distinct from ${sessionId})
    order by id for update`.execute(tx)
  for (const { id } of users) {
    const { rows } = await sql<{ status: RowStatus }>`
      select status from subscriptions where status <> 'creating' and session_id in (
        select session_id from users where id = ${id}
        union
        select s.id from users u
          join auth_user a on a.id = u.auth_user_id and a.email_verified
          join sessions s on lower(s.email) = a.email
          where u.id = ${id})
      order by status = any(${statusesWith('access')}) desc, id desc limit 1`.execute(tx)
    const [counts] = rows
    if (!counts) continue
    await tx
      .updateTable('users')
      .set({ subscription_status: meaningOf(counts.status).account })
      .where('id', '=', id)
      .execute()
  }
}
