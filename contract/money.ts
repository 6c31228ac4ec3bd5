/**
 * Money is integer cents in US dollars everywhere inside the product; decimal dollars exist only on screens
 * and in the fields that the specification names in dollars (`selectedPrice`).
 */

/** An amount in cents of US dollars, always an integer. */
export type Cents = number

export const CURRENCY = 'usd'

/** Dollars as written in the specification (17.67) to cents (1767). Throws RangeError on more than two decimals. */
export function toCents(dollars: number): Cents {
  const cents = Math.round(dollars * 100)
  if (!Number.isFinite(dollars) || Math.abs(dollars * 100 - cents) > 1e-6) {
    throw new RangeError(`${dollars} is not an amount with at most two decimals`)
  }
  return cents
}

/** Cents to decimal dollars, exact for every two-decimal amount: 1767 → 17.67. */
export function toDollars(cents: Cents): number {
  return Number((cents / 100).toFixed(2))
}

/** An amount as a buyer reads it: 100 → "$1", 1767 → "$17.67", 123456 → "$1,234.56", 1490 → "$14.90". */
export function formatMoney(cents: Cents): string {
  const whole = cents % 100 === 0
  const fixed = (Math.abs(cents) / 100).toFixed(whole ? 0 : 2)
  const [units = '0', decimals] = fixed.split('.')
  const grouped = Number(units).toLocaleString('en-US')
  return `${cents < 0 ? '-' : ''}$${grouped}${decimals ? `.${decimals}` : ''}`
}

/**
 * The price of each period after the next charge, which a discount or a single sum may have changed, and what is said
 * of it then. `price`: null where none is known.
 */
export function laterPrice(next: Cents, price: Cents | null | undefined): { price: Cents; but: string } {
  const later = price ?? next
  return { price: later, but: later === next ? '' : ', before any discounts or extras' }
}

/** H-02: the words of a button that orders, where the law wants them (Directive 2011/83/EU, Article 8(2)). */
export const obligationToPay = (amount: Cents): string => `Order with obligation to pay ${formatMoney(amount)}`
