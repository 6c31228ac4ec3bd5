// Charges: one per attempt that reached the bank.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { fields, listing } from '../schemas.ts'
import { newId, letters } from '../ids.ts'
import { type Decline } from '../cards.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'

function details(
  method: Stripe.PaymentMethod,
  amount: number,
  authenticated: boolean,
  decline?: Decline,
): Stripe.Charge.PaymentMethodDetails {
  if (method.type === 'paypal') {
    return {
      type: 'paypal',
      paypal: {
        country: method.paypal?.country ?? null,
        payer_email: method.paypal?.payer_email ?? null,
        payer_id: method.paypal?.payer_id ?? null,
        payer_name: method.billing_details.name,
        seller_protection: { dispute_categories: ['fraudulent', 'product_not_received'], status: 'eligible' },
        transaction_id: decline ? null : letters(17).toUpperCase(),
      },
    }
  }
  const card = method.card
  if (!card) throw new Error(`no card on ${method.id}`)
  return {
    type: 'card',
    card: {
      amount_authorized: decline ? null : amount,
      authorization_code: decline ? null : letters(6).toUpperCase(),
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: card.checks?.cvc_check === null ? null : decline?.code === 'incorrect_cvc' ? 'fail' : 'pass',
      },
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      installments: null,
      last4: card.last4,
      mandate: null,
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: letters(15).toUpperCase(),
      regulated_status: 'unregulated',
      three_d_secure: authenticated
        ? {
            authentication_flow: 'challenge',
            electronic_commerce_indicator: '05',
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: letters(36).toLowerCase(),
            version: '2.2.0',
          }
        : null,
      transaction_link_id: null,
      wallet: card.wallet,
    } as unknown as Stripe.Charge.PaymentMethodDetails.Card,
  }
}

/** Records an attempt to take an intent's amount; emits `charge.succeeded` or `charge.failed`. */
export function recordCharge(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  result: { authenticated: boolean; decline?: Decline | undefined },
): Stripe.Charge {
  const { decline } = result
  const id = newId('ch')
  const charge = tx.put<Stripe.Charge>({
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: decline ? null : newId('txn'),
    billing_details: method.billing_details,
    calculated_statement_descriptor: method.type === 'card' ? 'EMBEDDED SANDBOX' : null,
    captured: !decline,
    created: tx.now(idOf(intent.customer)),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: decline
      ? {
          advice_code: decline.advice_code ?? null,
          network_advice_code: null,
          network_decline_code: '01',
          network_status: decline.decline_code === 'fraudulent' ? 'not_sent_to_network' : 'declined_by_network',
          reason: decline.decline_code ?? decline.code,
          risk_level: decline.decline_code === 'fraudulent' ? 'highest' : 'normal',
          risk_score: decline.decline_code === 'fraudulent' ? 99 : 24,
          seller_message:
            decline.decline_code === 'fraudulent'
              ? 'Stripe blocked this payment as too risky.'
              : 'The bank did not return any further details with this decline.',
          type: decline.decline_code === 'fraudulent' ? 'blocked' : 'issuer_declined',
        }
      : {
          advice_code: null,
          network_advice_code: null,
          network_decline_code: null,
          network_status: 'approved_by_network',
          reason: null,
          risk_level: 'normal',
          risk_score: 24,
          seller_message: 'Payment complete.',
          type: 'authorized',
        },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: details(method, intent.amount, result.authenticated, decline),
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `https://pay.stripe.com/receipts/payment/${id}`,
    refunded: false,
    review: null,
    shipping: intent.shipping as Stripe.Charge.Shipping | null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  })
  tx.emit(decline ? 'charge.failed' : 'charge.succeeded', charge)
  return charge
}

route('GET', '/v1/charges/:id', fields({}), ({ tx, path }) => tx.need('charge', path['id'] ?? ''))
route<Stripe.ChargeUpdateParams>(
  'POST',
  '/v1/charges/:id',
  fields({ metadata: 'MetadataParam', description: 'string', receipt_email: 'string' }),
  ({ tx, path }, params) => {
    const old = tx.need('charge', path['id'] ?? '')
    const charge = tx.change(old, {
      ...(params.description === undefined ? {} : { description: params.description }),
      metadata: metadata(old.metadata, params.metadata),
    })
    tx.emit('charge.updated', charge, previous(old, charge))
    return charge
  },
)
route<Paging & { customer?: string; payment_intent?: string }>(
  'GET',
  '/v1/charges',
  listing({ customer: 'string', payment_intent: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'charge',
      params,
      '/v1/charges',
      (one) =>
        (params.customer === undefined || idOf(one.customer) === params.customer) &&
        (params.payment_intent === undefined || idOf(one.payment_intent) === params.payment_intent),
    ),
)
