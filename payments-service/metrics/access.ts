/** Buyers who paid and cannot open what they bought: looked for from the first one on, however long ago that was. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

const NAME = 'paid_access'
const at = sql`(select at from bookmarks where name = ${sql.lit(NAME)})`

/** The bookmark stays this far behind: within it a payment is looked at again and again. */
const RECENT = sql.lit('2 days')

/** Of payments `p`, settled and open to no one; an erased visit opens nothing, and what was paid back need not. */
const closed = sql`p.settled_at is not null and not p.is_duplicate
  and p.status = 'succeeded' and p.purpose not like 'renewal:%'
  and (p.refunded_cents = 0 or p.refunded_cents < p.amount_cents)
  and not exists (select from product_access_grants g where g.source_payment_id = p.payment_intent_id)
  and not exists (select from product_access_grants g where g.session_id = p.session_id
    and g.product_id = p.product_id and g.revoked_at is null)
  and not exists (select from erasures e where e.session_id = p.session_id)`

/** When the first of them was settled. The end, which every id is below, has the planner take the key. */
export const firstWithoutAccess = sql`(select min(p.settled_at) from payments p
  where p.id >= uuid7_floor(coalesce(${at}, now() - ${RECENT}::interval)) and p.id < uuid7_floor(now() + '1 day')
    and ${closed})`

/** Moves the bookmark to the first of them, else to two days ago: all before it is known to be open. */
export async function noteAccess(db: Database): Promise<void> {
  await sql`insert into bookmarks as mark (name, at)
    select ${NAME}, least(now() - ${RECENT}::interval, min(p.created_at) - interval '1 second') from payments p
    where p.id >= uuid7_floor(coalesce(${at}, '2020-01-01')) and p.id < uuid7_floor(now() + '1 day') and ${closed}
    on conflict (name) do update set at = excluded.at`.execute(db)
}
