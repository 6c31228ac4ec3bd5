/** Duties about leaving: withdrawal, a second period for it, a way out that anybody may take. */
import { WITHDRAWAL_DAYS } from '../members.ts'
import { CRD, DMCC, given, met, none, READ, type Row } from './cell.ts'

export const withdrawal: Row = {
  name: 'Withdrawal without a reason',
  changes: `For ${WITHDRAWAL_DAYS} days all is given back: from the account, from every mail and at /exit.`,
  test: { file: 'tests/service/members.test.ts', title: 'withdrawal only where the law gives it' },
  cells: {
    US: none('16 CFR Part 429 is about sales at the door.'),
    'US-CA': none('Civ. Code § 1689.6 is about sales at home.'),
    'US-NY': none('Pers. Prop. Law § 428 is about sales at the door.'),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 9; the function on the site, Art. 11a, since 19 June 2026', {
      read: READ.withdrawalFunction,
    }),
    DE: met(CRD, 'BGB §§ 312g, 355, 356; the function: § 356a'),
    FR: met('2014-06-14', 'Code de la consommation, art. L221-18'),
    IT: met(CRD, 'Codice del consumo, art. 52'),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 102'),
    GB: met(CRD, 'SI 2013/3134, reg. 29'),
    CH: given('OR Art. 40a is about sales at the door and by telephone.'),
    CA: none('Provincial acts give it where the disclosure was missing; it is not.'),
    AU: none('Australian Consumer Law, s. 82 is about unsolicited sales.'),
  },
}

const ONCE = 'CJEU C-565/22: one period, where the price after the trial was clear at the order, as it is.'

export const coolingOff: Row = {
  name: 'A second period to withdraw, after the trial',
  changes: 'When the trial turns paid, a mail names the period and the way to withdraw, which works until its end.',
  test: { file: 'tests/service/period-notices.test.ts', title: 'a second time to withdraw' },
  cells: {
    US: none('No period to withdraw.'),
    'US-CA': none('No period to withdraw.'),
    'US-NY': none('No period to withdraw.'),
    EU: none(ONCE),
    DE: none(ONCE),
    FR: none(ONCE),
    IT: none(ONCE),
    ES: none(ONCE),
    GB: met(DMCC, 'DMCC Act 2024, ss. 264 and 265: 14 days from the first paid period on, with a notice', {
      read: READ.dmcc,
    }),
    CH: none('No period to withdraw.'),
    CA: none('No period to withdraw.'),
    AU: none('No period to withdraw.'),
  },
}

const EXIT_TEST = { file: 'tests/service/exit.test.ts', title: 'a subscription ends without a sign-in' }

export const publicExit: Row = {
  name: 'A way out for anybody',
  changes: 'The page /exit, in the foot of every page and mail, ends or withdraws without an account.',
  test: EXIT_TEST,
  cells: {
    US: met('2010-12-29', 'ROSCA, 15 U.S.C. § 8403(3): a simple way to stop', { read: READ.rosca }),
    'US-CA': met('2018-07-01', 'Bus. & Prof. Code § 17602: online, at will', { read: READ.california }),
    'US-NY': met('2021-02-09', 'Gen. Bus. Law § 527-a: online, without further steps', { read: READ.newYork }),
    EU: met('2026-06-19', 'Directive 2011/83/EU, Art. 11a: for the withdrawal', { read: READ.withdrawalFunction }),
    DE: met('2022-07-01', 'BGB § 312k', {
      read: READ.germanButtons,
      changes: 'The buttons read “Verträge hier kündigen” and “Jetzt kündigen”.',
      test: { file: 'tests/journeys/exit.spec.ts', title: 'a visitor in Germany reads the labels' },
    }),
    FR: met('2023-06-01', 'Code de la consommation, art. L215-1-1: in three clicks'),
    IT: met('2026-06-19', 'Directive 2011/83/EU, Art. 11a, as transposed', { read: READ.withdrawalFunction }),
    ES: met('2026-06-19', 'Directive 2011/83/EU, Art. 11a, as transposed', { read: READ.withdrawalFunction }),
    GB: met(DMCC, 'DMCC Act 2024, s. 260: a clear statement is enough, online', { read: READ.dmcc }),
    CH: given('No duty is known.'),
    CA: given('No duty of the federation is known.'),
    AU: given('No duty in force is known; rules on subscriptions are proposed.'),
  },
}
