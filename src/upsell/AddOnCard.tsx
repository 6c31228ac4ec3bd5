import { product, type AddOnId } from '../../contract/catalogue.ts'
import type { AddOnCopy } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import { useShownPrices } from '../payment/shown.ts'
import { GuideCover } from '../ui/GuideCover.tsx'

interface Props {
  copy: AddOnCopy
  picked: boolean
  owned: boolean
  /** Work is under way: nothing can be changed. */
  locked: boolean
  onToggle: (id: AddOnId) => void
  /** The large card of the bundle. */
  main?: boolean
  note?: string | null
  /** Set when it was ordered and could not be added. */
  failure?: string | null
}

/** U-01: one add-on: pick it, read about it, see list and sale price. */
export function AddOnCard({ copy, picked, owned, locked, onToggle, main = false, note, failure }: Props) {
  const { listPrice } = product(copy.id)
  const priceOf = useShownPrices()
  return (
    <li
      className="addon"
      data-main={main || undefined}
      data-picked={picked || undefined}
      data-owned={owned || undefined}
    >
      <label className="addon-head">
        <input
          type="checkbox"
          name={copy.id}
          checked={picked || owned}
          disabled={owned}
          aria-disabled={locked || undefined}
          onChange={() => {
            if (!locked) onToggle(copy.id)
          }}
        />
        <GuideCover emoji={copy.emoji} of={copy.id} />
        <span className="addon-name">
          <strong>{copy.name}</strong>
          {owned ? (
            <span className="addon-owned">You own this</span>
          ) : (
            <span className="addon-price">
              {listPrice !== undefined && (
                <s>
                  <span className="visually-hidden">List price </span>
                  {formatMoney(listPrice)}
                </s>
              )}{' '}
              <strong className="tabular">{formatMoney(priceOf(copy.id))}</strong>
              {copy.label && <span className="addon-label">{copy.label}</span>}
            </span>
          )}
        </span>
      </label>
      {main ? (
        <p className="addon-text">{copy.description}</p>
      ) : (
        <details className="addon-more">
          <summary>
            About this guide<span className="visually-hidden">: {copy.name}</span>
          </summary>
          <p className="addon-text">{copy.description}</p>
        </details>
      )}
      {note && <p className="addon-note">{note}</p>}
      {failure && <p className="addon-failure">{failure}</p>}
    </li>
  )
}
