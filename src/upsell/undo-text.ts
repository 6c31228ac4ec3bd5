import { OFFLINE_WORDS } from '../payment/failures.ts'
import { errorOf } from '../../contract/errors.ts'
import type { Failure } from '../session/http.ts'

/** When `seconds` from now will be over, by the buyer's own clock, even where it is wrong; ms, or null for none. */
export const endOf = (seconds: number | null, now = Date.now()): number | null =>
  seconds ? now + seconds * 1_000 : null

/** "14:32" or "2:32 PM", in the buyer's own time. */
export function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
}

export type TakenBack = 'undone' | 'undoing' | 'unrefunded'

export const isTakenBack = (state: string): state is TakenBack => Object.hasOwn(TAKEN_BACK, state)

const TAKEN_BACK: Record<TakenBack, (money: string) => string> = {
  // by a refund, by us in another way, or by the bank in a dispute
  undone: (money) => `Taken back. ${money} was given back to you. Banks usually show it within 5 to 10 business days.`,
  undoing: (money) =>
    `Taken back. The bank has not confirmed the refund yet: ${money} is refunded by itself, and a mail confirms it.`,
  unrefunded: (money) =>
    `You took it back, but the bank did not accept the refund of ${money}. We look for another way and write ` +
    `to you within 3 days.`,
}

/** H-05: the result of taking it back. */
export function takenBackText(state: TakenBack, money: string): string {
  return TAKEN_BACK[state](money)
}

export function undoFailure(failed: Failure): string {
  if (failed.kind === 'network' || failed.kind === 'timeout') return OFFLINE_WORDS
  return errorOf(failed.code ?? 'internal').words
}
