/** A price changed at Stripe while a subscription runs: the buyer is mailed before it is charged. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { OutboxEntry } from '../jobs/outbox.queries.ts'
import { openPlan } from './planned-price.ts'
import type { NextCharge, SubscriptionRow } from '../payments/subscriptions.queries.ts'

type Priced = Pick<SubscriptionRow, 'id' | 'session_id' | 'agreed_cents'>

interface Told {
  /** Cents per period, from the last mail about a change, else as agreed. Null: not known. */
  price: number | null
  /** Mails about a change that are finished: sent, or dropped because they were no longer true. */
  done: number
}

/** The price per period that the buyer was last informed of. */
export async function toldPrice(db: Database, row: Priced): Promise<Told> {
  const { rows } = await sql<Told>`
    select count(*)::int as done,
      coalesce(
        (array_agg((payload -> 'mail' -> 'data' ->> 'newAmount')::int order by sent_at desc)
          filter (where payload ? 'mail'))[1],
        ${row.agreed_cents}::int
      ) as price
    from outbox
    where session_id = ${row.session_id} and kind = 'mail:price_changed' and sent_at is not null
      and payload ->> 'subscription' = ${row.id}`.execute(db)
  return rows[0] ?? { price: row.agreed_cents, done: 0 }
}

/**
 * H-01: the mail about a price that differs from the last one announced: one per change, however often it is checked.
 * None while nothing is charged: when a pause or a cancellation is lifted, the price is checked again. Discounts and
 * one-off amounts are no change of price.
 */
export async function priceChanged(tx: Database, row: Priced, next: NextCharge | null): Promise<OutboxEntry[]> {
  if (!next || next.price === null) return []
  const { price: told, done } = await toldPrice(tx, row)
  if (told === null || told === next.price) return []
  // announced, and not charged before its day (planned-price.ts)
  if ((await openPlan(tx, row.id))?.old_cents === next.price) return []
  return [
    {
      kind: 'mail:price_changed',
      // the same price again, after the mail about it was done with, is another change
      reason: `${row.id}:${done}:${next.price}`,
      sessionId: row.session_id,
      payload: { subscription: row.id, price: next.price, chargeAt: next.at },
    },
  ]
}
