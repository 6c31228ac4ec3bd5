// How objects look in the API version in which an account renders its events, including older ones.
import { type Stripe } from './stripe-types.ts'
import { API_VERSION, idOf, type AnyObject, type Hidden, type Kind, type Kinds } from './types.ts'

type Json = Record<string, unknown>

/** What an older rendering looks up besides the object itself. */
interface Known {
  table: <K extends Kind>(kind: K) => ReadonlyMap<string, Kinds[K]>
  hidden: (id: string) => Hidden
}

/** Versions a sandbox account may use. From basil on, everything the funnel reads has its present shape. */
export const ACCOUNT_VERSIONS: readonly string[] = ['2024-06-20', '2025-03-31.basil', API_VERSION]

/** The release that gave invoices their `parent` and moved periods to the items of a subscription. */
const BASIL = '2025-03-31'

/**
 * An object as an event of this version carries it. "Each event data is rendered according to Stripe API version at its
 * creation time, specified in the event object's api_version attribute (not according to your current Stripe API
 * version or Stripe-Version header)": https://docs.stripe.com/api/events/list. What differs before basil:
 * https://docs.stripe.com/changelog/basil/2025-03-31/adds-new-parent-field-to-invoicing-objects,
 * …/deprecate-subscription-current-period-start-and-end, …/add-support-for-multiple-partial-payments-on-invoices.
 */
export function renderedIn(version: string, state: Known, object: AnyObject): AnyObject {
  if (version.slice(0, BASIL.length) >= BASIL) return object
  switch (object.object) {
    case 'invoice':
      return oldInvoice(state, object) as unknown as AnyObject
    case 'subscription':
      return oldSubscription(object) as unknown as AnyObject
    case 'payment_intent':
      return { ...object, invoice: state.hidden(object.id).invoice ?? null } as AnyObject
    case 'charge': {
      const intent = idOf(object.payment_intent)
      return { ...object, invoice: intent ? (state.hidden(intent).invoice ?? null) : null } as AnyObject
    }
    default:
      return object
  }
}

function oldInvoice(state: Known, invoice: Stripe.Invoice): Json {
  const { parent, total_taxes: _, total_pretax_credit_amounts: __, amount_overpaid: ___, lines, ...rest } = invoice
  const details = parent?.subscription_details
  const payment = [...state.table('invoice_payment').values()].findLast((one) => idOf(one.invoice) === invoice.id)
  const intent = idOf(payment?.payment.payment_intent ?? null)
  const charge = intent ? state.table('payment_intent').get(intent)?.latest_charge : null
  return {
    ...rest,
    charge: idOf(charge ?? null),
    discount: null,
    lines: { ...lines, data: lines.data.map((line) => oldLine(state, line)) },
    paid: invoice.status === 'paid',
    paid_out_of_band: false,
    payment_intent: intent,
    quote: null,
    subscription: idOf(details?.subscription ?? null),
    subscription_details: details ? { metadata: details.metadata } : { metadata: null },
    tax: null,
    total_tax_amounts: [],
    transfer_data: null,
  }
}

function oldLine(state: Known, line: Stripe.InvoiceLineItem): Json {
  const { parent, pricing, taxes: _, pretax_credit_amounts: __, ...rest } = line
  const item = parent?.subscription_item_details
  const price = pricing?.price_details?.price
  return {
    ...rest,
    invoice_item: parent?.invoice_item_details?.invoice_item ?? null,
    price: (price && state.table('price').get(idOf(price) ?? '')) ?? null,
    proration: item?.proration ?? false,
    proration_details: { credited_items: null },
    subscription: item?.subscription ?? idOf(line.subscription),
    subscription_item: item?.subscription_item ?? null,
    tax_amounts: [],
    type: item ? 'subscription' : 'invoiceitem',
  }
}

function oldSubscription(subscription: Stripe.Subscription): Json {
  const { billing_mode: _, items, ...rest } = subscription
  const first = items.data[0]
  return {
    ...rest,
    current_period_start: first?.current_period_start ?? null,
    current_period_end: first?.current_period_end ?? null,
    discount: null,
    items: {
      ...items,
      data: items.data.map(({ current_period_start: _start, current_period_end: _end, ...item }) => item),
    },
  }
}
