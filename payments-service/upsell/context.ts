import type { PaymentContextView } from '../../contract/api.ts'
import type { Database } from '../../db/connect.ts'
import { isDatabaseAway } from '../http/database-away.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'

/** What an add-on can be charged to (P-08). */
export interface SavedContext {
  customerId: string
  paymentMethodId: string
  method: 'card' | 'paypal'
}

/**
 * The customer and method of the first payment; a card entered since for an add-on replaces it, so that one form is
 * enough for the rest of the order (U-06). Throws no_saved_context, context_database_error (P-11).
 */
export async function savedContext(db: Database, session: Session): Promise<SavedContext> {
  try {
    return await readContext(db, session)
  } catch (error) {
    if (isDatabaseAway(error)) throw new AppError('context_database_error', { cause: error, retryAfter: 5 })
    throw error
  }
}

async function readContext(db: Database, session: Session): Promise<SavedContext> {
  const first = await db
    .selectFrom('payments')
    .select(['stripe_customer_id', 'payment_method_id', 'payment_method'])
    .where('session_id', '=', session.id)
    .where('purpose', 'in', ['first', 'reading'])
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .orderBy('purpose')
    .executeTakeFirst()
  const newer = await db
    .selectFrom('payments')
    .select('payment_method_id')
    .where('session_id', '=', session.id)
    .where('is_upsell', '=', true)
    .where('payment_method', '=', 'card')
    .where('payment_method_id', 'is not', null)
    .where('settled_at', 'is not', null)
    .where('stripe_customer_id', '=', first?.stripe_customer_id ?? '')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (first?.stripe_customer_id && newer?.payment_method_id) {
    return { customerId: first.stripe_customer_id, paymentMethodId: newer.payment_method_id, method: 'card' }
  }
  if (!first?.stripe_customer_id || !first.payment_method_id) throw new AppError('no_saved_context')
  return {
    customerId: first.stripe_customer_id,
    paymentMethodId: first.payment_method_id,
    method: first.payment_method === 'paypal' ? 'paypal' : 'card',
  }
}

export async function viewContext(db: Database, session: Session): Promise<PaymentContextView> {
  const { method } = await savedContext(db, session)
  return { email: session.email, paymentMethodType: method, oneClick: method === 'card' }
}
