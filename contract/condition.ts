/**
 * When a step of the quiz is shown: a condition over the answers given so far, the age group and the campaign. Data in
 * the step's document; read here alone, by the quiz, by the check in the Studio and by the build.
 */

/** L-06: the parameters of an advertisement's link that a condition may look at. */
export const CAMPAIGN_KEYS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** `is`: chosen, and nothing else. `isNot`: not chosen, which also holds where the question was not asked. */
export const OPERATORS = ['contains', 'is', 'isNot'] as const
export type Operator = (typeof OPERATORS)[number]

/** Looks at one answer by its storage key, at `ageGroup`, or at a parameter of the campaign. */
export interface Leaf {
  key: string
  operator: Operator
  /** Stored values, any of which counts; never labels. */
  values: readonly string[]
}
export type Condition = Leaf | { all: readonly Condition[] } | { any: readonly Condition[] }

/** What is known of a visitor: the counted answers by storage key, `ageGroup` and the campaign's parameters. */
export type Known = Readonly<Record<string, unknown>>

/** Whether a condition holds; what is not known counts as not chosen. */
export function holds(condition: Condition, known: Known): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, known))
  if ('any' in condition) return condition.any.some((one) => holds(one, known))
  const { operator, values } = condition
  const chosen = [known[condition.key] ?? []].flat() as string[]
  const some = chosen.some((value) => values.includes(value))
  if (operator === 'is') return some && chosen.every((value) => values.includes(value))
  return some === (operator === 'contains')
}

/** Whether answers that are still to come can make a condition hold, and whether they can make it fail. */
export function outlook(condition: Condition, known: Known, open: ReadonlySet<string>): { yes: boolean; no: boolean } {
  if ('key' in condition && open.has(condition.key)) return { yes: true, no: true }
  if ('key' in condition) {
    const yes = holds(condition, known)
    return { yes, no: !yes }
  }
  const parts = ('all' in condition ? condition.all : condition.any).map((one) => outlook(one, known, open))
  const all = 'all' in condition
  return {
    yes: all ? parts.every(({ yes }) => yes) : parts.some(({ yes }) => yes),
    no: all ? parts.some(({ no }) => no) : parts.every(({ no }) => no),
  }
}

/** The leaves of a condition. */
export function leavesOf(condition: Condition): readonly Leaf[] {
  if ('key' in condition) return [condition]
  return ('all' in condition ? condition.all : condition.any).flatMap(leavesOf)
}

type Raw = Readonly<Record<string, unknown>>
const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One row of the field "Shown when" as it lies in the document. Throws for what is no such row, or is unfinished. */
export function leafOf(raw: unknown): Leaf {
  const row = isRaw(raw) ? raw : {}
  const of = {
    answerCondition: ['asked', 'chosen'],
    ageCondition: [undefined, 'ageGroups'],
    campaignCondition: ['parameter', 'campaigns'],
  }[String(row['_type'])]
  if (!of) throw new TypeError('looks at something that the quiz does not know')
  const [name, list = ''] = of
  const key = name === undefined ? 'ageGroup' : row[name]
  const values = Array.isArray(row[list]) ? (row[list] as unknown[]).filter((one) => typeof one === 'string') : []
  const operator = OPERATORS.find((one) => one === row['operator'])
  if (typeof key !== 'string' || key === '' || !operator || values.length === 0) throw new TypeError('is unfinished')
  return { key, operator, values }
}

/** The field "Shown when" of a step's document; undefined where nothing is asked. Throws as `leafOf` does. */
export function conditionOf(raw: unknown): Condition | undefined {
  const rows = isRaw(raw) && Array.isArray(raw['conditions']) ? (raw['conditions'] as unknown[]) : []
  const parts = rows.flatMap((row) => {
    if (!isRaw(row) || row['_type'] !== 'conditionGroup') return [leafOf(row)]
    return conditionOf(row) ?? []
  })
  if (parts.length < 2) return parts[0]
  return isRaw(raw) && raw['match'] === 'any' ? { any: parts } : { all: parts }
}
