import { set, type StringInputProps } from 'sanity'
import { unknownPlaceholders } from '../../contract/placeholders.ts'
import { PlaceholderList } from './PlaceholderList.tsx'
import { Frame } from './placeholders.styles.ts'

/** A text field that lists the placeholders and adds one at the end with a click (K-02). */
export function PlaceholderInput(props: StringInputProps) {
  const { value = '', onChange, readOnly, renderDefault } = props
  const extra = placeholdersOf(props.schemaType.options)
  const insert = (name: string) => onChange(set(`${value}${value === '' || value.endsWith(' ') ? '' : ' '}{${name}}`))
  const unknown = unknownPlaceholders(value).filter((name) => !extra.some(([known]) => known === name))
  return (
    <Frame>
      {renderDefault(props)}
      {unknown.length > 0 && <p role="status">Not known: {unknown.map((name) => `{${name}}`).join(', ')}</p>}
      {readOnly !== true && <PlaceholderList path={props.path} extra={extra} onChoose={insert} />}
    </Frame>
  )
}

/** Placeholders of one field only, given in its options: `{ placeholders: { symptoms: 'The chosen symptoms' } }`. */
function placeholdersOf(options: unknown): (readonly [string, string])[] {
  const extra = (options as { placeholders?: Record<string, string> } | undefined)?.placeholders
  return Object.entries(extra ?? {})
}
