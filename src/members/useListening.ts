import { useEffect, useRef } from 'react'
import { ask } from './client.ts'
import { createPlayTime } from './play-time.ts'

/** Seconds of sound between two reports. */
const REPORT_EVERY = 10

/**
 * measures the seconds really heard and reports them: now and then, at a pause, when the page is left, and what
 * was heard without a network once it is back.
 */
export function useListening(day: number, onHeard: (heard: number, counted: boolean) => void) {
  const time = useRef(createPlayTime())
  const sending = useRef(false)

  async function report(keepalive = false): Promise<void> {
    const pending = time.current.pending()
    if (sending.current || pending < 1) return
    sending.current = true
    const outcome = await ask('listening', { path: { day: String(day) }, body: { seconds: pending }, keepalive })
    sending.current = false
    if (outcome.ok) {
      time.current.reported(pending)
      onHeard(outcome.data.heard, outcome.data.counted)
    }
  }
  const reporter = useRef(report)
  useEffect(() => {
    reporter.current = report
  })
  useEffect(() => {
    const turned = (): void => void reporter.current(document.visibilityState === 'hidden')
    const online = (): void => void reporter.current()
    document.addEventListener('visibilitychange', turned)
    addEventListener('online', online)
    return () => {
      document.removeEventListener('visibilitychange', turned)
      removeEventListener('online', online)
    }
  }, [])

  return {
    report,
    /** The sound is at this position; `playing` is false while it is paused or sought. */
    moved(position: number, playing: boolean): void {
      time.current.moved(position, playing)
      if (navigator.onLine && time.current.pending() >= REPORT_EVERY) void report()
    },
    jumped: (position: number): void => time.current.jumped(position),
  }
}
