import type { Deps } from '../deps.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { syncSubscription } from './sync.ts'

/**
 * P-10, A-05: a change of a customer (balance, discount, an amount for the next invoice, deletion) may change what
 * their subscriptions charge next, so it syncs them all. Does nothing for a customer we do not know. Throws
 * StripeFailure.
 */
export async function syncCustomer(deps: Deps, customerId: string): Promise<void> {
  const rows = await deps.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('stripe_customer_id', '=', customerId)
    .where('status', 'not in', OVER)
    .execute()
  for (const { stripe_subscription_id: id } of rows) if (id) await syncSubscription(deps, id, undefined)
}
