import { useState } from 'react'
import type { UserViewComponent } from 'sanity/structure'
import { Choose } from './Choose.tsx'
import { Meanings } from './Meanings.tsx'
import { Page } from './Numbers.styles.ts'
import { PagesTable } from './PagesTable.tsx'
import { lastWeek, useNumbers } from './useNumbers.ts'
import { editWords } from './words.ts'

/** Beside the words of a page: what visitors did there, by its own published edits (docs/metrics.md). */
export const PageNumbers: UserViewComponent = ({ documentId }) => {
  const [selection, setSelection] = useState(lastWeek)
  const { view, trouble, loading } = useNumbers('pageNumbers', selection)
  const own = view?.pages.find(({ page }) => page === documentId)
  return (
    <Page aria-busy={loading}>
      <Choose
        selection={selection}
        choices={view?.choices}
        edits={own?.revisions}
        onChange={(part) => setSelection({ ...selection, ...part })}
      />
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {view && own && (
        <>
          <p role="status">
            {own.edit
              ? `“Since the edit” compares the rate since the edit of ${editWords(own.edit)} ` +
                'with that of the edit before it.'
              : 'No edit of these days has visitors enough to be compared with the one before it.'}
          </p>
          <PagesTable pages={[own]} />
          <Meanings definitions={view.definitions} />
        </>
      )}
    </Page>
  )
}
