import type { StepNumbersView } from '../../contract/editors.ts'
import type { Selection } from './ask.ts'
import { editWords } from './words.ts'

interface Choosing {
  selection: Selection
  choices: Pick<StepNumbersView['choices'], 'sources' | 'devices' | 'languages'> | undefined
  edits: StepNumbersView['choices']['revisions'] | undefined
  onChange: (part: Partial<Selection>) => void
}

/** What the numbers are narrowed to. */
export function Choose({ selection, choices, edits: revisions = [], onChange }: Choosing) {
  const { sources = [], devices = [], languages = [] } = choices ?? {}
  const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  const edits = revisions.toReversed().map((one) => ({ value: one.revision || '(unsaid)', label: editWords(one) }))
  const lists = [
    ['revision', 'Published', edits],
    ['source', 'Source', same(sources)],
    ['device', 'Device', same(devices)],
    ['language', 'Language', same(languages)],
  ] as const
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          {name === 'from' ? 'From' : 'To'}
          <input
            type="date"
            value={selection[name]}
            onChange={({ currentTarget }) => currentTarget.value && onChange({ [name]: currentTarget.value })}
          />
        </label>
      ))}
      {lists.map(([name, label, options]) => (
        <label key={name}>
          {label}
          <select value={selection[name]} onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}>
            <option value="">All</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </form>
  )
}
