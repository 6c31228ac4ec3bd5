/** C-11: the one reminder of an abandoned checkout. */
import { DEFAULT_TRIAL, trialByPrice } from '../../contract/catalogue.ts'
import { DAY } from '../../contract/time.ts'
import { mailLink, newNonce } from '../mail/mailed-links.ts'
import { lastChoice } from '../sessions/consents.queries.ts'
import { type Compose, text } from './compose.ts'

/** Days in which the reminder's link opens the checkout again. */
const LINK_DAYS = 7

/** Null after a payment, without consent to marketing, and when the visit's address has changed. */
export const abandonedCheckout: Compose = async ({ config, db }, { sessionId, to, name, timeZone }, facts) => {
  const session = await db
    .selectFrom('sessions')
    .select(['payment_status', 'selected_price_cents as price'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const consent = await lastChoice(db, sessionId, 'marketing')
  const corrected = to.toLowerCase() !== text(facts, 'to').toLowerCase()
  if (session.payment_status !== 'unpaid' || !consent?.granted || corrected) return null
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
