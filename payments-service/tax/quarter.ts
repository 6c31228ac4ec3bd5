/** A calendar quarter, the period of the EU's one-stop shop: "2026Q4". Days are those of UTC. */
export type Quarter = string

export const isQuarter = (text: string): boolean => /^20\d\dQ[1-4]$/.test(text)

/** Its first moment, and the first after it. */
export function boundsOf(quarter: Quarter): { from: Date; to: Date } {
  const [year, number] = [Number(quarter.slice(0, 4)), Number(quarter.slice(5))]
  return { from: new Date(Date.UTC(year, number * 3 - 3, 1)), to: new Date(Date.UTC(year, number * 3, 1)) }
}

export const quarterOf = (at: Date): Quarter => `${at.getUTCFullYear()}Q${Math.floor(at.getUTCMonth() / 3) + 1}`
