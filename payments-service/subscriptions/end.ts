import { isGivenBack } from '../grants/grants.queries.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { isFailure } from '../stripe/failure.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { closeClaim } from '../payments/subscriptions.queries.ts'
import { syncSubscription } from './sync.ts'

/**
 * P-12: ends the subscription of money that went back whole (a refund in Stripe's dashboard, a lost dispute), so that
 * it charges nothing for access that is over. One that is only claimed is looked for at Stripe first.
 */
export const endSubscription: OutboxHandler = async (deps, job) => {
  const { db, stripe } = deps
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', String(job.payload['subscription']))
    .executeTakeFirst()
  if (!row || isOver(row.status)) return
  if (!(await isGivenBack(db, row.session_id))) return 'the money stands again'
  const made = row.stripe_customer_id ? await stripe.listSubscriptions(row.stripe_customer_id, undefined) : []
  const id = row.stripe_subscription_id ?? made.find(({ metadata }) => metadata['source'] === row.source_payment_id)?.id
  if (!id) return closeClaim(db, row.id)
  try {
    await stripe.cancelSubscription(id, undefined)
  } catch (error) {
    // it ended in between
    if (!isFailure(error, 'missing', 'refused')) throw error
  }
  await syncSubscription(deps, id, undefined)
}
