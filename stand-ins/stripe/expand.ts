// `expand`: ids become objects; some fields exist only on request.
import { invalid } from './http/errors.ts'
import { type State } from './state.ts'
import { idOf, type AnyObject } from './types.ts'

type Json = Record<string, unknown>
const list = (data: unknown[], url: string): Json => ({ object: 'list', data, has_more: false, url })

/** Fields that are left out of a reply unless expanded. */
const INCLUDABLE: Record<string, Record<string, (state: State, object: Json) => unknown>> = {
  invoice: {
    payments: (state, invoice) =>
      list(
        [...state.table('invoice_payment').values()].filter((one) => idOf(one.invoice) === invoice['id']).reverse(),
        '/v1/invoice_payments',
      ),
    confirmation_secret: (state, invoice) => {
      const payment = [...state.table('invoice_payment').values()].findLast(
        (one) => idOf(one.invoice) === invoice['id'],
      )
      const intent = payment && state.find(idOf(payment.payment.payment_intent ?? null) ?? '')
      return intent?.object === 'payment_intent' && intent.client_secret
        ? { client_secret: intent.client_secret, type: 'payment_intent' }
        : null
    },
  },
  charge: {
    refunds: (state, charge) =>
      list(
        [...state.table('refund').values()].filter((one) => idOf(one.charge) === charge['id']).reverse(),
        `/v1/charges/${String(charge['id'])}/refunds`,
      ),
  },
  customer: {
    subscriptions: (state, customer) =>
      list(
        [...state.table('subscription').values()]
          .filter((one) => one.customer === customer['id'] && one.status !== 'canceled')
          .reverse(),
        `/v1/customers/${String(customer['id'])}/subscriptions`,
      ),
    invoice_credit_balance: () => ({}),
    tax: () => ({ automatic_tax: 'unrecognized_location', ip_address: null, location: null, provider: 'stripe' }),
  },
}

/** How an object looks to a caller: a deleted one is a stub. */
export function shown(state: State, object: AnyObject): unknown {
  return state.hidden.get(object.id)?.deleted ? { id: object.id, object: object.object, deleted: true } : object
}

function walk(state: State, node: unknown, path: string[], full: string): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(state, one, path, full)
    return
  }
  const [name, ...rest] = path
  if (name === undefined || node === null || typeof node !== 'object') return
  const object = node as Json
  const make = INCLUDABLE[String(object['object'])]?.[name]
  if (make && object[name] === undefined) object[name] = structuredClone(make(state, object))
  const value = object[name]
  if (value === undefined) {
    throw invalid(
      `This property cannot be expanded (${full}). You may want to try expanding 'data.${full}' instead, or ` +
        `the object may not have this field.`,
      { param: 'expand' },
    )
  }
  if (typeof value === 'string') {
    const found = state.find(value)
    if (!found) throw invalid(`This property cannot be expanded (${full}).`, { param: 'expand' })
    object[name] = structuredClone(shown(state, found))
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    object[name] = value.map((one) => structuredClone(state.find(one) ?? one))
  }
  walk(state, object[name], rest, full)
}

/** A copy of a reply with the asked fields expanded. Throws Stripe's 400 for a field that cannot be. */
export function expanded(state: State, body: unknown, paths: readonly string[] | undefined): unknown {
  if (!paths || paths.length === 0) return body
  const copy = structuredClone(body)
  for (const path of paths) walk(state, copy, path.split('.'), path)
  return copy
}
