import { NEXT_STEPS } from '../payment/failures.ts'
import { type Failure, mayHaveHappened } from '../session/http.ts'

export const NOT_CHARGED = 'You were not charged.'

/**
 * What became of the money when a card was to be saved and charged what is owed. `owed`: cents; null: nothing. Apart
 * from trouble.ts, so that pages without a card form do not load its failures.
 */
export function afterFailedCard(failure: Failure, owed: number | null): string {
  return owed !== null && mayHaveHappened(failure) ? NEXT_STEPS.unknown : NOT_CHARGED
}
