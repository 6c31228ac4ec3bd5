import { sameTerms, type ShownTerms } from '../../contract/terms.ts'
import type { Intent } from '../stripe/objects.ts'
import type { IntentRow, Wanted } from './intents.queries.ts'

/** Whether a row is for what an order wants now. A row without terms predates them and never matches. */
export function matches(row: IntentRow, wanted: Wanted): boolean {
  return (
    row.product_id === wanted.productId &&
    row.payment_method === wanted.method &&
    row.stripe_customer_id === wanted.customerId &&
    row.amount_cents === wanted.amount &&
    row.kind === wanted.kind &&
    row.terms !== null &&
    sameTerms(row.terms as unknown as ShownTerms, wanted.terms)
  )
}

type Expected = Pick<
  IntentRow,
  | 'kind'
  | 'session_id'
  | 'purpose'
  | 'product_id'
  | 'amount_cents'
  | 'currency'
  | 'payment_method'
  | 'stripe_customer_id'
>

/**
 * The first field in which an intent at Stripe differs from its row, or null. The row alone proves nothing: an answer
 * may have been lost, or the intent may have been changed in the dashboard.
 */
export function differenceOf(intent: Intent, row: Expected): string | null {
  if (intent.kind !== row.kind) return 'kind'
  if (intent.amount !== row.amount_cents) return 'amount'
  if (intent.currency !== row.currency) return 'currency'
  if (intent.customerId !== row.stripe_customer_id || intent.customerDeleted) return 'customer'
  // an invoice's intent has the methods of its subscription but not its metadata
  if (row.product_id === 'monthly') return null
  if (intent.methodTypes.length !== 1 || intent.methodTypes[0] !== row.payment_method) return 'method'
  if (intent.metadata['session_id'] !== row.session_id) return 'session'
  if (intent.metadata['purpose'] !== row.purpose) return 'purpose'
  return intent.metadata['product_id'] === row.product_id ? null : 'product'
}

/**
 * Whether an intent still waits for the bank's check of a card (after a reload) other than the saved one to charge:
 * then it is not reused.
 */
export function leftByOtherCard(intent: Intent, wanted: Wanted): boolean {
  if (intent.status !== 'requires_action' || wanted.method !== 'card') return false
  return intent.paymentMethodId === null || intent.paymentMethodId !== wanted.savedMethodId
}
