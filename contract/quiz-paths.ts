/**
 * Every way through a quiz at once, proved exactly. Instead of walking once for each combination of answers (there are
 * more than can be counted), a walk carries the set of all answers that lead to where it is, as a decision diagram.
 */
import { leavesOf, type Condition, type Known } from './condition.ts'
import { bestSum, Decisions, type Node } from './decisions.ts'
import { QuizChoices, type Question } from './quiz-choices.ts'

export interface PathStep {
  /** A place from 1, or a path that leaves the quiz. */
  next: number | string
  showIf?: Condition | undefined
  asks?: Question | undefined
  /** Leaving the quiz from here is its end. */
  ends: boolean
  /** Places that have to have been shown before this one is. */
  needs: readonly number[]
}

/**
 * `loop`: shown a second time. `dead_end`: nothing below a last step that is hidden. `early_exit`: leaves the quiz
 * before its end. `unreachable`: no way leads here. `never_shown`: people come, but the condition never holds. `needs`:
 * shown without the place that it needs. `too_late`: looks at an answer that has not been given yet.
 */
export interface PathFault {
  kind: 'loop' | 'dead_end' | 'early_exit' | 'unreachable' | 'never_shown' | 'needs' | 'too_late'
  place: number
  /** Of `needs`: the place. */
  needed?: number
  /** Of `too_late`: the key. */
  key?: string
  /** Answers of a visitor to whom it happens; none where no visitor takes this way. */
  answers?: Known
}

export interface Length {
  steps: number
  /** Answers of a visitor whose way is as long. */
  answers: Known
}

export interface Paths {
  faults: PathFault[]
  /** Of a quiz without faults. */
  shortest?: Length
  longest?: Length
}

/** Proves every way through the steps; throws TooManyNodes where conditions are entangled beyond what can be proved. */
export function provePaths(steps: readonly PathStep[]): Paths {
  const decisions = new Decisions()
  const conditions = steps.flatMap(({ showIf }) => showIf ?? [])
  const questions = steps.flatMap(({ asks }) => asks ?? [])
  const choices = new QuizChoices(decisions, questions, conditions)
  const impossible = choices.impossible()
  const possible = impossible.reduce((left, none) => decisions.apply('andNot', left, none), decisions.always)
  const { shown, faults } = walkAll(steps, choices, (node) => {
    const example = decisions.example(decisions.apply('and', node, possible))
    return example && choices.answers(example)
  })
  if (faults.length > 0) return { faults }
  const length = (best: 'min' | 'max'): Length => {
    const nothing = decisions.constant(0)
    const never = decisions.constant(best === 'max' ? -Infinity : Infinity)
    // an impossible answer makes the worst length
    const penalties = impossible.map((none) => whereTrue(decisions, none, never, nothing))
    const found = bestSum(decisions, [...shown, ...penalties], best)
    return { steps: found.sum, answers: choices.answers(found.choices) }
  }
  return { faults, shortest: length('min'), longest: length('max') }
}

/** A condition with other numbers at its ends. */
function whereTrue(decisions: Decisions, condition: Node, yes: Node, no: Node): Node {
  if (condition === decisions.always) return yes
  if (condition === decisions.never) return no
  const [choice] = decisions.choicesOf(condition)
  const branches = decisions.valuesOf(condition, choice as number)
  return decisions.choice(
    choice as number,
    branches.map((branch) => whereTrue(decisions, branch, yes, no)),
  )
}

/** Answers to whom something happens, as a visitor would give them; undefined where it never happens. */
type Example = (node: Node) => Known | undefined

function walkAll(
  steps: readonly PathStep[],
  choices: QuizChoices,
  example: Example,
): { shown: Node[]; faults: PathFault[] } {
  const { decisions } = choices
  const { never, always } = decisions
  const waiting = steps.map((_, index) => (index === 0 ? always : never))
  const visited = steps.map(() => never)
  const shown = steps.map(() => never)
  const faults: PathFault[] = []
  const happens = (node: Node, fault: PathFault): void => {
    const answers = example(node)
    if (answers) faults.push({ ...fault, answers })
  }
  const placesOf = new Map<string, number[]>()
  steps.forEach(({ asks }, index) => {
    if (asks) placesOf.set(asks.storageKey, [...(placesOf.get(asks.storageKey) ?? []), index])
  })
  const given = (key: string): Node =>
    placesOf.get(key)?.reduce((some, index) => decisions.apply('or', some, shown[index] as Node), never) ?? always
  const send = (to: number, who: Node): void => {
    waiting[to] = decisions.apply('or', waiting[to] as Node, who)
  }

  // the first step with a visitor waiting, so that ways which part meet again before they go on
  for (let at = 0; at !== -1; at = waiting.findIndex((who) => who !== never)) {
    const { next, showIf, ends, needs } = steps[at] as PathStep
    const place = at + 1
    const again = decisions.apply('and', waiting[at] as Node, visited[at] as Node)
    happens(again, { kind: 'loop', place })
    const here = decisions.apply('andNot', waiting[at] as Node, again)
    waiting[at] = never
    visited[at] = decisions.apply('or', visited[at] as Node, here)
    for (const key of new Set(showIf ? leavesOf(showIf).map((leaf) => leaf.key) : [])) {
      const late = placesOf.has(key) && !example(decisions.apply('and', here, given(key))) && example(here)
      if (late) faults.push({ kind: 'too_late', place, key })
    }
    const seen = showIf ? decisions.apply('and', here, choices.condition(showIf, given)) : here
    const passed = decisions.apply('andNot', here, seen)
    for (const needed of needs) {
      happens(decisions.apply('andNot', seen, shown[needed - 1] as Node), { kind: 'needs', place, needed })
    }
    shown[at] = decisions.apply('or', shown[at] as Node, seen)
    if (typeof next === 'number') send(next - 1, seen)
    else if (!ends) happens(seen, { kind: 'early_exit', place })
    if (place < steps.length) send(place, passed)
    else happens(passed, { kind: 'dead_end', place })
  }
  if (!faults.some(({ kind }) => kind === 'loop')) {
    steps.forEach((_, index) => {
      if (example(shown[index] as Node)) return
      const visitor = example(visited[index] as Node)
      faults.push({ kind: visitor ? 'never_shown' : 'unreachable', place: index + 1 })
    })
  }
  return { shown, faults }
}
