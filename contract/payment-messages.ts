/**
 * P-11: every message of sections 4, 5 and 8 of the second specification text, word for word. One row each: when it
 * applies (condition) and where it appears (screen). Near-duplicates keep separate codes, because they belong to
 * different places. `paymentMessage` fills {reason} and {status}; a reason is the payment provider's message for the
 * buyer or ours, never an internal one.
 */
export type Screen =
  | 'payment_form'
  | 'checkout'
  | 'special_offer'
  | 'upsell'
  | 'account'
  | 'paypal_setup_return'
  | 'upsell_paypal_return'
  | 'service'

interface Row {
  words: string
  screen: Screen
  condition: string
}

const row = (screen: Screen, words: string, condition: string): Row => ({ words, screen, condition })

export const PAYMENT_MESSAGES = {
  // section 4
  further_action_required: row(
    'payment_form',
    'Further action is required to complete the payment.',
    'initial intent is requires_action',
  ),
  upsell_some_failed: row(
    'upsell',
    'Some products were processed successfully, but {count} failed. Please contact support.',
    'several picked, some charged',
  ),
  upsell_all_failed: row('upsell', 'Failed to process any selected products', 'several picked, none charged'),
  unexpected_result_status: row(
    'upsell',
    'Unexpected payment result status',
    'an upsell answers with an unknown status',
  ),
  // section 5
  email_required: row('checkout', 'Email is required for payment', 'no email in the form'),
  session_not_found: row('checkout', 'Session ID not found', 'no session id in the path or the browser'),
  session_information_missing: row('checkout', 'Session information missing.', 'a session id without its session'),
  no_product_selected: row('upsell', 'Please select at least one product to continue.', 'nothing picked'),
  customer_email_missing: row('upsell', 'Customer email missing.', 'no email known for the session'),
  element_not_ready: row(
    'payment_form',
    'Payment system is not ready. Please try again.',
    'the card element has not mounted',
  ),
  customer_missing: row(
    'payment_form',
    'Customer information missing. Please refresh and try again.',
    'no customer stored for the session',
  ),
  card_incomplete: row(
    'payment_form',
    'Card information is incomplete. Please fill all fields.',
    'number, expiry or CVC incomplete',
  ),
  customer_mismatch: row('service', 'PaymentIntent customer mismatch.', "the intent's customer is not the session's"),
  product_id_missing: row('service', 'ProductId missing for subscription creation.', 'an intent without a product'),
  // section 8: payment messages shown to the user
  stripe_not_loaded: row(
    'payment_form',
    'Stripe has not loaded yet. Please wait and try again.',
    'submitted before the payment script is there',
  ),
  unexpected_payment_error: row(
    'payment_form',
    'An unexpected payment error occurred',
    'the provider failed without words of its own',
  ),
  payment_failed_other_method: row(
    'payment_form',
    'Payment failed. Please try a different payment method.',
    'intent is requires_payment_method',
  ),
  payment_processing: row('payment_form', 'Payment is processing. We will update you shortly.', 'intent is processing'),
  three_d_secure_required: row(
    'payment_form',
    'Your bank asks you to confirm this payment. Please complete the verification.',
    'a 3-D Secure step is open',
  ),
  no_payment_intent: row(
    'payment_form',
    'Payment confirmation did not return a PaymentIntent.',
    'confirmation resolved without an intent',
  ),
  finalize_record_failed: row('payment_form', 'Failed to finalize payment record', 'finalize refused or unreachable'),
  finalize_upsell_record_failed: row(
    'upsell',
    'Failed to finalize upsell payment record.',
    'upsell finalize refused or unreachable',
  ),
  product_context_lost: row(
    'upsell',
    'Product context lost after payment form success.',
    'the paid form no longer knows its product',
  ),
  processed_not_finalized: row(
    'payment_form',
    'Payment processed but finalization failed. Please contact support.',
    'charged, and finalize keeps failing',
  ),
  additional_verification: row(
    'upsell',
    'Payment requires additional verification. Please follow the prompts.',
    'an upsell is requires_action',
  ),
  processing_paypal_redirect: row(
    'upsell',
    'Payment processing. If using PayPal, you will be redirected.',
    'an upsell is processing',
  ),
  processing_failed: row('upsell', 'Payment processing failed. Please try again.', 'an upsell failed without a reason'),
  system_not_available: row(
    'upsell',
    'Payment system not available. Please try again.',
    'the payment script failed to load',
  ),
  paypal_failed: row('checkout', 'PayPal payment failed. Please try again.', 'PayPal confirmation failed'),
  paypal_init_failed: row('checkout', 'Failed to initialize PayPal payment.', 'no PayPal intent could be made'),
  paypal_setup_failed: row('checkout', 'PayPal setup failed. Please try again.', 'PayPal setup confirmation failed'),
  customer_setup_failed: row(
    'checkout',
    'Failed to setup customer. Please try again.',
    'the customer could not be made',
  ),
  payment_setup_failed: row(
    'checkout',
    'Failed to setup payment. Please try again.',
    'the intent could not be made (an alert on the page)',
  ),
  order_failed: row('upsell', 'Failed to process order. Please try again.', 'the order call itself failed'),
  payment_failed_reason: row('payment_form', 'Payment failed: {reason}', 'a failure with words for the buyer'),
  paypal_error_reason: row('checkout', 'PayPal error: {reason}', 'a PayPal failure with words for the buyer'),
  card_error_reason: row('payment_form', 'Card error: {reason}', 'the provider reports a card_error'),
  validation_error_reason: row('payment_form', 'Validation error: {reason}', 'the provider reports a validation_error'),
  paypal_use_card: row(
    'checkout',
    'Failed to initialize PayPal. Please try using a card instead.',
    'PayPal is not available',
  ),
  system_not_ready_yet: row(
    'upsell',
    "Payment system isn't ready yet. Please try again.",
    'submitted before the upsell form is ready',
  ),
  payment_session_expired: row(
    'payment_form',
    'Payment session expired. Please try again.',
    'the intent was cancelled or its secret is gone',
  ),
  confirmation_failed: row('payment_form', 'Payment confirmation failed.', 'confirmation failed without words'),
  failed_with_status: row(
    'payment_form',
    'Payment failed with status: {status}. Please try again.',
    'any other intent status',
  ),
  unexpected_during_payment: row(
    'payment_form',
    'An unexpected error occurred during payment.',
    'an exception in the form',
  ),
  product_details_failed: row('service', 'Failed to get product details for Payment Intent', 'the price lookup failed'),
  not_initialized: row('payment_form', 'Payment was not properly initialized', 'no client secret'),
  wait_a_moment: row(
    'payment_form',
    'Payment system is not ready. Please wait a moment and try again.',
    'elements are still loading',
  ),
  session_id_missing: row('payment_form', 'Session ID is missing. Cannot process payment.', 'a form without a session'),
  initial_not_successful: row(
    'service',
    'Initial payment not successful. Status: {status}',
    'finalize finds another status than succeeded',
  ),
  no_payment_method: row(
    'service',
    'Cannot create subscription without a payment method.',
    'the intent carries no payment method',
  ),
  record_failed_reason: row(
    'service',
    'Failed to record payment transaction: {reason}',
    'the payment could not be written',
  ),
  subscription_failed_reason: row(
    'service',
    'Payment successful, but subscription setup failed: {reason}',
    'charged, subscription refused',
  ),
  subscription_failed: row(
    'service',
    'Failed to create subscription. Please try again.',
    'subscription refused before a charge',
  ),
  session_update_failed: row(
    'service',
    'Payment successful, but there was an issue updating your session. Please contact support.',
    'charged, session not updated',
  ),
  no_saved_context: row(
    'service',
    'No saved payment context found for this session.',
    'no payment to reuse a method from',
  ),
  context_database_error: row('service', 'Database error retrieving payment context.', 'the context could not be read'),
  price_not_found: row(
    'service',
    'Product price not found and no fallback available.',
    'no price at Stripe and no fallback (P-09)',
  ),
  // sign-up failures
  account_exists: row(
    'account',
    'An account with this email already exists. Please try signing in instead.',
    'the address has an account',
  ),
  account_email_invalid: row('account', 'Please enter a valid email address.', 'the address is none'),
  account_password_weak: row('account', 'Password does not meet requirements.', 'the service refuses the password'),
  account_failed: row('account', 'Failed to create account. Please try again.', 'anything else'),
  // PayPal setup return, each followed by a redirect to / after 3 seconds
  setup_load_failed: row('paypal_setup_return', 'Payment system failed to load', 'the payment script failed to load'),
  setup_incomplete: row('paypal_setup_return', 'Payment setup incomplete', 'redirect_status is not succeeded'),
  setup_information_missing: row(
    'paypal_setup_return',
    'Payment setup information missing',
    'no setup intent in the address',
  ),
  setup_retrieve_failed: row(
    'paypal_setup_return',
    'Failed to retrieve payment setup',
    'the setup intent cannot be read',
  ),
  setup_failed_status: row(
    'paypal_setup_return',
    'Payment setup failed: {status}',
    'the setup intent has another status',
  ),
  setup_session_missing: row('paypal_setup_return', 'Session information missing. Please start over.', 'no session'),
  setup_customer_missing: row('paypal_setup_return', 'Customer information missing. Please start over.', 'no customer'),
  setup_unexpected: row('paypal_setup_return', 'An unexpected error occurred.', 'anything else'),
  // upsell PayPal return, under 'Payment Error' with 'Try Again'
  upsell_return_parameters: row('upsell_paypal_return', 'Missing required parameters', 'the address lacks a part'),
  upsell_return_customer: row('upsell_paypal_return', 'Customer information missing', 'no email or customer'),
  upsell_return_failed: row('upsell_paypal_return', 'Failed to process payment', 'the payment did not succeed'),
} as const satisfies Record<string, Row>

export type PaymentMessageCode = keyof typeof PAYMENT_MESSAGES

/** The words of a code with its blanks filled; a missing value reads "unknown". */
export function paymentMessage(
  code: PaymentMessageCode,
  blanks: { reason?: string; status?: string; count?: number } = {},
): string {
  return PAYMENT_MESSAGES[code].words.replace(/\{(reason|status|count)\}/g, (_, name: 'reason' | 'status' | 'count') =>
    String(blanks[name] ?? 'unknown'),
  )
}
