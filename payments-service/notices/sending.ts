import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Mail } from '../mail/mail.ts'
import { statusesWith } from '../stripe/subscription-status.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { latestSubscription } from './buyer.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { type MailSender, startMailSender } from '../mail/sender.ts'

/**
 * Starts sending what the outbox holds, written by the company of the CMS settings. Null without SMTP_URL: mails wait.
 */
export function startMails(deps: Deps): MailSender | null {
  const { config, db, log } = deps
  if (!config.mail.smtpUrl) return null
  return startMailSender({
    db,
    smtpUrl: config.mail.smtpUrl,
    from: config.mail.from,
    log: {
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
    },
    identity: async () => (await deps.settings()).identity,
    isWanted: (mail, sessionId) => isWanted(deps, mail, sessionId),
    cancelUrl: (to) => cancelUrlFor(deps, to),
  })
}

/** H-04: opens the page that cancels the newest subscription of an address; null where none is left to cancel. */
async function cancelUrlFor({ db, config }: Deps, to: string): Promise<string | null> {
  const found = await db
    .selectFrom('subscriptions')
    .innerJoin('sessions', 'sessions.id', 'subscriptions.session_id')
    .select('sessions.id')
    .where(sql`lower(sessions.email)`, '=', to.toLowerCase())
    .where('subscriptions.status', 'in', statusesWith('live'))
    .where('subscriptions.cancel_requested_at', 'is', null)
    .where('subscriptions.cancel_at_period_end', '=', false)
    .orderBy('subscriptions.id', 'desc')
    .executeTakeFirst()
  return found ? mailLink(config, 'cancel', { subject: found.id, to }) : null
}

/**
 * Whether a mail that was planned is still true: no reminder of a charge that will not come,
 * no marketing without consent.
 */
export async function isWanted(deps: Deps, mail: Mail, sessionId: string | null): Promise<boolean> {
  const { db } = deps
  if (!sessionId) return true
  if (mail.kind === 'trial_ends') {
    const known = await latestSubscription(db, sessionId)
    // days have passed since it was written; without an answer of Stripe it waits for the next try
    if (known?.stripe_subscription_id) await syncSubscription(deps, known.stripe_subscription_id, undefined)
    const now = await latestSubscription(db, sessionId)
    if (now?.status !== 'trialing' || now.cancel_requested_at) return false
    const { amount, chargeAt } = mail.data
    // another date or amount has a reminder of its own
    return now.next_charge_cents === amount && now.next_charge_at?.getTime() === Date.parse(chargeAt)
  }
  if (mail.kind === 'abandoned_checkout') {
    const session = await db
      .selectFrom('sessions')
      .select(['payment_status', 'email'])
      .where('id', '=', sessionId)
      .executeTakeFirst()
    if (session?.payment_status !== 'unpaid') return false
    // the visitor has corrected the address since: the link inside has ended
    if (session.email?.toLowerCase() !== mail.to.toLowerCase()) return false
    const consent = await db
      .selectFrom('consents')
      .select('granted')
      .where('session_id', '=', sessionId)
      .where('kind', '=', 'marketing')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return consent?.granted ?? false
  }
  return true
}
