import { useEffect, useState } from 'react'
import type { ReadingView, SessionView } from '../../contract/api.ts'
import { usePageSession } from '../funnel/usePageSession.ts'
import { readAnswers } from '../session/answers.ts'
import { call } from '../session/client.ts'
import type { PageSession } from '../session/page-session.ts'

export type ReadingState =
  | { state: 'loading' }
  | { state: 'ready'; session: SessionView; reading: ReadingView }
  | Exclude<PageSession, { state: 'ready' }>

/**
 * The session of a reading page and what the service knows of its reading. Answers not sent yet (or held back for lack
 * of consent) count too, because this browser gave them.
 */
export function useReading(): [ReadingState, () => void] {
  const [page, reload] = usePageSession()
  const [found, setFound] = useState<{ of: SessionView; value: ReadingState } | null>(null)
  useEffect(() => {
    if (page.state !== 'ready') return
    const { session } = page
    let gone = false
    void call('reading', { path: { sessionId: session.sessionId } }).then((outcome) => {
      if (gone) return
      const value: ReadingState = outcome.ok
        ? { state: 'ready', session, reading: withLocalAnswers(outcome.data) }
        : { state: 'unreachable', sessionId: session.sessionId, failure: outcome }
      setFound({ of: session, value })
    })
    return () => {
      gone = true
    }
  }, [page])
  if (page.state !== 'ready') return [page, reload]
  return [found?.of === page.session ? found.value : { state: 'loading' }, reload]
}

function withLocalAnswers(reading: ReadingView): ReadingView {
  const local = readAnswers()
  const birthDate = typeof local['birthDate'] === 'string' ? local['birthDate'] : null
  return {
    ...reading,
    answers: Math.max(reading.answers, Object.keys(local).length),
    insight: reading.insight ?? local.personalInsight ?? null,
    birthDate: reading.birthDate ?? birthDate,
  }
}
