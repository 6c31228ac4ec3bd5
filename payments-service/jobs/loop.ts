import type { Log } from '../http/logging.ts'

/** Seconds without a sign of life after which a round counts as stuck: longer than any single call in it may take. */
const STUCK_AFTER = 60

/** Milliseconds after which a failed round is tried again, however long the pause: sooner than an alert. */
const AFTER_FAILURE = 60_000

/** Asked between two items of a round: records that it is alive, and says whether to go on with the next item. */
export type GoOn = () => boolean

export interface Heartbeat {
  /** Since the last sign of life of a round under way; 0 between two rounds. */
  secondsSince: number
  stuck: boolean
  /** Since the last round that went well, or the last item of the one under way; while rounds fail, since the first. */
  age: number
  /** How much later than its pause that is, or how long it fails beyond its next try; 0 while it is in time. */
  overdue: number
}
export type Heartbeats = Readonly<Record<string, Heartbeat>>

export interface Loop {
  /** Starts a round as soon as the current one is over. */
  wake(): void
  /** No further round and no further item; resolves when the current item is over. */
  stop(): Promise<void>
  heartbeat(): Heartbeat
}

/**
 * Milliseconds between a wake and the round: what one step of a buyer sets off (up to eight events of Stripe's) is one
 * batch, and the request that woke it answers first. Nothing waits for it: requests settle what they need by
 * themselves.
 */
const GATHER = 200

/**
 * Repeats a piece of work: at once while a round says there is more, else after `pause` milliseconds or when woken. A
 * failed round is logged and tried again after the pause, or a minute where that is longer.
 */
export function startLoop(
  name: string,
  pause: number,
  log: Log,
  work: (goOn: GoOn) => Promise<boolean>,
  clock: () => number = Date.now,
): Loop {
  const afterFailure = Math.min(pause, AFTER_FAILURE)
  let stopped = false
  let woken = false
  let wakeUp: (() => void) | undefined
  /** The last sign of life of the round under way; undefined between two. */
  let beat: number | undefined
  let lastSign = clock()
  /** The first of the failed rounds since the last that went well: an item of a round that fails is no sign. */
  let failedSince: number | undefined
  const goOn = () => {
    beat = lastSign = clock()
    return !stopped
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      let more = false
      let rest = pause
      try {
        beat = clock()
        more = await work(goOn)
        lastSign = clock()
        failedSince = undefined
      } catch (error) {
        rest = afterFailure
        failedSince ??= clock()
        log.error({ err: error, loop: name }, 'a round of background work failed')
      }
      beat = undefined
      if (more || stopped) continue
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, rest)
        wakeUp = () => {
          clearTimeout(timer)
          wakeUp = undefined
          if (stopped) resume()
          else setTimeout(resume, GATHER)
        }
        // during the round: what woke it is gathered all the same
        if (woken) wakeUp()
      })
      wakeUp = undefined
    }
  }

  const running = run()
  const wake = () => {
    woken = true
    wakeUp?.()
  }
  return {
    wake,
    stop: () => {
      stopped = true
      wake()
      return running
    },
    heartbeat: () => {
      const since = (at: number) => Math.round((clock() - at) / 1000)
      const later = (at: number, wait: number) => since(at) - Math.ceil(wait / 1000)
      const secondsSince = beat === undefined ? 0 : since(beat)
      const failing = failedSince === undefined ? 0 : later(failedSince, afterFailure)
      return {
        secondsSince,
        stuck: secondsSince >= STUCK_AFTER,
        age: since(Math.min(lastSign, failedSince ?? Infinity)),
        overdue: Math.max(0, later(lastSign, pause), failing),
      }
    },
  }
}

/**
 * A round of several steps: each has its turn, whatever became of those before it. Throws the first error; the others
 * are logged.
 */
export async function runSteps(log: Log, steps: readonly (() => Promise<unknown>)[]): Promise<false> {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  for (const err of errors.slice(1)) log.error({ err }, 'another step of the same round failed too')
  if (errors.length > 0) throw errors[0]
  return false
}
