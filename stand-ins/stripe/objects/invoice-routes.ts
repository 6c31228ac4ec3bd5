// Endpoints of invoices, invoice items and invoice payments.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, pageOf, type Paging } from '../http/lists.ts'
import { invalid, StripeFail } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { draftInvoice, type LineInput } from './invoice-build.ts'
import { collect, defaultMethod, finalizeInvoice, intentOf, paidElsewhere } from './invoices.ts'
import { metadata, previous } from './metadata.ts'
import { resolvePaymentMethod } from './payment-methods.ts'
import { refusal } from './payments.ts'
import { waitingItems } from './invoice-items.ts'

route<Stripe.InvoiceCreateParams>('POST', '/v1/invoices', 'InvoiceCreateParams', ({ tx }, params) => {
  if (params.customer === undefined)
    throw invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  const customer = tx.need('customer', params.customer, 'customer')
  const now = tx.now(customer.id)
  const waiting = params.pending_invoice_items_behavior === 'include' ? waitingItems(tx, customer.id) : []
  const lines: LineInput[] = waiting.map((item) => ({
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    period: item.period,
    invoiceItem: item.id,
    quantity: item.quantity,
  }))
  const invoice = draftInvoice(tx, {
    customer,
    reason: 'manual',
    currency: params.currency ?? lines[0]?.currency ?? customer.currency ?? 'usd',
    lines,
    period: { start: now, end: now },
    autoAdvance: params.auto_advance ?? false,
    finalizesAt: params.auto_advance ? now + 3600 : null,
    ...(params.metadata ? { metadata: metadata({}, params.metadata) } : {}),
    description: params.description ?? null,
    defaultPaymentMethod: params.default_payment_method ?? null,
  })
  for (const item of waiting) {
    tx.change(item, { invoice: invoice.id })
    tx.hide(item.id, { pending: false })
  }
  return invoice
})
route('GET', '/v1/invoices/:id', fields({}), ({ tx, path }) => tx.need('invoice', path['id'] ?? ''))
route<Stripe.InvoiceUpdateParams>(
  'POST',
  '/v1/invoices/:id',
  fields({
    metadata: 'MetadataParam',
    description: 'string',
    auto_advance: 'boolean',
    default_payment_method: 'string',
    footer: 'string',
  }),
  ({ tx, path }, { metadata: patch, expand: _, ...rest }) => {
    const old = tx.need('invoice', path['id'] ?? '')
    const invoice = tx.change(old, {
      ...(rest as unknown as Partial<Stripe.Invoice>),
      metadata: metadata(old.metadata, patch),
    })
    tx.emit('invoice.updated', invoice, previous(old, invoice))
    return invoice
  },
)
route('POST', '/v1/invoices/:id/finalize', fields({ auto_advance: 'boolean' }), ({ tx, path }) =>
  finalizeInvoice(tx, tx.need('invoice', path['id'] ?? '')),
)
route<Stripe.InvoicePayParams>('POST', '/v1/invoices/:id/pay', 'InvoicePayParams', ({ tx, path, origin }, params) => {
  let invoice = tx.need('invoice', path['id'] ?? '')
  if (invoice.status === 'draft') invoice = finalizeInvoice(tx, invoice)
  // "void or pay the invoice": docs.stripe.com/invoicing/overview#invoice-statuses
  else if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalid(
      invoice.status === 'paid'
        ? 'Invoice is already paid'
        : `This invoice has a status of ${String(invoice.status)} and cannot be paid.`,
    )
  }
  if (invoice.status === 'paid') return invoice
  if (params.paid_out_of_band) return paidElsewhere(tx, invoice)
  const method = params.payment_method ? resolvePaymentMethod(tx, params.payment_method, 'payment_method') : undefined
  if (method && idOf(method.customer) !== idOf(invoice.customer)) {
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be ` +
        `attached to the customer.`,
      { code: 'resource_missing', param: 'payment_method' },
    )
  }
  if (!method && defaultMethod(tx, invoice) === null) {
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set a ' +
        '`default_payment_method` prior to attempting payment.',
      { code: 'resource_missing' },
    )
  }
  const outcome = collect(tx, invoice, {
    ...(method ? { method } : {}),
    offSession: params.off_session ?? true,
    origin,
  })
  if (outcome?.decline) throw refusal(outcome)
  if (outcome?.intent.status === 'requires_action') {
    throw new StripeFail(
      402,
      {
        type: 'card_error',
        code: 'invoice_payment_intent_requires_action',
        message:
          'This payment requires additional user action before it can be completed successfully. Payment can be ' +
          'completed using the PaymentIntent associated with this invoice.',
      },
      { keep: true },
    )
  }
  return tx.need('invoice', invoice.id)
})
route('POST', '/v1/invoices/:id/void', fields({}), ({ tx, path }) => {
  const old = tx.need('invoice', path['id'] ?? '')
  if (old.status !== 'open' && old.status !== 'uncollectible')
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, { code: 'status_transition_invalid' })
  const intent = intentOf(tx, old)
  const now = tx.now(idOf(old.customer))
  if (intent && intent.status !== 'succeeded') {
    tx.emit(
      'payment_intent.canceled',
      tx.change(intent, { status: 'canceled', canceled_at: now, cancellation_reason: 'void_invoice' }),
    )
  }
  const invoice = tx.change(old, {
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...old.status_transitions, voided_at: now },
  })
  tx.emit('invoice.voided', invoice)
  return invoice
})
route('POST', '/v1/invoices/:id/mark_uncollectible', fields({}), ({ tx, path }) => {
  const old = tx.need('invoice', path['id'] ?? '')
  if (old.status !== 'open')
    throw invalid(`You can only mark open invoices as uncollectible.`, { code: 'status_transition_invalid' })
  const invoice = tx.change(old, {
    status: 'uncollectible',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...old.status_transitions, marked_uncollectible_at: tx.now(idOf(old.customer)) },
  })
  tx.emit('invoice.marked_uncollectible', invoice)
  return invoice
})
route('DELETE', '/v1/invoices/:id', fields({}), ({ tx, path }) => {
  const invoice = tx.need('invoice', path['id'] ?? '')
  if (invoice.status !== 'draft') throw invalid('You can only delete draft invoices.', { code: 'invoice_not_editable' })
  tx.hide(invoice.id, { deleted: true })
  tx.emit('invoice.deleted', invoice)
  return { id: invoice.id, object: 'invoice', deleted: true }
})
route<Paging>('GET', '/v1/invoices/:id/lines', listing(), ({ tx, path }, params) => {
  const invoice = tx.need('invoice', path['id'] ?? '')
  return pageOf(invoice.lines.data, 'line_item', params, invoice.lines.url)
})
type InvoiceList = Paging & { customer?: string; subscription?: string; status?: string; collection_method?: string }
route<InvoiceList>('GET', '/v1/invoices', 'InvoiceListParams', ({ tx }, params) =>
  page(
    tx,
    'invoice',
    params,
    '/v1/invoices',
    (one) =>
      (params.customer === undefined || idOf(one.customer) === params.customer) &&
      (params.status === undefined || one.status === params.status) &&
      (params.collection_method === undefined || one.collection_method === params.collection_method) &&
      (params.subscription === undefined ||
        idOf(one.parent?.subscription_details?.subscription ?? null) === params.subscription),
  ),
)
route('GET', '/v1/invoice_payments/:id', fields({}), ({ tx, path }) => tx.need('invoice_payment', path['id'] ?? ''))
type LinkList = Paging & { invoice?: string; status?: string; payment?: { type: string; payment_intent?: string } }
route<LinkList>('GET', '/v1/invoice_payments', 'InvoicePaymentListParams', ({ tx }, params) =>
  page(
    tx,
    'invoice_payment',
    params,
    '/v1/invoice_payments',
    (one) =>
      (params.invoice === undefined || idOf(one.invoice) === params.invoice) &&
      (params.status === undefined || one.status === params.status) &&
      (params.payment?.payment_intent === undefined ||
        idOf(one.payment.payment_intent ?? null) === params.payment.payment_intent),
  ),
)
