/** What the composers of mails share. */
import { sql } from 'kysely'
import { type ProductId, PRODUCT_IDS } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from '../mail/mail.ts'
import type { LastCharge } from '../mail/mail.parts.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { purposeOf } from '../payments/purpose.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import { isCancelled, isCollecting, isCutShort, nextChargeOf } from '../subscriptions/state.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { type Buyer, paidWithOf } from './buyer.ts'

export type Facts = Record<string, unknown>
/** Writes a mail from the facts of its job. Null: there is nothing to say, or not any more. */
export type Compose = (deps: Deps, buyer: Buyer, facts: Facts) => Promise<Mail | null>

export const text = (facts: Facts, name: string): string => {
  const value = facts[name]
  if (typeof value !== 'string') throw new TypeError(`a notice without ${name}`)
  return value
}
export const cents = (facts: Facts, name: string): number => {
  const value = facts[name]
  if (typeof value !== 'number') throw new TypeError(`a notice without ${name}`)
  return value
}
export const optionalCents = (facts: Facts, name: string): number | null => {
  const value = facts[name]
  return typeof value === 'number' ? value : null
}
export const optional = (facts: Facts, name: string): string | null => {
  const value = facts[name]
  return typeof value === 'string' ? value : null
}
export const productOf = (facts: Facts): ProductId => {
  const id = PRODUCT_IDS.find((one) => one === facts['productId'])
  if (!id) throw new TypeError('a notice about a product we do not sell')
  return id
}

/** What every mail carries; the cancel and withdrawal links only while they lead somewhere. */
export const common = ({ name, timeZone, cancelUrlIfLive, withdrawUrl }: Buyer) => ({
  name,
  timeZone,
  cancelUrl: cancelUrlIfLive,
  withdrawUrl,
})
/** The page behind a mail where what is owed is paid. */
export const updateUrl = ({ config }: Deps, { sessionId, to }: Pick<Buyer, 'sessionId' | 'to'>): string =>
  mailLink(config, 'update_payment', { subject: sessionId, to })
/** The same where all tries have failed, so that the programme is closed until it is paid; else null. */
export function payToOpenUrl(deps: Deps, buyer: Pick<Buyer, 'sessionId' | 'to'>, status: string): string | null {
  const { owed, access } = meaningOf(status)
  return owed && !access ? updateUrl(deps, buyer) : null
}
/** The day for which an end is set, as the row says now (mail.parts.ts). */
export const endingOf = (row: SubscriptionRow | null) => ({
  endsAt: row?.cancel_at?.toISOString() ?? null,
  lastCutShort: !!row && isCutShort(row),
})
export const toSubscriber = (buyer: Buyer) => ({ ...common(buyer), cancelUrl: buyer.cancelUrl })

/** The products whose grant stands for this one: what a first payment opens is one, whichever it was. */
export function sharingGrant(productId: ProductId): readonly ProductId[] {
  const alike = PRODUCT_IDS.filter((id) => purposeOf(id) === 'first')
  return alike.includes(productId) ? alike : [productId]
}

/** The grant of what was bought: the one that is live, else the one that was closed last. */
export const latestGrant = ({ db }: Deps, { sessionId }: Buyer, productId: ProductId) =>
  db
    .selectFrom('product_access_grants')
    .select(['revoked_at', 'revoked_reason'])
    .where('session_id', '=', sessionId)
    .where('product_id', 'in', sharingGrant(productId))
    .orderBy(sql`revoked_at is null`, 'desc')
    .orderBy('revoked_at', 'desc')
    .executeTakeFirst()

/** Whether what was bought is open no more: a mail about it may be sent hours later. */
export const isClosed = ({ open }: Buyer, productId: ProductId): boolean =>
  !sharingGrant(productId).some((id) => open.includes(id))

/** What a subscription that is cancelled still charges. */
export function lastCharge({ subscription }: Buyer): LastCharge | null {
  const next = subscription && isCancelled(subscription) ? nextChargeOf(subscription) : null
  if (!subscription || !next) return null
  return { ...next, added: !isCollecting(subscription) && !meaningOf(subscription.status).owed }
}

export const paidWithIntent = async (deps: Deps, intentId: string | null) => {
  if (!intentId) return null
  const payment = await deps.db
    .selectFrom('payments')
    .select('payment_method_id')
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirst()
  return paidWithOf(deps, payment?.payment_method_id ?? null)
}
export const paidWithSubscription = (deps: Deps, buyer: Buyer) =>
  paidWithOf(deps, buyer.subscription?.payment_method_id ?? null)
