import type Stripe from 'stripe'
import { ask } from './failure.ts'
import { type LinkedObject, readLink } from './links.ts'
import type { Dispute, Refund } from './objects.ts'
import { toDispute, toRefund } from './read-objects.ts'
import { type By, options } from './sdk.ts'

/** Refunds and disputes, and what a charge, refund, dispute or invoice belongs to. */
export function refundCalls(sdk: Stripe) {
  return {
    /** Oldest first. */
    async listRefunds(intentId: string, by: By): Promise<Refund[]> {
      const { data } = await ask(() => sdk.refunds.list({ payment_intent: intentId, limit: 100 }, options(by)))
      return data.map(toRefund).reverse()
    },

    /** Refunds an amount of a charge. Stripe refuses more than is left of it. */
    async refund(
      intentId: string,
      { amount, reason, owedId }: { amount: number; reason: 'duplicate' | 'requested_by_customer'; owedId: string },
      key: string,
      by: By,
    ): Promise<Refund> {
      const params = { payment_intent: intentId, amount, reason, metadata: { owed_refund: owedId } }
      return toRefund(await ask(() => sdk.refunds.create(params, options(by, key))))
    },

    async listDisputes(intentId: string, by: By): Promise<Dispute[]> {
      const { data } = await ask(() => sdk.disputes.list({ payment_intent: intentId, limit: 100 }, options(by)))
      return data.map(toDispute)
    },

    /** What an object belongs to; null: to nothing. */
    readLink: (kind: LinkedObject, id: string, by: By) => readLink(sdk, kind, id, options(by)),
  }
}
