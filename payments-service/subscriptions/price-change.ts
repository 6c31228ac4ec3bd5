/** What a running subscription costs changed at Stripe, or how often it is charged: the buyer is mailed about it. */
import { sql } from 'kysely'
import { everyWords, ORDERED_PERIOD, type Period, samePeriod } from '../../contract/period.ts'
import type { Database } from '../../db/connect.ts'
import { WAS_SET_ASIDE } from '../jobs/given-up.queries.ts'
import type { OutboxEntry } from '../jobs/outbox.queries.ts'
import { type Look, openPlan } from './planned-price.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'

type Priced = Pick<SubscriptionRow, 'id' | 'session_id' | 'agreed_cents'>

interface Told {
  /** Cents per period, from the last mail about a change, else as agreed. Null: not known. */
  price: number | null
  /** From the same mail, else as it was ordered; mails of earlier releases named no other. */
  period: Period
  /**
   * Mails about a change that are finished: sent, or dropped because they were no longer true. Not one that was set
   * aside: the same change would get another mail.
   */
  done: number
}

/** The price and its period that the buyer was last informed of. */
export async function toldPrice(db: Database, row: Priced): Promise<Told> {
  const { rows } = await sql<Told>`
    select count(*) filter (where not ${WAS_SET_ASIDE})::int as done,
      coalesce(
        (array_agg((payload -> 'mail' -> 'data' ->> 'newAmount')::int order by sent_at desc)
          filter (where payload ? 'mail'))[1],
        ${row.agreed_cents}::int
      ) as price,
      coalesce(
        (array_agg(payload -> 'mail' -> 'data' -> 'newPeriod' order by sent_at desc)
          filter (where payload ? 'mail'))[1],
        ${JSON.stringify(ORDERED_PERIOD)}::jsonb
      ) as period
    from outbox
    where session_id = ${row.session_id} and kind = 'mail:price_changed' and sent_at is not null
      and payload ->> 'subscription' = ${row.id}`.execute(db)
  return rows[0] ?? { price: row.agreed_cents, period: ORDERED_PERIOD, done: 0 }
}

/**
 * H-01: the mail about a price or a period that differs from the last one announced: one per change, however often it
 * is checked. None while nothing is charged: when a pause or a cancellation is lifted, the price is checked again.
 * Discounts and one-off amounts are no change of price.
 */
export async function priceChanged(tx: Database, row: Priced, { subscription, next }: Look): Promise<OutboxEntry[]> {
  if (!next || next.price === null) return []
  const { price: told, period: before, done } = await toldPrice(tx, row)
  const period = subscription.period ?? before
  const asOften = samePeriod(period, before)
  if (told === null || (told === next.price && asOften)) return []
  // announced, and not charged before its day (planned-price.ts)
  if (asOften && (await openPlan(tx, row.id))?.old_cents === next.price) return []
  // what is charged next is still for a period of the other length: told once that is done
  if (!asOften && subscription.amount !== null && subscription.amount !== next.price) return []
  const every = everyWords(period)
  return [
    {
      kind: 'mail:price_changed',
      // the same price again, after the mail about it was done with, is another change
      reason: `${row.id}:${done}:${next.price}${asOften ? '' : `:${every}`}`,
      sessionId: row.session_id,
      payload: {
        subscription: row.id,
        price: next.price,
        every,
        chargeAt: asOften ? next.at : firstAt(subscription, next),
      },
    },
  ]
}

/**
 * The first charge of another period: Stripe lets that period begin at once, and charges it, but for a trial
 * (docs.stripe.com/api/subscriptions/update).
 */
const firstAt = ({ status, periodStart }: Look['subscription'], next: NonNullable<Look['next']>): Date =>
  status === 'trialing' || !periodStart ? next.at : periodStart
