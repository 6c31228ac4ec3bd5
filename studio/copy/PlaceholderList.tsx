import { useId, type KeyboardEvent } from 'react'
import { useFormValue, type Path } from 'sanity'
import { PLACEHOLDERS } from '../../contract/placeholders.ts'
import { placeholdersIn } from '../check/copy.rules.ts'
import { fieldNames, type Path as CheckedPath } from '../check/finding.ts'

interface PlaceholderListProps {
  /** The field's. */
  path: Path
  /** Placeholders of this field only, with their meanings. */
  extra?: readonly (readonly [name: string, meaning: string])[]
  onChoose: (name: string) => void
}

/** K-02: the placeholders that a text is filled with, with what each stands for; one is chosen with a click. */
export function PlaceholderList({ path, extra = [], onChoose }: PlaceholderListProps) {
  const label = useId()
  const documentType = useFormValue(['_type']) as string
  const known = placeholdersIn(documentType, fieldNames(path as CheckedPath))
  if (known.length + extra.length === 0) return null
  const closeOnEscape = (event: KeyboardEvent<HTMLDetailsElement>) => {
    if (event.key === 'Escape') event.currentTarget.open = false
  }
  return (
    <details onKeyDown={closeOnEscape}>
      <summary id={label}>Prices, names and dates for this text</summary>
      <ul aria-labelledby={label}>
        {[...extra, ...known.map((name) => [name, PLACEHOLDERS[name]] as const)].map(([name, meaning]) => (
          <li key={name}>
            <button type="button" onClick={() => onChoose(name)}>
              {`{${name}}`}
            </button>
            <span>{meaning}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
