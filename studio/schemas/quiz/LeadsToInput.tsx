import { set, unset, useFormValue, type StringInputProps } from 'sanity'
import { leadsTo } from '../../../contract/leads-to.ts'
import { objects, words } from '../../check/finding.ts'
import { Select } from './conditions.styles.ts'

const OUTSIDE = '/'

/** The step, or the address, that a step leads to: a list of the steps. Stores the key of the chosen one. */
export function LeadsToInput(props: StringInputProps) {
  const { value = '', onChange, readOnly, elementProps, path, renderDefault } = props
  const steps = objects(useFormValue(['steps']))
  const keys = steps.map(({ _key }) => words(_key))
  const own = keys.indexOf((path[1] as { _key?: string } | undefined)?._key ?? '')
  const target = value === '' ? '' : leadsTo(value, own, keys)
  const isOutside = value.startsWith(OUTSIDE)
  const chosen = isOutside ? OUTSIDE : typeof target === 'number' ? `#${keys[target - 1]}` : value
  const isGone = value !== '' && !isOutside && target === undefined
  const choose = (next: string) => onChange(next === '' ? unset() : set(next === OUTSIDE ? '/checkout' : next))
  return (
    <div>
      <Select
        {...elementProps}
        value={chosen}
        disabled={readOnly === true}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">The step below this one</option>
        {isGone && <option value={value}>{value.startsWith('#') ? 'A step that is gone' : value}</option>}
        {steps.map((step, index) =>
          index === own ? null : (
            <option key={keys[index]} value={`#${keys[index]}`}>
              {index + 1}. {words(step['title']) || 'No title yet'}
            </option>
          ),
        )}
        <option value={OUTSIDE}>An address outside the quiz</option>
      </Select>
      {isOutside && renderDefault({ ...props, elementProps: { ...elementProps, id: `${elementProps.id}-address` } })}
    </div>
  )
}
