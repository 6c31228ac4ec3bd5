import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { MONEY_KINDS, PERSONAL_KINDS } from './kinds.ts'
import { withoutKeys } from '../mail/without-keys.ts'

/** Money before mails, events for advertisers last: a flood of these hides nobody who is owed something. */
export const BY_CLASS = sql`case when kind = any(${MONEY_KINDS}) then 0 when kind like 'conversion:%' then 2 else 1 end`

/** What was given up, kind by kind. Money is not `idle`: it is never set aside, somebody is owed it. */
export async function deadKinds(db: Database): Promise<{ kind: string; dead: number; idle: boolean }[]> {
  const { rows } = await sql<{ kind: string; dead: number; idle: boolean }>`
    select kind, count(*)::int as dead, kind like any(${PERSONAL_KINDS}) as idle from outbox
    where dead_at is not null group by kind order by ${BY_CLASS}, kind`.execute(db)
  return rows
}

const SET_ASIDE = 'not sent: set aside by '

/** Whether a job in `outbox` is done only because an operator ended it. */
export const WAS_SET_ASIDE = sql<boolean>`coalesce(starts_with(last_error, ${SET_ASIDE}), false)`

/**
 * Ends what was given up and will not be sent: a mail loses its links and codes, and one that was asked for by typing
 * an address goes (D-12). Resolves to how many there were.
 */
export async function setAside(db: Database, which: RawBuilder<unknown>, operator: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; payload: unknown }>`
      select id, payload from outbox where dead_at is not null and kind like any(${PERSONAL_KINDS}) and ${which}
      order by id for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await sql`delete from outbox where id = any(${ids}::uuid[]) and kind = 'asked_mail'`.execute(tx)
    const kept = JSON.stringify(rows.map(({ id, payload }) => ({ id, payload: withoutKeys(payload) })))
    await sql`update outbox o set sent_at = now(), dead_at = null, payload = kept.payload,
        last_error = ${SET_ASIDE + operator}
      from jsonb_to_recordset(${kept}::jsonb) as kept (id uuid, payload jsonb) where o.id = kept.id`.execute(tx)
    return rows.length
  })
}
