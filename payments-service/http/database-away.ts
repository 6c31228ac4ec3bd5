/** The database is away or busy: SQLSTATE classes 08, 53, 57 or a socket that did not open. */
export function isDatabaseAway(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string }
  if (code !== undefined && /^(08|53|57)...$/.test(code)) return true
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return true
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated|not queryable|Client was closed/.test(error.message)
  )
}
