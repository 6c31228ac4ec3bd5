/**
 * Measures each in every round, and another one first each time: what other programs take meets all of them alike.
 * Resolves to the figures of each, by round.
 */
export async function byTurns<T, Figure>(
  all: readonly T[],
  rounds: number,
  measure: (one: T) => Promise<Figure>,
): Promise<Figure[][]> {
  const figures: Figure[][] = all.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const which of all.keys()) {
      const next = (which + round) % all.length
      figures[next]!.push(await measure(all[next]!))
    }
  }
  return figures
}
