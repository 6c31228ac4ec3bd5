import type { ProductId } from '../../contract/catalogue.ts'
import { termsText } from './terms-text.ts'

/**
 * H-01: the full terms beside a pay button, as text, without scrolling or a link. `at` is the time of the page, null while
 * rendering on the server (a build's date would be a lie); the place is kept, so that nothing jumps.
 */
export function Terms(props: { productId: ProductId | null; at: Date | null; by?: 'price' | 'paypal-setup' }) {
  const { productId, at, by } = props
  const text = productId && at ? termsText(productId, at, undefined, by) : undefined
  if (!text) return <div className="terms terms-empty" aria-hidden="true" />
  return (
    <p className="terms">
      <strong>{text.today}</strong> <strong>{text.first}</strong> {text.then} {text.cancel}
    </p>
  )
}
