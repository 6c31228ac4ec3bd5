/** Duties of a subscription that runs: reminders, and a price that changes. */
import { DMCC, given, met, READ, type Row, unmet } from './cell.ts'

const NO_LAW = 'No law asks for it; the card networks do, so everybody gets it.'
const FIXED_TERM = 'Only for a term that is fixed and renews; this contract ends at any time.'

export const reminderBeforeRenewal: Row = {
  name: 'Reminder before the first renewal',
  changes: 'A mail names day and amount of the first full charge and the way to leave, while there is time.',
  test: { file: 'tests/service/members.test.ts', title: 'the reminder of the first full charge waits for its day' },
  cells: {
    US: given(NO_LAW),
    'US-CA': met('2022-07-01', 'Bus. & Prof. Code § 17602(b): 3 to 21 days before, for trials of more than 31 days', {
      read: READ.california,
    }),
    'US-NY': given('Gen. Bus. Law § 527-a: only for a first term of a year or more.', { read: READ.newYork }),
    EU: given(NO_LAW),
    DE: given(NO_LAW),
    FR: given(`Code de la consommation, art. L215-1. ${FIXED_TERM}`),
    IT: given(`Codice del consumo, art. 65-bis. ${FIXED_TERM}`),
    ES: given('A law of 2025 on the service of customers may ask for 15 days: have it checked before selling there.'),
    GB: met(DMCC, 'DMCC Act 2024, s. 258: before the first payment after a trial', { read: READ.dmcc }),
    CH: given(NO_LAW),
    CA: given(NO_LAW),
    AU: given(NO_LAW),
  },
}

const AS_CALIFORNIA = 'No law asks for it; everybody gets what California asks for.'

export const yearlyReminder: Row = {
  name: 'Reminder of a subscription that runs on',
  changes: 'A mail names price, period and the way to leave.',
  test: { file: 'tests/service/members.test.ts', title: 'the reminder of the first full charge waits for its day' },
  cells: {
    US: given(AS_CALIFORNIA),
    'US-CA': unmet('2025-07-01', 'Bus. & Prof. Code § 17602 (AB 2863): every year', { read: READ.california }),
    'US-NY': given(AS_CALIFORNIA, { read: READ.newYork }),
    EU: given(AS_CALIFORNIA),
    DE: given(AS_CALIFORNIA),
    FR: given(AS_CALIFORNIA),
    IT: given(AS_CALIFORNIA),
    ES: given(AS_CALIFORNIA),
    GB: unmet(DMCC, 'DMCC Act 2024, s. 258: every six months', { read: READ.dmcc }),
    CH: given(AS_CALIFORNIA),
    CA: given(AS_CALIFORNIA),
    AU: given(AS_CALIFORNIA),
  },
}

export const priceChange: Row = {
  name: 'Notice before a price changes',
  changes: 'A mail names old and new price and the day, before anything is charged at the new one.',
  test: { file: 'tests/service/price-changes.test.ts', title: 'the mail says old, new, from when and how to leave' },
  cells: {
    US: given('ROSCA asks for consent to material terms and names no days.'),
    'US-CA': unmet('2025-07-01', 'Bus. & Prof. Code § 17602 (AB 2863): 7 to 30 days before', { read: READ.california }),
    'US-NY': unmet('2025-11-05', 'Gen. Bus. Law § 527-a(1)(b-1): consent, or a way to cancel', { read: READ.newYork }),
    EU: unmet('2022-01-01', 'Directive (EU) 2019/770, Art. 19: well before, with a right to leave'),
    DE: unmet('2022-01-01', 'BGB §§ 307, 327r: courts ask for consent to a higher price'),
    FR: unmet('2022-01-01', 'Code de la consommation, art. L224-25-26'),
    IT: unmet('2022-01-01', 'Codice del consumo, art. 135-vicies semel'),
    ES: unmet('2022-01-01', 'Real Decreto Legislativo 1/2007, art. 126'),
    GB: unmet('2015-10-01', 'Consumer Rights Act 2015, Sch. 2 para. 11 and 15'),
    CH: given('UWG Art. 8: terms must not be one-sided; no days are named.'),
    CA: unmet('2005-07-30', 'Ontario Regulation 17/05, s. 42: 30 days before'),
    AU: given('Unfair terms: Australian Consumer Law, s. 25; no days are named.'),
  },
}
