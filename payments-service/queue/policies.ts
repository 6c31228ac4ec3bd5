/** How one kind of work is tried. Times in seconds. */
export interface Policy {
  /** How long an entry belongs to whoever claimed it: a worker that died or froze is followed by another after that. */
  lease: number
  /** Wait before the second try; twice as long before each further one, less up to half by chance … */
  firstWait: number
  /** … and never longer than this. */
  longestWait: number
  /** The same while Stripe is away: it is asked again soon, however often it was asked. */
  longestWaitForStripe?: number
  /** Tries before it is given up, which an operator sees; null: never. */
  tries: number | null
  /** Worked on beside each other in one replica. */
  atOnce: number
}

/**
 * What is promised within a minute holds for a worker that died, too: no lease is longer. A mail's is the longest,
 * because it covers a slow mail server.
 */
export const POLICIES = {
  /** Stripe's events are the truth about money: nothing but one that cannot be read is ever given up. */
  event: { lease: 30, firstWait: 2, longestWait: 600, longestWaitForStripe: 15, tries: null, atOnce: 8 },
  /** Refunds, cancellations, what advertisers hear: some three days. */
  job: { lease: 30, firstWait: 2, longestWait: 3_600, tries: 100, atOnce: 8 },
  /** Some half a day: after that a letter is worth a look. */
  mail: { lease: 50, firstWait: 15, longestWait: 14_400, tries: 14, atOnce: 4 },
} as const satisfies Record<string, Policy>

/** Seconds before the next try after `attempts` failed ones. */
export function waitAfter(policy: Policy, attempts: number, stripeIsAway = false, random = Math.random): number {
  const { firstWait, longestWait, longestWaitForStripe } = policy
  const longest = stripeIsAway ? (longestWaitForStripe ?? longestWait) : longestWait
  const full = Math.min(longest, firstWait * 2 ** Math.max(0, attempts - 1))
  return full * (0.5 + random() / 2)
}
