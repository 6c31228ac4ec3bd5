import { useState } from 'react'
import type { UserViewComponent } from 'sanity/structure'
import { Choose } from './Choose.tsx'
import { Page } from './Numbers.styles.ts'
import { NumbersTable } from './NumbersTable.tsx'
import { PagesTable } from './PagesTable.tsx'
import { Meanings } from './Meanings.tsx'
import { lastWeek, useNumbers } from './useNumbers.ts'
import { editWords, rowsOf } from './words.ts'

/** Beside the words: what visitors did at each step of the quiz, and before and after it (docs/metrics.md). */
export const Numbers: UserViewComponent = ({ document }) => {
  const [selection, setSelection] = useState(lastWeek)
  const { view, trouble, loading } = useNumbers('stepNumbers', selection)
  // an edit of the quiz is none of theirs
  const { view: pages } = useNumbers('pageNumbers', { ...selection, revision: '' })
  return (
    <Page aria-busy={loading}>
      <Choose
        selection={selection}
        choices={view?.choices}
        edits={view?.choices.revisions}
        onChange={(part) => setSelection({ ...selection, ...part })}
      />
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {view && (
        <>
          <p role="status">
            {view.edit
              ? `“Since the edit” compares step rates since the edit of ${editWords(view.edit)} ` +
                'with those of the edit before it.'
              : 'No edit of these days has visitors enough to be compared with the one before it.'}
          </p>
          <NumbersTable rows={rowsOf(document.displayed as Record<string, unknown> | null, view)} />
          {pages && selection.revision === '' && (
            <>
              <h2>Before and after the quiz</h2>
              <PagesTable pages={pages.pages} />
            </>
          )}
          <Meanings definitions={[...view.definitions, ...(pages?.definitions ?? [])]} />
        </>
      )}
    </Page>
  )
}
