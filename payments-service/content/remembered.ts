/** Milliseconds that readers who could have the last known value wait for a newer one. */
const PATIENCE = 1_000
/** Milliseconds after a failure before the source is asked again. */
const AGAIN = 10_000

/**
 * Caches what is expensive to fetch: fresh for `freshMs`, then fetched again; while the source does not answer, or not
 * yet, the last known value stays in use. Concurrent callers share one fetch.
 */
export function remembered<T>(freshMs: number, ask: () => Promise<T>, onError: (error: unknown) => void) {
  let known: { value: T; until: number } | undefined
  let asking: { answer: Promise<T>; late: Promise<void> } | undefined
  const begin = () => {
    const answer = ask()
      .then((value) => {
        known = { value, until: Date.now() + freshMs }
        return value
      })
      .catch((error: unknown) => {
        if (!known) throw error
        onError(error)
        known.until = Date.now() + AGAIN
        return known.value
      })
      .finally(() => (asking = undefined))
    // counted from here, not from each reader: of a source that hangs, few notice
    const late = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE).unref())
    return { answer, late }
  }
  return async (): Promise<T> => {
    const last = known
    if (last && last.until > Date.now()) return last.value
    const { answer, late } = (asking ??= begin())
    return last ? Promise.race([answer, late.then(() => last.value)]) : answer
  }
}
