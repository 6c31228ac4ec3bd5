/**
 * What a buyer was told and what a bank statement shows, side by side. A statement is what a page, a mail or a dialog
 * said at a moment; nothing in here knows a rule of the service.
 */

/** A calendar day of the buyer's own zone: `2026-11-24`. */
export type Day = string

export type Claim =
  /** The buyer pressed the button of a page that showed this amount. `intent` where the page holds it. */
  | { kind: 'pressed'; amount: number; intent: string | null }
  /** The buyer pressed the button that pays what is owed. */
  | { kind: 'paying'; amount: number }
  /** The next charge of the subscription. `intent`: it follows only if this order is paid. */
  | { kind: 'next'; amount: number; day: Day; intent?: string }
  /** Each charge after the next one, as long as the subscription runs. */
  | { kind: 'later'; amount: number }
  /** This much is about to be charged (or is owed and will be tried again). */
  | { kind: 'due'; amount: number }
  /** No charge will follow; `unless` the reader pays what is owed. */
  | { kind: 'nothing'; unless?: 'paid' }
  /** The buyer took the cancellation back: charges go on. `sure`: the page said so. */
  | { kind: 'resumed'; sure: boolean }
  /** The operator changed the subscription: earlier statements about its charges are void. */
  | { kind: 'changed' }
  /** What an order page lists: so much was charged for each. */
  | { kind: 'bought'; amounts: readonly number[] }
  /** A receipt: this was charged on that day. */
  | { kind: 'paid'; amount: number; day: Day }
  /** An invoice: this was charged on that day, and so much of it went back. */
  | { kind: 'invoice'; amount: number; day: Day; refunded: number; returned: number }
  /** An order that was not charged; null: the latest one. */
  | { kind: 'uncharged'; intent: string | null }
  /**
   * A press that failed: since that moment (seconds), nothing of this amount was charged. `intent` where the page holds
   * it.
   */
  | { kind: 'not taken'; amount: number; since: number; intent?: string }
  /** An order that the page took back after it was paid: it starts nothing, and what it cost is refunded. */
  | { kind: 'taken back'; intent: string }
  /** Money went back. `since`: everything requested from this moment (seconds) on, in total. */
  | { kind: 'refunded'; amount: number; since?: number }
  /** Money will go back, without another decision. */
  | { kind: 'refunding'; amount: number; since: number }
  /** The page says that it will not go back, or not by itself. */
  | { kind: 'unrefunded' }
  /** The buyer begins a visit. */
  | { kind: 'arrived' }
  /** The visitor was erased, as confirmed to them. */
  | { kind: 'erased' }

export interface Statement {
  /** Unix seconds of the bank's clock, with fractions. */
  at: number
  /** Where it was read: "order page", "mail trial_ends". */
  source: string
  claim: Claim
}

export interface Refund {
  amount: number
  at: number
  /** The bank's status: only `succeeded` means that money went back. */
  status: string
  /** When the refund failed, after the bank had accepted it. */
  failedAt?: number | undefined
}

export interface Charge {
  intent: string
  amount: number
  at: number
  /** When the bill was drawn; the bank collects it about an hour later. An order: the same moment. */
  drawn: number
  /** Charged by the subscription, without a press. */
  renewal: boolean
  refunds: readonly Refund[]
  /** Lost in a dispute. */
  lost: boolean
  /** In a dispute that is open, for which the bank has taken it back. */
  held?: boolean
  /** Won back after it was lost: when either happened. */
  wonBack?: { lost: number; won: number } | undefined
}

/** Everything the bank holds of one buyer. */
export interface Ledger {
  charges: readonly Charge[]
  /** Each try to collect a bill of the subscription that was refused. */
  refused: readonly Pick<Charge, 'amount' | 'at' | 'drawn' | 'renewal'>[]
  /** Intents that start what they announced: paid orders, and set-ups of value 0 that succeeded. */
  succeeded: ReadonlySet<string>
  /** Subscriptions that would charge again. */
  live: readonly string[]
}

/** The day of a moment in a zone. */
export function dayOf(seconds: number, zone: string): Day {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(new Date(seconds * 1000))
}
// making one takes longer than all the rest of a judgement
const formats = new Map<string, Intl.DateTimeFormat>()

/** "$39.00": as a buyer reads it. */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
