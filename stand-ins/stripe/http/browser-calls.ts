// What a page may request with the publishable key: its own intent, by client secret, with fewer fields.
import { readParams } from '../schemas.ts'
import { type Tx } from '../state.ts'
import { walletOf } from '../wallets.ts'
import { StripeFail } from './errors.ts'
import { type FormObject } from './form.ts'

const OWN = [
  'key',
  'client_secret',
  'expected_payment_method_type',
  '_stripe_version',
  'use_stripe_sdk_version',
  'is_stripe_sdk',
]

/** Takes out of a form what only pages send: the client secret and the raw card. */
export function browserForm(form: FormObject): {
  rest: FormObject
  card: Record<string, unknown> | undefined
  secret: string | undefined
} {
  const rest: FormObject = {}
  for (const [name, value] of Object.entries(form)) if (!OWN.includes(name)) rest[name] = value
  const secret = typeof form['client_secret'] === 'string' ? form['client_secret'] : undefined
  const holder = rest['payment_method_data']
  let card: FormObject | undefined
  if (
    typeof holder === 'object' &&
    !Array.isArray(holder) &&
    typeof holder['card'] === 'object' &&
    !Array.isArray(holder['card'])
  ) {
    card = holder['card']
    const { card: _, ...others } = holder
    // The parameter sets describe a server's call, which cannot contain a raw card; its type comes back with the card.
    rest['payment_method_data'] = { ...others, type: 'paypal' }
  } else if (typeof rest['card'] === 'object' && !Array.isArray(rest['card'])) {
    card = rest['card']
    delete rest['card']
  }
  if (!card) return { rest, card, secret }
  // a server's call has no such parameter: a wallet's card comes from its sheet
  const { wallet: name, ...typed } = card
  const wallet = walletOf(name)
  const read = readParams(typed, 'PaymentMethodCreateParams.Card')
  return { rest, card: wallet ? { ...read, wallet } : read, secret }
}

/** A page may access an intent only if it knows the client secret. */
export function checkSecret(tx: Tx, id: string | undefined, secret: string | undefined): void {
  if (id === undefined) return
  const kind = id.startsWith('seti_') ? 'setup_intent' : id.startsWith('pi_') ? 'payment_intent' : undefined
  if (!kind) return
  const intent = tx.get(kind, id)
  if (!intent || intent.client_secret !== secret) {
    const name = kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'
    throw new StripeFail(intent ? 400 : 404, {
      type: 'invalid_request_error',
      code: intent ? `${kind}_invalid_parameter` : 'resource_missing',
      message: intent
        ? `The client_secret provided does not match the client_secret associated with the ${name}.`
        : `No such ${kind}: '${id}'`,
      param: 'client_secret',
    })
  }
}

const HIDDEN_FROM_PAGES: Record<string, string[]> = {
  payment_intent: [
    'application',
    'application_fee_amount',
    'amount_received',
    'customer',
    'latest_charge',
    'metadata',
    'on_behalf_of',
    'review',
    'transfer_data',
    'transfer_group',
    'amount_capturable',
  ],
  setup_intent: [
    'application',
    'customer',
    'latest_attempt',
    'mandate',
    'metadata',
    'on_behalf_of',
    'single_use_mandate',
  ],
  payment_method: ['customer', 'metadata'],
}

/** The fields a page sees; the others (customer, metadata, charges) are for the server only. */
export function browserView(body: unknown): unknown {
  if (body === null || typeof body !== 'object') return body
  if (Array.isArray(body)) return body.map(browserView)
  const object = body as Record<string, unknown>
  const hidden = HIDDEN_FROM_PAGES[String(object['object'])] ?? []
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (hidden.includes(name) ? [] : [[name, browserView(value)]])),
  )
}
