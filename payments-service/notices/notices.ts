/**
 * Turns facts into mails. Use cases enqueue `mail:{kind}` entries with facts in the transaction that makes them true;
 * here each becomes a finished mail (address, name, signed links, payment method) at the moment it is sent. What it
 * says about the event is as of the event; everything else is as of now.
 */
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Mail, MailKind } from '../mail/mail.ts'
import { mailLink } from '../mail/mailed-links.ts'
import type { MailJob } from '../mail/sender.ts'
import { statusesWith } from '../stripe/subscription-status.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { abandonedCheckout } from './abandoned.ts'
import { alreadySubscribed } from './already-subscribed.ts'
import { readBuyer } from './buyer.ts'
import type { Compose } from './compose.ts'
import { accessEnded, accessReopened, duplicateRefunded, purchaseEnded, refund, refundFailed } from './endings.ts'
import { moneyBackDecided, moneyBackRequested, withdrawalReceived } from './money-back.ts'
import { accountWelcome, addOnReceipt, oneTimeReceipt, orderConfirmation, renewalReceipt, trialEnds } from './orders.ts'
import { secondWithdrawal, yearlyReminder } from './running.ts'
import { cancellationConfirmed, cancellationUndone, paymentFailed, priceChanged } from './subscription.ts'
import { freshCancelLink } from './way-out.ts'

const COMPOSERS: Partial<Record<MailKind, Compose>> = {
  order_confirmation: orderConfirmation,
  addon_receipt: addOnReceipt,
  one_time_receipt: oneTimeReceipt,
  account_welcome: accountWelcome,
  trial_ends: trialEnds,
  price_changed: priceChanged,
  renewal_receipt: renewalReceipt,
  yearly_reminder: yearlyReminder,
  second_withdrawal: secondWithdrawal,
  payment_failed: paymentFailed,
  cancellation_confirmed: cancellationConfirmed,
  cancellation_undone: cancellationUndone,
  refund,
  refund_failed: refundFailed,
  duplicate_refunded: duplicateRefunded,
  already_subscribed: alreadySubscribed,
  access_ended: accessEnded,
  purchase_ended: purchaseEnded,
  access_reopened: accessReopened,
  abandoned_checkout: abandonedCheckout,
  money_back_requested: moneyBackRequested,
  money_back_decided: moneyBackDecided,
  withdrawal_received: withdrawalReceived,
  fresh_cancel_link: freshCancelLink,
}

/**
 * The mail of a job as it is true now, or why there is none to send: one that was written already, or one composed from
 * the job's facts for the session's current address. Throws TypeError for a kind that this release cannot write: during
 * a deployment an older replica leaves it to a newer one.
 */
export async function writeMail(deps: Deps, job: MailJob): Promise<Mail | string> {
  const written = (job.payload['mail'] as Mail | undefined) ?? (await compose(deps, job))
  if (typeof written === 'string') return written
  const ends = ENDINGS.includes(written.kind)
  if (written.data.cancelUrl && !ends) return written
  const running = await runningUnder(deps, written.to)
  // every mail has the same foot: a cancel link its composer left out is looked up for the recipient
  const cancelUrl = written.data.cancelUrl ?? running?.cancelUrl ?? null
  // its own may have been kept since: that has a mail of its own
  const other = ends && running?.next && running.visit !== job.session_id ? running : null
  return {
    ...written,
    data: { ...written.data, cancelUrl, ...(other ? { running: { ...other.next, cancelUrl: other.cancelUrl } } : {}) },
  } as Mail
}

/** The mails that say of a subscription that it charges nothing more. */
const ENDINGS: readonly MailKind[] = [
  'access_ended',
  'cancellation_confirmed',
  'money_back_decided',
  'withdrawal_received',
]

async function compose(deps: Deps, { kind, session_id, payload }: MailJob): Promise<Mail | string> {
  const composer = new Map(Object.entries(COMPOSERS)).get(kind.slice('mail:'.length))
  if (!composer) throw new TypeError(`no template for ${kind}`)
  const buyer = session_id ? await readBuyer(deps, session_id) : null
  if (!buyer) return 'nobody to send it to'
  return (await composer(deps, buyer, payload)) ?? 'not true any more'
}

/**
 * H-04: the newest subscription of an address that has not been cancelled: its next charge, the link that cancels it.
 */
async function runningUnder({ db, config }: Deps, to: string) {
  const found = await db
    .selectFrom('subscriptions')
    .innerJoin('sessions', 'sessions.id', 'subscriptions.session_id')
    .selectAll('subscriptions')
    .select('sessions.id as visit')
    .where(sql`lower(sessions.email)`, '=', to.toLowerCase())
    .where('subscriptions.status', 'in', statusesWith('live'))
    .where('subscriptions.cancel_requested_at', 'is', null)
    .where('subscriptions.cancel_at_period_end', '=', false)
    .orderBy('subscriptions.id', 'desc')
    .executeTakeFirst()
  return (
    found && {
      visit: found.visit,
      cancelUrl: mailLink(config, 'cancel', { subject: found.visit, to }),
      // also the next try of a charge that failed
      next: nextChargeOf(found),
    }
  )
}
