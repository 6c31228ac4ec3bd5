// Invoices from draft to paid, and what a paid or failed one does to its subscription.
import { type Stripe } from '../stripe-types.ts'
import { NOT_RETRIED } from '../cards.ts'
import { invalid } from '../http/errors.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { createIntent } from './payment-intents.ts'
import { invoicePayment } from './invoice-build.ts'
import { attemptPayment, hooks, type Outcome } from './payments.ts'
import { previous } from './metadata.ts'

const DAY = 86_400

/** The subscription an invoice belongs to. */
export function subscriptionOf(tx: Tx, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  const id = idOf(invoice.parent?.subscription_details?.subscription ?? null)
  return id === null ? undefined : tx.get('subscription', id)
}

/** The intent behind an open invoice. */
export function intentOf(tx: Tx, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const link = tx
    .all('invoice_payment')
    .findLast((one) => idOf(one.invoice) === invoice.id && one.status !== 'canceled')
  const id = idOf(link?.payment.payment_intent ?? null)
  return id === null ? undefined : tx.get('payment_intent', id)
}

/** The method that pays an invoice when none is named. */
export function defaultMethod(tx: Tx, invoice: Stripe.Invoice): string | null {
  const customer = tx.get('customer', idOf(invoice.customer) ?? '')
  return (
    idOf(invoice.default_payment_method) ??
    idOf(subscriptionOf(tx, invoice)?.default_payment_method ?? null) ??
    idOf(customer?.invoice_settings.default_payment_method ?? null)
  )
}

/** Changes a subscription and emits `customer.subscription.updated` with the previous values. */
export function updateSubscription(
  tx: Tx,
  old: Stripe.Subscription,
  patch: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const next = tx.change(old, patch)
  const before = previous(old, next)
  if (Object.keys(before).length > 0) tx.emit('customer.subscription.updated', next, before)
  return next
}

/** Ends a subscription at once and emits `customer.subscription.deleted`. */
export function endSubscription(
  tx: Tx,
  old: Stripe.Subscription,
  reason: NonNullable<Stripe.Subscription.CancellationDetails['reason']>,
  details: Partial<Stripe.Subscription.CancellationDetails> = {},
): Stripe.Subscription {
  const now = tx.now(idOf(old.customer))
  const ended = tx.change(old, {
    status: 'canceled',
    canceled_at: old.canceled_at ?? now,
    ended_at: now,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...old.cancellation_details,
      ...details,
      reason,
    } as Stripe.Subscription.CancellationDetails,
  })
  tx.emit('customer.subscription.deleted', ended)
  // Unpaid invoices are no longer collected automatically.
  for (const invoice of tx.all('invoice')) {
    if (
      idOf(invoice.parent?.subscription_details?.subscription ?? null) === old.id &&
      (invoice.status === 'draft' || invoice.status === 'open')
    ) {
      tx.change(invoice, { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null })
    }
  }
  return ended
}

function markPaid(
  tx: Tx,
  old: Stripe.Invoice,
  how: { attempt: boolean; intent?: Stripe.PaymentIntent },
): Stripe.Invoice {
  const now = tx.now(idOf(old.customer))
  const invoice = tx.change(old, {
    status: 'paid',
    amount_paid: old.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: old.attempt_count + (how.attempt ? 1 : 0),
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...old.status_transitions, paid_at: now },
  })
  const link = tx.all('invoice_payment').find((one) => idOf(one.invoice) === old.id && one.status === 'open')
  if (link) {
    const paid = tx.change(link, {
      status: 'paid',
      amount_paid: old.amount_due,
      status_transitions: { canceled_at: null, paid_at: now },
    })
    tx.emit('invoice_payment.paid', paid)
  }
  tx.emit('invoice.paid', invoice)
  tx.emit('invoice.payment_succeeded', invoice)
  const subscription = subscriptionOf(tx, invoice)
  if (subscription && subscription.status !== 'canceled' && subscription.latest_invoice === invoice.id) {
    const save = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
    const method = idOf(how.intent?.payment_method ?? null)
    const revived = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status)
    updateSubscription(tx, subscription, {
      ...(revived ? { status: 'active' as const } : {}),
      ...(save && method !== null && subscription.default_payment_method === null
        ? { default_payment_method: method }
        : {}),
    })
  }
  return invoice
}

