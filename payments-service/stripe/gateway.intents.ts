import type Stripe from 'stripe'
import { ask } from './failure.ts'
import type { Intent } from './objects.ts'
import { toIntent, toSetup } from './read-objects.ts'
import { type By, type Method, options, seconds } from './sdk.ts'

export interface NewIntent {
  /** Whether to save the method for later charges (P-03); a saved one is already. */
  save: boolean
  amount: number
  currency: string
  customerId: string
  method: Method
  description: string
  metadata: Record<string, string>
}

/** A saved method, and where its bank's redirect returns to. */
export interface SavedMethod {
  paymentMethodId: string
  method: Method
  returnUrl: string
}

const INTENT = { expand: ['latest_charge', 'payment_method', 'customer'] }

/** Intents, which charge, and set-ups, which save a method. */
export function intentCalls(sdk: Stripe) {
  return {
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
     * U-04: charges a saved method on an open intent, with the buyer on the page. Never done in the creation: an intent
     * succeeds only once, so after a lost reply this can safely be repeated. A decline throws (declined) and leaves the
     * intent open.
     */
    async confirmSaved(id: string, input: SavedMethod, by: By): Promise<Intent> {
      const params: Stripe.PaymentIntentConfirmParams = {
        payment_method: input.paymentMethodId,
        return_url: input.returnUrl,
        // PayPal is charged as merchant-initiated; a card is charged with the buyer on the page, where the bank's
        // question opens as a dialog; the return address is for banks that insist on a redirect
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

    /** The intents of a customer, newest first: finds those whose creation was not answered. */
    async listIntents(customerId: string, by: By): Promise<Intent[]> {
      const { data } = await ask(() => sdk.paymentIntents.list({ customer: customerId, limit: 100 }, options(by)))
      return data.map(toIntent)
    },

    /** Intents created since a moment, newest first, at most `most`; fewer when `goOn` says no between two pages. */
    async intentsSince(since: Date, most: number, goOn: () => Promise<boolean>): Promise<Intent[]> {
      const found: Intent[] = []
      let after: string | undefined
      while (found.length < most && (await goOn())) {
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
  }
}
