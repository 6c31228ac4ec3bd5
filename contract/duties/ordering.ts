/** Duties of the order: its button, the terms beside it, their language, what may be pre-selected, tax in the price. */
import { AT, CRD, given, met, none, READ, type Row, unmet } from './cell.ts'

export const paymentLabel: Row = {
  name: 'Words of the button that orders',
  changes: 'The button reads “Order with obligation to pay” and names the amount.',
  test: { file: 'src/payment/terms-text.test.ts', title: 'the pay button names duty and amount where the law asks' },
  cells: {
    US: none('ROSCA (15 U.S.C. § 8403) asks for clear terms and express consent, not for words of a button.', {
      read: READ.rosca,
    }),
    'US-CA': none('Bus. & Prof. Code § 17602 names no words of a button.', { read: READ.california }),
    'US-NY': none('Gen. Bus. Law § 527-a names no words of a button.', { read: READ.newYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 8(2); CJEU C-249/21: the words on the button alone count', {
      read: 'the paragraph at uclp.eu; the judgment’s headnotes at eur-lex.europa.eu',
    }),
    DE: met(
      '2012-08-01',
      'BGB § 312j(3): nothing but these words, or others as plain; OLG Köln 6 U 39/15: also where a trial comes ' +
        'first. ' +
        'KG 5 U 24/19 did not allow words on a free month with them; no court is known to have judged an amount.',
      {
        read: '§ 312j as of 28 May 2022 at lexetius.com; the judgments’ headnotes at jurpc.de and webshoprecht.de',
      },
    ),
    FR: met('2014-06-14', 'Code de la consommation, art. L221-14', { read: READ.frenchCode }),
    IT: met(CRD, 'Codice del consumo, art. 51(2)', { read: READ.italianButton }),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 98.2', { read: READ.spanishLaw }),
    GB: met(CRD, 'SI 2013/3134, reg. 14(3) to (5); from its date on DMCC Act 2024, s. 257(2)', { read: READ.british }),
    CH: met(
      '2015-07-01',
      'PBV Art. 11abis(2) with Art. 10(1)(q): the price on the button, or beside one that says as plainly that ' +
        'it costs',
      { read: READ.swissPrices },
    ),
    CA: given('Provincial acts on internet agreements ask for disclosure and a chance to decline, not for words.', {
      read: READ.ontario,
    }),
    AU: none('The Australian Consumer Law names no words of a button.', { toRead: AT.australian }),
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
    EU: met(CRD, 'Directive 2011/83/EU, Art. 8(2) with Art. 6(1)(a), (e), (o), (p)', {
      read: 'Art. 8(2) in excerpts at sstlaw.lu and uclp.eu',
    }),
    DE: met('2012-08-01', 'BGB § 312j(2); OLG Nürnberg 3 U 3878/19: in view together with the button', {
      read: '§ 312j as of 28 May 2022 at lexetius.com; the judgment’s headnotes at gesetze-bayern.de',
    }),
    FR: met('2014-06-14', 'Code de la consommation, art. L221-14 with L221-5', { read: READ.frenchCode }),
    IT: met(CRD, 'Codice del consumo, art. 51(2) with 49(1)(a), (e), (q), (r)', { read: READ.italianButton }),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 98.2 with 97.1.a), e), p), q)', { read: READ.spanishLaw }),
    GB: met(CRD, 'SI 2013/3134, reg. 14(2); key information of the DMCC Act 2024, s. 256, from its date', {
      read: `${READ.british}; on the Act slaughterandmay.com`,
    }),
    CH: met('2012-04-01', 'UWG Art. 3(1)(s); PBV Art. 10(1)(q) and 11abis(2)', {
      read: `UWG Art. 3(1)(s) quoted at halle.law; ${READ.swissPrices}`,
    }),
    CA: met(
      '2005-07-30',
      'Ontario Consumer Protection Act 2002, s. 38: above CAD 50 in all; Competition Act, s. 74.01(1.1)',
      { read: `on Ontario ${READ.ontario}` },
    ),
    AU: met('2011-01-01', 'Australian Consumer Law, ss. 18, 29 and 48', {
      read: 'ss. 18 and 29 quoted at jetstar.com; on s. 48 lexisweb.lexisnexis.com.au',
    }),
  },
}

