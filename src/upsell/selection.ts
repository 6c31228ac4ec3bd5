import type { PurchasedItem } from '../../contract/api.ts'
import { GUIDE_IDS, product, type AddOnId, type GuideId, type ProductId } from '../../contract/catalogue.ts'
import type { Cents } from '../../contract/money.ts'

/**
 * U-01, U-02: what is picked on the add-ons page. Pure. The bundle counts as picked exactly when all five guides are
 * and the bundle is offered; so only the guides are stored, and the rules below cannot contradict each other.
 */
export interface Selection {
  picked: readonly GuideId[]
  owned: readonly GuideId[]
}

type PriceOf = (id: AddOnId) => Cents
const listed: PriceOf = (id) => product(id).price

/** What was bought and is kept: not what was taken back, while its refund is under way (H-05). */
export const kept = (items: readonly Pick<PurchasedItem, 'productId' | 'undoing'>[]): ProductId[] =>
  items.filter(({ undoing }) => !undoing).map(({ productId }) => productId)

/** The guides that a session owns; a bundle is all of them (U-08). */
export function ownedGuides(bought: readonly ProductId[]): GuideId[] {
  return bought.includes('bundle') ? [...GUIDE_IDS] : GUIDE_IDS.filter((id) => bought.includes(id))
}

/** Once a guide is owned, the bundle is no longer offered. */
export function isBundleOffered({ owned }: Pick<Selection, 'owned'>): boolean {
  return owned.length === 0
}

const pick = (selection: Selection, picked: readonly GuideId[]): Selection => ({
  ...selection,
  picked: GUIDE_IDS.filter((id) => picked.includes(id) && !selection.owned.includes(id)),
})

/**
 * What a page opens with: everything, as the bundle (U-01). Nothing where the law forbids pre-selection (H-02),
 * or a guide is owned: that buyer has chosen, and the rest costs more one by one than the bundle did. Or what a link
 * asks for (U-09: 1 = bundle, 2 to 4 = the first three guides alone).
 */
export function firstSelection(owned: readonly GuideId[], strict: boolean, link: string | null = null): Selection {
  const none: Selection = { picked: [], owned }
  // the law wins over an operator's link
  if (strict) return none
  const asked = link !== null && /^[234]$/.test(link) ? GUIDE_IDS[Number(link) - 2] : undefined
  if (asked) return pick(none, [asked])
  return owned.length > 0 ? none : pick(none, GUIDE_IDS)
}

export function isBundlePicked(selection: Selection): boolean {
  return isBundleOffered(selection) && selection.picked.length === GUIDE_IDS.length
}

/** The bundle selects or clears everything. */
export function toggleBundle(selection: Selection): Selection {
  if (!isBundleOffered(selection)) return selection
  return pick(selection, isBundlePicked(selection) ? [] : GUIDE_IDS)
}

/** Taking one guide away clears the bundle; picking the fifth picks the bundle. An owned guide cannot be picked. */
export function toggleGuide(selection: Selection, id: GuideId): Selection {
  const { picked } = selection
  return pick(selection, picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id])
}

/** What is charged, in order: the bundle alone, or the guides one after the other (U-03). */
export function charges(selection: Selection): AddOnId[] {
  return isBundlePicked(selection) ? ['bundle'] : [...selection.picked]
}

/** `priceOf`: what the page shows now. */
export function totalOf(selection: Selection, priceOf: PriceOf = listed): Cents {
  return charges(selection).reduce((sum, id) => sum + priceOf(id), 0)
}

/** How much the bundle would save against what is picked; 0 where it saves nothing or is not offered. */
export function bundleSaving(selection: Selection, priceOf: PriceOf = listed): Cents {
  if (!isBundleOffered(selection) || isBundlePicked(selection)) return 0
  return Math.max(0, totalOf(selection, priceOf) - priceOf('bundle'))
}

/**
 * The selection after purchases: what was bought is owned, the rest stays picked. Not the rest of a picked bundle,
 * which would cost more one by one than the bundle did.
 */
export function afterPurchase(selection: Selection, bought: readonly ProductId[]): Selection {
  const owned = GUIDE_IDS.filter((id) => selection.owned.includes(id) || ownedGuides(bought).includes(id))
  return pick({ picked: [], owned }, owned.length > 0 && isBundlePicked(selection) ? [] : selection.picked)
}
