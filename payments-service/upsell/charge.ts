import type { UpsellRequest, UpsellResult } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import type { PaymentMessageCode } from '../../contract/payment-messages.ts'
import { noteAttempt } from '../payments/attempts.ts'
import { withNewCustomer } from '../payments/customer.ts'
import { refuseCardTesting } from '../payments/declines.ts'
import { recordAgreement } from '../payments/evidence.ts'
import { findByIntent } from '../payments/intents.queries.ts'
import { openIntent } from '../payments/open-intent.ts'
import { settlePayment } from '../payments/settle.ts'
import { agreedTerms } from '../payments/shown.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'
import { isNamed, savedContext } from './context.ts'
import { endClashing, endIntent, standingOf } from './standing.ts'
import { inTurn } from './turns.ts'
import { refuseWhileUndoing } from './undo.ts'

/**
 * U-03, U-04, U-08: charges one add-on. The saved card is charged with the buyer on the page, so that 3-D Secure can be
 * shown; after a decline, if the first payment was by PayPal (U-06), or if the page named another method (H-01), the
 * page shows the card form for the same open intent. Repeating a paid one answers `succeeded` again. Throws not_paid,
 * no_saved_context, already_owned (inside the bundle, or the bundle around an owned guide), payment_open,
 * terms_changed, price_not_found, stripe_unavailable.
 */
export async function chargeUpsell(
  deps: Deps,
  session: Session,
  request: UpsellRequest,
  by: Deadline,
): Promise<UpsellResult> {
  if (session.payment_status === 'unpaid') throw new AppError('not_paid')
  return deps.flights.run(`upsell:${session.id}:${request.productId}:${request.paymentMethodType ?? ''}`, () =>
    inTurn(deps, session.id, by, () => charge(deps, session, request, by)),
  )
}

async function charge(deps: Deps, session: Session, request: UpsellRequest, by: Deadline): Promise<UpsellResult> {
  const { productId } = request
  const standing = await standingOf(deps, session.id, productId)
  const { boughtWith, purpose } = standing
  if (boughtWith) {
    await refuseWhileUndoing(deps, boughtWith)
    return result('succeeded', productId, { id: boughtWith })
  }
  const context = await savedContext(deps.db, session)
  await refuseCardTesting(deps, session.id, null)
  const price = await deps.prices.priceOf(productId, by)
  const terms = agreedTerms(productId, request.shown, price.amount)
  const method = request.paymentMethodType === 'paypal' ? 'paypal' : 'card'
  if (method === 'paypal' && !deps.config.stripe.paypal) throw new AppError('paypal_use_card')
  await endClashing(deps, productId, standing, by)
  const { method: saved, paymentMethodId: savedMethodId } = context
  const wanted = {
    productId,
    priceId: price.id,
    amount: price.amount,
    method,
    customerId: context.customerId,
    kind: 'payment',
    terms,
    savedMethodId,
  } as const
  let intent: Intent
  try {
    intent = await openIntent(deps, session.id, purpose, wanted, by).catch((error: unknown) =>
      withNewCustomer(deps, session, { error, customerId: context.customerId }, by, (customerId) =>
        openIntent(deps, session.id, purpose, { ...wanted, customerId }, by),
      ),
    )
  } catch (error) {
    // already paid, and settled by now
    if (!(error instanceof AppError && error.code === 'already_owned')) throw error
    const { boughtWith } = await standingOf(deps, session.id, productId)
    // bought before and refunded since: not charged again here
    if (!boughtWith) throw error
    return result('succeeded', productId, { id: boughtWith })
  }
  // another page may have paid for it since the first check; then this fresh intent is not needed
  const paid = await paidMeanwhile(deps, session.id, productId, intent, by)
  if (paid) return result('succeeded', productId, { id: paid })
  await Promise.all([
    recordAgreement(deps.db, session.id, intent.id, {
      productId,
      terms,
      firstFullAt: undefined,
      agreement: request.agreement,
    }),
    noteAttempt(deps, session.id, { purpose, productId, method }),
  ])
  if (method === 'paypal' && intent.status !== 'processing')
    return result('paypal_redirect_immediate', productId, intent)
  const confirmable = intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation'
  // a deleted customer's methods are gone with it
  if (intent.customerId !== context.customerId) return result('requires_new_card', productId, intent)
  // a card that was used since the page was opened, or was replaced: it is not charged unasked
  if (confirmable && !(await isNamed(deps, request.agreement.paidWith, context, by)))
    return result('requires_new_card', productId, intent)
  if (confirmable && !context.oneClick)
    return result(saved === 'paypal' ? 'requires_paypal_redirect' : 'requires_new_card', productId, intent)
  return confirmable
    ? confirm(deps, productId, intent, context.paymentMethodId, by)
    : outcome(deps, productId, intent, by)
}

/** The intent that paid for the add-on meanwhile, if any; then ends the one that was just opened. */
async function paidMeanwhile(
  deps: Deps,
  sessionId: string,
  productId: AddOnId,
  opened: Intent,
  by: Deadline,
): Promise<string | null> {
  const endOpened = async (): Promise<void> => {
    const row = await findByIntent(deps.db, opened.id)
    if (row && !row.closed_at) await endIntent(deps, row.id, opened.id, by)
  }
  try {
    const { boughtWith } = await standingOf(deps, sessionId, productId)
    if (boughtWith && boughtWith !== opened.id) await endOpened()
    return boughtWith
  } catch (error) {
    if (error instanceof AppError && error.code === 'already_owned') await endOpened()
    throw error
  }
}

/**
 * Charges the saved card. After a lost answer the intent is read: it succeeds only once, however often it is confirmed.
 */
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
    if (isFailure(error, 'declined', 'missing')) {
      return {
        ...result('requires_new_card', productId, intent, 'card_error_reason'),
        reason: error.buyerMessage ?? 'Your saved card cannot be charged.',
      }
    }
    if (!isFailure(error)) throw error
    if (error.kind === 'busy') await new Promise((resume) => setTimeout(resume, 500))
    const now = await deps.stripe.readIntent(intent.id, by)
    // a card that was removed since: the form asks for another one
    if (error.kind === 'refused' && now.status === 'requires_payment_method') return outcome(deps, productId, now, by)
    if (now.status === 'requires_payment_method' || now.status === 'requires_confirmation') throw error
    return outcome(deps, productId, now, by)
  }
}

/** U-04: the result for the page, by the status of the intent. */
async function outcome(deps: Deps, productId: AddOnId, intent: Intent, by: Deadline): Promise<UpsellResult> {
  switch (intent.status) {
    case 'succeeded':
      // settled here, so that the next add-on and the account page see it; if this fails, the webhook finishes it
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
