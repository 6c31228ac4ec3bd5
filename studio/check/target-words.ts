import { leadsTo } from '../../contract/leads-to.ts'
import { words } from './finding.ts'

type Step = Record<string, unknown>

/** Where a step leads, in an editor's words; undefined where nothing was chosen: to the step below it. */
export function targetWords(next: string, index: number, steps: readonly Step[]): string | undefined {
  if (next === '') return undefined
  const keys = steps.map(({ _key }) => words(_key))
  const target = leadsTo(next, index, keys)
  if (target === undefined) return 'a step that is gone'
  return typeof target === 'string' ? target : `${target}. ${words(steps[target - 1]?.['title']) || 'No title yet'}`
}
