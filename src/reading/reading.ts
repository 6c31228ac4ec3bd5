/** The rules of the leftover reading product (X); pure. */
import { product, type ReadingId } from '../../contract/catalogue.ts'
import type { ReadingContent } from '../../contract/content.ts'
import { toCents } from '../../contract/money.ts'

export interface Package {
  id: ReadingId
  label: string
}

/** the three cards; 14 Days is the default. */
const CARDS: readonly [Package, Package, Package] = [
  { id: 'reading_7_days', label: '7 Days' },
  { id: 'reading_14_days', label: '14 Days' },
  { id: 'reading_1_month', label: '1 Month' },
]
const DEFAULT_CARD = 1

/**
 * amounts up to 10 dollars choose 7 days, up to 20 choose 14 days, anything above 1 month; without an amount the
 * default. Returns the index of the card.
 */
export function cardOfAmount(dollars: number | null): number {
  if (dollars === null || !Number.isFinite(dollars) || dollars <= 0) return DEFAULT_CARD
  return dollars <= 10 ? 0 : dollars <= 20 ? 1 : 2
}

/**
 * The cards of one visitor and the one chosen at first. A visitor from the results screen (`premium`) gets the premium
 * package: its 29.99 is on the card that the amount rule selects, so that the card shows what is charged.
 */
export function cardsFor(amount: number | null, premium: boolean): { cards: readonly Package[]; chosen: number } {
  const isPremium = premium || (amount !== null && isPremiumAmount(amount))
  if (!isPremium) return { cards: CARDS, chosen: cardOfAmount(amount) }
  const [week, fortnight, month] = CARDS
  return {
    cards: [week, fortnight, { ...month, id: 'reading_premium' }],
    chosen: cardOfAmount(amount ?? product('reading_premium').price / 100),
  }
}

function isPremiumAmount(amount: number): boolean {
  try {
    return toCents(amount) === product('reading_premium').price
  } catch {
    return false
  }
}

/** The amount in the address (`?amount=29.99`), null when there is none or it is not a number. */
export function amountIn(search: string): number | null {
  const text = new URLSearchParams(search).get('amount')?.trim()
  const amount = text ? Number(text) : NaN
  return Number.isFinite(amount) ? amount : null
}

/** title and text for a personalInsight; any other value gets the default ones ('Your Spiritual Journey'). */
export function resultOf(
  content: Pick<ReadingContent, 'titles' | 'defaultTitle' | 'defaultText'>,
  insight: string | null,
): { title: string; text: string } {
  const wanted = insight?.trim().toLowerCase()
  const found = content.titles.find((one) => one.insight.toLowerCase() === wanted)
  return found ? { title: found.title, text: found.text } : { title: content.defaultTitle, text: content.defaultText }
}

/** A birth date (YYYY-MM-DD) as a person writes it: "February 29, 1964"; null where it is none. */
export function birthDateText(day: string | null): string | null {
  if (!day) return null
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return null
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}
