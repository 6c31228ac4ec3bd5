/** S-07, S-14, S-21: a loading screen as a function of the time that has passed. */
export const TICK_MS = 50

export interface LoaderView {
  /** 0 to 100. */
  percent: number
  /** Index of the message shown. */
  message: number
  done: boolean
}

/** Every message is shown for an equal share of the duration (6500 ms and five texts: 1300 ms each). */
export function loaderAt(elapsedMs: number, durationMs: number, messages: number): LoaderView {
  const share = Math.min(1, Math.max(0, elapsedMs / durationMs))
  return {
    percent: share * 100,
    message: Math.max(0, Math.min(messages - 1, Math.floor(share * messages))),
    done: elapsedMs >= durationMs,
  }
}
