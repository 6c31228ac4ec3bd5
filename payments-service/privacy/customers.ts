import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Stripe's longest page: behind a full one there may be more. */
const PAGE = 100

/**
 * D-12, G-01: deletes the customers at Stripe of an erased visit that never paid. By Stripe's word too: after a backup
 * was restored, a payment may be missing here. The log names those that stay, because whoever erased the visit saw only
 * what had been paid by then. Safe to repeat.
 */
export async function forgetCustomers({ db, stripe, log }: Deps, sessionId: string): Promise<void> {
  const { rows } = await sql<{ id: string; paid: boolean }>`select stripe_customer_id as id,
      exists (select from payments where session_id = ${sessionId}) as paid
    from customers where session_id = ${sessionId} and stripe_customer_id is not null`.execute(db)
  for (const { id, paid } of rows) {
    if (paid || (await mayHavePaid(stripe, id)))
      log.warn({ sessionId, customerId: id }, 'a customer of an erased visit stays at Stripe')
    else await stripe.deleteCustomer(id, undefined)
  }
}

async function mayHavePaid(stripe: Deps['stripe'], customerId: string): Promise<boolean> {
  const intents = await stripe.listIntents(customerId, undefined)
  if (intents.length === PAGE || intents.some(({ status }) => status !== 'canceled')) return true
  return (await stripe.listSubscriptions(customerId, undefined)).length > 0
}
