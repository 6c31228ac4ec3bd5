import { PASSWORD_MESSAGES } from './password.ts'
import { PAYMENT_MESSAGES, type PaymentMessageCode } from './payment-messages.ts'

/**
 * Every error of the API: a stable code with its HTTP status. The words are for a screen that has none for the code;
 * the site decides by code, never by text.
 */
const GENERAL = {
  invalid_body: [422, 'Something in what was sent is not right. Nothing was saved or charged.'],
  malformed_json: [400, 'The request could not be read.'],
  body_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'The request has to be JSON.'],
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'This address does not take that.'],
  session_unknown: [404, 'We could not find this visit. You can go on afresh.'],
  session_forbidden: [403, 'This page belongs to another browser. We can send a link to its e-mail address.'],
  session_token_missing: [401, 'This browser does not hold this visit. We can send a link to its e-mail address.'],
  unknown_product: [422, 'We do not sell this.'],
  unknown_price: [422, 'This is not one of our prices.'],
  already_paid: [409, 'This is paid for already. You were not charged again.'],
  already_subscribed: [
    409,
    'You have a subscription with this e-mail address already, so we did not start a second one. Please sign in.',
  ],
  already_owned: [409, 'You own this already. You were not charged again.'],
  not_paid: [409, 'There is no payment for this visit yet.'],
  terms_changed: [
    409,
    'The price or the date of the next charge has changed since this page was opened. Please check and order again.',
  ],
  order_has_account: [
    409,
    'This order has an account already. Its address can only be changed in the browser in which you paid.',
  ],
  payment_not_found: [404, 'We could not find this payment. If you were charged, it will be settled by itself.'],
  payment_open: [
    409,
    'Another payment of this order is still being decided. You were not charged again. Please try again in a minute.',
  ],
  undo_over: [409, 'The ten minutes in which this add-on could be taken back are over. Nothing was changed.'],
  sign_in_required: [401, 'Please sign in.'],
  wrong_credentials: [401, 'The e-mail address or the password is not right.'],
  no_access: [403, 'This is not part of what is open for you.'],
  not_yet: [403, 'This session opens after the one before it.'],
  code_wrong: [422, 'This code is not right. Please check it, or ask for a new one.'],
  not_eligible: [409, 'This cannot be asked for here. Nothing was changed.'],
  subscription_over: [409, 'This subscription has ended already. Nothing more is charged.'],
  has_password: [409, 'This account has a password already.'],
  link_invalid: [404, 'This link is not complete. Please open it from the mail again.'],
  link_expired: [410, 'This link has expired. We can send a fresh one.'],
  too_many_requests: [429, 'That was a lot at once. Please wait a minute and try again. Nothing was charged.'],
  stripe_unavailable: [503, 'Our payment provider does not answer right now. Please try again.'],
  service_unavailable: [503, 'We cannot do this right now. Please try again in a minute.'],
  internal: [500, 'Something went wrong on our side. Nothing was lost. Please try again.'],
} as const satisfies Record<string, readonly [status: number, words: string]>

/** The wait, to follow "Please try again": rounded up to minutes, or to hours from two hours on. */
export function waitWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes === 1) return 'in a minute'
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}

/** Payment messages that the service answers with, and their status. */
const PAYMENT_STATUS = {
  card_error_reason: 402,
  payment_failed_reason: 402,
  payment_failed_other_method: 402,
  initial_not_successful: 409,
  customer_mismatch: 409,
  email_required: 422,
  customer_missing: 409,
  customer_email_missing: 409,
  customer_setup_failed: 502,
  payment_setup_failed: 502,
  no_payment_method: 409,
  no_saved_context: 404,
  price_not_found: 502,
  product_details_failed: 502,
  record_failed_reason: 503,
  context_database_error: 503,
  subscription_failed: 502,
  paypal_use_card: 409,
  no_product_selected: 422,
  account_exists: 409,
  account_email_invalid: 422,
  account_password_weak: 422,
  account_failed: 500,
} as const satisfies Partial<Record<PaymentMessageCode, number>>

const PASSWORD_STATUS = 422

export type GeneralErrorCode = keyof typeof GENERAL
export type PaymentErrorCode = keyof typeof PAYMENT_STATUS
export type PasswordErrorCode = keyof typeof PASSWORD_MESSAGES
export type ErrorCode = GeneralErrorCode | PaymentErrorCode | PasswordErrorCode

export const ERROR_CODES = [
  ...Object.keys(GENERAL),
  ...Object.keys(PAYMENT_STATUS),
  ...Object.keys(PASSWORD_MESSAGES),
] as ErrorCode[]

/** HTTP status and words of a code. */
export function errorOf(code: ErrorCode): { status: number; words: string } {
  if (Object.hasOwn(GENERAL, code)) {
    const [status, words] = GENERAL[code as GeneralErrorCode]
    return { status, words }
  }
  if (Object.hasOwn(PASSWORD_MESSAGES, code)) {
    return { status: PASSWORD_STATUS, words: PASSWORD_MESSAGES[code as PasswordErrorCode] }
  }
  const payment = code as PaymentErrorCode
  return { status: PAYMENT_STATUS[payment], words: PAYMENT_MESSAGES[payment].words }
}
