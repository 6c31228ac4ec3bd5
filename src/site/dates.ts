const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** A day of the content (YYYY-MM-DD) as a reader sees it: "November 1, 2026". Days have no time zone. */
export function fullDate(day: string): string {
  return full.format(new Date(`${day}T00:00:00Z`))
}
