import { product } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import type { Database } from '../../db/connect.ts'
import { type OutboxEntry, stableId } from '../jobs/outbox.queries.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import type { Subscription } from '../stripe/objects.ts'

/**
 * P-04, T-03: what follows once a trial's row has its subscription, by the answer that created it or by its event: the
 * payment names it, and it is a Subscribe. To be queued in the same transaction; a second one changes nothing.
 */
export async function begun(tx: Database, row: SubscriptionRow, subscription: Subscription): Promise<OutboxEntry> {
  await tx
    .updateTable('payments')
    .set({ subscription_id: subscription.id })
    .where('payment_intent_id', '=', row.source_payment_id ?? '')
    .execute()
  return {
    kind: 'conversion:Subscribe',
    reason: row.source_payment_id ?? row.id,
    sessionId: row.session_id,
    payload: {
      name: 'Subscribe',
      eventId: stableId(`Subscribe:${row.session_id}`),
      value: row.agreed_cents ?? product('monthly').price,
      currency: CURRENCY,
      at: subscription.created.toISOString(),
    },
  }
}
