/** Duties of the order: its button, the terms beside it, what may be picked in advance, tax in the price. */
import { CRD, given, met, none, READ, type Row, unmet } from './cell.ts'

export const paymentLabel: Row = {
  name: 'Words of the button that orders',
  changes: 'The button reads “Order with obligation to pay” and names the amount.',
  test: { file: 'src/checkout/checkout.test.ts', title: 'the pay button names duty and amount where the law asks' },
  cells: {
    US: none('ROSCA (15 U.S.C. § 8403) asks for clear terms and express consent, not for words of a button.'),
    'US-CA': none('Bus. & Prof. Code § 17602 names no words of a button.', { read: READ.california }),
    'US-NY': none('Gen. Bus. Law § 527-a names no words of a button.', { read: READ.newYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 8(2)'),
    DE: met('2012-08-01', 'BGB § 312j(3); OLG Köln 6 U 39/15: also where a trial comes first', {
      read: READ.germanButtons,
    }),
    FR: met('2014-06-14', 'Code de la consommation, art. L221-14'),
    IT: met(CRD, 'Codice del consumo, art. 51(2)'),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 98.2'),
    GB: met(CRD, 'SI 2013/3134, reg. 14(3) and (4)'),
    CH: given('UWG Art. 3(1)(s) asks that an order can be corrected and is confirmed, not for words.'),
    CA: none('Provincial acts on internet agreements ask for disclosure and a chance to decline, not for words.'),
    AU: none('The Australian Consumer Law names no words of a button.'),
  },
}

export const termsBesideButton: Row = {
  name: 'Terms beside the button',
  changes: 'Price now, first full charge with its day, period and the way to leave are in view with the button.',
  test: { file: 'tests/journeys/screens.spec.ts', title: 'price, date and cancel line are in view' },
  cells: {
    US: met('2010-12-29', 'ROSCA, 15 U.S.C. § 8403(1) and (2)', { read: READ.rosca }),
    'US-CA': met('2010-12-01', 'Bus. & Prof. Code § 17602(a)(1)', { read: READ.california }),
    'US-NY': met('2021-02-09', 'Gen. Bus. Law § 527-a(1)(a); wider since 5 November 2025', { read: READ.newYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 8(2) with Art. 6(1)(a), (e), (o), (p)'),
    DE: met('2012-08-01', 'BGB § 312j(2)'),
    FR: met('2014-06-14', 'Code de la consommation, art. L221-14'),
    IT: met(CRD, 'Codice del consumo, art. 51(2)'),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 98.2'),
    GB: met(CRD, 'SI 2013/3134, reg. 14(2); key information of the DMCC Act 2024 from its date', { read: READ.dmcc }),
    CH: met('2012-04-01', 'UWG Art. 3(1)(s); PBV Art. 3'),
    CA: met('2005-07-30', 'Ontario Consumer Protection Act 2002, s. 38; Competition Act, s. 74.01(1.1)'),
    AU: met('2011-01-01', 'Australian Consumer Law, ss. 18, 29 and 48'),
  },
}

export const preSelection: Row = {
  name: 'Nothing picked in advance',
  changes: 'No add-on is picked when the page opens.',
  test: { file: 'src/upsell/selection.test.ts', title: 'nothing is pre-selected where the law forbids it' },
  cells: {
    US: none('ROSCA is about what renews; an add-on is paid once, by a button that names the sum.'),
    'US-CA': none('Bus. & Prof. Code § 17602 is about what renews.', { read: READ.california }),
    'US-NY': none('Gen. Bus. Law § 527-a is about what renews.', { read: READ.newYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 22'),
    DE: met(CRD, 'BGB § 312a(3)'),
    FR: met('2014-06-14', 'Code de la consommation, art. L121-17'),
    IT: met(CRD, 'Codice del consumo, art. 65'),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 60 bis'),
    GB: met(CRD, 'SI 2013/3134, reg. 40'),
    CH: given('No ban is known; treated as in the EEA.'),
    CA: none('No federal ban is known; the sum of all that is picked stands on the button.'),
    AU: none('Australian Consumer Law, s. 48: what is picked in advance counts into the price shown, as it does here.'),
  },
}

const OVER_THRESHOLD = 'Taken out of prices as in the EU once the shop names the country in TAX_REGISTRATIONS.'
/** What its test proves for every member state and four more countries. */
const TAKEN_OUT = {
  file: 'tests/service/tax.test.ts',
  title: 'a buyer of each country pays what is shown; payment, mail and invoice name the same tax',
}

export const taxDisplay: Row = {
  name: 'Prices with tax',
  changes:
    'The price shown is all that is paid; the tax of the buyer’s country is taken out of it, receipts name net sum, ' +
    'rate and tax, and `npm run tax-export` writes what a quarter’s returns declare.',
  test: TAKEN_OUT,
  cells: {
    US: none('No duty to show tax in a price. Sales taxes of states are not computed here.'),
    'US-CA': none('What is only downloaded or streamed bears no sales tax.'),
    'US-NY': none('No duty to show tax in a price. Sales tax is not computed here: have it checked before selling.'),
    EU: met('2015-01-01', 'Directive 2006/112/EC, Art. 58 and 369a; Directive 98/6/EC, Art. 2'),
    DE: met('2015-01-01', 'UStG § 3a(5); PAngV §§ 3 and 6(1)', {
      read: 'excerpts on PAngV § 6 at boehmanwaltskanzlei.de',
      changes: 'As in the EU, and beside the amount that is about to be paid stands that it includes VAT.',
      test: { file: 'tests/journeys/tax.spec.ts', title: 'a German buyer reads that VAT is in the amount' },
    }),
    FR: met('2015-01-01', 'CGI, art. 259 D; arrêté of 3 December 1987'),
    IT: met('2015-01-01', 'D.P.R. 633/1972, art. 7-octies; Codice del consumo, art. 14'),
    ES: met('2015-01-01', 'Ley 37/1992, art. 70; Real Decreto Legislativo 1/2007, art. 60.2'),
    GB: met('2015-01-01', 'VAT Act 1994, Sch. 4A para. 15; Price Marking Order 2004'),
    CH: met('2018-01-01', 'MWSTG Art. 10 and 14: from CHF 100,000 of sales anywhere in a year; PBV Art. 4', {
      changes: OVER_THRESHOLD,
    }),
    CA: unmet('2021-07-01', 'Excise Tax Act, Part IX, subdivision e: sellers from abroad, from CAD 30,000 in a year', {
      changes: 'GST, HST and QST follow the province, which is not known: no tax is taken out.',
    }),
    AU: met(
      '2017-07-01',
      'A New Tax System (Goods and Services Tax) Act 1999, s. 9-25(5)(d): from AUD 75,000 of sales there in a year',
      { changes: OVER_THRESHOLD },
    ),
  },
}
