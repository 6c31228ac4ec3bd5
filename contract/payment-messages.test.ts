import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PAYMENT_MESSAGES, type PaymentMessageCode } from './payment-messages.ts'

/** Sections 4, 5 and 8 of the second specification text, copied from it by hand and apart from the table. */
const SPECIFIED = `
Further action is required to complete the payment.
Some products were processed successfully, but {count} failed. Please contact support.
Failed to process any selected products
Unexpected payment result status
Email is required for payment
Session ID not found
Session information missing.
Please select at least one product to continue.
Customer email missing.
Payment system is not ready. Please try again.
Customer information missing. Please refresh and try again.
Card information is incomplete. Please fill all fields.
PaymentIntent customer mismatch.
ProductId missing for subscription creation.
Stripe has not loaded yet. Please wait and try again.
An unexpected payment error occurred
Payment failed. Please try a different payment method.
Payment is processing. We will update you shortly.
Payment confirmation did not return a PaymentIntent.
Failed to finalize payment record
Failed to finalize upsell payment record.
Product context lost after payment form success.
Payment processed but finalization failed. Please contact support.
Payment requires additional verification. Please follow the prompts.
Payment processing. If using PayPal, you will be redirected.
Payment processing failed. Please try again.
Payment system not available. Please try again.
PayPal payment failed. Please try again.
Failed to initialize PayPal payment.
PayPal setup failed. Please try again.
Failed to setup customer. Please try again.
Failed to setup payment. Please try again.
Failed to process order. Please try again.
Payment failed: {reason}
PayPal error: {reason}
Card error: {reason}
Validation error: {reason}
Failed to initialize PayPal. Please try using a card instead.
Payment system isn't ready yet. Please try again.
Payment session expired. Please try again.
Payment confirmation failed.
Payment failed with status: {status}. Please try again.
An unexpected error occurred during payment.
Failed to get product details for Payment Intent
Payment was not properly initialized
Payment system is not ready. Please wait a moment and try again.
Session ID is missing. Cannot process payment.
Initial payment not successful. Status: {status}
Cannot create subscription without a payment method.
Failed to record payment transaction: {reason}
Payment successful, but subscription setup failed: {reason}
Failed to create subscription. Please try again.
Payment successful, but there was an issue updating your session. Please contact support.
No saved payment context found for this session.
Database error retrieving payment context.
Product price not found and no fallback available.
An account with this email already exists. Please try signing in instead.
Please enter a valid email address.
Password does not meet requirements.
Failed to create account. Please try again.
Payment system failed to load
Payment setup incomplete
Payment setup information missing
Failed to retrieve payment setup
Payment setup failed: {status}
Session information missing. Please start over.
Customer information missing. Please start over.
An unexpected error occurred.
Missing required parameters
Customer information missing
Failed to process payment
`

/** The specification requires a message but leaves its words to us. */
const OURS: readonly PaymentMessageCode[] = ['three_d_secure_required']

/** Messages for states that this product cannot reach, each with the reason (docs/decisions/money.md). */
const IMPOSSIBLE: Partial<Record<PaymentMessageCode, string>> = {
  subscription_failed_reason: 'follow-up steps are non-fatal (section 4): the subscription is made by its claim later',
  session_update_failed: 'charge and session are written in one transaction',
  product_id_missing: 'an intent is made from a row that names its product',
}

/** Messages that the service says and no page shows, each with where they end (docs/decisions/money.md). */
const UNREAD: Partial<Record<PaymentMessageCode, string>> = {
  record_failed_reason: 'a 503: the page asks again, and says processed_not_finalized when its patience ends',
  no_payment_method: 'thrown while the subscription is made after the payment: read by operators alone',
}

/** Whether the sources of a folder name a code. */
function saidIn(folder: string): (code: string) => boolean {
  const root = join(import.meta.dirname, '..', folder)
  const sources = globSync('**/*.{ts,tsx,astro}', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  return (code) => sources.some((text) => text.includes(`'${code}'`))
}

describe('the messages of the second text', () => {
  test('P-11 the table holds each of them to the letter, and nothing else', () => {
    const words = (Object.keys(PAYMENT_MESSAGES) as PaymentMessageCode[])
      .filter((code) => !OURS.includes(code))
      .map((code) => PAYMENT_MESSAGES[code].words as string)
    expect(words.sort()).toEqual(SPECIFIED.trim().split('\n').sort())
  })

  test('P-11 each is said somewhere, but for those of states that cannot be; two no visitor reads', () => {
    const said = { pages: saidIn('src'), service: saidIn('payments-service') }
    const silent = Object.keys(PAYMENT_MESSAGES).filter((code) => !said.pages(code) && !said.service(code))
    expect(silent.sort()).toEqual(Object.keys(IMPOSSIBLE).sort())
    for (const code of Object.keys(UNREAD)) {
      expect([said.service(code), said.pages(code)], code).toEqual([true, false])
    }
  })
})
