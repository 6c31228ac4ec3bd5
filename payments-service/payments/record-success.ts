import { sql } from 'kysely'
import { product, type ProductId } from '../../contract/catalogue.ts'
import type { Database } from '../../db/connect.ts'
import { wasInOrder } from '../erasures/erased.queries.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { enqueueRefund, owe } from '../refunds/owed.queries.ts'
import type { Session } from '../sessions/access.ts'
import { logActivity } from '../sessions/sessions.queries.ts'
import type { Intent } from '../stripe/objects.ts'
import type { Fact } from './facts.ts'
import type { IntentRow } from './intents.queries.ts'
import { freeLeaving, heldElsewhere, holdAddress } from './one-an-address.ts'
import { paidProduct } from './paid-product.ts'
import { tellOfSuccess } from './payment-mails.ts'
import { startsSubscription } from './purpose.ts'
import { claimSubscription } from './subscriptions.queries.ts'
import { type Evidence, taxOf } from '../tax/place.ts'

interface Circumstances {
  /** The intent that settled the purpose before. */
  kept: string | undefined
  erased: boolean
  lost: boolean
  /** Where the visit's network is, and in which part of that country. */
  country: string | null
  region: string | null
  /** The countries in which tax is declared. */
  registered: readonly string[]
}

/**
 * Records a success. A second one of the purpose (beside the intent `kept`), or one under an address that has a
 * subscription, is recorded as a duplicate and refunded by a job; so is one whose lost visit cannot be adopted
 * (without-visit.ts). One that arrives after its visit was erased is refunded too, but not one of before it that a
 * restored database learns of late. Returns whether it is a duplicate.
 */
export async function recordSuccess(
  tx: Database,
  session: Session,
  row: IntentRow,
  intent: Intent,
  news: readonly Fact[],
  { kept, erased, lost, country, region, registered }: Circumstances,
): Promise<boolean> {
  const sold = paidProduct(row, intent)
  // a charge without a visit is paid back, whatever it was for
  if (!sold && !lost) throw new RangeError(`${intent.id} pays for ${row.product_id}, which is not in the catalogue`)
  const productId = sold ?? row.product_id
  const paid = news.find(({ kind }) => kind === 'succeeded')
  const paidAt = paid?.at ?? new Date()
  const first = kept === undefined && !erased && !lost && row.purpose === 'first'
  const placed = !first || !sold || (await claimPlace(tx, session, sold, intent, paidAt))
  const duplicate = kept !== undefined || lost || !placed
  const amount = paid?.amount ?? intent.amount
  const method = intent.paymentMethodType ?? row.payment_method
  await tx
    .insertInto('payments')
    .values({
      session_id: session.id,
      purpose: row.purpose,
      amount_cents: amount,
      currency: intent.currency,
      payment_method_id: intent.paymentMethodId,
      payment_method: method,
      payment_intent_id: intent.id,
      charge_id: intent.charge?.id ?? null,
      stripe_customer_id: intent.customerId,
      customer_email: session.email,
      customer_name: session.name,
      status: 'succeeded',
      product_id: productId,
      price_id: row.price_id,
      agreement_id: row.agreement_id,
      is_upsell: row.purpose.startsWith('upsell:'),
      is_trial: !lost && sold !== null && product(sold).kind === 'trial',
      is_duplicate: duplicate,
      settled_at: paidAt,
      ...taxOf({ amount, paidAt }, evidenceOf(intent, country, region), registered),
    })
    .execute()
  const about = {
    intentId: intent.id,
    productId,
    amount,
    currency: intent.currency,
    paidAt: paidAt.toISOString(),
    method,
  }
  if (erased) {
    if (await wasInOrder(tx, session.id, paidAt)) return duplicate
    const owed = await owe(tx, { sessionId: session.id, intentId: intent.id, cause: 'erased' })
    if (owed) await enqueueRefund(tx, owed)
    return duplicate
  }
  if (duplicate) {
    await enqueue(tx, {
      kind: 'refund_duplicate',
      reason: intent.id,
      sessionId: session.id,
      payload: { ...about, keptIntentId: kept, ...(lost ? { cause: 'no_visit' } : {}) },
    })
    return true
  }

  const starts = row.purpose === 'first' || row.purpose === 'reading'
  if (starts) {
    await tx
      .updateTable('sessions')
      .set({
        payment_status: 'paid',
        paid_at: sql<Date>`coalesce(paid_at, ${paidAt})`,
        // D-09: a later payment converts an abandoned session too
        conversion_status: 'converted',
        payment_method: method,
        payment_method_id: intent.paymentMethodId,
        stripe_payment_method_id: intent.paymentMethodId,
        payment_intent_id: intent.id,
        customer_id: intent.customerId,
        last_activity_at: sql<Date>`now()`,
      })
      .where('id', '=', session.id)
      .execute()
  }
  await logActivity(tx, session.id, 'payment_success', { purpose: row.purpose, productId, amount })
  await tellOfSuccess(tx, session, row.purpose, about)
  return false
}

/**
 * P-14: claims the subscription that a first payment is for. False when another visit's subscription is live under the
 * same address: the same person has paid twice and would be charged for two from now on.
 */
async function claimPlace(
  tx: Database,
  session: Session,
  productId: ProductId,
  intent: Intent,
  paidAt: Date,
): Promise<boolean> {
  const { id: sessionId, email } = session
  // the monthly product has its subscription already, unpaid until now
  if (!startsSubscription(product(productId).kind)) return email === null || holdAddress(tx, sessionId, email)
  if (email) await freeLeaving(tx, email, sessionId)
  const { id: sourceId, paymentMethodId } = intent
  const customerId = intent.customerId ?? ''
  const claim = await claimSubscription(tx, {
    sessionId,
    productId: 'monthly',
    sourceId,
    customerId,
    paymentMethodId,
    paidAt,
    email,
  })
  return claim !== undefined || !(await heldElsewhere(tx, email, sessionId))
}

/** What says where the buyer is; all of it is known already. */
const evidenceOf = ({ charge }: Intent, network: string | null, networkRegion: string | null): Evidence => ({
  card: charge?.cardCountry ?? null,
  address: charge?.addressCountry ?? null,
  network,
  addressRegion: charge?.addressRegion ?? null,
  networkRegion,
})
