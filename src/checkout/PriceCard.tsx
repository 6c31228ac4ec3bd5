import type { ReactNode } from 'react'
import { product, RENEWAL_DAYS, type ProductId } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { useShown } from '../payment/shown.ts'
import { Terms } from '../payment/Terms.tsx'

interface Props {
  title: string
  /** Null until the visitor's tier is known. */
  productId: ProductId | null
  /** The order button and what belongs below it. */
  children: ReactNode
}

/** C-03: the price card, with the terms beside the button. */
export function PriceCard({ title, productId, children }: Props) {
  const shown = useShown(productId)
  const monthly = product('monthly')
  return (
    <section className="price-card">
      <div className="price-row">
        <h2>{title}</h2>
        <span className="price tabular" data-waiting={shown ? undefined : true}>
          {shown ? formatMoney(shown.now) : '$1'}
        </span>
      </div>
      <p className="price-then">
        Then {formatMoney(shown?.firstFull?.amount ?? monthly.price)}{' '}
        {monthly.listPrice && (
          <s>
            <span className="visually-hidden">instead of </span>
            {formatMoney(monthly.listPrice)}
          </s>
        )}{' '}
        every {shown?.firstFull?.everyDays ?? RENEWAL_DAYS} days
      </p>
      <Terms productId={productId} />
      {children}
    </section>
  )
}
