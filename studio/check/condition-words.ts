import { leafOf, type Known, type Leaf, type Operator } from '../../contract/condition.ts'
import { isObject, objects, words } from './finding.ts'

/** Conditions and answers in an editor's words: titles of questions and labels of options, never stored values. */

type Row = Record<string, unknown>

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = { contains: 'contains', is: 'is', isNot: 'is not' }

export const questionOf = (steps: readonly Row[], storageKey: string): Row | undefined =>
  steps.find((step) => step['_type'] === 'questionStep' && words(step['storageKey']) === storageKey)

export const titleOf = (step: Row | undefined): string => words(step?.['title']) || 'a step without a title'

/** The label of a stored value; the value itself where no option has it. */
export function labelOf(question: Row | undefined, value: string): string {
  const option = objects(question?.['options']).find((one) => words(one['value']) === value)
  return words(option?.['label']) || value
}

/** `*Symptoms* contains *Dry eyes* or *Red eyes*`; undefined for a row that is not finished. */
export function leafWords(raw: unknown, steps: readonly Row[]): string | undefined {
  const leaf = readLeaf(raw)
  if (!leaf) return undefined
  const { key, operator, values } = leaf
  const question = questionOf(steps, key)
  const subject = key === 'ageGroup' ? 'Age group' : words(question?.['title']) || key
  const listed = values.map((value) => `*${labelOf(question, value)}*`).join(operator === 'isNot' ? ' nor ' : ' or ')
  return `*${subject}* ${OPERATOR_WORDS[operator]} ${listed}`
}

function readLeaf(raw: unknown): Leaf | undefined {
  try {
    return leafOf(raw)
  } catch {
    return undefined
  }
}

/** The field “Shown when” in words; undefined where nothing is asked. */
export function conditionWords(raw: unknown, steps: readonly Row[]): string | undefined {
  if (!isObject(raw)) return undefined
  const parts = objects(raw['conditions']).map((row) => {
    if (row['_type'] !== 'conditionGroup') return leafWords(row, steps) ?? '…'
    return `(${conditionWords(row, steps) ?? '…'})`
  })
  return parts.length === 0 ? undefined : parts.join(raw['match'] === 'any' ? ' or ' : ' and ')
}

/** A visitor's answers in the order in which they are given: `18-29 → Never → nothing chosen`. */
export function answersWords(answers: Known, steps: readonly Row[], places: readonly number[]): string {
  const asked = places.map((place) => words(steps[place - 1]?.['storageKey'])).filter((key) => key in answers)
  const questions = new Set(steps.map((step) => words(step['storageKey'])))
  const before = Object.keys(answers).filter((key) => !questions.has(key))
  return [...before, ...asked.filter((key) => key !== '')]
    .map((key) => {
      const chosen = [answers[key] ?? []].flat() as string[]
      if (chosen.length > 0) return chosen.map((value) => labelOf(questionOf(steps, key), value)).join(' + ')
      return key === 'ageGroup' ? 'no age group' : questions.has(key) ? 'nothing chosen' : `another ${key}`
    })
    .join(' → ')
}
