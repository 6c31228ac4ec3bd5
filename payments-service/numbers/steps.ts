import { FEWEST } from './definitions.ts'
import { compare, type Share, type Verdict } from './intervals.ts'

/** How many visitors of a step came to an outcome, or how many stayed that long: the other is null (step_sums). */
export interface Cell {
  /** 0 Welcome, 1..n. */
  place: number
  /** '' of pages that did not say it. */
  key: string
  outcome: 'went_on' | 'left' | 'paid' | null
  seconds: number | null
  visitors: number
}

export interface Figures {
  entered: number
  left: number
  paid: number
  medianSeconds: number
}

export interface StepNumbers {
  place: number
  key: string
  /** None of fewer than ten visitors. */
  figures?: Figures
}

/**
 * The steps of the cells, in order. A step is its key, wherever it was; without one it is its place. What fewer
 * than one visitor in a thousand has seen is left out: it was made up.
 */
export function stepNumbers(cells: readonly Cell[]): StepNumbers[] {
  const groups = Map.groupBy(cells, ({ key, place }) => key || place)
  const steps = [...groups.values()].map((group) => ({ ...figuresOf(group), ...mostly(group) }))
  const most = Math.max(...steps.map(({ entered }) => entered))
  return steps
    .filter(({ entered }) => entered * 1_000 >= most)
    .sort((a, b) => a.place - b.place || a.key.localeCompare(b.key))
    .map(({ place, key, ...figures }) => ({ place, key, ...(figures.entered >= FEWEST ? { figures } : {}) }))
}

const sumOf = (cells: readonly Cell[]): number => cells.reduce((sum, { visitors }) => sum + visitors, 0)

function figuresOf(cells: readonly Cell[]): Figures {
  const of = (outcome: Cell['outcome']): number => sumOf(cells.filter((cell) => cell.outcome === outcome))
  return {
    entered: sumOf(cells.filter(({ outcome }) => outcome !== null)),
    left: of('left'),
    paid: of('paid'),
    medianSeconds: medianOf(cells),
  }
}

/** The seconds that half of the visitors did not exceed. */
function medianOf(cells: readonly Cell[]): number {
  const times = cells.flatMap(({ seconds, visitors }) => (seconds === null ? [] : { seconds, visitors }))
  const half = times.reduce((sum, { visitors }) => sum + visitors, 0) / 2
  let so_far = 0
  for (const { seconds, visitors } of times.sort((a, b) => a.seconds - b.seconds)) {
    so_far += visitors
    if (so_far >= half) return seconds
  }
  return 0
}

/** Where most of its visitors found it. */
function mostly(cells: readonly Cell[]): { place: number; key: string } {
  const places = [...Map.groupBy(cells, ({ place }) => place)].sort(([, a], [, b]) => sumOf(b) - sumOf(a))
  return { place: places[0]?.[0] ?? 0, key: cells[0]?.key ?? '' }
}

export interface Change {
  before: Share
  after: Share
  verdict: Verdict
}

/** Step rates of a revision beside those of the one before it, by step; only of ten visitors in each. */
export function changes(before: readonly StepNumbers[], after: readonly StepNumbers[]): Map<StepNumbers, Change> {
  const found = new Map<StepNumbers, Change>()
  for (const step of after) {
    const earlier = before.find(({ key, place }) => (step.key && key ? step.key === key : step.place === place))
    if (!step.figures || !earlier?.figures) continue
    const shares = { before: stayed(earlier.figures), after: stayed(step.figures) }
    found.set(step, { ...shares, verdict: compare(shares.before, shares.after) })
  }
  return found
}

export const stayed = ({ entered, left }: Figures): Share => ({ part: entered - left, whole: entered })
