/** What an address asks for: a page of numbers shows the last thirty days unless it says otherwise. */
export type Query = Readonly<Record<string, unknown>>

const DAY = /^\d{4}-\d{2}-\d{2}$/
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

export const textOf = (query: Query, name: string): string => {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}

/** Not February 30, which a date would take for a day of March, nor the year 0, which PostgreSQL has not. */
const isDay = (text: string): boolean =>
  DAY.test(text) && text > '0001' && new Date(Date.parse(text) || 0).toISOString().startsWith(text)

/** UTC days; an invalid one does not count. */
export function readPeriod(query: Query): { from: string; to: string } {
  const date = (name: string, otherwise: string): string => {
    const text = textOf(query, name)
    return isDay(text) ? text : otherwise
  }
  return { from: date('from', day(29)), to: date('to', day(0)) }
}
