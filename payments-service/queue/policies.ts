/** How one kind of work is tried. Times in seconds. */
export interface Policy {
  /** How long a claimed entry belongs to its worker: after that, another takes over from one that died or froze. */
  lease: number
  /** Wait before the second try; doubles with each further one, less up to half at random … */
  firstWait: number
  /** … and never longer than this. */
  longestWait: number
  /** The same while Stripe is away: it is asked again soon, however often it was asked. */
  longestWaitForStripe?: number
  /** Tries before it is given up and shown to an operator; null: never. */
  tries: number | null
  /** Entries that one replica works on at once. */
  atOnce: number
}

/**
 * What is promised within a minute holds even if a worker dies: no lease is longer. A mail's is the longest, because it
 * covers a slow mail server.
 */
export const POLICIES = {
  /** Stripe's events are the truth about money: nothing but one that cannot be read is ever given up. */
  event: { lease: 30, firstWait: 2, longestWait: 600, longestWaitForStripe: 15, tries: null, atOnce: 8 },
  /** Refunds, cancellations, events for advertisers: about three days. */
  job: { lease: 30, firstWait: 2, longestWait: 3_600, tries: 100, atOnce: 8 },
  /** About half a day: after that a person should look. */
  mail: { lease: 50, firstWait: 15, longestWait: 14_400, tries: 14, atOnce: 4 },
} as const satisfies Record<string, Policy>

/** Seconds before the next try after `attempts` failed ones. */
export function waitAfter(policy: Policy, attempts: number, stripeIsAway = false, random = Math.random): number {
  const { firstWait, longestWait, longestWaitForStripe } = policy
  const longest = stripeIsAway ? (longestWaitForStripe ?? longestWait) : longestWait
  const full = Math.min(longest, firstWait * 2 ** Math.max(0, attempts - 1))
  return full * (0.5 + random() / 2)
}
