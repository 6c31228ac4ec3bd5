import {
  cellOf,
  changesOf,
  DUTIES,
  DUTY_IDS,
  type DutyId,
  type Jurisdiction,
  JURISDICTION_IDS,
  JURISDICTIONS,
  proofOf,
} from '../../contract/duties/table.ts'
import { html, type Markup } from './html.ts'

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** In words, beside the colour: met, not met, from a day that is still to come, none. */
function stateOf(duty: DutyId, place: Jurisdiction, today: string): Markup {
  const cell = cellOf(duty, place)
  if (cell.state === 'none')
    return html`<span class="quiet">${cell.given ? 'no duty, done by choice' : 'no duty'}</span>`
  if (cell.state === 'met') return html`<span class="good">met</span>`
  return cell.from > today
    ? html`<span class="warn">not met yet, needed from ${cell.from} on</span>`
    : html`<span class="bad">not met</span>`
}

function entry(duty: DutyId, place: Jurisdiction, today: string): Markup {
  const cell = cellOf(duty, place)
  const does = cell.state !== 'none' || cell.given
  const { file, title } = proofOf(duty, place)
  const read = cell.read
    ? html`Read: ${cell.read}.`
    : html`Not checked against the text of the law; see ${cell.toRead ?? ''}.`
  return html`<li>
    <h3>${DUTIES[duty].name}: ${stateOf(duty, place, today)}</h3>
    <p>${cell.source.replace(/\.?$/, '.')} ${cell.state === 'none' ? '' : html`Since ${cell.from}.`}</p>
    ${does ? html`<p>${changesOf(duty, place)}</p>` : ''}
    <p class="quiet">${read} ${cell.state === 'met' ? html`Proved by ${file}, “${title}”.` : ''}</p>
  </li> `
}

/** What the law of each place asks, and whether the product does it: a list by place, which fits a phone. */
export function dutiesPage(now = new Date()): Markup {
  const today = day(now)
  const places = JURISDICTION_IDS.map((place) => {
    const open = DUTY_IDS.filter((duty) => {
      const cell = cellOf(duty, place)
      return cell.state === 'unmet' && cell.from <= today
    }).length
    const met = DUTY_IDS.filter((duty) => cellOf(duty, place).state === 'met').length
    const unread = DUTY_IDS.filter((duty) => !cellOf(duty, place).read).length
    return html`<details class="place" id="${place}">
      <summary>
        <h2>${JURISDICTIONS[place].name}</h2>
        <span
          >${met} met, <span class="${open > 0 ? 'bad' : 'good'}">${open} not met</span>, ${unread} not checked</span
        >
      </summary>
      <ul class="duties">
        ${DUTY_IDS.map((duty) => entry(duty, place, today))}
      </ul>
    </details> `
  })
  return html`<p>
      What the law asks of this shop where it sells. A duty that is not met stops the build of the public site for a
      country named in the Studio under Settings, Regions, “Where you sell”; with none named, for all. This is no legal
      advice: what was not checked against the law has to be, before you rely on it.
    </p>
    ${places}`
}
