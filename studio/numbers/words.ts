import type { AnswersOfQuestion, PageView, ShareView, StepNumbersView, StepView } from '../../contract/editors.ts'
import { objects, words } from '../check/finding.ts'

type Step = Record<string, unknown>

/** A step of the document with what visitors did there. */
export interface Row {
  /** 0 Welcome; undefined of what is no longer in the quiz. */
  number?: number
  key: string
  title: string
  numbers?: StepView
  answers?: { label: string; share?: ShareView }[]
  answered?: number
}

/** As the list of documents calls them. */
export const PAGE_TITLES: Readonly<Record<PageView['page'], string>> = {
  landing: 'Landing page',
  checkout: 'Checkout',
  offer: 'Special offer',
  upsell: 'Add-ons',
}

export const FEW = 'fewer than 10'

export const percent = (fraction: number): string => `${(100 * fraction).toFixed(1)} %`

/** 94.0 % (92.3–95.4). */
export const shareWords = ({ share, low, high }: ShareView): string =>
  `${percent(share)} (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`

/** 81.0 % → 86.0 %, 1,204 visitors, too few to tell yet. */
export const changeWords = ({ before, after, visitors, verdict }: NonNullable<StepView['change']>): string =>
  `${percent(before)} → ${percent(after)}, ${visitors.toLocaleString('en')} visitors, ${verdict}`

/** The numbers of a step of the document: by its key, wherever it was. */
export const numbersOf = (view: StepNumbersView | undefined, key: string): StepView | undefined =>
  view?.steps.find((step) => (key === '' ? step.place === 0 : step.key === key))

/** The steps as the document has them now, then what visitors saw of others. */
export function rowsOf(document: Record<string, unknown> | null, view: StepNumbersView | undefined): Row[] {
  const steps = objects(document?.['steps'])
  const welcome = numbersOf(view, '')
  const own = steps.map((step, index): Row => {
    const key = words(step['_key'])
    const numbers = numbersOf(view, key)
    return {
      number: index + 1,
      key,
      title: words(step['title']),
      ...(numbers && { numbers }),
      ...answersOf(step, view),
    }
  })
  const known = new Set(own.map(({ key }) => key))
  const gone = (view?.steps ?? []).filter(({ key, place }) => place > 0 && !known.has(key))
  return [
    { number: 0, key: '', title: 'Welcome', ...(welcome && { numbers: welcome }) },
    ...own,
    ...gone.map((step) => ({
      key: step.key,
      title: step.key ? `Step ${step.place} of an earlier quiz` : `Step ${step.place} of pages that did not say which`,
      numbers: step,
    })),
  ]
}

/** By label, in the order of the options; what is no option any more comes last. */
function answersOf(step: Step, view: StepNumbersView | undefined): Pick<Row, 'answers' | 'answered'> {
  const storageKey = words(step['storageKey'])
  const found = view?.answers.find(({ question }) => question === storageKey)
  if (!found || storageKey === '') return {}
  const options = objects(step['options']).map((option) => ({
    value: words(option['value']),
    label: words(option['label']),
  }))
  const shareOf = (value: string) => found.values.find((one) => one.value === value)?.share
  const others = found.values.filter(({ value }) => !options.some((option) => option.value === value))
  return {
    answered: found.answered,
    answers: [
      ...options.map(({ value, label }) => withShare(label || value, shareOf(value))),
      ...others.map(({ value, share }) => withShare(otherWords({ value, share }), share)),
    ],
  }
}

const withShare = (label: string, share: ShareView | undefined) => ({ label, ...(share && { share }) })

const otherWords = ({ value }: AnswersOfQuestion['values'][number]): string =>
  value === '' ? 'Nothing chosen' : `${value} (no longer an answer)`

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })

/** An edit by when visitors first saw it. */
export const editWords = ({ revision, firstSeen }: { revision: string; firstSeen: string }): string =>
  revision === '' ? 'Pages that did not say theirs' : DAY.format(new Date(firstSeen))
