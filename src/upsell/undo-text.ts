import { OFFLINE_WORDS } from '../checkout/payment/failures.ts'
import { errorOf } from '../../contract/errors.ts'
import type { Failure } from '../session/http.ts'

/** "14:32" or "2:32 PM", in the buyer's own time. */
export function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
}

/** H-05: what became of it. */
export function takenBackText(state: 'undone' | 'undoing', money: string): string {
  return state === 'undone'
    ? `Taken back. ${money} is on its way back to you, and a mail confirms it.`
    : `Taken back. Our payment provider is slow right now: ${money} is refunded by itself, and a mail confirms it.`
}

export function undoFailure(failed: Failure): string {
  if (failed.kind === 'network' || failed.kind === 'timeout') return OFFLINE_WORDS
  return errorOf(failed.code ?? 'internal').words
}
