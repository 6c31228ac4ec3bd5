import type { ProductId } from '../../contract/catalogue.ts'
import { type PaidBy, useShown } from './shown.ts'
import { termsText } from './terms-text.ts'

/**
 * H-01: the full terms beside a pay button, as text, without scrolling or a link. Until they are known their space is
 * reserved, so that nothing jumps.
 */
export function Terms({ productId, by }: { productId: ProductId | null; by?: PaidBy }) {
  const shown = useShown(productId, by)
  const text = productId && shown ? termsText(productId, shown, by) : undefined
  if (!text) return <div className="terms terms-empty" aria-hidden="true" />
  return (
    <p className="terms">
      <strong>{text.today}</strong> <strong>{text.first}</strong> {text.then} {text.cancel}
    </p>
  )
}
