// Shapes of invoices and their lines.
import { type Stripe } from '../stripe-types.ts'
import { newId, letters } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata } from './metadata.ts'

export interface LineInput {
  amount: number
  currency: string
  description: string | null
  period: { start: number; end: number }
  price?: Stripe.Price
  quantity?: number
  subscription?: string
  subscriptionItem?: string
  invoiceItem?: string
  proration?: boolean
  metadata?: Record<string, string>
}

/** One line. Amounts in cents, for the whole quantity. */
export function lineItem(invoice: string, input: LineInput): Stripe.InvoiceLineItem {
  const item = input.subscriptionItem
  return {
    id: newId('il'),
    object: 'line_item',
    amount: input.amount,
    currency: input.currency,
    description: input.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: input.metadata ?? {},
    parent: item
      ? {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item: null,
            proration: input.proration ?? false,
            proration_details: null,
            subscription: input.subscription ?? null,
            subscription_item: item,
          },
          type: 'subscription_item_details',
        }
      : {
          invoice_item_details: {
            invoice_item: input.invoiceItem ?? newId('ii'),
            proration: false,
            proration_details: null,
            subscription: input.subscription ?? null,
          },
          subscription_item_details: null,
          type: 'invoice_item_details',
        },
    period: input.period,
    pretax_credit_amounts: [],
    pricing: input.price
      ? {
          price_details: { price: input.price.id, product: idOf(input.price.product) },
          type: 'price_details',
          unit_amount_decimal: String(input.amount === 0 ? 0 : (input.price.unit_amount ?? 0)),
        }
      : { type: 'price_details', unit_amount_decimal: String(input.amount) },
    quantity: input.quantity ?? 1,
    quantity_decimal: String(input.quantity ?? 1),
    subscription: input.subscription ?? null,
    subtotal: input.amount,
    taxes: [],
  } as unknown as Stripe.InvoiceLineItem
}

export interface InvoiceInput {
  customer: Stripe.Customer
  reason: NonNullable<Stripe.Invoice.BillingReason>
  currency: string
  lines: LineInput[]
  period: { start: number; end: number }
  subscription?: Stripe.Subscription
  autoAdvance: boolean
  /** When a draft is finalized automatically, unix seconds. */
  finalizesAt: number | null
  metadata?: Record<string, string>
  description?: string | null
  defaultPaymentMethod?: string | null
}

/** Stores a draft and emits `invoice.created`. */
export function draftInvoice(tx: Tx, input: InvoiceInput): Stripe.Invoice {
  const invoice = tx.put(invoiceOf(tx, input, newId('in')))
  tx.emit('invoice.created', invoice)
  return invoice
}

/** A draft as it would be, neither stored nor reported. */
export function invoiceOf(tx: Tx, input: InvoiceInput, id: string): Stripe.Invoice {
  const { customer, subscription } = input
  const total = input.lines.reduce((sum, line) => sum + line.amount, 0)
  const lines = input.lines.map((line) => lineItem(id, line)).reverse()
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Embedded sandbox',
    account_tax_ids: null,
    amount_due: Math.max(0, total),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: Math.max(0, total),
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: input.autoAdvance,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: input.finalizesAt,
    billing_reason: input.reason,
    collection_method: subscription?.collection_method ?? 'charge_automatically',
    created: tx.now(customer.id),
    currency: input.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    default_payment_method: input.defaultPaymentMethod ?? null,
    default_source: null,
    default_tax_rates: [],
    description: input.description ?? null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: metadata({}, input.metadata),
    next_payment_attempt: input.finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      // as the subscription has them now: "to provide to every invoice created by the subscription" (API reference)
      payment_method_types: subscription?.payment_settings?.payment_method_types ?? null,
    },
    period_end: input.period.end,
    period_start: input.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: idOf(customer.test_clock ?? null),
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: tx.now(customer.id),
  } as unknown as Stripe.Invoice
}

/** The link of an invoice to the intent that pays it. */
export function invoicePayment(tx: Tx, invoice: Stripe.Invoice, intent: Stripe.PaymentIntent): Stripe.InvoicePayment {
  return tx.put<Stripe.InvoicePayment>({
    id: `inpay_1${letters(23)}`,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_remaining,
    created: tx.now(idOf(invoice.customer)),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}
