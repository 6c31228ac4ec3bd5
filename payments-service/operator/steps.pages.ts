import type { Database } from '../../db/connect.ts'
import { type AnswerNumbers, shareOf } from '../numbers/answers.queries.ts'
import { DEFINITIONS, TEST_SOURCE } from '../numbers/definitions.ts'
import { stayed, type StepNumbers } from '../numbers/steps.ts'
import type { Choices, Revision } from '../numbers/steps.queries.ts'
import { nameOf, readStepsReport, type StepsFilter, type StepsReport, UNSAID } from '../numbers/steps-report.ts'
import { changeCell, counted, definitions, percent, shareWithInterval, TOO_FEW } from './figures.ts'
import { html, type Markup, table } from './html.ts'

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

function row(step: StepNumbers, edit: StepsReport['edit']) {
  const { figures } = step
  const label = html`${step.place === 0 ? 'Welcome' : `step ${step.place}`} <small class="quiet">${step.key}</small>`
  if (!figures) return [label, TOO_FEW, '–', '–', '–', '–', ...(edit ? ['–'] : [])]
  return [
    label,
    counted(figures.entered),
    html`${counted(figures.left)} <small class="quiet">${percent(figures.left, figures.entered)}</small>`,
    shareWithInterval(stayed(figures)),
    figures.medianSeconds,
    shareWithInterval({ part: figures.paid, whole: figures.entered }),
    ...(edit ? [changeCell(edit.changes.get(nameOf(step)))] : []),
  ]
}

const answerRows = (question: AnswerNumbers) =>
  question.values.map(({ value, visitors }, at) => [
    at === 0 ? html`${question.question} <small class="quiet">${question.answered} visitors</small>` : '',
    value || 'nothing chosen',
    shareWithInterval(shareOf(question, visitors)),
  ])

export async function stepsPage(db: Database, filter: StepsFilter): Promise<Markup> {
  const { choices, steps, edit, answers } = await readStepsReport(db, filter)
  const { entered, left, dropOff, stepRate, medianSeconds, paidLater, answerShare, visitor } = DEFINITIONS
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
    <div class="chart">
      ${table(
        'Answers',
        ['Question', 'Answer', answerShare.name],
        answers.flatMap(answerRows),
        'No question was answered by ten of these visitors.',
      )}
    </div>
    ${definitions([visitor, entered, left, dropOff, stepRate, medianSeconds, paidLater, answerShare])}
    <p class="quiet">
      In brackets, the interval that holds the true share 19 times in 20 (Wilson). Steps are higher or lower where even
      the interval of 99.9 % leaves no doubt. Groups of ${TOO_FEW} visitors are not told apart. Who refused to be
      measured, bots, and the campaign “${TEST_SOURCE}” unless it is chosen are left out. Days are UTC.
    </p>`
}
