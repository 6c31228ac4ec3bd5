import type Stripe from 'stripe'
import { ask, isFailure } from './failure.ts'
import type { Invoice, InvoicePayment, SavedMethodFace } from './objects.ts'
import { toInvoice, toInvoicePayment } from './read-objects.ts'
import { type By, options } from './sdk.ts'

/** The invoices of subscriptions: what they charged, charge next, and are no longer to charge. */
export function invoiceCalls(sdk: Stripe) {
  return {
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

    /**
     * Pays an open invoice now, with its owner on the page. `clientSecret`: of its payment, where the owner's bank
     * wants it confirmed on the page. A saved PayPal account is charged as if its owner was away: by its mandate,
     * without PayPal's page (docs.stripe.com/payments/paypal/set-up-future-payments). Throws declined when the method
     * is refused.
     */
    async payInvoice(
      invoiceId: string,
      { id, type }: { id: string; type: SavedMethodFace['type'] },
      by: By,
    ): Promise<{ paid: boolean; clientSecret: string | null }> {
      const params = { payment_method: id, off_session: type === 'paypal' }
      try {
        const { status } = await ask(() => sdk.invoices.pay(invoiceId, params, options(by)))
        return { paid: status === 'paid', clientSecret: null }
      } catch (error) {
        // https://docs.stripe.com/error-codes/invoice-payment-intent-requires-action
        if (!isFailure(error) || error.code !== 'invoice_payment_intent_requires_action') throw error
        const expand = { expand: ['confirmation_secret'] }
        const { confirmation_secret: secret } = await ask(() => sdk.invoices.retrieve(invoiceId, expand, options(by)))
        return { paid: false, clientSecret: secret?.client_secret ?? null }
      }
    },
  }
}
