import type { ProductId } from '../../contract/catalogue.ts'
import { COLLECTION_HOURS, termsOf } from '../../contract/terms.ts'
import { HOUR } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import { latestAgreement } from '../payments/intents.queries.ts'

/** An order confirmed longer than this after it was placed comes from an old page: the payment's own date counts. */
const SAME_VISIT = 12 * HOUR

/**
 * H-01, H-03: when the time covered by a first payment ends, so that the first full charge comes at the moment the
 * buyer agreed to: from the agreement's date, else from the terms as of the payment. Undefined for products that start
 * no subscription.
 */
export async function promisedEnd(
  db: Database,
  payment: { intentId: string; productId: ProductId; paidAt: Date },
): Promise<Date | undefined> {
  const terms = termsOf(payment.productId, payment.paidAt)
  if (!terms) return undefined
  const agreement = await latestAgreement(db, payment.intentId).select('amounts').executeTakeFirst()
  const amounts = agreement?.amounts as { productId?: unknown; firstFullDate?: unknown } | undefined
  const agreed = Date.parse(String(amounts?.firstFullDate))
  const earlier = terms.firstChargeAt.getTime() - agreed
  if (amounts?.productId !== payment.productId || !(Math.abs(earlier) <= SAME_VISIT)) return terms.paidUntil
  return new Date(agreed - COLLECTION_HOURS * HOUR)
}
