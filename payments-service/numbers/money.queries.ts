import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { TAKEN } from '../stripe/dispute-status.ts'
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

/** Money of the buyers whose first payment was in these days; found by the day, so that no table is read whole. */
export async function readMoney(db: Database, { from, to }: { from: string; to: string }): Promise<MoneyNumbers> {
  const { rows } = await sql<Sums>`
    with firsts as materialized (
      select p.session_id, p.is_trial, p.payment_intent_id from payments p
      where p.purpose = 'first' and p.settled_at is not null and not p.is_duplicate
        and p.settled_at >= ${from}::date::timestamp at time zone 'UTC'
        and p.settled_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    ), buyers as (
      select f.is_trial, paid.net, paid.back > 0 as refunded, paid.charged > 0 as charged,
        exists (select from subscriptions u where u.source_payment_id = f.payment_intent_id and u.trial_end <= now())
          as ended
      from firsts f cross join lateral (
        select sum(y.amount_cents - y.refunded_cents - coalesce(lost.cents, 0)) as net,
          sum(y.refunded_cents) filter (where not y.is_duplicate) as back,
          count(*) filter (where y.purpose like 'renewal:%' and y.amount_cents > 0) as charged
        from payments y left join lateral (
          select sum(d.amount_cents) as cents from disputes d
          where d.payment_intent_id = y.payment_intent_id and d.status = any(${TAKEN})
        ) lost on true
        where y.session_id = f.session_id and y.settled_at is not null
      ) paid
    )
    select count(*)::int as buyers, count(*) filter (where refunded)::int as refunded,
      count(*) filter (where is_trial and ended)::int as ended,
      count(*) filter (where is_trial and ended and charged)::int as charged, coalesce(sum(net), 0)::int8 as net
    from buyers`.execute(db)
  const { buyers, refunded, ended, charged, net } = rows[0] as Sums
  return { trials: { part: charged, whole: ended }, refunds: { part: refunded, whole: buyers }, net: Number(net) }
}
