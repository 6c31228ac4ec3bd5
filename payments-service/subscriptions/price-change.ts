/** A price that is changed at Stripe while a subscription runs: its buyer hears of it before it is charged. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { OutboxEntry } from '../jobs/outbox.queries.ts'
import type { NextCharge, SubscriptionRow } from '../payments/subscriptions.queries.ts'

type Priced = Pick<SubscriptionRow, 'id' | 'session_id' | 'agreed_cents'>

interface Told {
  /** Cents a period: what the last mail about a change said, else what was agreed to. Null: not known. */
  price: number | null
  /** Mails about a change that are done with: sent, or left out because they were not true any more. */
  done: number
}

/** What the owner of a subscription was last told that a period costs. */
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
 * H-01: the mail about a price that differs from the one told last: one for each change, however often it is looked at.
 * None while nothing is charged: a pause or a cancellation that is taken back is looked at again. Discounts and single
 * sums are no change of price.
 */
export async function priceChanged(tx: Database, row: Priced, next: NextCharge | null): Promise<OutboxEntry[]> {
  if (!next || next.price === null) return []
  const { price: told, done } = await toldPrice(tx, row)
  if (told === null || told === next.price) return []
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
