/** What a page sends with an order: the amounts and the words beside its button. */
import type { OrderEvidence } from '../../contract/api.ts'
import { product, resolveProductId } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { shownTerms } from '../../contract/terms.ts'

export const AGREEMENT_VERSION = '2026-11'

/** Evidence for an unknown product carries the terms of a trial. */
export function evidenceOf(productId: string, at = new Date(), free = false): OrderEvidence {
  const id = resolveProductId(productId) ?? 'trial_1'
  const shown = shownTerms(id, at, 'UTC', free)
  const later = shown.firstFull ? ` ${formatMoney(shown.firstFull.amount)} on ${shown.firstFull.on}.` : ''
  const words = `${product(id).name}: ${formatMoney(shown.now)} today.${later}`
  return { shown, agreement: { words, version: AGREEMENT_VERSION, page: '/checkout' } }
}

/** The body of an order; `more` adds fields or overrides them. */
export function orderOf<More extends object>(productId: string, more: More = {} as More, at = new Date()) {
  return { productId, ...evidenceOf(productId, at), ...more }
}

/** The body of a PayPal set-up, which costs nothing now (P-06). */
export function setupOf(productId: string, at = new Date()) {
  return { productId, ...evidenceOf(productId, at, true) }
}
