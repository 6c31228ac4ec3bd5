// The test cards: number → what the bank says. Words and codes as Stripe's (docs.stripe.com/testing).
import { COUNTRY_CARDS } from './country-cards.ts'
import { type Hidden } from './types.ts'

/** Why a payment is refused. */
export interface Decline {
  code: string
  decline_code?: string
  message: string
  advice_code?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later'
}

export interface TestCard {
  number: string
  /** The `pm_card_…` name of the card in calls with a secret key. */
  token?: string
  brand: string
  funding: 'credit' | 'debit' | 'prepaid'
  /** Where its bank is (ISO 3166). */
  country: string
  /** Every charge is declined. */
  charge?: Decline
  /** The card cannot be saved to a customer either. */
  noAttach?: boolean
  /**
   * 3-D Secure: `until_set_up` asks until the card is saved with authentication; `on_session`
   * only while the buyer is there.
   */
  auth?: 'always' | 'until_set_up' | 'on_session'
  /** Dispute opened right after the charge. */
  dispute?: 'fraudulent' | 'product_not_received'
  /** The dispute begins as an inquiry: no money moves. */
  inquiry?: boolean
  /** The outcome of a refund of the charge, some time after the request. */
  refund?: 'pending' | 'failed'
}

const card = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
  advice_code: decline_code === 'lost_card' || decline_code === 'stolen_card' ? 'do_not_try_again' : 'try_again_later',
})
export const GENERIC = card('generic_decline')
export const INSUFFICIENT = card('insufficient_funds', 'Your card has insufficient funds.')
export const EXPIRED: Decline = { code: 'expired_card', message: 'Your card has expired.' }
export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}
const LIVE = card(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of ' +
    'valid test cards, visit: https://stripe.com/docs/testing.',
)

/**
 * Refusals after which a planned retry of an invoice is made with another method only
 * (docs.stripe.com/billing/revenue-recovery/smart-retries#non-retryable-decline-codes).
 */
export const NOT_RETRIED: ReadonlySet<string> = new Set([
  'authentication_required',
  'highest_risk_level',
  'incorrect_number',
  'lost_card',
  'pickup_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'transaction_not_allowed',
])

