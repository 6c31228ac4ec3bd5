import type { Cents } from '../../contract/money.ts'
import { formatMoney } from '../../contract/money.ts'
import { includingTax } from '../../contract/tax-words.ts'
import type { Trouble } from '../payment/failures.ts'
import { TroubleNotice } from '../payment/TroubleNotice.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

interface Props {
  problem: Trouble | null
  news: string | null
  /** Nothing is left to order: everything was just added, or is already owned. */
  over: 'added' | 'owned' | null
  /** Add-ons to charge, and what they cost together. */
  count: number
  total: Cents
  /** The tax that is in it, by its name. */
  tax: string | null
  /** H-01: what pressing the button agrees to; shown while something is picked. */
  terms: string
  label: string
  /** What is in progress; null when nothing is. */
  progress: string | null
  onOrder: () => void
  onLeave: () => void
}

/** The bar under the add-ons: the total, its terms, the button, and what became of the order. */
export function OrderBar({ problem, news, over, count, total, tax, terms, label, progress, onOrder, onLeave }: Props) {
  const busy = progress !== null
  const paidOnce = tax ? `one-time payment, ${includingTax(tax)}` : 'one-time payment'
  return (
    <div className="button-bar total-bar">
      {problem && <TroubleNotice trouble={problem} />}
      {news && (
        <Notice tone="info" title={news} live="polite">
          {null}
        </Notice>
      )}
      {over ? (
        <p className="total" role="status">
          {over === 'added' ? 'Added to your order. Thank you!' : 'You own all of it.'}
        </p>
      ) : (
        <p className="total" aria-live="polite">
          <span>
            Total <span className="quiet small">{count === 0 ? 'nothing picked' : paidOnce}</span>
          </span>
          <strong className="tabular">{formatMoney(total)}</strong>
        </p>
      )}
      {count > 0 && <p className="total-terms">{terms}</p>}
      <Button busy={busy} busyLabel={progress ?? ''} onClick={over ? onLeave : onOrder}>
        {over ? 'Continue' : label}
      </Button>
      {busy && <p className="pay-phase">{progress}…</p>}
    </div>
  )
}
