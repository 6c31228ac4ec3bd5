/** Random numbers from a seed (mulberry32), so that a case can be repeated exactly. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** A whole number, 0 ≤ n < below. */
  below(below: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    shuffle(list) {
      const copy = [...list]
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1)
        ;[copy[at], copy[other]] = [copy[other] as (typeof copy)[number], copy[at] as (typeof copy)[number]]
      }
      return copy
    },
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resume) => setTimeout(resume, milliseconds))

/** Does all jobs, at most `width` at a time. */
export async function inTurns<T>(jobs: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = []
  const waiting = jobs.map((job, index) => ({ job, index }))
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.index] = await next.job()
  }
  await Promise.all(Array.from({ length: Math.min(width, jobs.length) }, worker))
  return results
}
