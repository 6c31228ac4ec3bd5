import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { FORGET_HANDLED, OF_CARD_CHANGE } from '../erasures/erased.queries.ts'
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

/** An event `e` of a payment that was made and is not recorded here: a buyer waits. */
export const UNRECORDED_PAYMENT = sql<boolean>`(e.handled_at is null
  and e.type in ('payment_intent.succeeded', 'setup_intent.succeeded') and not ${OF_CARD_CHANGE} and not exists (
    select from payments p where p.payment_intent_id = e.object_id and p.settled_at is not null))`

/** Stripe's events that cannot be read, by type. `idle`: some may be set aside, which none is whose buyer waits. */
export async function deadTypes(db: Database): Promise<{ type: string; dead: number; idle: boolean }[]> {
  const { rows } = await sql<{ type: string; dead: number; idle: boolean }>`
    select type, count(*)::int as dead, bool_or(not ${UNRECORDED_PAYMENT}) as idle from webhook_events e
    where dead_at is not null and handled_at is null group by type order by type`.execute(db)
  return rows
}

/** Ends events of Stripe's that cannot be read and tell nothing that is needed. Resolves to how many there were. */
export async function setEventsAside(db: Database, which: RawBuilder<unknown>, operator: string): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_events e set handled_at = now(), dead_at = null, ${FORGET_HANDLED},
      last_error = ${`not read: set aside by ${operator}`}
    where id in (select id from webhook_events e where dead_at is not null and handled_at is null and ${which}
      and not ${UNRECORDED_PAYMENT} order by id for update)`.execute(db)
  return numAffectedRows
}
