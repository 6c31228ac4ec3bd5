// Errors in Stripe's words: status, type, code, message, param.
import { type Stripe } from '../stripe-types.ts'

/** Body of an error reply, the value of `error`. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  advice_code?: string
  network_decline_code?: string
  doc_url?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  setup_intent?: Stripe.SetupIntent
  payment_method?: Stripe.PaymentMethod
  request_log_url?: string
}

/**
 * An error reply. `keep`: the request's changes are kept (a decline leaves its charge behind); `validated`: execution
 * had begun, so an idempotency key stores this reply.
 */
export class StripeFail extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly keep: boolean
  readonly validated: boolean
  constructor(status: number, body: ErrorBody, options: { keep?: boolean; validated?: boolean } = {}) {
    super(body.message)
    this.status = status
    this.body = body.code === undefined ? body : { doc_url: docUrl(body.code), ...body }
    this.keep = options.keep ?? false
    this.validated = options.validated ?? true
  }
}

/** Stripe's page about an error code. */
export function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`
}

/** A 400 that says what is wrong with the request. */
export function invalid(message: string, extra: Partial<Omit<ErrorBody, 'type' | 'message'>> = {}): StripeFail {
  return new StripeFail(400, { type: 'invalid_request_error', message, ...extra })
}

/** A 400 found before anything was executed: an idempotency key does not store it. */
export function refused(message: string, extra: { code?: string; param?: string } = {}): StripeFail {
  return new StripeFail(400, { type: 'invalid_request_error', message, ...extra }, { validated: false })
}

const NAMES: Record<string, string> = {
  payment_intent: 'payment_intent',
  setup_intent: 'setupintent',
  payment_method: 'PaymentMethod',
  invoiceitem: 'invoiceitem',
  'test_helpers.test_clock': 'test clock',
  webhook_endpoint: 'webhook endpoint',
}

/** `No such customer: 'cus_1'`: 404 where the id is in the path, 400 where a parameter names it. */
export function missing(kind: string, id: string, param?: string): StripeFail {
  return new StripeFail(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${NAMES[kind] ?? kind}: '${id}'`,
    param: param ?? (kind === 'payment_intent' ? 'intent' : kind === 'setup_intent' ? 'intent' : 'id'),
  })
}
