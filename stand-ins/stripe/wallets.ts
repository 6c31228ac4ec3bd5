// The wallets on the buyer's device: none, unless the operator adds some.

export const WALLETS = ['apple_pay', 'google_pay'] as const
export type Wallet = (typeof WALLETS)[number]

const known = (value: unknown): value is Wallet => (WALLETS as readonly unknown[]).includes(value)

/** The switch for all pages from their next load on. In memory, a restart switches it off. */
export class Wallets {
  offered: Wallet[] = []

  /** Sets the wallets by name; an empty list offers none. Returns false and changes nothing for any other input. */
  offer(names: unknown): boolean {
    if (!Array.isArray(names) || !names.every(known)) return false
    this.offered = WALLETS.filter((one) => names.includes(one))
    return true
  }
}

/** A wallet's name as a page sends it with a card; undefined for a typed card. */
export function walletOf(value: unknown): Wallet | undefined {
  return known(value) ? value : undefined
}
