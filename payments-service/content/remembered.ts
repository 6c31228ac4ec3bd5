/**
 * Remembers what is expensive to ask for: fresh for `freshMs`; after that asked for again, and while the source does
 * not answer the last known value goes on being used. Callers at the same moment share one question.
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
