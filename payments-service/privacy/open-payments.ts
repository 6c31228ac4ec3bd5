import { closeRow, findByIntent } from '../payments/intents.queries.ts'
import { settlePayment } from '../payments/settle.ts'
import type { Deps } from '../deps.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { isFailure } from '../stripe/failure.ts'
import { forgetCustomers } from './customers.ts'

/** How long, in milliseconds, a creation at Stripe may still be running when its visit is erased. */
const CREATION_MS = 60_000

/**
 * D-12: ends the open payments of an erased visit at Stripe, so that a page which holds a client secret cannot pay. One
 * that was paid meanwhile is settled, which refunds it. Runs until nothing of the visit is open, and then forgets its
 * customer.
 */
export const cancelIntents: OutboxHandler = async (deps, job) => {
  const sessionId = job.session_id
  if (!sessionId) return
  const open = await deps.db
    .selectFrom('payment_intents')
    .select(['id', 'stripe_intent_id', 'created_at'])
    .where('session_id', '=', sessionId)
    .where('closed_at', 'is', null)
    .execute()
  for (const { stripe_intent_id } of open) if (stripe_intent_id) await end(deps, stripe_intent_id)
  // created at Stripe, but the answer was lost
  for (const id of await leftAtStripe(deps, sessionId)) await end(deps, id)
  for (const row of open) {
    if (row.stripe_intent_id) continue
    if (Date.now() - row.created_at.getTime() < CREATION_MS) throw new Error('a payment is still being opened')
    await closeRow(deps.db, row.id, 'erased', true)
  }
  await forgetCustomers(deps, sessionId)
}

async function end(deps: Deps, intentId: string): Promise<void> {
  const { stripe } = deps
  try {
    await (intentId.startsWith('seti_')
      ? stripe.cancelSetup(intentId, undefined)
      : stripe.cancelIntent(intentId, undefined))
  } catch (error) {
    // it is over already, or with the bank: settling it below shows which
    if (!isFailure(error, 'refused', 'missing')) throw error
  }
  const settled = await settlePayment(deps, intentId, undefined)
  if (settled?.state === 'pending') throw new Error('a payment is with the bank: its outcome comes later')
  const row = await findByIntent(deps.db, intentId)
  if (row && !row.closed_at) await closeRow(deps.db, row.id, 'canceled')
}

/** Intents of the visit that can still be paid, from Stripe's list. */
async function leftAtStripe({ db, stripe }: Deps, sessionId: string): Promise<string[]> {
  const customers = await db
    .selectFrom('customers')
    .select('stripe_customer_id as id')
    .where('session_id', '=', sessionId)
    .where('stripe_customer_id', 'is not', null)
    .execute()
  const found: string[] = []
  for (const { id } of customers) {
    for (const intent of id ? await stripe.listIntents(id, undefined) : []) {
      const over = intent.status === 'canceled' || intent.status === 'succeeded'
      if (!over && intent.metadata['session_id'] === sessionId) found.push(intent.id)
    }
  }
  return found
}
