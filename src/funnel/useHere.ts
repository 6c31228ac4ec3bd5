import { useSyncExternalStore } from 'react'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { readAnswers } from '../session/answers.ts'
import { sessionIdInPath, storedSessionId } from '../session/id.ts'
import { local } from '../session/storage.ts'

/** What only the browser knows: the current time and the local answers, unless they are of another visit (C-02). */
export interface Here {
  at: Date
  answers: QuizAnswers
}

let here: Here | undefined
const never = () => () => undefined
/** What is left of another visit is cleared away only once the one that the address names has answered (takeOver). */
const isHeld = (held = storedSessionId(local)) => (sessionIdInPath(location.pathname) ?? held) === held
const read = (): Here => (here ??= { at: new Date(), answers: isHeld() ? readAnswers() : {} })

/**
 * Null while rendering on the server, so that no build's date or price is ever shown; the
 * same for the life of the page.
 */
export function useHere(): Here | null {
  return useSyncExternalStore(never, read, () => null)
}
