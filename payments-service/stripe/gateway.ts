/**
 * Everything the service asks of Stripe, one function a question. Throws StripeFailure (failure.ts)
 * and nothing else of the SDK.
 */
import Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Deadline } from '../http/deadline.ts'
import { type LinkedObject, readLink } from './links.ts'
import { ask, isFailure } from './failure.ts'
import {
  type Dispute,
  type Intent,
  type Invoice,
  type InvoicePayment,
  type Price,
  type Refund,
  type SavedMethodFace,
  type StripeEvent,
  type Subscription,
  toDispute,
  toEvent,
  toIntent,
  toInvoice,
  toInvoicePayment,
  toMethodFace,
  toRefund,
  toSetup,
  toSubscription,
} from './objects.ts'

/** The version every request is made in; a newer SDK does not change what we get. */
export const API_VERSION = '2026-10-28.endive'

/** Milliseconds one call may take while a browser waits, and while only a job waits. */
const BROWSER_TIMEOUT = 8_000
const JOB_TIMEOUT = 20_000

type Method = 'card' | 'paypal'
type By = Deadline | undefined

export interface NewIntent {
  /** Whether the method is kept for later charges (P-03); a saved one is kept already. */
  save: boolean
  amount: number
  currency: string
  customerId: string
  method: Method
  description: string
  metadata: Record<string, string>
}

/** A saved method and where a redirect of its bank comes back to. */
export interface SavedMethod {
  paymentMethodId: string
  method: Method
  returnUrl: string
}

export interface NewSubscription {
  customerId: string
  priceId: string
  metadata: Record<string, string>
  description: string
  /** Cancelled before it could be made: it ends with what is paid and never renews. */
  cancelled?: boolean
  /** Absent for the monthly product: the buyer confirms its first invoice. */
  start?: { paymentMethodId: string } & ({ trialDays: number } | { trialEnd: Date })
  method: Method
}

export type StripeGateway = ReturnType<typeof createGateway>

/** One SDK client for the process. `sdk` is for stripe/ alone. */
export function createSdk(config: Config['stripe']): Stripe {
  const base = config.apiBase ? new URL(config.apiBase) : undefined
  return new Stripe(config.secretKey, {
    apiVersion: API_VERSION,
    // a retry of ours asks Stripe first what happened
    maxNetworkRetries: 0,
    timeout: BROWSER_TIMEOUT,
    telemetry: false,
    appInfo: { name: 'eye-funnel' },
    ...(base
      ? {
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
          host: base.hostname,
          port: Number(base.port) || (base.protocol === 'https:' ? 443 : 80),
        }
      : {}),
  })
}

/**
 * What is left of the deadline, at most the timeout of one call; keys derive from the purpose, never from the request.
 */
