import { isAddOnId, type Product, product, type ProductId } from '../../contract/catalogue.ts'

/** What a payment is for. One settled payment per session and purpose; renewals carry their invoice. */
export type Purpose = 'first' | 'reading' | `upsell:${string}` | `renewal:${string}`

/** The purpose of the next charge for a product; an add-on that was bought before, and undone since, has a new one. */
export function purposeOf(id: ProductId, timesBought = 0): Purpose {
  const { kind } = product(id)
  if (kind === 'reading') return 'reading'
  if (!isAddOnId(id)) return 'first'
  return timesBought === 0 ? `upsell:${id}` : `upsell:${id}_again_${timesBought + 1}`
}

/** Whether a charge for this product may have this purpose. */
export function isPurposeOf(purpose: string, id: ProductId): boolean {
  return purpose === purposeOf(id) || (isAddOnId(id) && purpose.replace(/_again_\d+$/, '') === purposeOf(id))
}

/**
 * Whether a first payment of this kind starts the subscription afterwards; the monthly
 * product is the subscription itself.
 */
export function startsSubscription(kind: Product['kind']): boolean {
  return kind === 'trial' || kind === 'special_offer'
}
