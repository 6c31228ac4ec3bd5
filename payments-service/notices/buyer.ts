import { sql } from 'kysely'
import { isAddOnId, type AddOnId } from '../../contract/catalogue.ts'
import { appliesIn } from '../../contract/duties/table.ts'
import { emailKey, parseEmail } from '../../contract/email.ts'
import { endOfDays } from '../../contract/last-day.ts'
import { WITHDRAWAL_DAYS } from '../../contract/members.ts'
import type { PaidWith } from '../../contract/paid-with.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { isLive } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { BACK_OR_OWED } from '../refunds/owed.queries.ts'
import { mailLink } from '../mail/mailed-links.ts'

/** What every mail to a buyer needs, whatever it is about. */
export interface Buyer {
  sessionId: string
  to: string
  name: string | null
  timeZone: string | null
  subscription: SubscriptionRow | null
  /** Made from this visit or an earlier one; a mail is read by the owner of its address, so it may tell. */
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
    .select(['s.id', 's.email', 's.name', 'm.timezone', 'm.country'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  const to = parseEmail(session?.email ?? '')
  if (!session || !to) return null
  const subscription = await latestSubscription(db, sessionId)
  const account = await db
    .selectFrom('auth_user')
    .select('id')
    .where(({ or, and, eb }) =>
      // one whose sign-up did not finish is finished by a repeat
      or([
        eb('quiz_session_id', '=', sessionId),
        and([eb('email', '=', emailKey(to)), eb('created_from', 'is not', null)]),
      ]),
    )
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
  const withdrawUntil = await withdrawableUntil(deps, session, subscription)
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

/** The facts of a visit that decide for how long it may be withdrawn from. */
interface Visit {
  country: string | null
  timezone: string | null
}

/** The last moment to withdraw from what was ordered at this one; of the subscription, which may have a second time. */
type WithdrawalEnd = (orderedAt: Date, ofSubscription: boolean) => Date

/**
 * H-02: until when each order of a visit may be withdrawn from; null where its country does not give the right. Where
 * the paid period after a trial begins the right to withdraw again (contract/duties, cooling_off), it ends with that.
 */
export async function withdrawalEnds(
  deps: Pick<Deps, 'settings'>,
  { country, timezone }: Visit,
  subscription: SubscriptionRow | null,
): Promise<WithdrawalEnd | null> {
  if (!country) return null
  const { strictBuyingCountries } = await deps.settings()
  if (!strictBuyingCountries.includes(country)) return null
  const { trial_end: trialEnd, current_period_start: period } = subscription ?? {}
  const again =
    trialEnd && period && trialEnd <= period && appliesIn('cooling_off', country, trialEnd) ? trialEnd : null
  return (orderedAt, ofSubscription) => {
    const from = ofSubscription && again && again > orderedAt ? again : orderedAt
    return endOfDays(from, WITHDRAWAL_DAYS, knownZone(timezone))
  }
}

/**
 * The last order of a visit of which something can be asked back. What the subscription charges by itself is none, but
 * part of the one that began it.
 */
async function lastOrder(db: Database, sessionId: string): Promise<Date | null> {
  const isLeft = sql<boolean>`${BACK_OR_OWED} < p.amount_cents`
  const renewalIsLeft = sql<boolean>`exists (select from payments p where p.session_id = ${sessionId}
    and p.purpose like 'renewal:%' and p.settled_at is not null and not p.is_duplicate and ${isLeft})`
  const { at } = await db
    .selectFrom('payments as p')
    .select(({ fn }) => fn.max('settled_at').as('at'))
    .where('session_id', '=', sessionId)
    .where('is_duplicate', '=', false)
    .where('purpose', 'not like', 'renewal:%')
    .where(({ or, and, eb }) =>
      or([eb('amount_cents', '=', 0), isLeft, and([eb('purpose', '=', 'first'), renewalIsLeft])]),
    )
    .executeTakeFirstOrThrow()
  return at
}

/** The end of the right to withdraw from the last order; null where there is none, or it is over. */
async function withdrawableUntil(deps: Deps, session: Visit & { id: string }, subscription: SubscriptionRow | null) {
  const until = await withdrawalEnds(deps, session, subscription)
  const orderedAt = until && (await lastOrder(deps.db, session.id))
  const end = orderedAt && until(orderedAt, true)
  return end && end > new Date() ? end : null
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
