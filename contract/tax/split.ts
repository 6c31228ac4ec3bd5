import type { Cents } from '../money.ts'

/** `part` of `whole` times `of`, in whole cents; half a cent goes up. The one rounding of tax. */
const share = (of: Cents, part: number, whole: number): Cents => Math.floor((2 * of * part + whole) / (2 * whole))

/** The tax in a price that includes it, at a rate in hundredths of a percent (2550 is 25.5 %); the rest is the net. */
export const taxIn = (price: Cents, rate: number): Cents => share(price, rate, 10_000 + rate)

/**
 * Of the tax in a payment, what has gone back once `back` of the amount has gone back in all. What one refund gives
 * back of it is the difference to the one before, so the sum over refunds never differs from this.
 */
export const taxBack = ({ amount, tax }: { amount: Cents; tax: Cents }, back: Cents): Cents =>
  amount === 0 ? 0 : share(tax, back, amount)
