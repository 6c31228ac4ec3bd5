/** Duties of a subscription that runs: reminders, and a price that changes. */
import { AT, DMCC, given, met, READ, type Row, unmet } from './cell.ts'

const NO_LAW = 'No law asks for it; the card networks do, so everybody gets it.'
const FIXED_TERM =
  'Only for a term that is fixed and renews; this contract ends at any time, and its months are no terms: have ' +
  'that confirmed.'

export const reminderBeforeRenewal: Row = {
  name: 'Reminder before the first renewal',
  changes: 'A mail names day and amount of the first full charge and the way to leave, while there is time.',
  test: { file: 'tests/service/members.test.ts', title: 'the reminder of the first full charge waits for its day' },
  cells: {
    US: given(
      'No federal law. Massachusetts (940 CMR 38.05, since 2 September 2025) wants the amount and the way to ' +
        'cancel told ' +
        'with each charge of what renews within 31 days, as receipts do here; on its notice before a trial ends ' +
        'have it checked.',
      {
        read:
          'on Massachusetts zwillgen.com and compliance notes on github.com; on card networks wcapra.com, ' +
          'paysafe.com',
      },
    ),
    'US-CA': met('2022-07-01', 'Bus. & Prof. Code § 17602(b): 3 to 21 days before, for trials of more than 31 days', {
      read: READ.california,
    }),
    'US-NY': given('Gen. Bus. Law § 527-a: only for a first term of a year or more.', { read: READ.newYork }),
    EU: given(NO_LAW, { toRead: AT.directive }),
    DE: given('BGB § 309 no. 9: what renews may be ended at a month’s notice; no reminder is asked.', {
      read: READ.germanTerms,
    }),
    FR: given(
      `Code de la consommation, art. L215-1: one to three months before the last day to refuse. ${FIXED_TERM}`,
      {
        read: READ.frenchCode,
      },
    ),
    IT: given(`Codice del consumo, art. 65-bis: thirty days before the end. ${FIXED_TERM}`, {
      read: 'the article at gazzettaufficiale.it (23G00220)',
    }),
    ES: unmet(
      '2025-12-28',
      'Real Decreto Legislativo 1/2007, art. 97.1.p), by Ley 10/2025: 15 days before, for a term that is fixed ' +
        'and renews; ' +
        'the ministry counts terms that begin with an offer and each renewal',
      {
        read: `${READ.spanishLaw}; the ministry’s note at dsca.gob.es`,
        changes: 'The mail comes within the three days of the trial: there are no 15, and later renewals have none.',
      },
    ),
    GB: met(DMCC, 'DMCC Act 2024, ss. 258 and 259: before the first payment after a trial', { read: READ.dmcc }),
    CH: given('Parliament rejected such a duty in September 2020; the card networks ask for it.', {
      read: READ.swissRenewals,
    }),
    CA: given(
      'Ontario asks for it 30 to 90 days before, but not of what renews monthly; British Columbia’s Bill 4 of ' +
        '2025 for terms of ' +
        'more than 60 days, and waits for its regulation.',
      { read: READ.canadianRenewals },
    ),
    AU: given(`${NO_LAW} A bill of April 2026 asks for it from 1 July 2027 on, if it passes.`, {
      read: READ.australianBill,
    }),
  },
}

const AS_CALIFORNIA = 'No law asks for it; everybody gets what California asks for.'

