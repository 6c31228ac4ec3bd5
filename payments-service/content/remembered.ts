/**
 * Caches what is expensive to fetch: fresh for `freshMs`, then fetched again; while the source does not answer, the
 * last known value stays in use. Concurrent callers share one fetch.
 */
export function remembered<T>(freshMs: number, ask: () => Promise<T>, onError: (error: unknown) => void) {
  let known: { value: T; until: number } | undefined
  let asking: Promise<T> | undefined
  return async (): Promise<T> => {
    if (known && known.until > Date.now()) return known.value
    asking ??= ask()
      .then((value) => {
        known = { value, until: Date.now() + freshMs }
        return value
      })
      .finally(() => (asking = undefined))
    try {
      return await asking
    } catch (error) {
      if (!known) throw error
      onError(error)
      return known.value
    }
  }
}
