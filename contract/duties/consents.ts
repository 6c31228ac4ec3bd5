/** Duties about consent, and about keeping what was consented and agreed to. */
import { AT, given, met, none, READ, type Row } from './cell.ts'

const GDPR = '2018-05-25'
const STATES = 'excerpts at courtinfo.ca.gov and kleinmoynihan.com'
const ART_9 = { read: 'of the GDPR Art. 9 at gdprhub.eu' }
const ART_7 = { read: 'of the GDPR Art. 7 at externer-datenschutzbeauftragter-dresden.de' }

/**
 * How long evidence is kept (recordKeeping): so many months, and in any case so many after the end of the subscription.
 * The upkeep deletes it then (payments-service/privacy/evidence.ts); the privacy page says so.
 */
export const EVIDENCE = { months: 36, monthsAfterEnd: 12 } as const

export const marketingConsent: Row = {
  name: 'Consent to marketing mails',
  changes: 'The box is not ticked in advance; without it nothing is sent, and every such mail ends them by one click.',
  test: { file: 'src/funnel/visitor.test.ts', title: 'the marketing box is pre-ticked only for visitors known' },
  cells: {
    US: none('CAN-SPAM (15 U.S.C. § 7704) asks for a way out and a postal address, which every mail has; no consent.', {
      read: 'the section as of March 2026, at github.com/legalize-dev/legalize-us',
    }),
    'US-CA': none(
      'CAN-SPAM applies and supersedes consent rules of states (15 U.S.C. § 7707(b)); Bus. & Prof. Code § ' +
        '17529.5 is about deception.',
      { read: STATES },
    ),
    'US-NY': none('CAN-SPAM applies and supersedes consent rules of states (15 U.S.C. § 7707(b)).', { read: STATES }),
    EU: met(GDPR, 'Directive 2002/58/EC, Art. 13; GDPR Art. 4(11); CJEU C-673/17: a ticked box is no consent', {
      read: 'Art. 13(1) quoted in compliance notes on github.com; the opinion in C-673/17 at bailii.org',
    }),
    DE: met(GDPR, 'UWG § 7(2) no. 2', { read: 'the section at lxgesetze.de and omsels.info' }),
    FR: met(GDPR, 'Code des postes et des communications électroniques, art. L34-5', { read: READ.frenchCode }),
    IT: met(GDPR, 'Codice in materia di protezione dei dati personali, art. 130', {
      read: 'the article as of 2003 at docplayer.it',
    }),
    ES: met(GDPR, 'Ley 34/2002, art. 21', { read: 'report 2018-0164 of the data protection agency, at privtools.eu' }),
    GB: met(GDPR, 'SI 2003/2426 (PECR), reg. 22', { read: 'reg. 22(2) quoted at scl.org' }),
    CH: met('2007-04-01', 'UWG Art. 3(1)(o): but for mails about like things to those who bought', {
      read: 'the letter at digilaw.ch; its day at postmaster.bluewin.ch',
    }),
    CA: met('2014-07-01', 'CASL (S.C. 2010, c. 23), ss. 6 and 10; CRTC 2012-549: a ticked box is no consent', {
      read: 'on s. 6 millsandmills.ca; on the box mondaq.com (203566) and barrysookman.com',
    }),
    AU: met('2004-04-10', 'Spam Act 2003, s. 16', { read: 'ALRC Report 108, 73.161 and 73.162, at alrc.gov.au' }),
  },
}

export const trackingConsent: Row = {
  name: 'Consent to measuring and advertising',
  changes: 'Nothing is measured, stored for ads or sent to Meta and Google before the banner was answered.',
  test: { file: 'src/tracking/tracking.test.ts', title: 'who is asked: by country' },
  cells: {
    US: none(
      'No federal law asks for consent; a refusal and Global Privacy Control count. Washington wants it before ' +
        'data about ' +
        'health are shared (My Health My Data Act): have it checked whether a visit here tells of health.',
      { read: 'on Washington americanbar.org' },
    ),
    'US-CA': none('Civ. Code § 1798.135: a way to refuse; Global Privacy Control counts as a refusal.', {
      read: 'the section at lexace.ai',
    }),
    'US-NY': none('No law of the state asks for consent.', {
      toRead: 'the attorney general’s guide to website privacy at ag.ny.gov',
    }),
    EU: met(GDPR, 'Directive 2002/58/EC, Art. 5(3); GDPR Art. 6(1)(a)', {
      read: 'on Art. 5(3) interoperable-europe.ec.europa.eu',
    }),
    DE: met('2021-12-01', 'TDDDG § 25', { read: 'the section as of 2022 at github.com/bundestag/gesetze' }),
    FR: met(GDPR, 'Loi 78-17, art. 82', { read: 'on the article sictiam.fr, lexagone.fr and amane-expertise.fr' }),
    IT: met(GDPR, 'Codice in materia di protezione dei dati personali, art. 122', {
      read: 'the article at gazzettaufficiale.it (003G0218)',
    }),
    ES: met(GDPR, 'Ley 34/2002, art. 22.2', { read: 'the paragraph quoted at represent-global.com; ionos.es' }),
    GB: met(GDPR, 'SI 2003/2426 (PECR), reg. 6', {
      read: 'reg. 6 as of December 2018 at github.com/legalize-dev/legalize-uk',
    }),
    CH: given('FMG Art. 45c: information and a way to refuse are enough.', {
      read: 'the FMG as of March 2018, at github.com/legalize-dev/legalize-ch',
    }),
    CA: met('2023-09-22', 'Québec, P-39.1, s. 8.1: off until the visitor switches it on', {
      read: 's. 8.1 quoted at private-ai.com; rcgt.com',
      changes: 'All of Canada is asked first: the law of one province, and a network’s province is a guess.',
    }),
    AU: met(
      '2014-03-12',
      'Privacy Act 1988, Australian Privacy Principles 3.3 and 7: consent where what is collected tells of ' +
        'health; the OAIC ' +
        'found in June 2026 (Medmate, Monash IVF) that pixels on sites about health do',
      { read: 'squirepattonboggs.com on both determinations; bakermckenzie.com' },
    ),
  },
}

