import type { PaymentContextView } from '../../contract/api.ts'
import type { CardView } from '../../contract/api/subscription.ts'
import { methodWords, samePaidWith } from '../../contract/paid-with.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { isDatabaseAway } from '../http/database-away.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'

/** What an add-on can be charged to (P-08). */
export interface SavedContext {
  customerId: string
  paymentMethodId: string
  method: 'card' | 'paypal'
  /** Whether it can be charged at one press: not PayPal, nor a card that was used for a reading and not saved. */
  oneClick: boolean
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
    .selectFrom('payments as p')
    .select(['p.stripe_customer_id', 'p.payment_method_id', 'p.payment_method', 'p.purpose'])
    .select((eb) =>
      eb
        .selectFrom('payments as n')
        .select('n.payment_method_id')
        .where('n.session_id', '=', session.id)
        .where('n.is_upsell', '=', true)
        .where('n.payment_method', '=', 'card')
        .where('n.payment_method_id', 'is not', null)
        .where('n.settled_at', 'is not', null)
        .whereRef('n.stripe_customer_id', '=', 'p.stripe_customer_id')
        .orderBy('n.created_at', 'desc')
        .limit(1)
        .as('newer'),
    )
    .where('p.session_id', '=', session.id)
    .where('p.purpose', 'in', ['first', 'reading'])
    .where('p.settled_at', 'is not', null)
    .where('p.is_duplicate', '=', false)
    .orderBy('p.purpose')
    .executeTakeFirst()
  if (first?.stripe_customer_id && first.newer) {
    return { customerId: first.stripe_customer_id, paymentMethodId: first.newer, method: 'card', oneClick: true }
  }
  if (!first?.stripe_customer_id || !first.payment_method_id) throw new AppError('no_saved_context')
  const method = first.payment_method === 'paypal' ? 'paypal' : 'card'
  return {
    customerId: first.stripe_customer_id,
    paymentMethodId: first.payment_method_id,
    method,
    // P-03: the first payment of a programme saves its card
    oneClick: method === 'card' && first.purpose === 'first',
  }
}

export async function viewContext(deps: Deps, session: Session, by: Deadline): Promise<PaymentContextView> {
  const { method, paymentMethodId, oneClick } = await savedContext(deps.db, session)
  const card = oneClick ? await deps.methods.faceOf(paymentMethodId, by) : null
  const paidWith = method === 'paypal' ? ({ type: 'paypal' } as const) : card
  return {
    email: session.email,
    paymentMethodType: method,
    oneClick,
    paidWith,
    methodName: methodWords(paidWith),
  }
}

/**
 * H-01: whether the page named this method to the buyer; a page that named none, or is older, had it charged as it is.
 * Throws StripeFailure where Stripe cannot say what it is.
 */
export async function isNamed(
  { methods }: Pick<Deps, 'methods'>,
  shown: CardView | undefined,
  { method, paymentMethodId }: SavedContext,
  by: Deadline,
): Promise<boolean> {
  if (!shown) return true
  if (shown.type === 'paypal' || method === 'paypal') return shown.type === method
  return samePaidWith(shown, await methods.readFace(paymentMethodId, by))
}