/** Draft → open (→ paid where nothing is due). Emits `invoice.finalized`. Throws when it is final already. */
export function finalizeInvoice(tx: Tx, draft: Stripe.Invoice): Stripe.Invoice {
  if (draft.status !== 'draft')
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  const customer = tx.need('customer', idOf(draft.customer) ?? '')
  const now = tx.now(customer.id)
  const sequence = customer.next_invoice_sequence ?? 1
  tx.change(customer, { next_invoice_sequence: sequence + 1 })
  let invoice = tx.change(draft, {
    status: 'open',
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    effective_at: now,
    ending_balance: 0,
    hosted_invoice_url: `https://invoice.stripe.com/i/acct_sandbox/test_${draft.id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/acct_sandbox/test_${draft.id}/pdf`,
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  })
  if (invoice.amount_due > 0) {
    const subscription = subscriptionOf(tx, invoice)
    const { payment_method_types: types } = invoice.payment_settings
    const intent = createIntent(tx, {
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: customer.id,
      description:
        invoice.billing_reason === 'subscription_create'
          ? 'Subscription creation'
          : subscription
            ? 'Subscription update'
            : 'Payment for Invoice',
      ...(subscription?.payment_settings?.save_default_payment_method === 'on_subscription'
        ? { setup_future_usage: 'off_session' as const }
        : {}),
      ...(types?.length ? { allowed_payment_method_types: types } : {}),
    })
    tx.hide(intent.id, { invoice: invoice.id })
    invoicePayment(tx, invoice, intent)
  }
  tx.emit('invoice.finalized', invoice)
  if (invoice.amount_due === 0) invoice = markPaid(tx, invoice, { attempt: false })
  return invoice
}

/**
 * Tries to collect an open invoice with the named or the default method. Without any method it fails, and counts as a
 * try. Returns the outcome; the hooks below change the invoice and its subscription.
 */
export function collect(
  tx: Tx,
  invoice: Stripe.Invoice,
  options: { method?: Stripe.PaymentMethod; offSession: boolean; origin: string },
): Outcome | undefined {
  const intent = intentOf(tx, invoice)
  if (!intent) return undefined
  const named = options.method?.id ?? defaultMethod(tx, invoice)
  const method = named === null ? undefined : tx.get('payment_method', named)
  // of another type than the bill takes: one that the call names is refused, the default is a try that failed
  const taken = options.method !== undefined || intent.payment_method_types.includes(method?.type ?? '')
  if (!method || !taken || idOf(method.customer) !== idOf(invoice.customer)) {
    failed(tx, invoice)
    return undefined
  }
  return attemptPayment(tx, intent, method, {
    offSession: options.offSession,
    sdk: true,
    returnUrl: null,
    origin: options.origin,
  })
}

/**
 * A planned retry. After a refusal for good it is counted and not made, unless another method is on file: "retries will
 * only be executed if a new payment method is obtained" (API reference, invoice object, attempt_count).
 */
export function retry(tx: Tx, invoice: Stripe.Invoice, origin: string): void {
  const refused = intentOf(tx, invoice)?.last_payment_error
  const forGood = NOT_RETRIED.has(refused?.decline_code ?? refused?.code ?? '')
  if (forGood && refused?.payment_method?.id === defaultMethod(tx, invoice)) failed(tx, invoice)
  else collect(tx, invoice, { offSession: true, origin })
}

/** Handles a failed try: counts it, schedules the next, updates the subscription. */
function failed(tx: Tx, old: Stripe.Invoice): void {
  const subscription = subscriptionOf(tx, old)
  const attempts = old.attempt_count + 1
  const now = tx.now(idOf(old.customer))
  const renewal =
    ['subscription_cycle', 'subscription_update'].includes(old.billing_reason ?? '') &&
    subscription !== undefined &&
    subscription.status !== 'canceled'
  const wait = renewal ? tx.state.account.retry_days[attempts - 1] : undefined
  const invoice = tx.change(old, {
    attempt_count: attempts,
    attempted: true,
    next_payment_attempt: wait === undefined ? null : now + wait * DAY,
  })
  tx.emit('invoice.payment_failed', invoice)
  tx.emit('invoice.updated', invoice, previous(old, invoice))
  if (!renewal) return
  const { after_retries: after } = tx.state.account
  if (wait === undefined && after === 'canceled') endSubscription(tx, subscription, 'payment_failed')
  else if (wait === undefined) updateSubscription(tx, subscription, { status: after })
  else if (subscription.status === 'active' || subscription.status === 'trialing')
    updateSubscription(tx, subscription, { status: 'past_due' })
}

/** Marks as paid outside Stripe. */
export function paidElsewhere(tx: Tx, invoice: Stripe.Invoice): Stripe.Invoice {
  return markPaid(tx, invoice, { attempt: true })
}

function owned(tx: Tx, intent: Stripe.PaymentIntent): Stripe.Invoice | undefined {
  const id = tx.hidden(intent.id).invoice
  return id === undefined ? undefined : tx.get('invoice', id)
}
hooks.succeeded.push((tx, intent) => {
  const invoice = owned(tx, intent)
  if (invoice && invoice.status !== 'paid') markPaid(tx, invoice, { attempt: true, intent })
})
hooks.failed.push((tx, intent) => {
  const invoice = owned(tx, intent)
  if (invoice && invoice.status === 'open') failed(tx, invoice)
})
hooks.action.push((tx, intent) => {
  const invoice = owned(tx, intent)
  if (invoice && invoice.status === 'open') tx.emit('invoice.payment_action_required', invoice)
})
