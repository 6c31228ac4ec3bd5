import type { Log } from '../http/logging.ts'

export interface Loop {
  /** Starts a round as soon as the current one is over. */
  wake(): void
  /** No further round; resolves when the current one is over. */
  stop(): Promise<void>
}

/**
 * Milliseconds between a wake and the round: what comes at once is one batch, and the
 * request that woke it answers first.
 */
const GATHER = 20

/**
 * Repeats a piece of work: at once while a round says there is more, else after `pause` milliseconds or when woken. A
 * failed round is logged and tried again after the pause.
 */
export function startLoop(name: string, pause: number, log: Log, work: () => Promise<boolean>): Loop {
  let stopped = false
  let woken = false
  let wakeUp: (() => void) | undefined

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      let more = false
      try {
        more = await work()
      } catch (error) {
        log.error({ err: error, loop: name }, 'a round of background work failed')
      }
      if (more || woken || stopped) continue
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, pause)
        wakeUp = () => {
          clearTimeout(timer)
          wakeUp = undefined
          if (stopped) resume()
          else setTimeout(resume, GATHER)
        }
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
  }
}
