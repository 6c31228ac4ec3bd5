import { useId, type KeyboardEvent } from 'react'
import { set, type StringInputProps } from 'sanity'
import { PLACEHOLDERS, unknownPlaceholders } from '../../contract/placeholders.ts'
import { Frame } from './PlaceholderInput.styles.ts'

const NAMES = Object.keys(PLACEHOLDERS) as (keyof typeof PLACEHOLDERS)[]

/** A text field that lists the placeholders and adds one at the end with a click (K-02). */
export function PlaceholderInput(props: StringInputProps) {
  const { value = '', onChange, readOnly, renderDefault } = props
  const label = useId()
  const extra = placeholdersOf(props.schemaType.options)
  const insert = (name: string) => onChange(set(`${value}${value === '' || value.endsWith(' ') ? '' : ' '}{${name}}`))
  const closeOnEscape = (event: KeyboardEvent<HTMLDetailsElement>) => {
    if (event.key === 'Escape') event.currentTarget.open = false
  }
  const unknown = unknownPlaceholders(value).filter((name) => !extra.some(([known]) => known === name))
  return (
    <Frame>
      {renderDefault(props)}
      {unknown.length > 0 && <p role="status">Not known: {unknown.map((name) => `{${name}}`).join(', ')}</p>}
      {readOnly !== true && (
        <details onKeyDown={closeOnEscape}>
          <summary id={label}>Prices, names and dates for this text</summary>
          <ul aria-labelledby={label}>
            {[...extra, ...NAMES.map((name) => [name, PLACEHOLDERS[name]] as const)].map(([name, meaning]) => (
              <li key={name}>
                <button type="button" onClick={() => insert(name)}>
                  {`{${name}}`}
                </button>
                <span>{meaning}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Frame>
  )
}

/** Placeholders of one field only, given in its options: `{ placeholders: { symptoms: 'The chosen symptoms' } }`. */
function placeholdersOf(options: unknown): (readonly [string, string])[] {
  const extra = (options as { placeholders?: Record<string, string> } | undefined)?.placeholders
  return Object.entries(extra ?? {})
}
