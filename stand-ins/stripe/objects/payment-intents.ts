// Payment intents.
import { type Stripe } from '../stripe-types.ts'
import { invalid } from '../http/errors.ts'
import { newId, newSecret } from '../ids.ts'
import { type Tx } from '../state.ts'
import { metadata } from './metadata.ts'
import { methodOptions, methodTypes } from './intent-params.ts'

/** Statuses in which an intent can still be changed and confirmed. */
export const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const
const MINIMUM: Record<string, [cents: number, words: string]> = {
  usd: [50, '$0.50 usd'],
  eur: [50, '€0.50 eur'],
  gbp: [30, '£0.30 gbp'],
}

/** Why an amount is refused: not a whole number of cents, too small for the currency, too large. */
export function checkAmount(amount: number, currency: string): void {
  if (!Number.isInteger(amount))
    throw invalid(`Invalid integer: ${amount}`, { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  const least = MINIMUM[currency]
  if (least && amount < least[0])
    throw invalid(`Amount must be at least ${least[1]}`, { code: 'amount_too_small', param: 'amount' })
  if (amount > 99_999_999)
    throw invalid('Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' })
}

export type Create = Omit<Stripe.PaymentIntentCreateParams, 'payment_method_options'> & {
  payment_method_options?: object
}

/** Stores a new intent and emits `payment_intent.created`. */
export function createIntent(tx: Tx, params: Create, method?: Stripe.PaymentMethod): Stripe.PaymentIntent {
  const currency = params.currency.toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${params.currency}`, { param: 'currency' })
  checkAmount(params.amount, currency)
  if (params.capture_method === 'manual')
    throw invalid('This sandbox does not hold funds: capture_method=manual is not part of it.', {
      param: 'capture_method',
    })
  const types = methodTypes(params)
  const id = newId('pi')
  const intent = tx.put<Stripe.PaymentIntent>({
    id,
    object: 'payment_intent',
    ...types,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method ?? 'automatic_async',
    client_secret: newSecret(id),
    confirmation_method: params.confirmation_method ?? 'automatic',
    created: tx.now(params.customer),
    currency,
    customer: params.customer ?? null,
    customer_account: null,
    description: params.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: metadata({}, params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: method?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: methodOptions(types.payment_method_types, params.payment_method_options, null, false),
    payment_record: null,
    processing: null,
    receipt_email: params.receipt_email ?? null,
    review: null,
    setup_future_usage: params.setup_future_usage ?? null,
    shipping: (params.shipping ?? null) as Stripe.PaymentIntent.Shipping | null,
    source: null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: params.transfer_group ?? null,
  } as unknown as Stripe.PaymentIntent)
  tx.emit('payment_intent.created', intent)
  return intent
}
