import { SCORED_KEYS } from '../../contract/quiz.ts'
import { requirePlaceholders } from './copy.rules.ts'
import { checkFlow } from './flow.rules.ts'
import { at, objects, words, type Document, type Path, type Report } from './finding.ts'
import { checkStorageKeys, knownValues, ownerOf } from './storage-keys.ts'

type Step = Record<string, unknown>

/** K-05: a quiz that could break is not published. */
export function checkQuiz(document: Document, report: Report): void {
  const steps = objects(document['steps'])
  if (steps.length === 0) return report(['steps'], 'no_steps', 'The quiz has no steps.')
  checkKinds(steps, report)
  checkFlow(steps, report)
  steps.forEach((step, index) => {
    if (step['_type'] === 'questionStep') checkQuestion(step, ['steps', at(step, index)], steps, report)
  })
  checkStorageKeys(steps, report)
  checkRequiredTexts(steps, report)
}

const isKind = (kind: string) => (step: Step) => step['_type'] === kind

function checkKinds(steps: Step[], report: Report): void {
  for (const [kind, name] of [
    ['emailStep', 'e-mail'],
    ['priceStep', 'price'],
    ['summaryStep', 'summary'],
    ['recoveryStep', 'recovery'],
  ] as const) {
    const found = steps.filter(isKind(kind)).length
    if (found !== 1) report(['steps'], 'step_count', `The quiz needs exactly one ${name} step; it has ${found}.`)
  }
  const last = steps.at(-1)
  if (last !== undefined && steps.some(isKind('priceStep')) && last['_type'] !== 'priceStep') {
    report(
      ['steps', at(last, steps.length - 1)],
      'step_order',
      'The price step has to be the last one: nothing after it is ever shown.',
    )
  }
  const email = steps.findIndex(isKind('emailStep'))
  const result = steps.findIndex((step) => step['_type'] === 'summaryStep' || step['_type'] === 'recoveryStep')
  if (result !== -1 && result < email) {
    report(
      ['steps', at(steps[result] ?? {}, result)],
      'step_order',
      'The results come after the e-mail step, which promises them.',
    )
  }
  for (const storageKey of SCORED_KEYS) {
    const index = steps.findIndex((step) => step['storageKey'] === storageKey)
    if (index === -1) {
      report(
        ['steps'],
        'missing_step',
        `The question “${storageKey}” is missing. The recovery speed is computed from its answer.`,
      )
    } else if (result !== -1 && index > result) {
      report(
        ['steps', at(steps[index] ?? {}, index)],
        'step_order',
        'This question has to come before the results, which are computed from its answer.',
      )
    }
  }
  const shownTotal = steps[email]?.['shownTotal']
  if (typeof shownTotal === 'number' && shownTotal < email + 1) {
    report(
      ['steps', at(steps[email] ?? {}, email), 'shownTotal'],
      'shown_total',
      `This is step ${email + 1}: the total shown cannot be ${shownTotal}.`,
    )
  }
}

function checkQuestion(step: Step, path: Path, steps: Step[], report: Report): void {
  const options = objects(step['options'])
  const seen = new Set<string>()
  options.forEach((option, index) => {
    const value = words(option['value'])
    const where: Path = [...path, 'options', at(option, index), 'value']
    if (seen.has(value))
      report(where, 'duplicate_value', `The value “${value}” stands in two options of this question.`)
    if (value.includes(',') && step['multiSelect'] === true && !knownValues(step).includes(value)) {
      report(where, 'comma_in_value', 'Several answers are stored separated by commas, so a value cannot contain one.')
    } else if (/,(?! )/.test(value)) {
      // count_answers splits the answers of every question: it does not know which take several
      const message = 'A comma without a space after it separates answers where they are counted. Put a space after it.'
      report(where, 'comma_in_value', message)
    }
    seen.add(value)
  })
  const storageKey = words(step['storageKey'])
  // under the key of another question the key is what is wrong, not the options
  if (!(SCORED_KEYS as readonly string[]).includes(storageKey) || ownerOf(steps, storageKey) !== step) return
  const several = storageKey === 'symptoms'
  if ((step['multiSelect'] === true) !== several) {
    // stored in the other form, the answer would be dropped when it is read (src/session/answers.ts)
    const [switched, counted] = several ? ['on', 'how many answers are chosen here'] : ['off', 'one answer']
    report(
      [...path, 'multiSelect'],
      'answer_form',
      `Switch this ${switched}: the recovery speed is computed from ${counted}.`,
    )
  }
  for (const value of knownValues(step)) {
    if (!seen.has(value)) {
      report(
        [...path, 'options'],
        'missing_value',
        `An option with the stored value “${value}” is needed: the recovery speed is computed from it. Its ` +
          `label may be anything.`,
      )
    }
  }
}

/** S-03: whether the step at this place may say {symptoms}: it comes after the question that they are chosen in. */
export function knowsSymptoms(steps: readonly Step[], index: number): boolean {
  const question = steps.findIndex((step) => step['storageKey'] === 'symptoms')
  return question !== -1 && index > question
}

function checkRequiredTexts(steps: Step[], report: Report): void {
  steps.forEach((step, index) => {
    const path: Path = ['steps', at(step, index)]
    if (words(step['title']) === '') report([...path, 'title'], 'empty', `Step ${index + 1} has no title.`)
    if (!knowsSymptoms(steps, index) && words(step['subtitle']).includes('{symptoms}')) {
      const message = 'Nobody has chosen symptoms by then. Use {symptoms} below the question for them.'
      report([...path, 'subtitle'], 'placeholder_order', message)
    }
    if (step['_type'] === 'priceStep') requirePlaceholders(step['note'], [...path, 'note'], ['actualPrice'], report)
    if (step['_type'] === 'riskStep')
      requirePlaceholders(step['withLabel'], [...path, 'withLabel'], ['product'], report)
  })
}
