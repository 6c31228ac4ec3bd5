import Stripe from 'stripe'
import { paymentMessage } from '../../contract/payment-messages.ts'
import { AppError } from '../http/errors.ts'

/**
 * away: no answer, or none to be trusted (timeout, 5xx, 429): ask again later. busy: a call with the same key or on the
 * same object is running. declined: the card or wallet was refused. missing: Stripe has no such object. refused: our
 * request does not fit the object's state.
 */
export type FailureKind = 'away' | 'busy' | 'declined' | 'missing' | 'refused'

/** A failed call to Stripe, classified by what can be done about it. */
export class StripeFailure extends Error {
  readonly kind: FailureKind
  readonly code: string | null
  /** The parameter of our request that the error is about. */
  readonly param: string | null
  /** Stripe's words for the buyer (declines only). */
  readonly buyerMessage: string | null
  /** Stripe has answered, so the same key would replay this answer: the next try needs another one. */
  readonly answered: boolean
  /** The intent a failed confirmation left behind. */
  readonly intentId: string | null

  constructor(kind: FailureKind, error: InstanceType<typeof Stripe.errors.StripeError>) {
    super(`Stripe ${kind}: ${error.type} ${error.code ?? ''} ${error.message}`, { cause: error })
    this.name = 'StripeFailure'
    this.kind = kind
    // a card error without one has an empty decline_code
    this.code = error.decline_code || error.code || null
    this.param = error.param ?? null
    this.buyerMessage = kind === 'declined' ? error.message : null
    this.answered = error.statusCode !== undefined && kind !== 'busy' && error.statusCode !== 429
    this.intentId = (error.payment_intent as { id?: string } | undefined)?.id ?? null
  }
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): FailureKind {
  if (error instanceof Stripe.errors.StripeCardError) return 'declined'
  if (error.code === 'resource_missing') return 'missing'
  const status = error.statusCode
  if (status === 409 || error.code === 'lock_timeout') return 'busy'
  if (status === undefined || status >= 500 || status === 429) return 'away'
  return 'refused'
}

/** Runs one call; throws StripeFailure for any error of Stripe or the network. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw new StripeFailure(kindOf(error), error)
    throw error
  }
}

export function isFailure(error: unknown, ...kinds: FailureKind[]): error is StripeFailure {
  return error instanceof StripeFailure && (kinds.length === 0 || kinds.includes(error.kind))
}

/** Whether the customer no longer exists at Stripe: it was deleted in the dashboard. */
export function isCustomerGone(error: unknown): boolean {
  const failure = error instanceof AppError ? error.cause : error
  return isFailure(failure, 'missing', 'refused') && failure.param === 'customer' && failure.code === 'resource_missing'
}

/** The error for the browser about a failed call: unreachable, declined in Stripe's words, or our fault. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof StripeFailure)) return error
  if (error.kind === 'away' || error.kind === 'busy')
    return new AppError('stripe_unavailable', { cause: error, retryAfter: 5 })
  if (error.kind === 'declined' && error.buyerMessage) {
    const message = paymentMessage('card_error_reason', { reason: error.buyerMessage })
    return new AppError('card_error_reason', { cause: error, message })
  }
  return new AppError('internal', { cause: error })
}
