import { CAMPAIGN_KEYS, conditionOf, OPERATORS, type Condition } from '../../contract/condition.ts'
import { AGE_GROUPS } from '../../contract/ages.ts'
import { labelOf, questionOf, titleOf } from './condition-words.ts'
import { at, isObject, objects, words, type Path, type Report } from './finding.ts'

type Step = Record<string, unknown>

/** One row of a condition, with its place in the document. */
export interface Row {
  row: Step
  path: Path
}

/** All rows of the field “Shown when”, those of its groups too. */
export function rowsOf(showIf: unknown, path: Path): Row[] {
  if (!isObject(showIf)) return []
  return objects(showIf['conditions']).flatMap((row, index) => {
    const own = [...path, 'conditions', at(row, index)]
    return row['_type'] === 'conditionGroup' ? rowsOf(row, own) : [{ row, path: own }]
  })
}

/**
 * K-05: every row of a condition looks at something that exists. Returns the condition; undefined where the step has
 * none, or where something was reported.
 */
export function checkCondition(steps: readonly Step[], index: number, report: Report): Condition | undefined {
  const step = steps[index] as Step
  const path: Path = ['steps', at(step, index), 'showIf']
  let sound = true
  const wrong = (where: Path, code: string, message: string): void => {
    sound = false
    report(where, code, message)
  }
  for (const { row, path: own } of rowsOf(step['showIf'], path)) {
    if (!OPERATORS.some((operator) => operator === row['operator'])) {
      wrong([...own, 'operator'], 'condition_unfinished', 'Choose “contains”, “is” or “is not”.')
    }
    if (row['_type'] === 'ageCondition') checkValues(row['ageGroups'], AGE_GROUPS, [...own, 'ageGroups'], wrong)
    else if (row['_type'] === 'campaignCondition') {
      if (!CAMPAIGN_KEYS.some((known) => known === row['parameter'])) {
        wrong([...own, 'parameter'], 'condition_unfinished', 'Choose a parameter of the link.')
      }
      checkValues(row['campaigns'], undefined, [...own, 'campaigns'], wrong)
    } else checkAsked(row, steps, own, wrong)
  }
  return sound ? conditionOf(step['showIf']) : undefined
}

type Wrong = (path: Path, code: string, message: string) => void

function checkAsked(row: Step, steps: readonly Step[], path: Path, wrong: Wrong): void {
  const asked = words(row['asked'])
  const question = questionOf(steps, asked)
  if (asked === '') return wrong([...path, 'asked'], 'condition_unfinished', 'Choose the question this looks at.')
  if (!question) {
    const message = `This condition looks at the question “${asked}”, which is no longer in the quiz.`
    return wrong([...path, 'asked'], 'condition_question', `${message} Choose another one, or remove the condition.`)
  }
  const options = objects(question['options']).map((option) => words(option['value']))
  checkValues(row['chosen'], options, [...path, 'chosen'], wrong, question)
}

function checkValues(
  values: unknown,
  known: readonly string[] | undefined,
  path: Path,
  wrong: Wrong,
  question?: Step,
): void {
  const chosen = Array.isArray(values) ? values.map(words).filter(Boolean) : []
  if (chosen.length === 0) return wrong(path, 'condition_unfinished', 'Choose at least one answer.')
  for (const value of chosen.filter((one) => known?.includes(one) === false)) {
    const whose = question ? `“${titleOf(question)}”` : 'the age groups'
    wrong(
      path,
      'condition_answer',
      `“${labelOf(question, value)}” is no longer an answer of ${whose}. It was removed, or its stored value was ` +
        `changed: choose the answers again.`,
    )
  }
}
