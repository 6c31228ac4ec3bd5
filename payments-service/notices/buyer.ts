import { isAddOnId, type AddOnId } from '../../contract/catalogue.ts'
import { appliesIn } from '../../contract/duties/table.ts'
import { parseEmail } from '../../contract/email.ts'
import { endOfDays } from '../../contract/last-day.ts'
import { WITHDRAWAL_DAYS } from '../../contract/members.ts'
import type { PaidWith } from '../../contract/paid-with.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { isLive } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { mailLink } from '../mail/mailed-links.ts'

/** What every mail to a buyer needs, whatever it is about. */
export interface Buyer {
  sessionId: string
  to: string
  name: string | null
  timeZone: string | null
  subscription: SubscriptionRow | null
  hasAccount: boolean
  /** The products whose grants are live. */
  open: readonly string[]
  /** Bought for life and not refunded. */
  addOns: AddOnId[]
  /** Opens the page that cancels (H-04). */
  cancelUrl: string
  /** `cancelUrl` while there is something to cancel, else null. */
  cancelUrlIfLive: string | null
  /** H-02; null outside the countries and days of the right. */
  withdrawUrl: string | null
}

/** The buyer of a session. Null when the session has no e-mail address. */
export async function readBuyer(deps: Deps, sessionId: string): Promise<Buyer | null> {
  const { db, config } = deps
  const session = await db
    .selectFrom('sessions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.id')
    .select(['s.email', 's.name', 's.paid_at', 'm.timezone', 'm.country'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  const to = parseEmail(session?.email ?? '')
  if (!session || !to) return null
  const subscription = await latestSubscription(db, sessionId)
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('auth_user_id', 'is not', null)
    .executeTakeFirst()
  const grants = await db
    .selectFrom('product_access_grants')
    .select('product_id')
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
  const open = grants.map(({ product_id }) => product_id)
  const live = subscription !== null && isLive(subscription.status)
  const cancelUrl = mailLink(config, 'cancel', { subject: sessionId, to })
  const withdrawUntil = await withdrawalEnd(deps, session, subscription)
  return {
    sessionId,
    to,
    name: session.name,
    timeZone: knownZone(session.timezone),
    subscription,
    hasAccount: account !== undefined,
    open,
    addOns: open.filter(isAddOnId),
    cancelUrl,
    cancelUrlIfLive: live ? cancelUrl : null,
    withdrawUrl: withdrawUntil
      ? mailLink(config, 'withdraw', { subject: sessionId, to, expiresAt: withdrawUntil })
      : null,
  }
}

/** The live subscription of a session, else the one that ended last. */
export async function latestSubscription(db: Database, sessionId: string): Promise<SubscriptionRow | null> {
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .execute()
  return rows.find(({ status }) => isLive(status)) ?? rows[0] ?? null
}

/** The facts of a visit that decide until when it may be withdrawn from. */
interface Visit {
  country: string | null
  paid_at: Date | null
  timezone: string | null
}

/**
 * H-02: when the withdrawal right of a visit ends; null where its country gives none, or where it was over at `at`.
 * Where the paid period after a trial begins another one (contract/duties, cooling_off), it ends with that.
 */
export async function withdrawalEnd(
  deps: Deps,
  { country, paid_at: paidAt, timezone }: Visit,
  subscription: SubscriptionRow | null,
  at = new Date(),
): Promise<Date | null> {
  if (!paidAt || !country) return null
  const { strictBuyingCountries } = await deps.settings()
  if (!strictBuyingCountries.includes(country)) return null
  const { trial_end: trialEnd, current_period_start: period } = subscription ?? {}
  const again = trialEnd && period && trialEnd <= period && appliesIn('cooling_off', country, trialEnd)
  const from = again && trialEnd > paidAt ? trialEnd : paidAt
  const end = endOfDays(from, WITHDRAWAL_DAYS, knownZone(timezone))
  return end > at ? end : null
}

/** The zone, if this machine can write dates in it; an invented one would stop the mail. */
export function knownZone(zone: string | null): string | null {
  if (!zone) return null
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return null
  }
}

/** The payment method as mails name it. */
export async function paidWithOf(deps: Deps, methodId: string | null): Promise<PaidWith | null> {
  const face = await deps.methods.faceOf(methodId, undefined)
  if (!face) return null
  return face.type === 'paypal' ? { type: 'paypal' } : { type: 'card', brand: face.brand, last4: face.last4 }
}
