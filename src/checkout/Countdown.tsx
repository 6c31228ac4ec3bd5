import { useLayoutEffect, useState } from 'react'
import { sessionIdInPath, storedSessionId } from '../session/id.ts'
import * as KEYS from '../session/keys.ts'
import { local, readJson, writeJson } from '../session/storage.ts'
import { asCountdownStart, clockText, COUNTDOWN_SECONDS, secondsLeft, startOf } from './countdown.ts'

/** C-04: the countdown banner. Survives a reload, goes at zero. */
export function Countdown({ text, sessionId }: { text: string; sessionId: string | null }) {
  // null: not known yet; the banner keeps its place
  const [left, setLeft] = useState<number | null>(null)
  const [opened] = useState(Date.now)
  useLayoutEffect(() => {
    // the stored start is known before the service answers
    const id = sessionId ?? sessionIdInPath(location.pathname) ?? storedSessionId(local)
    if (!id) return
    const start = startOf(readJson(local, KEYS.countdown, asCountdownStart), id, opened)
    // an id that may be somebody else's does not replace the start of this browser's own visit
    if (sessionId) writeJson(local, KEYS.countdown, start)
    const tick = (): void => setLeft(secondsLeft(start, Date.now()))
    const timer = setInterval(tick, 1_000)
    tick()
    return () => clearInterval(timer)
  }, [sessionId, opened])

  if (left === 0) return null
  return (
    <p className="countdown" role="timer" aria-live="off" data-waiting={left === null || undefined}>
      {text} <strong className="tabular">{clockText(left ?? COUNTDOWN_SECONDS)}</strong>
    </p>
  )
}
