import type { Database } from '../../db/connect.ts'
import { DEFINITIONS, TEST_SOURCE } from '../numbers/definitions.ts'
import { type Change, changes, stayed, type StepNumbers, stepNumbers } from '../numbers/steps.ts'
import { type Choices, readCells, readChoices, type Revision, type StepFilter } from '../numbers/steps.queries.ts'
import { refreshFunnel } from '../tracking/upkeep.ts'
import { definitions, percent, shareWithInterval, TOO_FEW } from './figures.ts'
import { html, type Markup, table } from './html.ts'
import { type Query, readPeriod, textOf } from './period.ts'

export interface StepsFilter extends StepFilter {
  /** null for all; '' for pages that did not say theirs. */
  revision: string | null
}

/** In an address: of pages that did not say their revision. */
const UNSAID = '(unsaid)'

export function readStepFilter(query: Query): StepsFilter {
  const text = (name: string): string => textOf(query, name).slice(0, 60)
  const revision = text('revision')
  return {
    ...readPeriod(query),
    source: text('source'),
    language: text('language'),
    device: text('device'),
    revision: revision === UNSAID ? '' : revision || null,
  }
}

export interface Shown {
  choices: Choices
  steps: StepNumbers[]
  /** The edit that is looked at, by its step: the chosen revision's, else the latest. */
  edit?: { revision: Revision; changes: ReadonlyMap<string, Change> }
}

/** Only what ten visitors share is told apart: an unknown revision has no numbers. */
export async function readStepsPage(db: Database, filter: StepsFilter): Promise<Shown> {
  const { revision: chosen } = filter
  const choices = await readChoices(db, filter)
  const { revisions } = choices
  const at = chosen === null ? revisions.length - 1 : revisions.findIndex((one) => one.revision === chosen)
  const [earlier, revision] = [revisions[at - 1], revisions[at]]
  const apart = [earlier?.revision, revision?.revision, chosen].filter((one) => typeof one === 'string')
  const cells = await readCells(db, filter, chosen === null ? null : apart, apart)
  const stepsOf = (one: string): StepNumbers[] => stepNumbers(cells.filter((cell) => cell.revision === one))
  const steps = chosen === null ? stepNumbers(cells) : stepsOf(chosen)
  if (!earlier || !revision) return { choices, steps }
  const found = changes(stepsOf(earlier.revision), stepsOf(revision.revision))
  const byStep = [...found].map(([step, change]) => [nameOf(step), change] as const)
  return { choices, steps, edit: { revision, changes: new Map(byStep) } }
}

/** A step is the same in two revisions by its key. */
const nameOf = ({ key, place }: StepNumbers): string => key || String(place)

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
const editOf = ({ revision, firstSeen }: Revision): string =>
  revision === '' ? 'Pages that did not say theirs' : `${DAY.format(firstSeen)} (${revision.slice(0, 8)})`

function select(name: string, label: string, chosen: string, options: readonly (readonly [string, string])[]): Markup {
  return html`<label
    >${label}
    <select name="${name}">
      <option value="">All</option>
      ${options.map(
        ([value, words]) => html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${words}</option>`,
      )}
    </select></label
  >`
}

function form(filter: StepsFilter, { sources, languages, devices, revisions }: Choices): Markup {
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const)
  const value = (revision: string): string => revision || UNSAID
  return html`<form class="bar" method="get" action="/operator/steps">
    <label>From <input type="date" name="from" value="${filter.from}" /></label>
    <label>To <input type="date" name="to" value="${filter.to}" /></label>
    ${select('source', 'Source', filter.source, same(sources))}
    ${select('language', 'Language', filter.language, same(languages))}
    ${select('device', 'Device', filter.device, same(devices))}
    ${select(
      'revision',
      'Published',
      filter.revision === null ? '' : value(filter.revision),
      revisions.toReversed().map((one) => [value(one.revision), editOf(one)] as const),
    )}
    <button>Show</button>
  </form>`
}

function changeCell(change: Change | undefined): Markup | string {
  if (!change) return '–'
  const { before, after, verdict } = change
  const mark = verdict === 'higher' ? 'good' : verdict === 'lower' ? 'bad' : 'quiet'
  return html`${percent(before.part, before.whole)} → ${percent(after.part, after.whole)},
    ${after.whole.toLocaleString('en')} visitors, <span class="${mark}">${verdict}</span>`
}

function row(step: StepNumbers, edit: Shown['edit']) {
  const { figures } = step
  const label = html`${step.place === 0 ? 'Welcome' : `step ${step.place}`} <small class="quiet">${step.key}</small>`
  if (!figures) return [label, TOO_FEW, '–', '–', '–', '–', ...(edit ? ['–'] : [])]
  return [
    label,
    figures.entered,
    html`${figures.left} <small class="quiet">${percent(figures.left, figures.entered)}</small>`,
    shareWithInterval(stayed(figures)),
    figures.medianSeconds,
    shareWithInterval({ part: figures.paid, whole: figures.entered }),
    ...(edit ? [changeCell(edit.changes.get(nameOf(step)))] : []),
  ]
}

export async function stepsPage(db: Database, filter: StepsFilter): Promise<Markup> {
  await refreshFunnel({ db })
  const { choices, steps, edit } = await readStepsPage(db, filter)
  const { entered, left, dropOff, stepRate, medianSeconds, paidLater, visitor } = DEFINITIONS
  return html`${form(filter, choices)}
    ${
      edit &&
      html`<p class="notice">
        The last column compares step rates since the edit of ${editOf(edit.revision)} with those of the edit before it.
      </p>`
    }
    <div class="chart">
      ${table(
        'Step by step',
        [
          'Step',
          entered.name,
          `${left.name} (${dropOff.name.toLowerCase()})`,
          stepRate.name,
          medianSeconds.name,
          paidLater.name,
          ...(edit ? ['Since the edit'] : []),
        ],
        steps.map((step) => row(step, edit)),
        'Nobody saw a step in these days with these choices.',
      )}
    </div>
    ${definitions([visitor, entered, left, dropOff, stepRate, medianSeconds, paidLater])}
    <p class="quiet">
      In brackets, the interval that holds the true share 19 times in 20 (Wilson). Steps are higher or lower where even
      the interval of 99.9 % leaves no doubt. Groups of ${TOO_FEW} visitors are not told apart. Who refused to be
      measured, bots, and the campaign “${TEST_SOURCE}” unless it is chosen are left out. Days are UTC.
    </p>`
}
