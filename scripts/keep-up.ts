/** Keeps one program running: when it dies it is restarted, alone, after a pause that grows while it keeps dying. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, untilReady } from './processes.ts'

export interface KeepUpOptions {
  /** Starts the program; `again` on a restart, so that its log continues. */
  start(again: boolean): Running
  readyUrl: string
  /** What happened, for the console. */
  say(line: string): void
  /** Milliseconds before each new start; the last one repeats. */
  pauses?: readonly number[]
  /** A program that was up for this long has recovered: the pauses start over. */
  steadyMs?: number
}

export interface KeptUp {
  name: string
  /**
   * Resolves when it first answers; rejects with its last lines when it ends before that, and is then not restarted.
   */
  ready: Promise<void>
  stop(): Promise<void>
}

const PAUSES = [200, 1_000, 5_000, 15_000, 30_000]
const STEADY_MS = 60_000

export function keepUp({ start, readyUrl, say, pauses = PAUSES, steadyMs = STEADY_MS }: KeepUpOptions): KeptUp {
  let running = start(false)
  const stopped = new AbortController()
  const { name } = running
  const ready = untilReady(running, readyUrl)

  const watch = async (): Promise<void> => {
    for (let deaths = 0, since = Date.now(); ; deaths++) {
      const { code, signal } = await running.ended
      if (stopped.signal.aborted) return
      if (Date.now() - since > steadyMs) deaths = 0
      const pause = pauses[Math.min(deaths, pauses.length - 1)] ?? 0
      const tail = running.tail()
      say(`\n${name} has ended (${signal ?? `code ${code}`}).${tail ? ` Its last lines:\n${tail}` : ''}`)
      say(`${name} is started again in ${pause / 1000} s; everything else goes on.`)
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return
      since = Date.now()
      running = start(true)
      // silent, or ended before it was ready: the next round deals with its end
      await untilReady(running, readyUrl).then(
        () => say(`${name} is up again.`),
        () => undefined,
      )
    }
  }
  ready.then(watch, () => undefined)
  return {
    name,
    ready,
    stop() {
      stopped.abort()
      return running.stop()
    },
  }
}
