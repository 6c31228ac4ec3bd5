import type Stripe from 'stripe'
import { ask, isFailure } from './failure.ts'
import type { Invoice, InvoicePayment, Subscription } from './objects.ts'
import { toInvoice, toInvoicePayment, toSubscription } from './read-objects.ts'
import { type By, type Method, options, seconds } from './sdk.ts'

export interface NewSubscription {
  customerId: string
  priceId: string
  metadata: Record<string, string>
  description: string
  /** Cancelled before it was created: it ends with the paid time and never renews. */
  cancelled?: boolean
  /** Absent for the monthly product: the buyer confirms its first invoice. */
  start?: { paymentMethodId: string } & ({ trialDays: number } | { trialEnd: Date })
  method: Method
}

/** Subscriptions and their invoices. */
export function subscriptionCalls(sdk: Stripe) {
  return {
    async createSubscription(input: NewSubscription, key: string, by: By): Promise<Subscription> {
      const { start } = input
      const params: Stripe.SubscriptionCreateParams = {
        customer: input.customerId,
        items: [{ price: input.priceId }],
        metadata: input.metadata,
        description: input.description,
        payment_settings: {
          payment_method_types: [input.method],
          save_default_payment_method: 'on_subscription',
        },
        expand: ['latest_invoice.confirmation_secret'],
        ...(start
          ? {
              default_payment_method: start.paymentMethodId,
              off_session: true,
              ...(input.cancelled ? { cancel_at_period_end: true } : {}),
              proration_behavior: 'none',
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
              ...('trialDays' in start
                ? { trial_period_days: start.trialDays }
                : { trial_end: seconds(start.trialEnd) }),
            }
          : { payment_behavior: 'default_incomplete' }),
      }
      return toSubscription(await ask(() => sdk.subscriptions.create(params, options(by, key))))
    },

    async readSubscription(id: string, by: By): Promise<Subscription> {
      const expand = { expand: ['latest_invoice.confirmation_secret'] }
      return toSubscription(await ask(() => sdk.subscriptions.retrieve(id, expand, options(by))))
    },

    /** Every subscription of a customer, ended ones too. */
    async listSubscriptions(customerId: string, by: By): Promise<Subscription[]> {
      const params = { customer: customerId, status: 'all' as const, limit: 100 }
      const { data } = await ask(() => sdk.subscriptions.list(params, options(by)))
      return data.map(toSubscription)
    },

    async cancelSubscription(id: string, by: By): Promise<Subscription> {
      return toSubscription(await ask(() => sdk.subscriptions.cancel(id, {}, options(by))))
    },

    /** Ends it with the paid period, or reverts that. */
    async cancelAtPeriodEnd(id: string, cancel: boolean, by: By): Promise<Subscription> {
      const params = { cancel_at_period_end: cancel }
      return toSubscription(await ask(() => sdk.subscriptions.update(id, params, options(by))))
    },

    /** The invoices of a subscription, newest first. */
    async listInvoices(subscriptionId: string, by: By): Promise<Invoice[]> {
      const params = { subscription: subscriptionId, limit: 100 }
      const { data } = await ask(() => sdk.invoices.list(params, options(by)))
      return data.map(toInvoice)
    },

    /** What a subscription will charge next automatically, or null when it charges nothing more. */
    async previewInvoice(subscriptionId: string, by: By): Promise<Invoice | null> {
      try {
        return toInvoice(await ask(() => sdk.invoices.createPreview({ subscription: subscriptionId }, options(by))))
      } catch (error) {
        if (isFailure(error, 'missing') || (isFailure(error) && error.code === 'invoice_upcoming_none')) return null
        throw error
      }
    },

    /** Voids an unpaid invoice, which also cancels its intent. */
    async voidInvoice(invoiceId: string, by: By): Promise<void> {
      await ask(() => sdk.invoices.voidInvoice(invoiceId, {}, options(by)))
    },

    /**
     * Finalizes a draft without collecting it: only a finalized invoice can be voided, and a renewal's cannot be
     * deleted.
     */
    async closeDraft(invoiceId: string, by: By): Promise<void> {
      await ask(() => sdk.invoices.finalizeInvoice(invoiceId, { auto_advance: false }, options(by)))
    },

    async listInvoicePayments(invoiceId: string, by: By): Promise<InvoicePayment[]> {
      const { data } = await ask(() => sdk.invoicePayments.list({ invoice: invoiceId, limit: 100 }, options(by)))
      return data.flatMap((payment) => toInvoicePayment(payment) ?? [])
    },

    /** Charges this saved card from now on, for one subscription and for the customer's later invoices. */
    async useCard(
      input: { subscriptionId: string; customerId: string; paymentMethodId: string },
      by: By,
    ): Promise<void> {
      await ask(() =>
        sdk.customers.update(
          input.customerId,
          { invoice_settings: { default_payment_method: input.paymentMethodId } },
          options(by),
        ),
      )
      const params: Stripe.SubscriptionUpdateParams = {
        default_payment_method: input.paymentMethodId,
        // a subscription that began with PayPal accepts only PayPal until this is changed
        payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
      }
      await ask(() => sdk.subscriptions.update(input.subscriptionId, params, options(by)))
    },

    /** Pays an open invoice now, with its owner on the page. Throws declined when the card is refused. */
    async payInvoice(invoiceId: string, paymentMethodId: string, by: By): Promise<Invoice> {
      const params = { payment_method: paymentMethodId, off_session: false }
      return toInvoice(await ask(() => sdk.invoices.pay(invoiceId, params, options(by))))
    },
  }
}
