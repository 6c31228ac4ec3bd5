import type Stripe from 'stripe'
import { ask, isFailure } from './failure.ts'
import type { Price, SavedMethodFace } from './objects.ts'
import { toMethodFace } from './read-objects.ts'
import { type By, options } from './sdk.ts'

/** Prices, customers and their saved methods. */
export function customerCalls(sdk: Stripe) {
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

    /** The customer that an earlier, unanswered call created for a session. */
    async findCustomer(email: string, sessionId: string, by: By): Promise<string | null> {
      const { data } = await ask(() => sdk.customers.list({ email, limit: 100 }, options(by)))
      return data.find(({ metadata }) => metadata['session_id'] === sessionId)?.id ?? null
    },

    /** What Stripe knows of a customer; null when it is deleted or unknown. */
    async readCustomer(id: string, by: By): Promise<{ email: string | null; name: string | null } | null> {
      try {
        const found = await ask(() => sdk.customers.retrieve(id, {}, options(by)))
        return found.deleted ? null : { email: found.email, name: found.name ?? null }
      } catch (error) {
        if (isFailure(error, 'missing')) return null
        throw error
      }
    },

    /** Changes the address that Stripe's own receipts go to. */
    async readdressCustomer(id: string, email: string, by: By): Promise<void> {
      await ask(() => sdk.customers.update(id, { email }, options(by)))
    },

    async renameCustomer(id: string, name: string, by: By): Promise<void> {
      await ask(() => sdk.customers.update(id, { name }, options(by)))
    },

    /** For good, with what it saved and is subscribed to; one that is gone already is no error. */
    async deleteCustomer(id: string, by: By): Promise<void> {
      try {
        await ask(() => sdk.customers.del(id, {}, options(by)))
      } catch (error) {
        if (!isFailure(error, 'missing')) throw error
      }
    },

    /** What a buyer recognises a saved method by. */
    async readMethod(id: string, by: By): Promise<SavedMethodFace> {
      return toMethodFace(await ask(() => sdk.paymentMethods.retrieve(id, {}, options(by))))
    },
  }
}
