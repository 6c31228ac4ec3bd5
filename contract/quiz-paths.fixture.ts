import type { Leaf } from './condition.ts'
import type { PathStep } from './quiz-paths.ts'

/**
 * A quiz as entangled as editors may make it: 20 questions among 60 steps, half of them with several answers; the other
 * 39 look at one to three of the questions before them, and some lead past the next. For tests and measures only.
 */
export function entangledQuiz(seed: number): PathStep[] {
  let state = seed
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  const values = ['v0', 'v1', 'v2', 'v3', 'v4']
  const isQuestion = (index: number): boolean => index % 3 === 0
  return Array.from({ length: 60 }, (_, index): PathStep => {
    const last = index === 59
    const before = Array.from({ length: index }, (_, other) => other).filter(isQuestion)
    const asked = new Set(Array.from({ length: 1 + random(3) }, () => before[random(before.length || 1)] ?? 0))
    const leaves = [...asked].map((other): Leaf => ({
      key: `q${other}`,
      operator: random(2) === 0 ? 'contains' : 'isNot',
      values: [...new Set([`v${random(5)}`, `v${random(5)}`])],
    }))
    const condition = random(2) === 0 ? { any: leaves } : { all: leaves }
    const past = index % 3 === 1 && random(4) === 0
    return {
      next: last ? '/checkout' : Math.min(60, index + (past ? 3 : 2)),
      showIf: isQuestion(index) || last ? undefined : condition,
      asks: isQuestion(index) ? { storageKey: `q${index}`, values, many: index % 2 === 0, optional: false } : undefined,
      ends: last,
      needs: [],
    }
  })
}