export const healthConsent: Row = {
  name: 'Consent to health answers',
  changes:
    'Answers of the quiz leave the browser only after the tick on Welcome, and are erased when it is taken back.',
  test: {
    file: 'tests/journeys/quiz-network.spec.ts',
    title: 'health answers reach the service only between the tick and its withdrawal',
  },
  cells: {
    US: given(
      'No federal law asks it of a shop; Washington, Nevada and Connecticut do, so the whole country is asked.',
      { read: 'on the three states natlawreview.com and americanbar.org' },
    ),
    'US-CA': given('Civ. Code § 1798.121: a right to limit the use, no consent first.', {
      read: 'the section at self-law.org',
    }),
    'US-NY': given(
      'No law of the state asks for it: the Health Information Privacy Act was vetoed on 19 December 2025.',
      {
        read: 'on the veto healthcare-brew.com',
      },
    ),
    EU: met(GDPR, 'GDPR Art. 9(2)(a)', ART_9),
    DE: met(GDPR, 'GDPR Art. 9(2)(a)', ART_9),
    FR: met(GDPR, 'GDPR Art. 9(2)(a); Loi 78-17, art. 6', ART_9),
    IT: met(GDPR, 'GDPR Art. 9(2)(a); Codice in materia di protezione dei dati personali, art. 2-septies', ART_9),
    ES: met(GDPR, 'GDPR Art. 9(2)(a); Ley Orgánica 3/2018, art. 9', ART_9),
    GB: met(GDPR, 'UK GDPR Art. 9(2)(a)', { read: 'the guidance on special category data at ico.org.uk' }),
    CH: met('2023-09-01', 'DSG Art. 5(c) and 6(7)(a)', { read: 'the DSG at github.com/legalize-dev/legalize-ch' }),
    CA: met('2004-01-01', 'PIPEDA, Sch. 1, 4.3.4 and 4.3.6: express consent where data are sensitive, as on health', {
      read: 'both clauses quoted in compliance notes on github.com',
    }),
    AU: met('2014-03-12', 'Privacy Act 1988, Australian Privacy Principle 3.3', {
      read: 'on the principle squirepattonboggs.com and bakermckenzie.com',
    }),
  },
}

export const recordKeeping: Row = {
  name: 'Evidence of consent and agreement',
  changes:
    'Words, version, figures and time of every agreement and consent are kept with the order, ' +
    `${EVIDENCE.months} months and until ${EVIDENCE.monthsAfterEnd} months after the subscription's end, and ` +
    `then deleted.`,
  test: {
    file: 'tests/service/evidence.test.ts',
    title: 'evidence ends three years later and a year after the contract',
  },
  cells: {
    US: given('The rule that asked for it was vacated in July 2025; kept as for California.', { read: READ.rosca }),
    'US-CA': met(
      '2025-07-01',
      'Bus. & Prof. Code § 17602 (AB 2863): three years, or one after the end, whichever is longer',
      { read: READ.california },
    ),
    'US-NY': given('Gen. Bus. Law § 527-a names no time.', { read: READ.newYork }),
    EU: met(GDPR, 'GDPR Art. 7(1), with an end: Art. 5(1)(e)', ART_7),
    DE: met(GDPR, 'GDPR Art. 7(1); BGB § 195: claims end after three years; books: HGB § 257', {
      read: `of the German laws ${READ.germanCode}`,
    }),
    FR: met(GDPR, 'GDPR Art. 7(1); Code de la consommation, art. L213-1, D213-1, D213-2: ten years from 120 euros on', {
      read: `of the French law ${READ.frenchCode}`,
    }),
    IT: met(GDPR, 'GDPR Art. 7(1); books: Codice civile, art. 2220', ART_7),
    ES: met(GDPR, 'GDPR Art. 7(1); books: Código de Comercio, art. 30', ART_7),
    GB: met(GDPR, 'UK GDPR Art. 7(1)', { read: 'on records of consent inforights.im and lawhound.co.uk' }),
    CH: given('Books alone, ten years: OR Art. 958f.', { toRead: AT.swiss }),
    CA: met('2014-07-01', 'CASL, s. 13: who sends has to prove the consent', {
      read: 's. 13 quoted in compliance notes on github.com; on records barrysookman.com',
    }),
    AU: given('No time is named.', { toRead: AT.australian }),
  },
}
