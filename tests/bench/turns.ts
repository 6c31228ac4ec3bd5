/** Figures of several services compared on a machine that is now slower and now faster: measured in turns. */

/** Measures each in every round, and another one first each time. Resolves to the figures of each, a round apart. */
export async function byTurns<T>(
  all: readonly T[],
  rounds: number,
  measure: (one: T) => Promise<number>,
): Promise<number[][]> {
  const figures: number[][] = all.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const which of all.keys()) {
      const next = (which + round) % all.length
      figures[next]!.push(await measure(all[next]!))
    }
  }
  return figures
}

/**
 * By how many percent `ones` are above the mean of `others`: the median over the rounds. Compared within each round,
 * because what other programs take changes from one to the next.
 */
export function addedPercent(ones: readonly number[], others: readonly (readonly number[])[]): number {
  const ratios = ones.map((one, at) => one / mean(others.map((those) => those[at]!))).sort((a, b) => a - b)
  return (ratios[Math.floor(ratios.length / 2)]! - 1) * 100
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length
