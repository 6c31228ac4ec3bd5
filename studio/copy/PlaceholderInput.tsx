import { set, type StringInputProps, useFormValue } from 'sanity'
import { unknownPlaceholders } from '../../contract/placeholders.ts'
import type { Path } from '../check/finding.ts'
import { PlaceholderList } from './PlaceholderList.tsx'
import { Frame } from './placeholders.styles.ts'

/** A text field that lists the placeholders and adds one at the end with a click (K-02). */
export function PlaceholderInput(props: StringInputProps) {
  const { value = '', onChange, readOnly, renderDefault } = props
  const extra = Object.entries(ownOf(props.schemaType.options)(useFormValue([]), props.path as Path))
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

/** Placeholders of one field only, with their meanings, given in its options: those that can be filled at its place. */
export type OwnPlaceholders = (document: unknown, path: Path) => Record<string, string>

const ownOf = (options: unknown): OwnPlaceholders =>
  (options as { placeholders?: OwnPlaceholders } | undefined)?.placeholders ?? (() => ({}))