type Row = [number: string, token: string, more?: Partial<TestCard>]
const ROWS: Row[] = [
  ['4242424242424242', 'visa'],
  ['4000056655665556', 'visa_debit', { funding: 'debit' }],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', ''],
  ['5200828282828210', 'mastercard_debit', { funding: 'debit' }],
  ['5105105105105100', 'mastercard_prepaid', { funding: 'prepaid' }],
  ['378282246310005', 'amex'],
  ['371449635398431', ''],
  ['6011111111111117', 'discover'],
  ['6011000990139424', ''],
  ['3056930009020004', 'diners'],
  ['36227206271667', ''],
  ['3566002020360505', 'jcb'],
  ['6200000000000005', 'unionpay'],
  ['4000000000000002', 'visa_chargeDeclined', { charge: GENERIC, noAttach: true }],
  ['4000000000009995', 'visa_chargeDeclinedInsufficientFunds', { charge: INSUFFICIENT, noAttach: true }],
  ['4000000000009987', 'visa_chargeDeclinedLostCard', { charge: card('lost_card'), noAttach: true }],
  ['4000000000009979', 'visa_chargeDeclinedStolenCard', { charge: card('stolen_card'), noAttach: true }],
  ['4000000000000069', 'chargeDeclinedExpiredCard', { charge: EXPIRED, noAttach: true }],
  [
    '4000000000000127',
    'chargeDeclinedIncorrectCvc',
    { charge: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." }, noAttach: true },
  ],
  [
    '4000000000000119',
    'chargeDeclinedProcessingError',
    {
      charge: {
        code: 'processing_error',
        message: 'An error occurred while processing your card. Try again in a little bit.',
        advice_code: 'try_again_later',
      },
      noAttach: true,
    },
  ],
  [
    '4000000000006975',
    'visa_chargeDeclinedVelocityLimitExceeded',
    {
      charge: card(
        'card_velocity_exceeded',
        'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
      ),
      noAttach: true,
    },
  ],
  ['4100000000000019', 'radarBlock', { charge: card('fraudulent') }],
  ['4000000000000341', 'chargeCustomerFail', { charge: GENERIC }],
  ['4000002500003155', 'authenticationRequiredOnSetup', { auth: 'until_set_up' }],
  ['4000002760003184', 'authenticationRequired', { auth: 'always' }],
  ['4000003800000446', 'authenticationRequiredSetupForOffSession', { auth: 'on_session' }],
  [
    '4000008260003178',
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    { auth: 'until_set_up', charge: INSUFFICIENT },
  ],
  ['4000008400001629', 'threeDSecureRequiredChargeDeclined', { auth: 'always', charge: GENERIC }],
  ['4000000000003220', 'threeDSecure2Required', { auth: 'always' }],
  ['4000000000003063', 'threeDSecureRequired', { auth: 'always' }],
  ['4000000000003055', 'threeDSecureOptional'],
  ['4000000000000259', 'createDispute', { dispute: 'fraudulent' }],
  ['4000000000002685', 'createDisputeProductNotReceived', { dispute: 'product_not_received' }],
  ['4000000000001976', 'createDisputeInquiry', { dispute: 'fraudulent', inquiry: true }],
  ['4000000000007726', 'pendingRefund', { refund: 'pending' }],
  ['4000000000005126', 'refundFail', { refund: 'failed' }],
  ...Object.entries(COUNTRY_CARDS).map(([country, number]): Row => [number, country.toLowerCase(), { country }]),
]

/** Brand by the first digits, as Stripe names it. */
export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(6011|65|64[4-9])/.test(number)) return 'discover'
  if (/^3(0[0-5]|[68])/.test(number)) return 'diners'
  if (/^35/.test(number)) return 'jcb'
  if (/^62/.test(number)) return 'unionpay'
  return 'unknown'
}

export const CARDS: readonly TestCard[] = ROWS.map(([number, token, more]) => ({
  number,
  brand: brandOf(number),
  funding: 'credit',
  country: 'US',
  ...(token === '' ? {} : { token: `pm_card_${token}` }),
  ...more,
}))
const BY_NUMBER = new Map(CARDS.map((one) => [one.number, one]))
const BY_TOKEN = new Map(CARDS.flatMap((one) => (one.token ? [[one.token, one] as const] : [])))
// Aliases that Stripe's pages use.
for (const [alias, number] of [
  ['pm_card_us', '4242424242424242'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_visa_chargeDeclinedIncorrectCvc', '4000000000000127'],
  ['pm_card_visa_chargeDeclinedProcessingError', '4000000000000119'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_authenticationRequiredSetup', '4000002500003155'],
] as const) {
  const known = BY_NUMBER.get(number)
  if (known) BY_TOKEN.set(alias, known)
}

/** The card behind a `pm_card_…` name. */
export function cardByToken(token: string): TestCard | undefined {
  return BY_TOKEN.get(token)
}

/** The card behind a number; any other number is declined, as in Stripe's test mode. */
export function cardByNumber(number: string): TestCard {
  return (
    BY_NUMBER.get(number) ?? {
      number,
      brand: brandOf(number),
      funding: 'credit',
      country: 'US',
      charge: LIVE,
      noAttach: true,
    }
  )
}

/** Luhn's check digit. */
export function luhn(number: string): boolean {
  let sum = 0
  ;[...number].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  })
  return sum % 10 === 0
}

/** Whether this payment must be authenticated by the buyer. */
export function needsAuthentication(card: TestCard, saved: Hidden, offSession: boolean): boolean {
  if (card.auth === undefined) return false
  if (card.auth === 'always') return true
  if (card.auth === 'on_session') return !offSession
  return saved.setUp !== true
}
