import { product, READING_FALLBACK_PRICES, type ReadingId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'

/**
 * P-09: the fallback price of a reading in cents, undefined where there is none. It is valid only if it equals the
 * price on the card: any other amount must not be charged.
 */
export function fallbackPrice(id: ReadingId): number | undefined {
  const amount = READING_FALLBACK_PRICES[id]
  return amount === product(id).price ? amount : undefined
}

/**
 * The price of a reading: Stripe's, else the fallback (with id null: the charge carries only the amount). Throws
 * price_not_found ('Product price not found and no fallback available.'), and unknown_product (field productId) while
 * the editors have switched the reading product off: then none is sold, even from a page that is still open.
 */
export async function readingPrice(
  deps: Pick<Deps, 'prices' | 'log' | 'settings'>,
  id: ReadingId,
  by: Deadline | undefined,
): Promise<{ id: string | null; amount: number }> {
  if (!(await deps.settings()).readingEnabled) throw new AppError('unknown_product', { field: 'productId' })
  try {
    return await deps.prices.priceOf(id, by)
  } catch (error) {
    const amount = fallbackPrice(id)
    if (!(error instanceof AppError) || error.code !== 'price_not_found' || amount === undefined) throw error
    deps.log.warn({ product: id, amount }, 'a reading is charged at its fallback price')
    return { id: null, amount }
  }
}