export const termsLanguage: Row = {
  name: 'Terms in the language of the country',
  changes: 'Pages, terms and mails are in English alone.',
  test: { file: 'studio/check/duties.test.ts', title: 'the launch check names each unmet duty' },
  cells: {
    US: none('No federal law asks for another language.', { toRead: AT.federal }),
    'US-CA': none('Civ. Code § 1632 is about agreements that were negotiated in another language.', {
      toRead: AT.californian,
    }),
    'US-NY': none('No law of the state asks for another language.', { toRead: AT.newYork }),
    EU: none('Directive 2011/83/EU, Art. 6(7) leaves it to member states: have it checked for those not named here.', {
      toRead: AT.directive,
    }),
    DE: none('No law asks for German where the page itself is in English.', {
      toRead: 'KG 5 U 156/14 (terms in another language than the page) at gesetze.berlin.de',
    }),
    FR: unmet(
      '1994-08-05',
      'Loi 94-665, art. 2: offer, terms and invoices in French; Code de la consommation, art. L215-4: the terms ' +
        'quote art. ' +
        'L215-1 to L215-3 and L241-3 in full',
      { read: `art. 2 quoted at lettredesreseaux.com and uplex.fr; of the second law ${READ.frenchCode}` },
    ),
    IT: none('Codice del consumo, art. 49(7): only to buyers who ask for it; the shop has to answer them by itself.', {
      read: 'notes on the article as of August 2026, at github.com/ThomasMoreAI/legal-skills-open',
    }),
    ES: unmet('2014-06-13', 'Real Decreto Legislativo 1/2007, art. 60.4 and 98.1: at least in Castilian', {
      read: READ.spanishLaw,
    }),
    GB: none('The language of the page.', { toRead: AT.british }),
    CH: none('The language of the page.', { toRead: AT.swiss }),
    CA: unmet('2023-06-01', 'Québec, Charter of the French language, s. 55: a French version comes first', {
      read: 'excerpts at gowlingwlg.com and blg.com',
    }),
    AU: none('The language of the page.', { toRead: AT.australian }),
  },
}

export const preSelection: Row = {
  name: 'Nothing picked in advance',
  changes: 'No add-on is picked when the page opens.',
  test: { file: 'src/upsell/selection.test.ts', title: 'nothing is pre-selected where the law forbids it' },
  cells: {
    US: none('ROSCA is about what renews; an add-on is paid once, by a button that names the sum.', {
      read: READ.rosca,
    }),
    'US-CA': none('Bus. & Prof. Code § 17602 is about what renews.', { read: READ.california }),
    'US-NY': none('Gen. Bus. Law § 527-a is about what renews.', { read: READ.newYork }),
    EU: met(CRD, 'Directive 2011/83/EU, Art. 22', { read: 'the article quoted in compliance notes on github.com' }),
    DE: met(CRD, 'BGB § 312a(3)', { read: READ.germanCode }),
    FR: met('2014-06-14', 'Code de la consommation, art. L121-17', { read: READ.frenchCode }),
    IT: met(CRD, 'Codice del consumo, art. 65', { read: 'a commentary on the article at brocardi.it' }),
    ES: met(CRD, 'Real Decreto Legislativo 1/2007, art. 60 bis', { read: READ.spanishLawBefore }),
    GB: met(CRD, 'SI 2013/3134, reg. 40', { read: READ.british }),
    CH: given('No ban is known; treated as in the EEA.', { toRead: AT.swiss }),
    CA: given('No federal ban is known; treated as in the EEA.', { toRead: AT.canadian }),
    AU: none(
      'Australian Consumer Law, s. 48: what is picked in advance counts into the price shown, as it does here.',
      {
        read: 's. 48(7) as amended in 2018 at parlinfo.aph.gov.au; fls.org.au',
      },
    ),
  },
}

const OVER_THRESHOLD = 'Taken out of prices as in the EU once the shop names the country in TAX_REGISTRATIONS.'
/** What its test proves for every member state and four more countries. */
const TAKEN_OUT = {
  file: 'tests/service/tax.test.ts',
  title: 'buyers of each country pay what is shown; payment, mail, invoice name the same tax',
}

