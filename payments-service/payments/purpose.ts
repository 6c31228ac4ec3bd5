import { isAddOnId, type Product, product, type ProductId } from '../../contract/catalogue.ts'

/** What a payment is for. One settled payment per session and purpose; renewals carry their invoice. */
export type Purpose = 'first' | 'reading' | `upsell:${string}` | `renewal:${string}`

export function purposeOf(id: ProductId): Purpose {
  const { kind } = product(id)
  if (kind === 'reading') return 'reading'
  return isAddOnId(id) ? `upsell:${id}` : 'first'
}

/**
 * Whether a first payment of this kind starts the subscription afterwards; the monthly
 * product is the subscription itself.
 */
export function startsSubscription(kind: Product['kind']): boolean {
  return kind === 'trial' || kind === 'special_offer'
}
