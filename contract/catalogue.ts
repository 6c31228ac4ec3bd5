import type { Cents } from './money.ts'

/**
 * The one catalogue (P-13): what is displayed is what is charged. Product ids are ours; a Stripe account has one
 * product per id and one price per lookup key, both created by `npm run stripe:setup`.
 */

export const TRIAL_DAYS = 3
/** The monthly price renews every 30 days (section 9 of the second specification text), not every calendar month. */
export const RENEWAL_DAYS = 30
export const MONEY_BACK_DAYS = 30
export const MONEY_BACK_SESSIONS = 7
/** H-05: minutes in which an add-on can be undone with a click and is refunded in full. */
export const UNDO_MINUTES = 10

export type ProductKind = 'trial' | 'special_offer' | 'monthly' | 'bundle' | 'guide' | 'reading'

export interface Product {
  id: ProductId
  kind: ProductKind
  /** Name in the Stripe account and on receipts; the words on our pages come from the CMS. */
  name: string
  /** What is charged now. */
  price: Cents
  /** The list price shown struck through, if any. */
  listPrice?: Cents
  /** Stable Stripe lookup key of the price. */
  lookupKey: string
  /** Ids of the same item on older pages (P-13: the thank-you catalogue). */
  aliases?: readonly string[]
}

const PRODUCTS = {
  trial_1: { kind: 'trial', name: '3-day trial ($1)', price: 100 },
  trial_5: { kind: 'trial', name: '3-day trial ($5)', price: 500 },
  trial_9: { kind: 'trial', name: '3-day trial ($9)', price: 900 },
  trial_1767: { kind: 'trial', name: '3-day trial ($17.67)', price: 1767 },
  special_offer: { kind: 'special_offer', name: 'First month, special offer', price: 1900, listPrice: 5500 },
  monthly: { kind: 'monthly', name: 'Monthly subscription', price: 3900, listPrice: 5500 },
  bundle: {
    kind: 'bundle',
    name: 'Complete Eyes bundle',
    price: 2499,
    listPrice: 14900,
    aliases: ['thank_you_bundle'],
  },
  guide_devices: {
    kind: 'guide',
    name: 'Device Configuration Best Practices',
    price: 1490,
    listPrice: 2980,
    aliases: ['thank_you_devices'],
  },
  guide_ergonomics: {
    kind: 'guide',
    name: 'Monitor Ergonomics Guide',
    price: 1490,
    listPrice: 2980,
    aliases: ['thank_you_ergonomics'],
  },
  guide_habits: {
    kind: 'guide',
    name: '20-20-20 Habit Formation',
    price: 1490,
    listPrice: 2980,
    aliases: ['thank_you_habits'],
  },
  guide_lighting: {
    kind: 'guide',
    name: 'Environmental Lighting Guides',
    price: 1490,
    listPrice: 2980,
    aliases: ['thank_you_lighting'],
  },
  guide_disorders: {
    kind: 'guide',
    name: 'Vision Disorder Programs',
    price: 1490,
    listPrice: 2980,
    aliases: ['thank_you_disorders'],
  },
  reading_7_days: { kind: 'reading', name: 'Reading, 7 days', price: 995 },
  reading_14_days: { kind: 'reading', name: 'Reading, 14 days', price: 1995 },
  reading_1_month: { kind: 'reading', name: 'Reading, 1 month', price: 2995 },
  reading_premium: { kind: 'reading', name: 'Premium reading', price: 2999 },
} as const satisfies Record<string, Omit<Product, 'id' | 'lookupKey'>>

export type ProductId = keyof typeof PRODUCTS
export type TrialId = 'trial_1' | 'trial_5' | 'trial_9' | 'trial_1767'
export type GuideId = 'guide_devices' | 'guide_ergonomics' | 'guide_habits' | 'guide_lighting' | 'guide_disorders'
export type AddOnId = 'bundle' | GuideId

export const PRODUCT_IDS = Object.keys(PRODUCTS) as ProductId[]
/** In the order of the price step; the first is the default (S-33). */
export const TRIAL_IDS: readonly TrialId[] = ['trial_1', 'trial_5', 'trial_9', 'trial_1767']
export const GUIDE_IDS: readonly GuideId[] = [
  'guide_devices',
  'guide_ergonomics',
  'guide_habits',
  'guide_lighting',
  'guide_disorders',
]
export const ADD_ON_IDS: readonly AddOnId[] = ['bundle', ...GUIDE_IDS]

/** The leftover reading product (X): three packages, and the premium one of the results screen. */
export type ReadingId = 'reading_7_days' | 'reading_14_days' | 'reading_1_month' | 'reading_premium'
export const READING_IDS: readonly ReadingId[] = [
  'reading_7_days',
  'reading_14_days',
  'reading_1_month',
  'reading_premium',
]

export const DEFAULT_TRIAL: TrialId = 'trial_1'
/** O-01, O-02: the tier assumed on the special-offer pages when the session's is unknown. */
export const DEFAULT_SPECIAL_OFFER_TRIAL: TrialId = 'trial_5'

/** One product by its id. */
export function product(id: ProductId): Product {
  const { aliases, listPrice, ...entry }: Omit<Product, 'id' | 'lookupKey'> = PRODUCTS[id]
  return {
    id,
    ...entry,
    lookupKey: `${id}_usd`,
    ...(listPrice === undefined ? {} : { listPrice }),
    ...(aliases === undefined ? {} : { aliases }),
  }
}

/** Resolves a product id or an alias to the product id; undefined when it is neither. */
export function resolveProductId(id: string): ProductId | undefined {
  if (Object.hasOwn(PRODUCTS, id)) return id as ProductId
  return PRODUCT_IDS.find((candidate) => product(candidate).aliases?.includes(id))
}

/** The product of a row that is only ever made for one. Throws RangeError where the catalogue has it no longer. */
export function requireProductId(id: string): ProductId {
  const found = resolveProductId(id)
  if (!found) throw new RangeError(`${id} is not in the catalogue`)
  return found
}

export function isTrialId(id: string): id is TrialId {
  return (TRIAL_IDS as readonly string[]).includes(id)
}

export function isAddOnId(id: string): id is AddOnId {
  return (ADD_ON_IDS as readonly string[]).includes(id)
}

/**
 * The trial product of a tier price in cents; undefined for any other amount (the browser
 * never names an amount to charge).
 */
export function trialByPrice(price: Cents): TrialId | undefined {
  return TRIAL_IDS.find((id) => PRODUCTS[id].price === price)
}

export function isReadingId(id: string): id is ReadingId {
  return (READING_IDS as readonly string[]).includes(id)
}

/** The saving against the list price, in whole percent, rounded down so that it never promises too much. */
export function savingPercent(id: ProductId): number | undefined {
  const { price, listPrice } = product(id)
  return listPrice === undefined ? undefined : Math.floor(((listPrice - price) * 100) / listPrice)
}

/**
 * P-09: the fallback when Stripe has no price: the rows of the specification's table that a card of the reading product
 * shows ("reading" and "monthly"). The price of a trial or add-on is never guessed.
 */
export const READING_FALLBACK_PRICES: Readonly<Partial<Record<ReadingId, Cents>>> = {
  reading_14_days: 1995,
  reading_premium: 2999,
}