export const yearlyReminder: Row = {
  name: 'Reminder of a subscription that runs on',
  changes: 'Once a year a mail names price, period and the way to leave.',
  test: { file: 'tests/service/period-notices.test.ts', title: 'once a year of a running subscription' },
  cells: {
    US: given(
      'No federal law; Minnesota (§ 325G.56, since 2025) and Connecticut ask for one a year, which everybody gets.',
      {
        read: 'on Minnesota mondaq.com (1606154); on Connecticut mondaq.com (1642916)',
      },
    ),
    'US-CA': met('2025-07-01', 'Bus. & Prof. Code § 17602 (AB 2863): every year', {
      read: READ.california,
      months: 12,
    }),
    'US-NY': given(AS_CALIFORNIA, { read: READ.newYork }),
    EU: given(AS_CALIFORNIA, { toRead: AT.directive }),
    DE: given(AS_CALIFORNIA, { read: READ.germanTerms }),
    FR: given(`Code de la consommation, art. L215-1 to L215-5 hold none. ${AS_CALIFORNIA}`, { read: READ.frenchCode }),
    IT: given(AS_CALIFORNIA, { toRead: AT.italian }),
    ES: given(AS_CALIFORNIA, { toRead: AT.spanish }),
    GB: met(DMCC, 'DMCC Act 2024, s. 258: every six months', {
      read: READ.dmcc,
      months: 6,
      changes: 'Every six months a mail names price, period and the way to leave.',
      test: { file: 'tests/service/period-notices.test.ts', title: 'in the United Kingdom every six months' },
    }),
    CH: given(AS_CALIFORNIA, { read: READ.swissRenewals }),
    CA: given(AS_CALIFORNIA, { toRead: AT.canadian }),
    AU: given(`${AS_CALIFORNIA} A bill of April 2026 asks for reminders from 1 July 2027 on, if it passes.`, {
      read: READ.australianBill,
    }),
  },
}

export const priceChange: Row = {
  name: 'Notice before a price changes',
  changes:
    'A mail names old and new price and the day, 7 to 30 days before the new one is charged; `npm run price-change`.',
  test: { file: 'tests/service/planned-price.test.ts', title: 'told first, charged at the first renewal a week later' },
  cells: {
    US: given('ROSCA asks for consent to material terms and names no days.', { read: READ.rosca }),
    'US-CA': met('2025-07-01', 'Bus. & Prof. Code § 17602 (AB 2863): 7 to 30 days before', { read: READ.california }),
    'US-NY': met(
      '2025-11-05',
      'Gen. Bus. Law § 527-a: told 5 to 30 days before; (1)(b-1): consent to a higher price, or a way to cancel',
      { read: `${READ.newYork}; on the days mondaq.com (1636502)` },
    ),
    // Directive (EU) 2019/770, Art. 19, and what transposes it, are about changes that cost nothing: not about prices
    EU: met('1995-01-01', 'Directive 93/13/EEC, Annex 1(j), (l) and 2(b): told in good time, with a right to leave', {
      read: 'Annex 2 in an excerpt at legislation.gov.uk',
    }),
    DE: met('2023-11-15', 'BGB § 307; KG 23 U 15/22 and 23 U 112/22: a higher price needs consent', {
      read: 'excerpts at e-recht24.de, kanzlei-bosch.de and addison.de',
      keepsPrice: true,
      changes: 'The price of a running subscription stays.',
      test: { file: 'tests/service/planned-price.test.ts', title: 'where the law asks for consent the price stays' },
    }),
    FR: met(
      '2016-07-01',
      'Code de la consommation, art. R212-1, 3°, and R212-4: where no end is agreed, told in time to leave',
      { read: READ.frenchCode },
    ),
    IT: met('2005-10-23', 'Codice del consumo, art. 33(2)(m) and (o)', {
      read: 'an essay on the article at diazilla.com (814766)',
    }),
    ES: met('2007-12-01', 'Real Decreto Legislativo 1/2007, art. 85.3 and 85.10: for reasons that the terms name', {
      read: READ.spanishLawBefore,
    }),
    GB: met('2015-10-01', 'Consumer Rights Act 2015, Sch. 2 para. 11, 15 and 23: reasonable notice, free to leave', {
      read: 'the schedule at github.com/legalize-dev/legalize-uk',
    }),
    CH: given('UWG Art. 8: terms must not be one-sided; no days are named.', {
      read: 'the article quoted at halle.law',
    }),
    CA: met('2005-07-30', 'Ontario Regulation 17/05, s. 42: at least 30 days before', {
      read: READ.ontario,
      // renewals are 30 days apart: one notice cannot be as early, and 7 to 30 days before as California asks
      keepsPrice: true,
      changes: 'The price of a running subscription stays.',
      test: { file: 'tests/service/planned-price.test.ts', title: 'where the law asks for consent the price stays' },
    }),
    AU: given('Unfair terms: Australian Consumer Law, s. 25; no days are named.', { toRead: AT.australian }),
  },
}
