import {
  MONEY_BACK_DAYS,
  MONEY_BACK_SESSIONS,
  product,
  RENEWAL_DAYS,
  savingPercent,
  TRIAL_DAYS,
  TRIAL_IDS,
  type TrialId,
} from './catalogue.ts'
import { formatMoney } from './money.ts'
import { PRICE_NOTICE_DAYS } from './terms.ts'

/**
 * K-02: copy never contains an amount but placeholders like {trialPrice}; these are all of them, with the words that an
 * editor reads in the Studio.
 */
export const PLACEHOLDERS = {
  product: 'Name of the programme (settings)',
  company: 'Name of the company that sells it (settings)',
  contactEmail: 'Address for questions (settings)',
  trialPrice: 'Price of the trial the visitor chose',
  trialDays: 'Length of the trial in days',
  actualPrice: 'Highest trial price, the stated actual cost of the trial',
  monthlyPrice: 'Price of every renewal',
  listPrice: 'List price of a month, shown struck through',
  renewalDays: 'Days between renewals',
  specialOfferPrice: 'Price of the first month in the special offer',
  specialOfferSaving: 'Saving of the special offer against the list price, in percent, computed',
  trialSaving: 'Saving of the chosen trial price against the list price, in percent, computed',
  bundlePrice: 'Price of the bundle',
  bundleListPrice: 'List price of the bundle',
  guidePrice: 'Price of a single guide',
  guideListPrice: 'List price of a single guide',
  moneyBackDays: 'Days in which the money-back guarantee holds',
  moneyBackSessions: 'Sessions to listen to before a money-back request',
  priceNoticeDays: 'Days by which a new price is told before the first charge of it, at the least',
  ageGroup: 'Age group of the visitor',
  ageBucket: "Decade of the Visual Age, for example 40's",
  email: 'E-mail address of the visitor',
  firstChargeDate: 'Date of the first full charge',
} as const

export type Placeholder = keyof typeof PLACEHOLDERS
/** The documents whose pages know what a visitor has chosen. */
const ORDERING = ['checkout', 'offer']

/**
 * The placeholders that depend on the visitor, and the texts that are filled with them: all of a document, or one field
 * of it. The others stand in any text.
 */
const OF_VISITORS: Partial<Record<Placeholder, readonly string[]>> = {
  trialPrice: ORDERING,
  trialSaving: ORDERING,
  firstChargeDate: ['offer'],
  ageGroup: [...ORDERING, 'quiz.welcome.text'],
  ageBucket: [...ORDERING, 'quiz.steps.visualAgeText'],
  email: [...ORDERING, 'quiz.steps.visualAgeText'],
}

/** What a window or a search engine calls a page: it is built with these, and no visitor is known then. */
const TITLES = ['checkout.seo.title', 'checkout.seo.description', 'offer.introTitle', 'offer.detailsTitle']

/** The paid content is the same for every buyer and has no placeholders: the service hands it out as it is written. */
const PAID = ['programmeWeek', 'programmeSession', 'guide']

/** Whether a text is filled with this placeholder. `path`: the names of its fields, without list items. */
export function isFilledIn(name: Placeholder, documentType: string, path: readonly string[]): boolean {
  if (PAID.includes(documentType)) return false
  const texts = OF_VISITORS[name]
  const text = [documentType, ...path].join('.')
  return !texts || texts.includes(text) || (texts.includes(documentType) && !TITLES.includes(text))
}

export type PlaceholderValues = Partial<Record<Placeholder, string>>

const PATTERN = /\{([A-Za-z]+)\}/g

/** The values that depend only on the catalogue. Settings, visitor and dates are added by the caller. */
export function catalogueValues(trial: TrialId): PlaceholderValues {
  const monthly = product('monthly')
  const listPrice = monthly.listPrice ?? monthly.price
  const tier = product(trial)
  return {
    trialPrice: formatMoney(tier.price),
    trialDays: String(TRIAL_DAYS),
    actualPrice: formatMoney(Math.max(...TRIAL_IDS.map((id) => product(id).price))),
    monthlyPrice: formatMoney(monthly.price),
    listPrice: formatMoney(listPrice),
    renewalDays: String(RENEWAL_DAYS),
    specialOfferPrice: formatMoney(product('special_offer').price),
    specialOfferSaving: `${savingPercent('special_offer')}%`,
    trialSaving: `${Math.floor(((listPrice - tier.price) * 100) / listPrice)}%`,
    bundlePrice: formatMoney(product('bundle').price),
    bundleListPrice: formatMoney(product('bundle').listPrice ?? 0),
    guidePrice: formatMoney(product('guide_devices').price),
    guideListPrice: formatMoney(product('guide_devices').listPrice ?? 0),
    moneyBackDays: String(MONEY_BACK_DAYS),
    moneyBackSessions: String(MONEY_BACK_SESSIONS),
    priceNoticeDays: String(PRICE_NOTICE_DAYS.least),
  }
}

/** Fills the placeholders of a text. Those without a value stay, so that a later stage (the browser) can fill them. */
export function fill(text: string, values: PlaceholderValues): string {
  return text.replace(PATTERN, (whole, name: string) => values[name as Placeholder] ?? whole)
}

export const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(PLACEHOLDERS, name)

/** The names in braces, known or not, in their order. */
export const namesIn = (text: string): string[] => [...text.matchAll(PATTERN)].map(([, name]) => name ?? '')

/** The first braces that hold no single name, such as "{monthly price}" or a lone "}". */
export const strayBrace = (text: string): string | undefined => /\{[^{}]*\}?|\}/.exec(text.replace(PATTERN, ''))?.[0]

/** Names in braces that are not placeholders (K-05). */
export const unknownPlaceholders = (text: string): string[] => namesIn(text).filter((name) => !isPlaceholder(name))

const NUMBER = String.raw`\d(?:[\d.,]*\d)?`
const UNIT = String.raw`(?:u\.?s\.?)?[$€£¢](?!\s?\d)|(?:usd|dollars?|bucks?|cents?|eur|euros?|gbp|pounds?|pence)\b`
const AMOUNT = new RegExp(
  [
    String.raw`(?:[$€£]|\b(?:usd|eur|gbp))\s?${NUMBER}`,
    // "In 2026 $39": the sign belongs to the number after it; "a 10-pound weight" is no amount
    String.raw`\b${NUMBER}(?:\s?|[-\u2010\u2011](?!pound))(?:u\.?s\.?\s)?(?:${UNIT})`,
  ].join('|'),
  'gi',
)

/** K-02: amounts typed into copy, for example "$39", "39 €", "39 US dollars" or "99 cents". */
export function typedAmounts(text: string): string[] {
  return text.match(AMOUNT) ?? []
}
