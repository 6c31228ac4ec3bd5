import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { BACK, PAID_OTHERWISE } from '../refunds/owed.queries.ts'
import { TEST_SOURCE } from './definitions.ts'
import type { Share } from './intervals.ts'

export interface MoneyNumbers {
  trials: Share
  refunds: Share
  /** Cents. */
  net: number
}

interface Sums {
  buyers: number
  refunded: number
  ended: number
  charged: number
  net: string
}

/**
 * Money of the buyers of the programme whose first payment for it was in these days, tests left out; found by the
 * day, so that no table is read whole.
 */
export async function readMoney(db: Database, { from, to }: { from: string; to: string }): Promise<MoneyNumbers> {
  const { rows } = await sql<Sums>`
    with firsts as materialized (
      select p.session_id, p.is_trial, p.payment_intent_id from payments p
      where p.purpose = 'first' and p.settled_at is not null and not p.is_duplicate
        and p.settled_at >= ${from}::date::timestamp at time zone 'UTC'
        and p.settled_at < (${to}::date + 1)::timestamp at time zone 'UTC'
        and (
          select f.source from sessions s join funnel_places f on f.session_key = s.key where s.id = p.session_id
        ) is distinct from ${TEST_SOURCE}
    ), buyers as (
      select f.is_trial, paid.net, paid.refunded, paid.charged > 0 as charged,
        exists (select from subscriptions u where u.source_payment_id = f.payment_intent_id and u.trial_end <= now())
          as ended
      from firsts f cross join lateral (
        select sum(p.amount_cents - ${BACK}) as net,
          bool_or(p.refunded_cents > 0 or exists (
            select from ${PAID_OTHERWISE} o where o.payment_intent_id = p.payment_intent_id
          )) filter (where not p.is_duplicate) as refunded,
          count(*) filter (where p.purpose like 'renewal:%' and p.amount_cents > 0) as charged
        from payments p where p.session_id = f.session_id and p.settled_at is not null
      ) paid
    )
    select count(*)::int as buyers, count(*) filter (where refunded)::int as refunded,
      count(*) filter (where is_trial and ended)::int as ended,
      count(*) filter (where is_trial and ended and charged)::int as charged, coalesce(sum(net), 0)::int8 as net
    from buyers`.execute(db)
  const { buyers, refunded, ended, charged, net } = rows[0] as Sums
  return { trials: { part: charged, whole: ended }, refunds: { part: refunded, whole: buyers }, net: Number(net) }
}
