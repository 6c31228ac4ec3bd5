import { type Failure, mayHaveHappened } from '../session/http.ts'

/** What became of an action that failed, below the reason. A-05: a cancellation, its undoing, a request for money. */
export function afterFailure(failure: Failure): string {
  return mayHaveHappened(failure)
    ? 'It may have been done all the same: then a mail confirms it within minutes. Trying again does no harm.'
    : 'Nothing was changed.'
}
