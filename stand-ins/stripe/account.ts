/** Settings of the Stripe account that decide when a renewal is collected; in memory, a restart sets them back. */
export interface AccountSettings {
  /** How long a renewal's invoice stays a draft ("grace period" of Billing → Invoices; about an hour by default). */
  draft_seconds: number
  /** Days from one failed try of a renewal to the next (Billing → Revenue recovery → Retries). */
  retry_days: number[]
  /** What becomes of the subscription after the last failed try (Billing → Revenue recovery → Subscription status). */
  after_retries: 'unpaid' | 'canceled' | 'past_due'
}

/** What the README requires of a real account: tries 2, 4 and 7 days after the first failure, then unpaid. */
export const defaultAccount = (): AccountSettings => ({
  draft_seconds: 3600,
  retry_days: [2, 2, 3],
  after_retries: 'unpaid',
})

const AFTER = ['unpaid', 'canceled', 'past_due'] as const
const whole = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

/** Changes the named settings. Returns what is wrong with the input, or undefined. */
export function changeAccount(account: AccountSettings, input: Record<string, unknown>): string | undefined {
  const { draft_seconds: draft, retry_days: days, after_retries: after } = input
  if (draft !== undefined && !whole(draft, 30 * 86_400)) return 'draft_seconds: whole seconds, at most 30 days'
  if (days !== undefined && !(Array.isArray(days) && days.every((one) => whole(one, 60)))) {
    return 'retry_days: a list of whole days between the tries'
  }
  if (after !== undefined && !AFTER.some((one) => one === after)) return `after_retries: one of ${AFTER.join(', ')}`
  Object.assign(account, {
    ...(draft === undefined ? {} : { draft_seconds: draft }),
    ...(days === undefined ? {} : { retry_days: days }),
    ...(after === undefined ? {} : { after_retries: after }),
  })
  return undefined
}
