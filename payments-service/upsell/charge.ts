import type { UpsellRequest, UpsellResult } from '../../contract/api.ts'
import { type AddOnId, GUIDE_IDS } from '../../contract/catalogue.ts'
import type { PaymentMessageCode } from '../../contract/payment-messages.ts'
import { refuseCardTesting } from '../checkout/declines.ts'
import { recordEvidence } from '../checkout/evidence.ts'
import { openIntent } from '../checkout/open-intent.ts'
import { purposeOf } from '../checkout/purpose.ts'
import { settlePayment } from '../checkout/settle.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'
import { savedContext } from './context.ts'

/**
 * U-03, U-04, U-08: charges one add-on. The saved card is charged with its owner on the page, so that 3-D Secure can be
 * shown; a declined one, and a buyer who paid by PayPal first (U-06), get the card form on the same open intent. A repeat
 * of a paid one answers `succeeded` again. Throws not_paid, no_saved_context, already_owned (inside the bundle, or the
 * bundle around an owned guide), price_not_found, stripe_unavailable.
 */
export async function chargeUpsell(
  deps: Deps,
  session: Session,
  request: UpsellRequest,
  by: Deadline,
): Promise<UpsellResult> {
  if (session.payment_status === 'unpaid') throw new AppError('not_paid')
  return deps.flights.run(`upsell:${session.id}:${request.productId}`, () => charge(deps, session, request, by))
}

async function charge(deps: Deps, session: Session, request: UpsellRequest, by: Deadline): Promise<UpsellResult> {
  const { productId } = request
  const bought = await ownedBy(deps, session.id, productId)
  if (bought) return result('succeeded', productId, bought)
  const context = await savedContext(deps.db, session)
  await refuseCardTesting(deps, session.id)
  const price = await deps.prices.priceOf(productId, by)
  const method = request.paymentMethodType === 'paypal' ? 'paypal' : 'card'
  if (method === 'paypal' && !deps.config.stripe.paypal) throw new AppError('paypal_use_card')
  const wanted = { productId, priceId: price.id, amount: price.amount, method, customerId: context.customerId, kind: 'payment' } as const // prettier-ignore
  let intent: Intent
  try {
    intent = await openIntent(deps, session.id, purposeOf(productId), wanted, by)
  } catch (error) {
    // paid already, and settled by now
    if (!(error instanceof AppError && error.code === 'already_owned')) throw error
    return result('succeeded', productId, await ownedBy(deps, session.id, productId))
  }
  await recordEvidence(deps.db, session.id, intent, request)
  if (method === 'paypal') return result('paypal_redirect_immediate', productId, intent)
  if (context.method === 'paypal') return result('requires_paypal_redirect', productId, intent)
  if (intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation') {
    return confirm(deps, productId, intent, context.paymentMethodId, by)
  }
  return outcome(deps, productId, intent, by)
}

/** The intent of an add-on that the session has. Throws already_owned where it comes with, or would contain, another. */
async function ownedBy(deps: Deps, sessionId: string, productId: AddOnId): Promise<{ id: string } | null> {
  const grants = await deps.db
    .selectFrom('product_access_grants')
    .select(['product_id', 'source_payment_id'])
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
  const own = grants.find(({ product_id }) => product_id === productId)
  if (own?.source_payment_id) return { id: own.source_payment_id }
  if (own) throw new AppError('already_owned', { field: 'productId' })
  const clashing: readonly string[] = productId === 'bundle' ? GUIDE_IDS : ['bundle']
  if (grants.some(({ product_id }) => clashing.includes(product_id))) {
    throw new AppError('already_owned', { field: 'productId' })
  }
  return null
}

/** Charges the saved card. A lost answer is looked up: an intent succeeds once, whoever asks how often. */
async function confirm(
  deps: Deps,
  productId: AddOnId,
  intent: Intent,
  paymentMethodId: string,
  by: Deadline,
): Promise<UpsellResult> {
  const returnUrl = `${deps.config.siteUrl}/upsell-payment-complete/${intent.id}`
  try {
    const confirmed = await deps.stripe.confirmSaved(intent.id, { paymentMethodId, method: 'card', returnUrl }, by)
    return await outcome(deps, productId, confirmed, by)
  } catch (error) {
    if (isFailure(error, 'declined') || isFailure(error, 'missing')) {
      return {
        ...result('requires_new_card', productId, intent, 'card_error_reason'),
        ...(error.buyerMessage ? { reason: error.buyerMessage } : {}),
      }
    }
    if (!isFailure(error)) throw error
    if (error.kind === 'busy') await new Promise((resume) => setTimeout(resume, 500))
    const now = await deps.stripe.readIntent(intent.id, by)
    if (now.status === 'requires_payment_method' || now.status === 'requires_confirmation') throw error
    return outcome(deps, productId, now, by)
  }
}

/** U-04: what the state of the intent means for the page. */
async function outcome(deps: Deps, productId: AddOnId, intent: Intent, by: Deadline): Promise<UpsellResult> {
  switch (intent.status) {
    case 'succeeded':
      // settled here, so that the next add-on and the account page see it; a failure is finished by the webhook
      await settlePayment(deps, intent.id, by).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'a charged add-on is settled by its event')
      })
      return result('succeeded', productId, intent)
    case 'processing':
    case 'requires_capture':
      return result('processing', productId, intent, 'processing_paypal_redirect')
    case 'requires_action':
      return result('requires_action', productId, intent, 'additional_verification')
    case 'requires_payment_method':
    case 'requires_confirmation':
      return result('requires_new_card', productId, intent)
    case 'canceled':
      return result('error', productId, intent, 'processing_failed')
  }
}

function result(
  status: UpsellResult['status'],
  productId: AddOnId,
  intent: { id: string; clientSecret?: string } | null,
  message?: PaymentMessageCode,
): UpsellResult {
  return {
    status,
    productId,
    paymentIntentId: intent?.id ?? null,
    clientSecret: status === 'succeeded' ? null : (intent?.clientSecret ?? null),
    ...(message ? { message } : {}),
  }
}
