// What payment and setup intents share: the methods they accept and how a call names a method.
import { type Stripe } from '../stripe-types.ts'
import { invalid } from '../http/errors.ts'
import { type Call } from '../http/router.ts'
import { idOf } from '../types.ts'
import { createPaymentMethod, resolvePaymentMethod } from './payment-methods.ts'

/** Payment method types that the sandbox knows, as if switched on in Stripe's Dashboard. */
export const ACTIVE_TYPES = ['card', 'paypal'] as const

interface MethodParams {
  allowed_payment_method_types?: string[] | undefined
  automatic_payment_methods?: { enabled: boolean; allow_redirects?: string } | undefined
  excluded_payment_method_types?: string[] | '' | null | undefined
  payment_method_configuration?: string | undefined
}

export interface MethodTypes {
  allowed_payment_method_types: never
  automatic_payment_methods: { enabled: boolean; allow_redirects: string } | null
  excluded_payment_method_types: never
  payment_method_types: string[]
}

/** The payment methods an intent accepts. `allowed_payment_method_types` excludes the other ways to specify them. */
export function methodTypes(params: MethodParams): MethodTypes {
  const allowed = params.allowed_payment_method_types
  if (allowed) {
    for (const other of [
      'automatic_payment_methods',
      'excluded_payment_method_types',
      'payment_method_configuration',
    ] as const) {
      if (params[other] !== undefined) {
        throw invalid(`You may only specify one of these parameters: allowed_payment_method_types, ${other}.`, {
          code: 'parameters_exclusive',
          param: 'allowed_payment_method_types',
        })
      }
    }
    const odd = allowed.find((type) => !(ACTIVE_TYPES as readonly string[]).includes(type))
    if (odd !== undefined) {
      throw invalid(
        `The payment method type "${odd}" is invalid. Please ensure the provided type is activated in your ` +
          `dashboard and your account is enabled for any preview features that you are trying to use.`,
        { code: 'payment_intent_invalid_parameter', param: 'allowed_payment_method_types' },
      )
    }
    return {
      allowed_payment_method_types: allowed as never,
      automatic_payment_methods: null,
      excluded_payment_method_types: null as never,
      payment_method_types: allowed,
    }
  }
  const redirects = params.automatic_payment_methods?.allow_redirects ?? 'always'
  const excluded = params.excluded_payment_method_types || null
  return {
    allowed_payment_method_types: null as never,
    automatic_payment_methods: { allow_redirects: redirects, enabled: true },
    excluded_payment_method_types: excluded as never,
    payment_method_types: ACTIVE_TYPES.filter(
      (type) => !(excluded ?? []).includes(type) && (type === 'card' || redirects === 'always'),
    ),
  }
}

/** Options per method type as replies show them. */
export function methodOptions(
  types: string[],
  params: object | undefined,
  old: object | null,
  setup: boolean,
): Record<string, object> {
  const given = (params ?? {}) as Record<string, Record<string, unknown> | undefined>
  const before = (old ?? {}) as Record<string, Record<string, unknown> | undefined>
  const base: Record<string, object> = setup
    ? {
        card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
        paypal: { billing_agreement_id: null },
      }
    : {
        card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
        paypal: { preferred_locale: null, reference: null },
      }
  const out: Record<string, object> = {}
  for (const type of types) {
    if (base[type]) out[type] = { ...base[type], ...before[type], ...given[type] }
  }
  return out
}

interface Named {
  payment_method?: string
  payment_method_data?: object
}

/** The method a call names: by id, by `pm_card_…`, or described by `payment_method_data`. */
export function namedMethod({ tx, browser }: Call, params: Named): Stripe.PaymentMethod | undefined {
  if (params.payment_method_data) {
    if (params.payment_method !== undefined) {
      throw invalid('You may only specify one of these parameters: payment_method, payment_method_data.', {
        code: 'parameters_exclusive',
        param: 'payment_method_data',
      })
    }
    return createPaymentMethod(
      tx,
      params.payment_method_data as Stripe.PaymentMethodCreateParams & { type: 'card' },
      browser,
      'payment_method_data',
    )
  }
  return params.payment_method === undefined
    ? undefined
    : resolvePaymentMethod(tx, params.payment_method, 'payment_method')
}

/** Throws unless the customer of a call exists. */
export function knownCustomer({ tx }: Call, id: string | undefined): void {
  if (id !== undefined) tx.need('customer', id, 'customer')
}

/** A method that belongs to someone must belong to this customer. */
export function sameOwner(method: Stripe.PaymentMethod | undefined, customer: string | null): void {
  const owner = idOf(method?.customer ?? null)
  if (method && owner !== null && owner !== customer) {
    throw invalid(
      customer === null
        ? 'The provided PaymentMethod cannot be used with this intent because it is attached to a Customer. ' +
            'Please include the Customer in the `customer` parameter.'
        : `The customer does not have a payment method with the ID ${method.id}. The payment method must be ` +
            `attached to the customer.`,
      { code: 'resource_missing', param: 'payment_method' },
    )
  }
}
