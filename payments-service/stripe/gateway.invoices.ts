import type Stripe from 'stripe'
import { ask, isFailure } from './failure.ts'
import type { ForGood, Invoice, InvoicePayment, SavedMethodFace } from './objects.ts'
import { toInvoice, toInvoicePayment } from './read-objects.ts'
import { type By, options } from './sdk.ts'

/**
 * "The invoice can no longer be retried unless a new payment method is obtained. Retries will continue to be scheduled"
 * (docs.stripe.com/api/invoices/object#invoice_object-attempt_count); the codes:
 * docs.stripe.com/billing/revenue-recovery/smart-retries#non-retryable-decline-codes
 */
const FOR_GOOD = new Map<string, ForGood>([
  ['authentication_required', 'unconfirmed'],
  ['highest_risk_level', 'refused'],
  ['incorrect_number', 'refused'],
  ['lost_card', 'refused'],
  ['pickup_card', 'refused'],
  ['revocation_of_all_authorizations', 'refused'],
  ['revocation_of_authorization', 'refused'],
  ['stolen_card', 'refused'],
  ['transaction_not_allowed', 'refused'],
])

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

    /** Why Stripe makes no planned try of an open invoice with this method any more; undefined: it does. */
    async readForGood(invoiceId: string, methodId: string, by: By): Promise<ForGood | undefined> {
      const params = { invoice: invoiceId, limit: 100, expand: ['data.payment.payment_intent'] }
      const { data } = await ask(() => sdk.invoicePayments.list(params, options(by)))
      for (const { payment } of data) {
        const intent = payment.payment_intent
        const error = intent && typeof intent === 'object' ? intent.last_payment_error : null
        // a card error without one has an empty decline_code
        const why = FOR_GOOD.get(error?.decline_code || error?.code || '')
        if (why && error?.payment_method?.id === methodId) return why
      }
      return undefined
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
