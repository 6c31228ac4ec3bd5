import type { FinalizeSetupResponse, PaymentResult, PaypalSetupRequest } from '../../contract/api.ts'
import { product } from '../../contract/catalogue.ts'
import { termsOf } from '../../contract/terms.ts'
import { noteAttempt } from '../payments/attempts.ts'
import { withCustomer } from '../payments/customer.ts'
import { markCheckoutOpened } from '../sessions/checkout-opened.ts'
import { recordAgreement, recordMarketing } from '../payments/evidence.ts'
import { resultOf } from '../checkout/initial-payment.ts'
import { hasSettled } from '../payments/intents.queries.ts'
import { openIntent } from '../payments/open-intent.ts'
import { agreedTerms } from '../payments/shown.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'
import { findBySource } from '../payments/subscriptions.queries.ts'

/**
 * P-06: opens the PayPal set-up that starts a trial at value 0, only if this shop offers it, so that this endpoint
 * gives no one a free trial. Throws unknown_product (no trial), already_paid, terms_changed, paypal_use_card,
 * email_required, stripe_unavailable.
 */
export async function startPaypalSetup(
  deps: Deps,
  session: Session,
  request: PaypalSetupRequest,
  by: Deadline,
): Promise<PaymentResult> {
  const { productId } = request
  if (product(productId).kind !== 'trial') throw new AppError('unknown_product', { field: 'productId' })
  if (!deps.config.stripe.paypal || !deps.config.stripe.paypalSetup) throw new AppError('paypal_use_card')
  if (await hasSettled(deps.db, session.id, 'first')) throw new AppError('already_paid')
  const terms = agreedTerms(productId, request.shown, 0)
  const firstFullAt = termsOf(productId, new Date())?.firstChargeAt
  if (!session.email) throw new AppError('email_required', { field: 'email' })
  const noted = noteAttempt(deps, session.id, { purpose: 'first', productId, method: 'paypal' })
  await markCheckoutOpened(deps, session)
  const wanted = { productId, priceId: null, amount: 0, method: 'paypal', kind: 'setup', terms } as const
  const buyer = { ...session, email: session.email }
  const intent = await withCustomer(deps, buyer, by, (customerId) =>
    openIntent(deps, session.id, 'first', { ...wanted, customerId }, by),
  )
  // an earlier order's, which goes back: this one is not what it was agreed to
  if (intent.status === 'succeeded') return resultOf(intent, 'paypal')
  await recordAgreement(deps.db, session.id, intent.id, { productId, terms, firstFullAt, agreement: request.agreement })
  await recordMarketing(deps.db, session.id, request)
  await noted
  return resultOf(intent, 'paypal')
}

/** The Stripe id of the subscription that a set-up started; null until it exists. */
export async function subscriptionOfSetup(
  deps: Deps,
  setupIntentId: string,
): Promise<FinalizeSetupResponse['subscriptionId']> {
  return (await findBySource(deps.db, setupIntentId))?.stripe_subscription_id ?? null
}
