/** Changes metadata as Stripe does: named keys change, an empty value removes a key, null or '' removes all. */
export function metadata(
  old: Record<string, string> | null,
  patch: Record<string, string | number | null> | '' | null | undefined,
): Record<string, string> {
  if (patch === undefined) return { ...old }
  if (patch === null || patch === '') return {}
  const out: Record<string, string> = { ...old }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === '') delete out[name]
    else out[name] = String(value)
  }
  return out
}

/** The values that a change replaced, for an event's `previous_attributes`. */
export function previous<T extends object>(before: T, after: T): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(after) as (keyof T & string)[]) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) out[name] = before[name] ?? null
  }
  return out
}
