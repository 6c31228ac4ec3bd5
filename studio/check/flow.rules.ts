import type { Condition, Known } from '../../contract/condition.ts'
import { TooManyNodes } from '../../contract/decisions.ts'
import { leadsTo } from '../../contract/leads-to.ts'
import { questionFrom } from '../../contract/quiz-choices.ts'
import { provePaths, type Length, type PathFault, type PathStep } from '../../contract/quiz-paths.ts'
import { SCORED_KEYS } from '../../contract/quiz.ts'
import { walk } from '../../contract/quiz-walk.ts'
import { takesVisit } from '../../contract/site-routes.ts'
import { checkCondition, rowsOf } from './condition.rules.ts'
import { answersWords, questionOf, titleOf } from './condition-words.ts'
import { at, objects, words, type Path, type Report } from './finding.ts'

type Step = Record<string, unknown>

/** K-05: on every way through the quiz each target exists, nothing repeats, and every visitor arrives at the price. */
export function checkFlow(steps: Step[], report: Report): void {
  let sound = true
  const strict: Report = (...finding) => {
    sound = false
    report(...finding)
  }
  const targets = steps.map((step, index) => targetOf(steps, step, index, strict))
  const conditions = steps.map((_, index) => checkCondition(steps, index, strict))
  // the ways of a quiz that is broken in itself say nothing
  if (!sound) return
  const way = steps.map((step, index) => pathStep(steps, step, targets[index] ?? '', conditions[index]))
  try {
    const { faults, shortest, longest } = provePaths(way)
    // a condition that comes too early is the cause of whatever else is found
    const early = faults.filter(({ kind }) => kind === 'too_late')
    for (const fault of early.length > 0 ? early : faults) reportFault(fault, steps, way, report)
    if (conditions.some(Boolean) && shortest && longest) reportLengths(shortest, longest, steps, way, report)
  } catch (error) {
    if (!(error instanceof TooManyNodes)) throw error
    report(
      ['steps'],
      'entangled',
      'The conditions depend on each other in too many ways to be proved. Let fewer steps look at several answers ' +
        'together.',
    )
  }
}

/** A step number, or a path; undefined where a step leads nowhere, which is reported. */
function targetOf(steps: Step[], step: Step, index: number, report: Report): number | string | undefined {
  const path: Path = ['steps', at(step, index), 'next']
  const next = words(step['next'])
  const target = leadsTo(
    next,
    index,
    steps.map(({ _key }) => words(_key)),
  )
  if (target === undefined) report(path, 'dead_target', deadWords(next, steps.length))
  else if (typeof target === 'string' && !takesVisit(target)) report(path, 'dead_target', noPageWords(target))
  return target
}

const noPageWords = (path: string): string =>
  `No page of the funnel has the address “${path}”. The quiz has to end at one, such as /checkout.`

function deadWords(next: string, total: number): string {
  if (next === '') return 'The last step needs a path such as /checkout to go on to.'
  if (next.startsWith('#')) return 'The step that this led to is gone. Choose another, or the step below.'
  return `“${next}” is neither a step from 1 to ${total} nor a path such as /checkout.`
}

function pathStep(steps: Step[], step: Step, next: number | string, showIf: Condition | undefined): PathStep {
  const asks = questionFrom({
    storageKey: words(step['storageKey']),
    options: objects(step['options']).map((option) => ({ value: words(option['value']) })),
    multiSelect: step['multiSelect'] === true,
    showNext: step['showNext'] === true,
    optional: step['optional'] === true,
  })
  return {
    next,
    showIf,
    asks: step['_type'] === 'questionStep' ? asks : undefined,
    ends: step['_type'] === 'priceStep',
    needs: needsOf(steps, step),
  }
}

/** Places of the steps before it without which a step has nothing to show; a wrong order has a rule of its own. */
function needsOf(steps: Step[], step: Step): number[] {
  const scored = SCORED_KEYS.map((key) => questionOf(steps, key))
  const kind = (name: string) => steps.find(({ _type }) => _type === name)
  const needed = {
    summaryStep: [kind('emailStep')],
    recoveryStep: [kind('emailStep'), ...scored],
    // a visitor without these arrives at a checkout that speaks of results
    priceStep: [kind('emailStep'), kind('summaryStep'), kind('recoveryStep')],
    questionStep: words(step['subtitle']).includes('{symptoms}') ? [questionOf(steps, 'symptoms')] : [],
  }[String(step['_type'])]
  const own = steps.indexOf(step)
  return (needed ?? []).flatMap((one) => (one && steps.indexOf(one) < own ? [steps.indexOf(one) + 1] : []))
}

/** The steps that a visitor is shown, up to a place or to the end. Of an example, not every answer was asked for. */
function placesOf(answers: Known, way: PathStep[], until?: number): readonly number[] {
  const plain = way.map(({ next, showIf, asks }) => ({ next, showIf, ...(asks && { storageKey: asks.storageKey }) }))
  const asked = new Set(plain.map(({ storageKey }) => storageKey))
  const who = Object.fromEntries(Object.entries(answers).filter(([key]) => !asked.has(key)))
  return walk(plain, who, answers, until).places
}

/** A visitor's answers on the way to a place, as a sentence; empty where every visitor's are alike. */
function example(answers: PathFault['answers'], steps: Step[], way: PathStep[], until?: number): string {
  if (!answers) return ''
  const spoken = answersWords(answers, steps, placesOf(answers, way, until))
  return spoken === '' ? '' : ` For example: ${spoken}.`
}

function reportFault(fault: PathFault, steps: Step[], way: PathStep[], report: Report): void {
  const { kind, place } = fault
  // of a circle, where it leads back: that is what was set wrong
  const wrong = kind === 'loop' ? (placesOf(fault.answers ?? {}, way).at(-1) ?? place) : place
  const step = steps[wrong - 1] as Step
  const path: Path = ['steps', at(step, wrong - 1)]
  const who = example(fault.answers, steps, way, place)
  if (kind === 'too_late') {
    const rows = rowsOf(step['showIf'], [...path, 'showIf'])
    const row = rows.find((one) => words(one.row['asked']) === fault.key)
    const question = titleOf(questionOf(steps, fault.key ?? ''))
    const message = `This condition looks at “${question}”, which nobody has answered by then. Move it above this step.`
    return report([...(row?.path ?? path), 'asked'], 'condition_order', message)
  }
  const needed = titleOf(steps[(fault.needed ?? 0) - 1])
  const [where, code, message] = {
    loop: ['next', 'loop', 'This leads back: the quiz runs in a circle and never arrives at the price.'],
    dead_end: ['showIf', 'dead_end', 'The last step has to be shown to everybody: without it there is no way on.'],
    early_exit: ['next', 'early_exit', 'This leads out of the quiz before the price.'],
    unreachable: ['', 'unreachable', 'No step leads here: it would never be shown.'],
    never_shown: ['showIf', 'never_shown', 'Nobody would see this step: its condition can never hold.'],
    needs: ['', 'answer_missing', `“${titleOf(step)}” can be shown without “${needed}”, which it needs.`],
  }[kind] as [string, string, string]
  report(where === '' ? path : [...path, where], code, message + who)
}

function reportLengths(shortest: Length, longest: Length, steps: Step[], way: PathStep[], report: Report): void {
  const of = ({ steps: count, answers }: Length) => `${count} steps.${example(answers, steps, way)}`
  report(['steps'], 'lengths', `The longest way has ${of(longest)} The shortest has ${of(shortest)}`, 'note')
}
