import { useEffect, useState } from 'react'
import * as KEYS from '../session/keys.ts'
import { local, readJson, writeJson } from '../session/storage.ts'
import { asCountdownStart, clockText, COUNTDOWN_SECONDS, secondsLeft, startOf } from './countdown.ts'

/** C-04: the countdown banner. Survives a reload, goes at zero. */
export function Countdown({ text, sessionId }: { text: string; sessionId: string | null }) {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS)
  useEffect(() => {
    if (!sessionId) return
    const start = startOf(readJson(local, KEYS.countdown, asCountdownStart), sessionId, Date.now())
    writeJson(local, KEYS.countdown, start)
    const tick = (): void => setLeft(secondsLeft(start, Date.now()))
    const timer = setInterval(tick, 1_000)
    tick()
    return () => clearInterval(timer)
  }, [sessionId])

  if (left === 0) return null
  return (
    <p className="countdown" role="timer" aria-live="off">
      {text} <strong className="tabular">{clockText(left)}</strong>
    </p>
  )
}
