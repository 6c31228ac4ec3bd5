import { useState } from 'react'
import type { UserViewComponent } from 'sanity/structure'
import type { StepNumbersView } from '../../contract/editors.ts'
import type { Selection } from './ask.ts'
import { Page } from './Numbers.styles.ts'
import { NumbersTable } from './NumbersTable.tsx'
import { lastWeek, useStepNumbers } from './useStepNumbers.ts'
import { editWords, rowsOf } from './words.ts'

/** Beside the words: what visitors did at each step of the quiz (docs/metrics.md). */
export const Numbers: UserViewComponent = ({ document }) => {
  const [selection, setSelection] = useState(lastWeek)
  const { view, trouble, loading } = useStepNumbers(selection)
  return (
    <Page aria-busy={loading}>
      <Choose selection={selection} view={view} onChange={(part) => setSelection({ ...selection, ...part })} />
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {view && (
        <>
          <p role="status">
            {view.edit
              ? `“Since the edit” compares step rates since the edit of ${editWords(view.edit)} with those of the edit before it.`
              : 'No edit of these days has visitors enough to be compared with the one before it.'}
          </p>
          <NumbersTable rows={rowsOf(document.displayed as Record<string, unknown> | null, view)} />
          <p>
            In brackets, the interval that holds the true share 19 times in 20. Nothing is told of fewer than ten
            visitors. Who refused to be measured, bots and tests are not counted. Days are UTC.
          </p>
          <details>
            <summary>What these numbers mean</summary>
            <dl>
              {view.definitions.map(({ name, means }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{means}.</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </Page>
  )
}

interface Choosing {
  selection: Selection
  view: StepNumbersView | undefined
  onChange: (part: Partial<Selection>) => void
}

function Choose({ selection, view, onChange }: Choosing) {
  const { sources = [], devices = [], languages = [], revisions = [] } = view?.choices ?? {}
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
