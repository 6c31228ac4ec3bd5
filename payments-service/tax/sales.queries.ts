import { type RawBuilder, sql } from 'kysely'
import { CURRENCY } from '../../contract/money.ts'
import type { Database } from '../../db/connect.ts'
import { PAID_OTHERWISE } from '../refunds/owed.queries.ts'
import { boundsOf, type Quarter } from './quarter.ts'
import type { Sale } from './return.ts'

type Row = Omit<Sale, 'back'> & { back: { amount: number; at: string }[] }

/**
 * The payments that a quarter's returns are made of: those of the quarter, and earlier ones of which something went
 * back in it. A refund counts when it was made; what undoes one, and a dispute that is lost, when it was recorded,
 * because Stripe dates both by their beginning and that quarter may be declared. So does what an operator paid back in
 * another way, by a bank transfer. Payments in another currency than the shop's are left out (doubtsOf).
 */
export async function salesFor(db: Database, quarter: Quarter): Promise<Sale[]> {
  const { rows } = await salesQuery(quarter).execute(db)
  return rows.map((row) => ({ ...row, back: row.back.map(({ amount, at }) => ({ amount, at: new Date(at) })) }))
}

/** What went back is looked up payment by payment (not materialized): read as a whole for each, a year takes hours. */
export function salesQuery(quarter: Quarter): RawBuilder<Row> {
  const { from, to } = boundsOf(quarter)
  return sql<Row>`
  with back as not materialized (
    select f.payment_intent_id,
      case when f.kind in ('refunded', 'dispute_lost') then f.amount_cents else -f.amount_cents end as amount,
      case when f.kind = 'refunded' then f.occurred_at else f.recorded_at end as at
    from payment_facts f
    where f.kind in ('refunded', 'dispute_lost')
      or (f.kind in ('refund_failed', 'dispute_won') and exists (
        select from payment_facts done where done.stripe_id = f.stripe_id
          and done.kind = case f.kind when 'refund_failed' then 'refunded' else 'dispute_lost' end))
    union all
    select o.payment_intent_id, o.cents, o.at from ${PAID_OTHERWISE} o
  )
  select p.tax_country || coalesce('-' || p.tax_region, '') as country, p.tax_basis as basis, p.tax_rate as rate,
    p.amount_cents as amount, p.tax_cents as tax, p.settled_at as "paidAt",
    (select coalesce(json_agg(json_build_object('amount', b.amount, 'at', b.at)), '[]')
      from back b where b.payment_intent_id = p.payment_intent_id) as back
  from payments p
  where p.settled_at < ${to} and p.amount_cents > 0 and p.currency = ${CURRENCY}
    and (p.settled_at >= ${from} or exists (
    select from back b where b.payment_intent_id = p.payment_intent_id and b.at >= ${from} and b.at < ${to}))
  order by p.settled_at, p.id`
}

/** What a person has to look at before a quarter is declared. */
export interface Doubts {
  /** Payments of the quarter for which nothing says where the buyer is. */
  noPlace: number
  /** Payments of the quarter in Canada, of no known province: the federation's tax alone is taken out. */
  noProvince: number
  /** Those in which the facts about the place contradict each other. */
  contradicting: number
  /** Refunds of the quarter that the bank has not agreed to yet. */
  pending: number
  /** Payments of the quarter in another currency than the shop's. */
  foreign: number
}

export async function doubtsOf(db: Database, quarter: Quarter): Promise<Doubts> {
  const { from, to } = boundsOf(quarter)
  const { rows } = await sql<Doubts>`
    with sold as (
      select tax_basis, tax_country, tax_region, currency,
        (select count(distinct c) from unnest(array[card_country, address_country, network_country]) c) as places
      from payments where settled_at >= ${from} and settled_at < ${to} and amount_cents > 0
    )
    select count(*) filter (where tax_basis = 'no_place')::int as "noPlace",
      count(*) filter (where tax_country = 'CA' and tax_basis = 'rate' and tax_region is null)::int as "noProvince",
      count(*) filter (where places > 1)::int as contradicting,
      count(*) filter (where currency <> ${CURRENCY})::int as "foreign",
      (select count(*)::int from payment_facts f where f.kind = 'refund_pending' and f.occurred_at >= ${from}
        and f.occurred_at < ${to} and not exists (select from payment_facts d
          where d.stripe_id = f.stripe_id and d.kind in ('refunded', 'refund_failed'))) as pending
    from sold`.execute(db)
  return rows[0] ?? { noPlace: 0, noProvince: 0, contradicting: 0, pending: 0, foreign: 0 }
}
