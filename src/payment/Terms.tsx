import { memo } from 'react'
import type { ProductId } from '../../contract/catalogue.ts'
import { type PaidBy, useShown } from './shown.ts'
import { termsText } from './terms-text.ts'

interface Props {
  productId: ProductId | null
  by?: PaidBy
}

/**
 * H-01: the full terms beside a pay button, as text, without scrolling or a link. Until they are known their space is
 * reserved, so that nothing jumps. They stay as they are while something else of the page changes.
 */
export const Terms = memo(function Terms({ productId, by }: Props) {
  const shown = useShown(productId, by)
  const text = productId && shown ? termsText(productId, shown, by) : undefined
  if (!text) return <div className="terms terms-empty" aria-hidden="true" />
  return (
    <p className="terms">
      <strong>{text.today}</strong> <strong>{text.first}</strong> {text.then} {text.cancel}
    </p>
  )
})
