import type { PurchasesView } from '../../contract/api.ts'
import { formatMoney } from '../../contract/money.ts'
import { longDate } from '../payment/terms-text.ts'
import { GuideCover } from '../ui/GuideCover.tsx'
import { TakeBack } from '../upsell/TakeBack.tsx'
import type { ReceiptItem } from './receipt.ts'

interface Props {
  items: readonly ReceiptItem[]
  nextCharge: PurchasesView['nextCharge']
  /** Null while the session is not known: nothing can be taken back then. */
  sessionId: string | null
}

/** A-03, H-05: what was bought, what can still be taken back, and the next charge. */
export function Receipt({ items, nextCharge, sessionId }: Props) {
  return (
    <section className="card" aria-labelledby="order-title">
      <h2 id="order-title">Your order</h2>
      <ul className="receipt">
        {items.map((item) => (
          <li key={item.key}>
            <GuideCover emoji={item.emoji} of={item.key} />
            <span>
              <strong>{item.name}</strong>
              {item.description && <span className="quiet small receipt-text">{item.description}</span>}
            </span>
            <strong className="tabular">{item.price}</strong>
            {item.undo && sessionId && <TakeBack sessionId={sessionId} item={item.undo} name={item.name} />}
          </li>
        ))}
      </ul>
      {nextCharge && (
        <p className="receipt-next">
          <strong>
            Next charge: {formatMoney(nextCharge.amount)} on {longDate(new Date(nextCharge.at))}
          </strong>
          <span className="quiet small">
            Cancel online at any time, in your <a href="/app/">account</a> or from any of our emails. Cancel before that
            day and you pay nothing more.
          </span>
        </p>
      )}
    </section>
  )
}
