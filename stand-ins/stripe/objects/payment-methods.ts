// Payment methods: cards and PayPal.
import { createHash } from 'node:crypto'
import { type Stripe } from '../stripe-types.ts'
import { invalid, missing, StripeFail } from '../http/errors.ts'
import { newId, letters } from '../ids.ts'
import { cardByNumber, cardByToken, luhn, type TestCard } from '../cards.ts'
import { type Tx } from '../state.ts'
import { type Wallet } from '../wallets.ts'
import { idOf } from '../types.ts'
import { metadata } from './metadata.ts'

type Details = Stripe.PaymentMethodCreateParams.BillingDetails | undefined

function billing(details: Details): Stripe.PaymentMethod.BillingDetails {
  const place = details?.address || undefined
  return {
    address: {
      city: place?.city ?? null,
      country: place?.country ?? null,
      line1: place?.line1 ?? null,
      line2: place?.line2 ?? null,
      postal_code: place?.postal_code ?? null,
      state: place?.state ?? null,
    },
    email: details?.email || null,
    name: details?.name || null,
    phone: details?.phone || null,
    tax_id: details?.tax_id ?? null,
  }
}

function cardError(code: string, message: string, param: string): StripeFail {
  return new StripeFail(402, { type: 'card_error', code, message, param })
}

/** Stores a card payment method. */
function createCard(
  tx: Tx,
  card: TestCard,
  details: Details,
  more: {
    expMonth?: number
    expYear?: number
    cvc?: boolean
    wallet?: Wallet | undefined
    metadata?: Record<string, string>
  } = {},
): Stripe.PaymentMethod {
  const id = newId('pm')
  const now = tx.now()
  const method = tx.put<Stripe.PaymentMethod>({
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing(details),
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: more.cvc === false ? null : 'unchecked',
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: more.expMonth ?? 12,
      // good for longer than the clock is moved: a test that needs an expired card sets its month
      exp_year: more.expYear ?? new Date(now * 1000).getUTCFullYear() + 9,
      fingerprint: createHash('sha256').update(card.number).digest('base64url').replace(/[-_]/g, 'x').slice(0, 16),
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: more.wallet ? { type: more.wallet, dynamic_last4: null, [more.wallet]: {} } : null,
    },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: more.metadata ?? {},
    type: 'card',
  })
  tx.hide(id, { card: card.number })
  return method
}

/** Creates a payment method from a call's data. Raw numbers come from pages only, as with Stripe.js. */
export function createPaymentMethod(
  tx: Tx,
  params: Pick<Stripe.PaymentMethodCreateParams, 'type' | 'billing_details' | 'metadata'> & { card?: unknown },
  browser: boolean,
  at = '',
): Stripe.PaymentMethod {
  const name = (path: string): string =>
    at === '' ? path : `${at}[${path.replace('[', '][')}${path.includes('[') ? '' : ']'}`
  const meta = metadata({}, params.metadata ?? {})
  if (params.type === 'paypal') {
    return tx.put<Stripe.PaymentMethod>({
      id: newId('pm'),
      object: 'payment_method',
      allow_redisplay: 'unspecified',
      billing_details: billing(params.billing_details),
      created: tx.now(),
      customer: null,
      customer_account: null,
      livemode: false,
      metadata: meta,
      paypal: { country: null, payer_email: null, payer_id: null },
      type: 'paypal',
    })
  }
  if (params.type !== 'card') {
    throw invalid(
      `The payment method type "${String(params.type)}" is not activated in this sandbox (card and paypal are).`,
      { param: name('type') },
    )
  }
  const card = (params.card ?? {}) as {
    number?: string
    exp_month?: number
    exp_year?: number
    cvc?: string
    token?: string
    wallet?: Wallet
  }
  if (card.token !== undefined) {
    const known = cardByToken(card.token.replace(/^tok_/, 'pm_card_'))
    if (!known)
      throw invalid(`No such token: '${card.token}'`, { code: 'resource_missing', param: name('card[token]') })
    return createCard(tx, known, params.billing_details, { cvc: false, metadata: meta })
  }
  if (card.number === undefined) {
    throw invalid(`Missing required param: ${name('card[number]')}.`, {
      code: 'parameter_missing',
      param: name('card[number]'),
    })
  }
  if (!browser) {
    throw new StripeFail(402, {
      type: 'card_error',
      message:
        'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing ' +
        'use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
    })
  }
  const number = card.number.replace(/\D/g, '')
  if (!/^\d{12,19}$/.test(number) || !luhn(number))
    throw cardError('incorrect_number', 'Your card number is incorrect.', name('card[number]'))
  const today = new Date(tx.now() * 1000)
  const year = (card.exp_year ?? 0) < 100 ? (card.exp_year ?? 0) + 2000 : (card.exp_year ?? 0)
  const month = card.exp_month ?? 0
  if (month < 1 || month > 12)
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", name('card[exp_month]'))
  if (year * 12 + month < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1 || year > today.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", name('card[exp_year]'))
  }
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(card.cvc))
    throw cardError('invalid_cvc', "Your card's security code is invalid.", name('card[cvc]'))
  return createCard(tx, cardByNumber(number), params.billing_details, {
    expMonth: month,
    expYear: year,
    cvc: card.cvc !== undefined,
    wallet: card.wallet,
    metadata: meta,
  })
}

/** A payment method by id, or a new one for a `pm_card_…` name. Throws 400 `resource_missing`. */
export function resolvePaymentMethod(tx: Tx, id: string, param: string): Stripe.PaymentMethod {
  const known = cardByToken(id)
  if (known) return createCard(tx, known, undefined)
  const method = tx.get('payment_method', id)
  if (!method) throw missing('payment_method', id, param)
  return method
}

/** The test card of a card payment method. */
export function cardOf(tx: Tx, method: Stripe.PaymentMethod): TestCard | undefined {
  const number = tx.hidden(method.id).card
  return number === undefined ? undefined : cardByNumber(number)
}

/** The refusal of a payment method that was used once and never saved. */
export function usedUp(): StripeFail {
  return invalid(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared ' +
      'with a connected account without Customer attachment, or was detached from a Customer. It may not be ' +
      'used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
  )
}

/** Saves a payment method to a customer; `checked` skips the bank's check where a charge just passed. */
export function attach(tx: Tx, method: Stripe.PaymentMethod, customer: string, checked = false): Stripe.PaymentMethod {
  const owner = idOf(method.customer)
  if (owner === customer) return method
  if (owner !== null) {
    throw invalid('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    })
  }
  if (!checked && tx.hidden(method.id).used) throw usedUp()
  const card = cardOf(tx, method)
  if (!checked && card?.noAttach && card.charge) {
    const { code, message, decline_code } = card.charge
    throw new StripeFail(402, { type: 'card_error', code, message, ...(decline_code ? { decline_code } : {}) })
  }
  const attached = tx.change(method, {
    customer,
    ...(method.card?.checks?.cvc_check === 'unchecked'
      ? { card: { ...method.card, checks: { ...method.card.checks, cvc_check: 'pass' } } }
      : {}),
  })
  tx.emit('payment_method.attached', attached)
  return attached
}

/** A wallet's payer becomes known on approval. */
export function approvePaypal(tx: Tx, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const email = method.billing_details.email ?? 'buyer@paypal.example'
  return tx.change(method, { paypal: { country: 'US', payer_email: email, payer_id: letters(13).toUpperCase() } })
}
