import { product, type ProductId } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import type { Deadline } from '../http/deadline.ts'
import type { Log } from '../http/logging.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Price } from '../stripe/objects.ts'
import type { StripeGateway } from '../stripe/gateway.ts'

/** Milliseconds a price is cached. */
const FRESH = 300_000

export interface PriceBook {
  /**
   * The Stripe price of a product, checked against the catalogue: what is displayed is what is charged (P-13). Throws
   * price_not_found when Stripe has none or a different one, as a price is never guessed (P-09); product_details_failed
   * when Stripe refuses to say (P-11).
   */
  priceOf(id: ProductId, by: Deadline | undefined): Promise<Price>
}

export function createPriceBook({ stripe, log }: { stripe: StripeGateway; log: Log }): PriceBook {
  const known = new Map<ProductId, { price: Price; until: number }>()
  return {
    async priceOf(id, by) {
      const cached = known.get(id)
      if (cached && cached.until > Date.now()) return cached.price
      const entry = product(id)
      const price = await stripe.findPrice(entry.lookupKey, by).catch((error: unknown) => {
        if (!isFailure(error, 'refused', 'missing')) throw error
        throw new AppError('product_details_failed', { cause: error })
      })
      if (!price || price.amount !== entry.price || price.currency !== CURRENCY) {
        log.error(
          { product: id, found: price?.amount, listed: entry.price },
          'price missing at Stripe or not the listed one; run npm run stripe:setup',
        )
        throw new AppError('price_not_found')
      }
      known.set(id, { price, until: Date.now() + FRESH })
      return price
    },
  }
}
