/** The field “Leads to” of a step: empty, a path, a step by its key (`#a1b2`, follows it when steps move) or number. */

/** A place from 1, or a path that leaves the quiz; undefined: nowhere. `keys`: of all steps, in their order. */
export function leadsTo(
  next: string | null,
  index: number,
  keys: readonly (string | undefined)[],
): number | `/${string}` | undefined {
  if (!next) return index + 1 < keys.length ? index + 2 : undefined
  if (/^\/[a-z]/.test(next)) return next as `/${string}`
  const place = next.startsWith('#') ? keys.indexOf(next.slice(1)) + 1 : /^\d+$/.test(next) ? Number(next) : 0
  return place >= 1 && place <= keys.length ? place : undefined
}
