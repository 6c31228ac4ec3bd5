import type { PaymentContextView } from '../../contract/api.ts'
import type { Database } from '../../db/connect.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'

/** What an add-on can be charged to (P-08). */
export interface SavedContext {
  customerId: string
  paymentMethodId: string
  method: 'card' | 'paypal'
}

/** The customer and method of the first payment. Throws no_saved_context. */
export async function savedContext(db: Database, session: Session): Promise<SavedContext> {
  const first = await db
    .selectFrom('payments')
    .select(['stripe_customer_id', 'payment_method_id', 'payment_method'])
    .where('session_id', '=', session.id)
    .where('purpose', 'in', ['first', 'reading'])
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .orderBy('purpose')
    .executeTakeFirst()
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
