/** A saved payment method as its owner knows it; pages and mails name it with the same words. */
export type PaidWith = { type: 'card'; brand: string; last4: string } | { type: 'paypal' }

/** By Stripe's `brand`. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** "Visa ending in 4242", "PayPal"; "your saved payment method" when it is not known. */
export function methodWords(paidWith: PaidWith | null | undefined): string {
  if (!paidWith) return 'your saved payment method'
  if (paidWith.type === 'paypal') return 'PayPal'
  return `${BRANDS[paidWith.brand.toLowerCase()] ?? 'card'} ending in ${paidWith.last4}`
}

/** Any card but the method on file: PayPal is none. */
export function otherCard(paidWith: PaidWith | null): string {
  return paidWith?.type === 'paypal' ? 'a card' : 'another card'
}

/** Whether both are the same as far as their owner can see. An unknown one is none. */
export function samePaidWith(a: PaidWith | null, b: PaidWith | null): boolean {
  if (!a || !b || a.type === 'paypal' || b.type === 'paypal') return a?.type === 'paypal' && b?.type === 'paypal'
  return a.brand === b.brand && a.last4 === b.last4
}