function options(by: By, idempotencyKey?: string): Stripe.RequestOptions {
  const timeout = by ? Math.max(1, Math.min(BROWSER_TIMEOUT, by.left)) : JOB_TIMEOUT
  return { timeout, maxNetworkRetries: 0, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}

const INTENT = { expand: ['latest_charge', 'payment_method', 'customer'] }
const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** `watch` may wrap the client (failpoints.ts). */
export function createGateway(config: Config['stripe'], watch: (sdk: Stripe) => Stripe = (sdk) => sdk) {
  const sdk = watch(createSdk(config))

  return {
    /** The active price of a lookup key, or null. */
    async findPrice(lookupKey: string, by: By): Promise<Price | null> {
      const { data } = await ask(() =>
        sdk.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 }, options(by)),
      )
      const price = data[0]
      return price === undefined || price.unit_amount === null
        ? null
        : { id: price.id, amount: price.unit_amount, currency: price.currency }
    },

    async createCustomer(
      input: { email: string; name: string | null; sessionId: string },
      key: string,
      by: By,
    ): Promise<string> {
      const params = { email: input.email, metadata: { session_id: input.sessionId } }
      const named = input.name ? { ...params, name: input.name } : params
      return (await ask(() => sdk.customers.create(named, options(by, key)))).id
    },

    /** The customer that an earlier, unanswered call made for a session. */
    async findCustomer(email: string, sessionId: string, by: By): Promise<string | null> {
      const { data } = await ask(() => sdk.customers.list({ email, limit: 100 }, options(by)))
      return data.find(({ metadata }) => metadata['session_id'] === sessionId)?.id ?? null
    },

    /** The address that Stripe's own receipts go to. */
    async readdressCustomer(id: string, email: string, by: By): Promise<void> {
      await ask(() => sdk.customers.update(id, { email }, options(by)))
    },

    async renameCustomer(id: string, name: string, by: By): Promise<void> {
      await ask(() => sdk.customers.update(id, { name }, options(by)))
    },

    /** P-02, P-03: an intent the browser confirms; the method is saved for later charges. */
    async createIntent(input: NewIntent, key: string, by: By): Promise<Intent> {
      const params: Stripe.PaymentIntentCreateParams = {
        amount: input.amount,
        currency: input.currency,
        customer: input.customerId,
        allowed_payment_method_types: [input.method],
        ...(input.save ? { setup_future_usage: 'off_session' as const } : {}),
        description: input.description,
        metadata: input.metadata,
        ...INTENT,
      }
      return toIntent(await ask(() => sdk.paymentIntents.create(params, options(by, key))))
    },

    /**
     * U-04: charges a saved method on an open intent, with its owner on the page. Never part of the creation: an intent
     * succeeds once, so a lost reply is repeated without harm. A decline throws (declined) and leaves the intent open.
     */
    async confirmSaved(id: string, input: SavedMethod, by: By): Promise<Intent> {
      const params: Stripe.PaymentIntentConfirmParams = {
        payment_method: input.paymentMethodId,
        return_url: input.returnUrl,
        // a PayPal agreement is a merchant-initiated charge; a card is charged with its owner on the page and its
        // bank's question opens as a dialog on the page that they are on; the return address is for banks that insist
        ...(input.method === 'paypal' ? { off_session: true } : { use_stripe_sdk: true }),
        ...INTENT,
      }
      return toIntent(await ask(() => sdk.paymentIntents.confirm(id, params, options(by))))
    },

    async readIntent(id: string, by: By): Promise<Intent> {
      return toIntent(await ask(() => sdk.paymentIntents.retrieve(id, INTENT, options(by))))
    },

    async cancelIntent(id: string, by: By): Promise<Intent> {
      return toIntent(await ask(() => sdk.paymentIntents.cancel(id, INTENT, options(by))))
    },

    /** The intents of a customer, newest first: what an unanswered creation left at Stripe. */
    async listIntents(customerId: string, by: By): Promise<Intent[]> {
      const { data } = await ask(() => sdk.paymentIntents.list({ customer: customerId, limit: 100 }, options(by)))
      return data.map(toIntent)
    },

    /** Intents made since a moment, newest first, at most `most`. */
    async intentsSince(since: Date, most: number): Promise<Intent[]> {
      const found: Intent[] = []
      let after: string | undefined
      while (found.length < most) {
        const page = await ask(() =>
          sdk.paymentIntents.list(
            { created: { gte: seconds(since) }, limit: 100, ...(after ? { starting_after: after } : {}) },
            options(undefined),
          ),
        )
        found.push(...page.data.map(toIntent))
        after = page.data.at(-1)?.id
        if (!page.has_more || !after) break
      }
      return found
    },

    /** P-06: saves a method without a charge. */
    async createSetup(
      input: { customerId: string; method: Method; description: string; metadata: Record<string, string> },
      key: string,
      by: By,
    ): Promise<Intent> {
      const params: Stripe.SetupIntentCreateParams = {
        customer: input.customerId,
        allowed_payment_method_types: [input.method],
        usage: 'off_session',
        description: input.description,
        metadata: input.metadata,
        expand: ['payment_method', 'customer'],
      }
      return toSetup(await ask(() => sdk.setupIntents.create(params, options(by, key))))
    },

    async readSetup(id: string, by: By): Promise<Intent> {
      return toSetup(
        await ask(() => sdk.setupIntents.retrieve(id, { expand: ['payment_method', 'customer'] }, options(by))),
      )
    },

    async cancelSetup(id: string, by: By): Promise<Intent> {
      return toSetup(await ask(() => sdk.setupIntents.cancel(id, {}, options(by))))
    },

    /** What a charge, refund, dispute or invoice belongs to; null: to nothing. */
    readLink: (kind: LinkedObject, id: string, by: By) => readLink(sdk, kind, id, options(by)),

    /** Oldest first. */
    async listRefunds(intentId: string, by: By): Promise<Refund[]> {
      const { data } = await ask(() => sdk.refunds.list({ payment_intent: intentId, limit: 100 }, options(by)))
      return data.map(toRefund).reverse()
    },

    /** Gives an amount of a charge back. Stripe refuses more than is left of it. */
    async refund(
      intentId: string,
      { amount, reason, owedId }: { amount: number; reason: 'duplicate' | 'requested_by_customer'; owedId: string },
      key: string,
      by: By,
    ): Promise<Refund> {
      const params = { payment_intent: intentId, amount, reason, metadata: { owed_refund: owedId } }
      return toRefund(await ask(() => sdk.refunds.create(params, options(by, key))))
    },

    /** What a buyer recognises a saved method by. */
    async readMethod(id: string, by: By): Promise<SavedMethodFace> {
      return toMethodFace(await ask(() => sdk.paymentMethods.retrieve(id, {}, options(by))))
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
        // a subscription that began with PayPal takes nothing else until it is told
        payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
      }
      await ask(() => sdk.subscriptions.update(input.subscriptionId, params, options(by)))
    },

    /** Pays an open invoice now, with its owner on the page. Throws declined when the card is refused. */
    async payInvoice(invoiceId: string, paymentMethodId: string, by: By): Promise<Invoice> {
      const params = { payment_method: paymentMethodId, off_session: false }
      return toInvoice(await ask(() => sdk.invoices.pay(invoiceId, params, options(by))))
    },

    async listDisputes(intentId: string, by: By): Promise<Dispute[]> {
      const { data } = await ask(() => sdk.disputes.list({ payment_intent: intentId, limit: 100 }, options(by)))
      return data.map(toDispute)
    },

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

    /** Ends it with the paid period, or takes that back. */
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

    /** What a subscription will charge next by itself, or null when it charges nothing more. */
    async previewInvoice(subscriptionId: string, by: By): Promise<Invoice | null> {
      try {
        return toInvoice(await ask(() => sdk.invoices.createPreview({ subscription: subscriptionId }, options(by))))
      } catch (error) {
        if (isFailure(error, 'missing') || (isFailure(error) && error.code === 'invoice_upcoming_none')) return null
        throw error
      }
    },

    /** Ends an unpaid invoice and its intent with it. */
    async voidInvoice(invoiceId: string, by: By): Promise<void> {
      await ask(() => sdk.invoices.voidInvoice(invoiceId, {}, options(by)))
    },

    /**
     * Makes a draft final without collecting it: only a final invoice can be voided, and a renewal's cannot be deleted.
     */
    async closeDraft(invoiceId: string, by: By): Promise<void> {
      await ask(() => sdk.invoices.finalizeInvoice(invoiceId, { auto_advance: false }, options(by)))
    },

    async listInvoicePayments(invoiceId: string, by: By): Promise<InvoicePayment[]> {
      const { data } = await ask(() => sdk.invoicePayments.list({ invoice: invoiceId, limit: 100 }, options(by)))
      return data.flatMap((payment) => toInvoicePayment(payment) ?? [])
    },

    /** Where the account sends its events; `apiVersion` null: in the account's default version. */
    async listWebhookEndpoints(): Promise<{ id: string; url: string; enabled: boolean; apiVersion: string | null }[]> {
      const { data } = await ask(() => sdk.webhookEndpoints.list({ limit: 100 }, options(undefined)))
      return data.map(({ id, url, status, api_version }) => ({
        id,
        url,
        enabled: status === 'enabled',
        apiVersion: api_version,
      }))
    },

    /**
     * Events since a moment, newest first, every page; `at`: when it was asked, by Stripe's
     * clock, where its answer says so.
     */
    async eventsSince(since: Date): Promise<{ events: StripeEvent[]; at: Date | null }> {
      const found: StripeEvent[] = []
      let after: string | undefined
      let at: number | undefined
      for (;;) {
        const page = await ask(() =>
          sdk.events.list(
            { created: { gte: seconds(since) }, limit: 100, ...(after ? { starting_after: after } : {}) },
            options(undefined),
          ),
        )
        at ??= Date.parse(page.lastResponse.headers['date'] ?? '')
        found.push(...page.data.map(toEvent))
        after = page.data.at(-1)?.id
        if (!page.has_more || !after) return { events: found, at: Number.isNaN(at) ? null : new Date(at) }
      }
    },

    /**
     * The event of a webhook, or null when its signature is not Stripe's, is older than `tolerance`
     * seconds, is dated as far ahead (the SDK lets the future pass) or more than once (the SDK takes the
     * last date), or signs what is no event.
     */
    verifyWebhook(raw: Buffer, signature: string, secret: string, tolerance: number): StripeEvent | null {
      const stamps = signature.split(',').filter((part) => part.trim().split('=')[0] === 't')
      const stamp = Number(/^t=(\d{1,12})$/.exec(stamps[0] ?? '')?.[1])
      if (stamps.length !== 1 || !Number.isFinite(stamp) || stamp - Date.now() / 1000 > tolerance) return null
      try {
        return toEvent(sdk.webhooks.constructEvent(raw, signature, secret, tolerance))
      } catch {
        // a forged signature, or bytes that are no event: the same answer, so that nothing is learnt from it
        return null
      }
    },
  }
}
