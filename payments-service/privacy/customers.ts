import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Stripe's longest page: behind a full one there may be more. */
const PAGE = 100

/**
 * D-12, G-01: deletes the customers at Stripe of an erased visit that never paid. By Stripe's word too: after a backup
 * was restored, a payment may be missing here. Safe to repeat.
 */
export async function forgetCustomers({ db, stripe }: Pick<Deps, 'db' | 'stripe'>, sessionId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select stripe_customer_id as id from customers
    where session_id = ${sessionId} and stripe_customer_id is not null
      and not exists (select from payments where session_id = ${sessionId})`.execute(db)
  for (const { id } of rows) {
    const intents = await stripe.listIntents(id, undefined)
    const unpaid = intents.length < PAGE && intents.every(({ status }) => status === 'canceled')
    if (unpaid && (await stripe.listSubscriptions(id, undefined)).length === 0)
      await stripe.deleteCustomer(id, undefined)
  }
}
