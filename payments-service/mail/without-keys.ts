/**
 * The payload of a mail without its links and codes: they open things, and are not needed once delivered. Amounts,
 * dates and products stay, as evidence of what was said.
 */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      /Url$|^code$/.test(key) && inner ? '(sent)' : withoutKeys(inner),
    ]),
  )
}
