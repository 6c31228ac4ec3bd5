// Invoice items: lines pending for a customer's next invoice, or added to a named draft.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { newId } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { lineItem } from './invoice-build.ts'
import { metadata } from './metadata.ts'

/** A customer's items that are not on an invoice yet. */
export function waitingItems(tx: Tx, customer: string): Stripe.InvoiceItem[] {
  return tx.all('invoiceitem').filter((one) => idOf(one.customer) === customer && tx.hidden(one.id).pending === true)
}

route<Stripe.InvoiceItemCreateParams>('POST', '/v1/invoiceitems', 'InvoiceItemCreateParams', ({ tx }, params) => {
  if (params.customer === undefined)
    throw invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  const customer = tx.need('customer', params.customer, 'customer')
  const now = tx.now(customer.id)
  const price = params.pricing?.price ? tx.need('price', params.pricing.price, 'pricing[price]') : undefined
  const quantity = params.quantity ?? 1
  const amount = params.amount ?? (price?.unit_amount ?? params.price_data?.unit_amount ?? 0) * quantity
  const item = tx.put<Stripe.InvoiceItem>({
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency: params.currency ?? price?.currency ?? params.price_data?.currency ?? 'usd',
    customer: customer.id,
    customer_account: null,
    date: now,
    description: params.description ?? null,
    discountable: params.discountable ?? true,
    discounts: [],
    invoice: params.invoice ?? null,
    livemode: false,
    metadata: metadata({}, params.metadata),
    net_amount: amount,
    parent: null,
    period: (params.period as Stripe.InvoiceItem.Period | undefined) ?? { start: now, end: now },
    pricing: price
      ? {
          price_details: { price: price.id, product: idOf(price.product) },
          type: 'price_details',
          unit_amount_decimal: String(price.unit_amount),
        }
      : null,
    proration: false,
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: [],
    test_clock: idOf(customer.test_clock ?? null),
  } as unknown as Stripe.InvoiceItem)
  tx.emit('invoiceitem.created', item)
  if (params.invoice === undefined) {
    tx.hide(item.id, { pending: true })
    return item
  }
  const draft = tx.need('invoice', params.invoice, 'invoice')
  if (draft.status !== 'draft')
    throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable', param: 'invoice' })
  const line = lineItem(draft.id, {
    amount,
    currency: item.currency,
    description: item.description,
    period: item.period,
    quantity,
    invoiceItem: item.id,
    ...(price ? { price } : {}),
  })
  const total = draft.total + amount
  tx.change(draft, {
    lines: { ...draft.lines, data: [line, ...draft.lines.data] },
    total,
    subtotal: total,
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    subtotal_excluding_tax: total,
    total_excluding_tax: total,
  })
  return item
})
route('GET', '/v1/invoiceitems/:id', fields({}), ({ tx, path }) => tx.need('invoiceitem', path['id'] ?? ''))
route('DELETE', '/v1/invoiceitems/:id', fields({}), ({ tx, path }) => {
  const item = tx.need('invoiceitem', path['id'] ?? '')
  if (item.invoice !== null)
    throw invalid('Invoice items on an invoice cannot be deleted.', { code: 'invoice_not_editable' })
  tx.hide(item.id, { deleted: true, pending: false })
  tx.emit('invoiceitem.deleted', item)
  return { id: item.id, object: 'invoiceitem', deleted: true }
})
route<Paging & { customer?: string; invoice?: string; pending?: boolean }>(
  'GET',
  '/v1/invoiceitems',
  listing({ customer: 'string', invoice: 'string', pending: 'boolean' }),
  ({ tx }, params) =>
    page(
      tx,
      'invoiceitem',
      params,
      '/v1/invoiceitems',
      (one) =>
        (params.customer === undefined || idOf(one.customer) === params.customer) &&
        (params.invoice === undefined || idOf(one.invoice) === params.invoice) &&
        (params.pending === undefined || (one.invoice === null) === params.pending),
    ),
)
