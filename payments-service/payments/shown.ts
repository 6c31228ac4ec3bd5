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
 * The terms of an order at this moment by our clock, `amount` of it charged now. Throws terms_changed with the true
 * figures when the page showed others: it stayed open over midnight, or its clock is off.
 */
export function agreedTerms(id: ProductId, page: ShownTerms, amount: number, at = new Date()): ShownTerms {
  const terms = { ...shownTerms(id, at, page.timeZone), now: amount }
  if (!sameTerms(page, terms)) throw new AppError('terms_changed', { field: 'shown', terms })
  return terms
}
