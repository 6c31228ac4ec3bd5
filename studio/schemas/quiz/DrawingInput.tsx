import { set, unset, type StringInputProps } from 'sanity'
import { DRAWINGS } from '../../../contract/drawings.ts'
import { Icon } from '../../../src/artwork/Icon.tsx'
import { Thumbnail, Thumbnails } from './DrawingInput.styles.ts'

const CHOICES: readonly (readonly [string, string])[] = [['', 'None'], ...Object.entries(DRAWINGS)]

/** The drawings as visitors see them, to choose from by sight: radio buttons, so that arrow keys move among them. */
export function DrawingInput({ value = '', onChange, readOnly, elementProps, schemaType }: StringInputProps) {
  const { id, ref, 'aria-describedby': describedBy, ...rest } = elementProps
  // one of an earlier list is none of these: its error says so
  const focused = CHOICES.some(([name]) => name === value) ? value : ''
  return (
    <Thumbnails id={id} role="radiogroup" aria-label={schemaType.title} aria-describedby={describedBy}>
      {CHOICES.map(([name, title]) => (
        <label key={name}>
          <input
            {...rest}
            {...(name === focused ? { ref } : {})}
            type="radio"
            name={id}
            value={name}
            checked={name === value}
            disabled={readOnly === true}
            onChange={() => onChange(name === '' ? unset() : set(name))}
          />
          <Thumbnail>{name !== '' && <Icon name={name} />}</Thumbnail>
          {title}
        </label>
      ))}
    </Thumbnails>
  )
}

/** A drawing beside the words of its option, in the list of options. */
export const drawingOf = (name: unknown) =>
  typeof name === 'string' && name in DRAWINGS ? (
    <Thumbnail>
      <Icon name={name} />
    </Thumbnail>
  ) : undefined
