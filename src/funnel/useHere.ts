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
/** The page of a visit clears away what is left of another one only once that visit has answered (takeOver). */
const isOfAnother = (named = sessionIdInPath(location.pathname)) => named !== null && named !== storedSessionId(local)
const read = (): Here => (here ??= { at: new Date(), answers: isOfAnother() ? {} : readAnswers() })

/**
 * Null while rendering on the server, so that no build's date or price is ever shown; the
 * same for the life of the page.
 */
export function useHere(): Here | null {
  return useSyncExternalStore(never, read, () => null)
}
