// Billing periods: calendar arithmetic in UTC.
export interface Interval {
  /** day, week, month or year */
  interval: string
  interval_count: number
}

const DAY = 86_400

/** The moment `n` intervals after an anchor; months keep the anchor's day, or end on their last. Unix seconds. */
export function stepFrom(anchor: number, every: Interval, n: number): number {
  const count = every.interval_count * n
  if (every.interval === 'day') return anchor + count * DAY
  if (every.interval === 'week') return anchor + count * 7 * DAY
  const months = every.interval === 'year' ? count * 12 : count
  const from = new Date(anchor * 1000)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), last))
  return Math.floor(first.getTime() / 1000)
}

/** The first period boundary of an anchor after `time`. */
export function nextBoundary(anchor: number, every: Interval, time: number): number {
  const length = stepFrom(anchor, every, 1) - anchor
  let n = Math.max(0, Math.floor((time - anchor) / length) - 1)
  while (stepFrom(anchor, every, n) <= time) n += 1
  return stepFrom(anchor, every, n)
}
