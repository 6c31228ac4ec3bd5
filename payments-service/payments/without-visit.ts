/**
 * P-10: charges that name this installation but whose visit, or its address, is not in the database: a backup was
 * restored. Each is recorded, an operator is alarmed, and it is adopted or paid back.
 */
import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import { parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { lockSession } from '../sessions/lock.ts'
import type { Intent } from '../stripe/objects.ts'
import { isPurposeOf } from './purpose.ts'
import { findVisitOf, insertAdopted, linkWaiting, type Named, restoreVisit } from './without-visit.queries.ts'

/** Purposes that payment_intents takes; a charge with another one is recorded as a first payment, and paid back. */
const PURPOSE = /^(first|reading|upsell:[a-z0-9_]+)$/

/**
 * Takes a success of this installation into the books, so that settling finds it. The visit is made anew under its id,
 * with the address and the name that Stripe's customer has; like a buyer who paid and closed the tab, its owner gets
 * the mail and access. A charge that lacks what this needs is recorded too, and paid back when it is settled. Safe to
 * repeat and in two replicas at once. Throws StripeFailure.
 */
export async function takeIn(deps: Deps, intent: Intent, named: Named, by: Deadline | undefined): Promise<void> {
  const { db, log } = deps
  const gone = intent.customerId === null || intent.customerDeleted
  const customer = gone ? null : await deps.stripe.readCustomer(intent.customerId ?? '', by)
  const email = parseEmail(customer?.email ?? '') ?? null
  const reason = obstacleOf(named, email)
  const purpose = PURPOSE.test(named.purpose) ? named.purpose : 'first'
  const chargedAt = intent.charge?.created ?? intent.created
  const noted = await db.transaction().execute(async (tx) => {
    const visit = await findVisitOf(tx, named.sessionId)
    await restoreVisit(tx, named.sessionId, { email, name: customer?.name?.slice(0, 200) ?? null, chargedAt })
    await lockSession(tx, named.sessionId)
    if (!(await linkWaiting(tx, intent, { ...named, purpose }))) await insertAdopted(tx, intent, { ...named, purpose })
    // only its address was missing
    if (visit && !visit.lost) return false
    const made = await tx
      .insertInto('charges_without_visit')
      .values({
        payment_intent_id: intent.id,
        session_id: named.sessionId,
        purpose: named.purpose,
        product_id: named.productId,
        amount_cents: intent.amount,
        currency: intent.currency,
        email,
        stripe_customer_id: intent.customerId,
        stripe_subscription_id: named.subscriptionId,
        charged_at: chargedAt,
        outcome: reason ? 'returned' : 'adopted',
        reason,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('payment_intent_id')
      .executeTakeFirst()
    return made !== undefined
  })
  if (!noted) return
  log.error(
    { intentId: intent.id, amount: intent.amount, currency: intent.currency, outcome: reason ?? 'adopted' },
    'a charge is ours, but its visit is not in the database: was a backup restored? See /operator/money-back',
  )
}

/** What keeps a charge from being adopted; null: nothing. */
function obstacleOf({ productId, purpose }: Named, email: string | null): string | null {
  const product = PRODUCT_IDS.find((id) => id === productId)
  if (!product) return 'its product is not in the catalogue'
  if (!isPurposeOf(purpose, product)) return 'its purpose is not that of its product'
  return email === null ? 'Stripe knows no address of its buyer' : null
}