export const taxDisplay: Row = {
  name: 'Prices with tax',
  changes:
    'The price shown is all that is paid; the tax of the buyer’s country is taken out of it, receipts name net sum, ' +
    'rate and tax, and `npm run tax-export` writes what a quarter’s returns declare.',
  test: TAKEN_OUT,
  cells: {
    US: none('No duty to show tax in a price. Sales taxes of states are not computed here.', {
      toRead: 'what each state’s department of revenue says on digital services',
    }),
    'US-CA': none('What is only downloaded or streamed bears no sales tax.', {
      read: 'on Publication 109 eisneramper.com and boe.ca.gov',
    }),
    'US-NY': none(
      'Lessons by video, streamed or downloaded, bear no sales tax (TSB-A-20(18)S, of 2020, on another shop).',
      {
        read: 'the opinion at ezel.ai',
      },
    ),
    EU: met('2015-01-01', 'Directive 2006/112/EC, Art. 58 and 369a; Directive 98/6/EC, Art. 2', {
      read: 'Art. 58 at datenbank.nwb.de',
    }),
    DE: met('2015-01-01', 'UStG § 3a(5); PAngV §§ 3 and 6(1)', {
      read: 'PAngV § 6 at buzer.de, § 3 at ipwiki.de',
      changes: 'As in the EU, and beside the amount that is about to be paid stands that it includes VAT.',
      test: { file: 'tests/journeys/tax.spec.ts', title: 'a German buyer reads that VAT is in the amount' },
    }),
    FR: met('2015-01-01', 'CGI, art. 259 D; Code de la consommation, art. L112-1; arrêté of 3 December 1987', {
      read:
        `on art. 259 D bofip-archives.impots.gouv.fr; of the second law ${READ.frenchCode}; the arrêté: ` +
        `legifrance.gouv.fr`,
    }),
    IT: met(
      '2015-01-01',
      'D.P.R. 633/1972, art. 7-octies; Codice del consumo, art. 49(1)(e): the total price with taxes',
      {
        read: `the decree’s headings at edizionieuropee.it; of the second law ${READ.italianButton}`,
      },
    ),
    ES: met('2015-01-01', 'Ley 37/1992, art. 70; Real Decreto Legislativo 1/2007, art. 60.2.c)', {
      read: `of the second law ${READ.spanishLawBefore}`,
    }),
    GB: met(
      '2015-01-01',
      'VAT Act 1994, Sch. 4A para. 15; SI 2013/3134, reg. 13 and Sch. 2(f): the total price with taxes',
      {
        read: `para. 15 in SI 2014/2726 at legislation.gov.uk; ${READ.british}`,
      },
    ),
    CH: unmet(
      '2010-01-01',
      'PBV Art. 10(1)(q) and (2): the price in Swiss francs, tax included; MWSTG Art. 10 and 14: tax from CHF ' +
        '100,000 of ' +
        'sales anywhere in a year, also of sellers from abroad',
      {
        read: `${READ.swissPrices}, and the MWSTG as of January 2019`,
        changes: `Prices are in US dollars alone. ${OVER_THRESHOLD}`,
      },
    ),
    CA: unmet(
      '2021-07-01',
      'Excise Tax Act, ss. 211.1 to 211.25: GST and HST of sellers from abroad, from CAD 30,000 in a year; ' +
        'Act respecting the Québec sales tax, ss. 477.2 to 477.6: QST from CAD 30,000 there; British Columbia, ' +
        'Saskatchewan and Manitoba tax some digital services by laws of their own',
      {
        read:
          'on GST and HST canada.ca and taxinterpretations.com; s. 477.3 at legisquebec.gouv.qc.ca; on QST ' +
          'revenuquebec.ca; on the other provinces kbllp.ca and 1stopvat.com',
        changes:
          'GST and HST are taken out of prices by the province, GST alone where none is known, once the shop names ' +
          'CA in TAX_REGISTRATIONS. QST and the taxes of three other provinces are not: have them checked.',
      },
    ),
    AU: met(
      '2017-07-01',
      'A New Tax System (Goods and Services Tax) Act 1999, s. 9-25(5)(d): from AUD 75,000 of sales there in a year',
      { read: 'on s. 9-25(5)(d) and (7) taxtechnical.com.au and ato.gov.au', changes: OVER_THRESHOLD },
    ),
  },
}
