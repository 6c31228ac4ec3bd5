/** What visitors can answer, as far as conditions look at it: the choices of `decisions.ts`. */
import { CAMPAIGN_KEYS, leavesOf, type Condition, type Known, type Leaf } from './condition.ts'
import type { Choices, Decisions, Node } from './decisions.ts'
import { AGE_GROUPS } from './ages.ts'

/** A question as a set of possible answers. */
export interface Question {
  storageKey: string
  values: readonly string[]
  many: boolean
  /** Next works with nothing chosen. */
  optional: boolean
}

/** What of a question's configuration decides which answers can be given. */
interface Configured {
  storageKey: string
  options: readonly { value: string }[]
  multiSelect: boolean
  showNext: boolean
  optional: boolean
}

/** nothing can be chosen only where Next is shown. */
export function questionFrom({ storageKey, options, multiSelect, showNext, optional }: Configured): Question {
  const values = options.map(({ value }) => value)
  return { storageKey, values, many: multiSelect, optional: optional && (multiSelect || showNext) }
}

/** No age group, and every campaign that no condition names. */
const ELSEWHERE = undefined

interface Asked {
  /** The numbers of its choices: one, or one for each value that a visitor may choose beside others. */
  first: number
  /** Of a single choice: its possible answers. Of several: the values that can be on or off. */
  answers: readonly (string | undefined)[]
  many: boolean
  optional: boolean
}

/** The choices behind the keys that conditions look at, and conditions as functions of them. */
export class QuizChoices {
  readonly decisions: Decisions
  readonly #asked = new Map<string, Asked>()
  #count = 0

  /** `questions` in the order of the steps; `conditions` decide which answers are kept apart. */
  constructor(decisions: Decisions, questions: readonly Question[], conditions: readonly Condition[]) {
    this.decisions = decisions
    const named = new Map<string, Set<string>>()
    for (const { key, values } of conditions.flatMap(leavesOf)) {
      named.set(key, new Set([...(named.get(key) ?? []), ...values]))
    }
    // known on arrival, or not at all
    for (const key of ['ageGroup', ...CAMPAIGN_KEYS]) {
      const values = named.get(key)
      if (!values) continue
      const answers = key === 'ageGroup' ? AGE_GROUPS : values
      this.#ask(key, { answers: [ELSEWHERE, ...answers], many: false, optional: true })
    }
    for (const { storageKey, values, many, optional } of questions) {
      const looked = named.get(storageKey)
      if (!looked || this.#asked.has(storageKey)) continue
      // all answers that no condition names are alike: the first speaks for them
      const other = values.find((value) => !looked.has(value))
      const answers = values.filter((value) => looked.has(value) || value === other)
      this.#ask(storageKey, {
        answers: many || !optional ? answers : [...answers, undefined],
        many,
        optional,
      })
    }
  }

  #ask(key: string, asked: Omit<Asked, 'first'>): void {
    this.#asked.set(key, { ...asked, first: this.#count })
    this.#count += asked.many ? asked.answers.length : 1
  }

  /** Answers that cannot be given, one function a question: several answers with none chosen. */
  impossible(): Node[] {
    const { decisions } = this
    return [...this.#asked.values()]
      .filter(({ many, optional }) => many && !optional)
      .map(({ first, answers }) =>
        answers.reduce<Node>((none, _, n) => decisions.apply('andNot', none, this.#on(first + n)), decisions.always),
      )
  }

  /** A condition as a function. `given`: where a key's question has been shown. */
  condition(condition: Condition, given: (key: string) => Node): Node {
    const { decisions } = this
    if ('key' in condition) return this.#leaf(condition, given(condition.key))
    const all = 'all' in condition
    return (all ? condition.all : condition.any)
      .map((one) => this.condition(one, given))
      .reduce((one, other) => decisions.apply(all ? 'and' : 'or', one, other), all ? decisions.always : decisions.never)
  }

  #leaf({ key, operator, values }: Leaf, given: Node): Node {
    const { decisions } = this
    const asked = this.#asked.get(key)
    const chosen = asked ? decisions.apply('and', given, this.#some(asked, values)) : decisions.never
    if (operator === 'isNot') return decisions.apply('andNot', decisions.always, chosen)
    if (operator === 'contains' || !asked?.many) return chosen
    return asked.answers.reduce<Node>(
      (only, value, n) =>
        values.includes(value as string) ? only : decisions.apply('andNot', only, this.#on(asked.first + n)),
      chosen,
    )
  }

  #some({ first, answers, many }: Asked, values: readonly string[]): Node {
    const { decisions } = this
    const listed = answers.map((value) => value !== undefined && values.includes(value))
    if (!many)
      return decisions.choice(
        first,
        listed.map((yes) => (yes ? decisions.always : decisions.never)),
      )
    return listed.reduce<Node>(
      (some, yes, n) => (yes ? decisions.apply('or', some, this.#on(first + n)) : some),
      decisions.never,
    )
  }

  #on(choice: number): Node {
    return this.decisions.choice(choice, [this.decisions.never, this.decisions.always])
  }

  /** Choices as what a visitor answers; choices left out are the first answer, or none where several are possible. */
  answers(choices: Choices): Known {
    const answersOf = ({ first, answers, many }: Asked) => {
      if (!many) return answers[choices.get(first) ?? 0]
      return answers.filter((_, n) => choices.get(first + n) === 1)
    }
    return Object.fromEntries([...this.#asked].map(([key, asked]) => [key, answersOf(asked)]))
  }
}
