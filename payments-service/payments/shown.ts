import { PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import { sameTerms, type ShownTerms, shownTerms } from '../../contract/terms.ts'
import { AppError } from '../http/errors.ts'

/** A product of the catalogue, from a path. Throws unknown_product. */
export function knownProduct(id: string): ProductId {
  const found = PRODUCT_IDS.find((one) => one === id)
  if (!found) throw new AppError('unknown_product', { field: 'productId' })
  return found
}

/**
 * What would be charged for an order at this moment, `amount` of it now. The clock is ours: a page that stayed
 * open over midnight, or whose clock is off, learns the true day. Throws terms_changed (with the true figures)
 * where the page showed others.
 */
export function agreedTerms(id: ProductId, page: ShownTerms, amount: number, at = new Date()): ShownTerms {
  const terms = { ...shownTerms(id, at, page.timeZone), now: amount }
  if (!sameTerms(page, terms)) throw new AppError('terms_changed', { field: 'shown', terms })
  return terms
}
