/** Duties about leaving: withdrawal, a second period for it, a way out that is open to anyone. */
import { WITHDRAWAL_DAYS } from '../members.ts'
import { AT, CRD, DMCC, given, met, none, READ, type Row } from './cell.ts'

export const withdrawal: Row = {
  name: 'Withdrawal without a reason',
  changes: `For ${WITHDRAWAL_DAYS} days all is given back: from the account, from every mail and at /exit.`,
  test: { file: 'tests/service/members.test.ts', title: 'withdrawal only where the law gives it' },
  cells: {
    US: none('16 CFR Part 429 is about sales at the door.', { read: 'Part 429 as of February 2021 at ecfr.gov' }),
    'US-CA': none('Civ. Code §§ 1689.5 and 1689.6 are about sales at home.', { read: READ.doorSalesCalifornia }),
    'US-NY': none('Pers. Prop. Law §§ 426 and 427 are about sales at the door.', { read: READ.doorSalesNewYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 9; the function on the site, Art. 11a, since 19 June 2026', {
      read: READ.withdrawalFunction,
    }),
    DE: met(CRD, 'BGB §§ 312g, 355, 356; the function: § 356a, since 19 June 2026 (BGBl. 2026 I Nr. 28)', {
      read: `${READ.germanCode}; on § 356a buzer.de, ihk.de and skwschwarz.de`,
    }),
    FR: met(
      '2014-06-14',
      'Code de la consommation, art. L221-18; the function: L221-21 and D221-5, since 19 June 2026',
      {
        read: `${READ.frenchCode}; on the function lettredesreseaux.com, twobirds.com and tricoteuses.fr`,
      },
    ),
    IT: met(CRD, 'Codice del consumo, art. 52; the function: 54-bis, for contracts since 19 June 2026', {
      read: 'excerpts at diritto.net, cms.law, previti.it and twobirds.com',
    }),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 102 and 104', { read: READ.spanishLawBefore }),
    GB: met(CRD, 'SI 2013/3134, reg. 29 and 30', { read: READ.british }),
    CH: given('OR Art. 40a and 40b are about sales at the door and by telephone.', {
      read: 'the OR as of April 2020, at github.com/legalize-dev/legalize-ch',
    }),
    CA: met(
      '2005-07-30',
      'Ontario Consumer Protection Act 2002, ss. 20 to 36: ten days for services for health or fitness, instruction ' +
        'included, above CAD 50 and paid ahead; whether exercises by video are such is open, so they count. ' +
        'Elsewhere only ' +
        'where the disclosure was missing',
      {
        read: `${READ.ontarioServices}; robhyndman.com, and beforeyou-sign.com on Québec`,
      },
    ),
    AU: none('Australian Consumer Law, s. 82 is about unsolicited sales.', {
      read: 'on s. 82 fpbl.com.au and fls.org.au',
    }),
  },
}

const ONCE = 'CJEU C-565/22: one period, where the price after the trial was clear at the order, as it is.'
const JUDGED = { read: READ.sofatutor }

export const coolingOff: Row = {
  name: 'A second period to withdraw, after the trial',
  changes: 'When the trial turns paid, a mail names the period and the way to withdraw, which works until its end.',
  test: { file: 'tests/service/period-notices.test.ts', title: 'a second time to withdraw' },
  cells: {
    US: none('No period to withdraw.', { read: 'Part 429 as of February 2021 at ecfr.gov' }),
    'US-CA': none('No period to withdraw.', { read: READ.doorSalesCalifornia }),
    'US-NY': none('No period to withdraw.', { read: READ.doorSalesNewYork }),
    EU: none(ONCE, JUDGED),
    DE: none(ONCE, JUDGED),
    FR: none(ONCE, JUDGED),
    IT: none(ONCE, JUDGED),
    ES: none(ONCE, JUDGED),
    GB: met(DMCC, 'DMCC Act 2024, ss. 264 to 266: 14 days from the first paid period on, with a notice', {
      read: READ.dmcc,
    }),
    CH: none('No period to withdraw.', { read: 'the OR as of April 2020, at github.com/legalize-dev/legalize-ch' }),
    CA: none('Ontario’s ten days begin once, with the agreement or the service.', { read: READ.ontarioServices }),
    AU: none('No period to withdraw.', { read: 'on s. 82 of the Consumer Law fpbl.com.au and fls.org.au' }),
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
    FR: met('2023-06-01', 'Code de la consommation, art. L215-1-1, D215-1 to D215-3', {
      read: READ.frenchCode,
      changes: 'The buttons read “Résilier votre contrat” and “Notification de la résiliation”.',
      test: { file: 'tests/service/exit-plain.test.ts', title: 'a visitor in France reads the labels' },
    }),
    IT: met('2026-06-19', 'Codice del consumo, art. 54-bis: for the withdrawal', {
      read: 'excerpts at cms.law, previti.it and twobirds.com',
    }),
    ES: met(
      '2007-12-01',
      'Real Decreto Legislativo 1/2007, art. 62.3: to end it in the form in which it was agreed; Directive ' +
        '2011/83/EU, ' +
        'Art. 11a: the law does not transpose it yet',
      { read: `${READ.spanishLawBefore}; of 2026 art. 97; on the directive democrata.es` },
    ),
    GB: met(
      DMCC,
      'DMCC Act 2024, s. 260: a clear statement is enough, online; s. 261: an acknowledgement within 24 hours',
      { read: READ.dmcc },
    ),
    CH: given('No duty is known.', { toRead: AT.swiss }),
    CA: given(
      'No duty of the federation is known. British Columbia’s Bill 4 of 2025 lets what renews within 60 days be ' +
        'ended at ' +
        'any time; that part waits for its regulation.',
      { read: READ.canadianRenewals },
    ),
    AU: given('No duty in force is known; a bill of April 2026 asks for one from 1 July 2027 on, if it passes.', {
      read: READ.australianBill,
    }),
  },
}
