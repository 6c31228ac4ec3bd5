/** C-11: the one reminder of an abandoned checkout. */
import { sql } from 'kysely'
import { DEFAULT_TRIAL, trialByPrice } from '../../contract/catalogue.ts'
import { emailKey } from '../../contract/email.ts'
import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'
import { mailLink, newNonce } from '../mail/mailed-links.ts'
import { wantsOffers } from '../sessions/consents.queries.ts'
import { type Compose, text } from './compose.ts'

/** Days in which the reminder's link opens the checkout again. */
const LINK_DAYS = 7

/** Whether the buyer has paid in another visit since this one began, or has a subscription from one. */
async function boughtElsewhere(db: Database, email: string, id: string, since: Date): Promise<boolean> {
  if (await heldElsewhere(db, email, id)) return true
  const paid = await db
    .selectFrom('sessions')
    .select('id')
    .where(sql<string>`lower(email)`, '=', emailKey(email))
    .where('id', '!=', id)
    .where('paid_at', '>', since)
    .executeTakeFirst()
  return paid !== undefined
}

/** Null after a payment, here or in another visit, without consent to marketing, or where its address has changed. */
export const abandonedCheckout: Compose = async ({ config, db }, { sessionId, to, name, timeZone }, facts) => {
  const session = await db
    .selectFrom('sessions as s')
    .select(['payment_status', 'selected_price_cents as price', 'created_at as since', wantsOffers.as('wanted')])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const corrected = to.toLowerCase() !== text(facts, 'to').toLowerCase()
  if (session.payment_status !== 'unpaid' || !session.wanted || corrected) return null
  if (await boughtElsewhere(db, to, sessionId, session.since)) return null
  const expiresAt = new Date(Date.now() + LINK_DAYS * DAY)
  return {
    kind: 'abandoned_checkout',
    to,
    data: {
      name,
      timeZone,
      productId: (session.price === null ? undefined : trialByPrice(session.price)) ?? DEFAULT_TRIAL,
      // each link opens a browser once
      resumeUrl: mailLink(config, 'resume', { subject: sessionId, to, expiresAt, nonce: newNonce() }),
      expiresAt: expiresAt.toISOString(),
      unsubscribeUrl: mailLink(config, 'unsubscribe', { subject: sessionId, to }),
    },
  }
}
