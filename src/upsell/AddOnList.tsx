import { GUIDE_IDS, type AddOnId } from '../../contract/catalogue.ts'
import type { AddOnCopy } from '../../contract/content.ts'
import type { Cents } from '../../contract/money.ts'
import { formatMoney } from '../../contract/money.ts'
import { AddOnCard } from './AddOnCard.tsx'
import { isBundleOffered, isBundlePicked, type Selection } from './selection.ts'

interface Props {
  copy: readonly AddOnCopy[]
  selection: Selection
  /** How much less the bundle costs than the guides picked; nothing is shown at 0 or below. */
  saving: Cents
  locked: boolean
  onToggle: (id: AddOnId) => void
  /** What became of an add-on that was ordered and not added; null otherwise. */
  failureOf: (id: AddOnId) => string | null
}

/** U-01, U-02: the bundle, while it is offered, and the guides in the order of the catalogue. */
export function AddOnList({ copy, selection, saving, locked, onToggle, failureOf }: Props) {
  const bundle = copy.find(({ id }) => id === 'bundle')
  const guides = GUIDE_IDS.flatMap((id) => copy.filter((addOn) => addOn.id === id).map((addOn) => ({ ...addOn, id })))
  return (
    <ul className="addons" aria-label="Add-ons">
      {bundle && isBundleOffered(selection) && (
        <AddOnCard
          copy={bundle}
          main
          picked={isBundlePicked(selection)}
          owned={false}
          locked={locked}
          onToggle={onToggle}
          note={saving > 0 ? `All five together cost ${formatMoney(saving)} less than what you have picked.` : null}
          failure={failureOf('bundle')}
        />
      )}
      {guides.map((guide) => (
        <AddOnCard
          key={guide.id}
          copy={guide}
          picked={selection.picked.includes(guide.id)}
          owned={selection.owned.includes(guide.id)}
          locked={locked}
          onToggle={onToggle}
          failure={failureOf(guide.id)}
        />
      ))}
    </ul>
  )
}
