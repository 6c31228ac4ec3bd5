import type { InitialPaymentRequest, PaymentResult } from '../../contract/api.ts'
import { isReadingId } from '../../contract/catalogue.ts'
import { termsOf } from '../../contract/terms.ts'
import type { PaymentMessageCode } from '../../contract/payment-messages.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { readingPrice } from '../reading/price.ts'
import type { Session } from '../sessions/access.ts'
import type { Intent } from '../stripe/objects.ts'
import { noteAttempt } from '../payments/attempts.ts'
import { withCustomer } from '../payments/customer.ts'
import { markCheckoutOpened } from '../sessions/checkout-opened.ts'
import { originOf, refuseCardTesting } from '../payments/declines.ts'
import { recordAgreement, recordMarketing } from '../payments/evidence.ts'
import { hasSettled } from '../payments/intents.queries.ts'
import { openIntent } from '../payments/open-intent.ts'
import { purposeOf } from '../payments/purpose.ts'
import { agreedTerms } from '../payments/shown.ts'

/** What a screen says about a status that is not yet a success (section 4 of the second text). */
const MESSAGES: Partial<Record<Intent['status'], PaymentMessageCode>> = {
  requires_action: 'further_action_required',
  processing: 'payment_processing',
}

/** P-02: the payment result of an intent. */
export function resultOf(intent: Intent, method: 'card' | 'paypal'): PaymentResult {
  const message = MESSAGES[intent.status]
  return {
    status: intent.status,
    paymentIntentId: intent.id,
    clientSecret: intent.clientSecret,
    paymentMethodType: method,
    ...(message ? { message } : {}),
  }
}

/**
 * P-02, P-03, P-05: opens the first payment of a session (a trial, the special offer, the monthly product, a reading).
 * `address` is the network address. The browser names a product; the amount is the price at Stripe, which has to match
 * the listed one. Throws unknown_product, already_paid, terms_changed, email_required, paypal_use_card,
 * price_not_found, stripe_unavailable.
 */
export async function startPayment(
  deps: Deps,
  session: Session,
  request: InitialPaymentRequest,
  address: string | undefined,
  by: Deadline,
): Promise<PaymentResult> {
  const { productId, paymentMethodType: method } = request
  const purpose = purposeOf(productId)
  if (purpose !== 'first' && purpose !== 'reading') throw new AppError('unknown_product', { field: 'productId' })
  if (await hasSettled(deps.db, session.id, purpose)) throw new AppError('already_paid')
  const origin = originOf(deps.config, address)
  await refuseCardTesting(deps, session.id, origin)
  if (method === 'paypal' && !deps.config.stripe.paypal) throw new AppError('paypal_use_card')
  if (!session.email) throw new AppError('email_required', { field: 'email' })

  // in parallel with the calls to Stripe, which take longer
  const noted = noteAttempt(deps, session.id, { purpose, productId, method })
  const price = await (isReadingId(productId) ? readingPrice(deps, productId, by) : deps.prices.priceOf(productId, by))
  const terms = agreedTerms(productId, request.shown, price.amount)
  const firstFullAt = termsOf(productId, new Date())?.firstChargeAt
  await markCheckoutOpened(deps, session)
  const { id: priceId, amount } = price
  const buyer = { ...session, email: session.email }
  const intent = await withCustomer(deps, buyer, by, (customerId) =>
    openIntent(
      deps,
      session.id,
      purpose,
      { productId, priceId, amount, method, customerId, kind: 'payment', terms, origin },
      by,
    ),
  )
  // an earlier order's, which goes back: this one is not what it was agreed to
  if (intent.status === 'succeeded') return resultOf(intent, method)
  await recordAgreement(deps.db, session.id, intent.id, { productId, terms, firstFullAt, agreement: request.agreement })
  await recordMarketing(deps.db, session.id, request)
  await noted
  return resultOf(intent, method)
}
