/** The table of duties and the questions that pages, service, mails, Studio and launch check ask of it. */
import {
  type Cell,
  type Duty,
  type Jurisdiction,
  JURISDICTION_IDS,
  JURISDICTIONS,
  type Proof,
  type Row,
} from './cell.ts'
import { accessibilityInformation } from './access.ts'
import { healthConsent, marketingConsent, recordKeeping, trackingConsent } from './consents.ts'
import { coolingOff, publicExit, withdrawal } from './leaving.ts'
import { paymentLabel, preSelection, taxDisplay, termsBesideButton, termsLanguage } from './ordering.ts'
import { priceChange, reminderBeforeRenewal, yearlyReminder } from './running.ts'

export { type Cell, type Duty, type Jurisdiction, JURISDICTION_IDS, JURISDICTIONS } from './cell.ts'
export { EVIDENCE } from './consents.ts'

export const DUTIES = {
  payment_label: paymentLabel,
  terms_beside_button: termsBesideButton,
  terms_language: termsLanguage,
  pre_selection: preSelection,
  marketing_consent: marketingConsent,
  tracking_consent: trackingConsent,
  health_consent: healthConsent,
  withdrawal,
  public_exit: publicExit,
  reminder_before_renewal: reminderBeforeRenewal,
  yearly_reminder: yearlyReminder,
  price_change: priceChange,
  record_keeping: recordKeeping,
  cooling_off: coolingOff,
  tax_display: taxDisplay,
  accessibility_information: accessibilityInformation,
} as const satisfies Record<string, Row>
export type DutyId = keyof typeof DUTIES
export const DUTY_IDS = Object.keys(DUTIES) as DutyId[]

export const cellOf = (duty: DutyId, place: Jurisdiction): Cell => DUTIES[duty].cells[place]
export const changesOf = (duty: DutyId, place: Jurisdiction): string =>
  cellOf(duty, place).changes ?? DUTIES[duty].changes
export const proofOf = (duty: DutyId, place: Jurisdiction): Proof => cellOf(duty, place).test ?? DUTIES[duty].test

const YEAR = 12

/** A duty that is in force at `at`; undefined for a cell of none, and before its day. */
export function inForce(duty: DutyId, place: Jurisdiction, at: Date): Duty | undefined {
  const cell = cellOf(duty, place)
  return cell.state !== 'none' && Date.parse(cell.from) <= at.getTime() ? cell : undefined
}

/** Whose law applies to a buyer in this country; none: a country outside the table. */
export const jurisdictionsOf = (country: string): Jurisdiction[] =>
  JURISDICTION_IDS.filter((id) => (JURISDICTIONS[id].countries as readonly string[]).includes(country))

/** The countries in which the product does what a duty asks for: where it is met and in force, or given by choice. */
export function countriesWith(duty: DutyId, at = new Date()): string[] {
  const places = JURISDICTION_IDS.filter((id) => {
    const cell = cellOf(duty, id)
    return cell.state === 'none' ? cell.given : inForce(duty, id, at)?.state === 'met'
  })
  return [...new Set(places.flatMap((id): readonly string[] => JURISDICTIONS[id].countries))]
}

/** Whether the product does what a duty asks for, for a buyer in this country at `at`. */
export const appliesIn = (duty: DutyId, country: string, at = new Date()): boolean =>
  countriesWith(duty, at).includes(country)

/** The months between two reminders of a running subscription: as the law of the buyer's country asks, or a year. */
export function reminderMonths(country: string, at: Date): number {
  const asked = jurisdictionsOf(country).map((place) => inForce('yearly_reminder', place, at)?.months ?? YEAR)
  return Math.min(YEAR, ...asked)
}

/** Whether a running subscription keeps its price in this country, however it is announced. */
export const keepsPriceIn = (country: string): boolean =>
  jurisdictionsOf(country).some((place) => cellOf('price_change', place).keepsPrice)

/** For editors: the places in which words are a duty. The page /operator/duties names the laws. */
export function dutyNote(duty: DutyId, at = new Date()): string {
  const places = JURISDICTION_IDS.filter((id) => inForce(duty, id, at)).map((id) => JURISDICTIONS[id].name)
  return `A duty by law (the operator’s page “Duties” names each): ${places.join(', ')}.`
}
