/**
 * From facts to letters. Use cases enqueue `mail:{kind}` entries with facts in the transaction that makes them true;
 * here each becomes a finished mail (address, name, signed links, how it was paid) and is queued for the sender. A
 * notice that runs twice queues nothing twice: the mail's reason is the notice's.
 */
import { parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import type { OutboxHandler, OutboxJob } from '../jobs/outbox.ts'
import type { MailKind } from '../mail/mail.ts'
import { queueMail } from '../mail/queue.ts'
import { readBuyer } from './buyer.ts'
import type { Compose } from './compose.ts'
import { accessEnded, accessReopened, duplicateRefunded, refund, refundFailed } from './endings.ts'
import { accountWelcome, addOnReceipt, oneTimeReceipt, orderConfirmation, renewalReceipt, trialEnds } from './orders.ts'
import { cancellationConfirmed, cancellationUndone, paymentFailed } from './subscription.ts'

const COMPOSERS: Partial<Record<MailKind, Compose>> = {
  order_confirmation: orderConfirmation,
  addon_receipt: addOnReceipt,
  one_time_receipt: oneTimeReceipt,
  account_welcome: accountWelcome,
  trial_ends: trialEnds,
  renewal_receipt: renewalReceipt,
  payment_failed: paymentFailed,
  cancellation_confirmed: cancellationConfirmed,
  cancellation_undone: cancellationUndone,
  refund,
  refund_failed: refundFailed,
  duplicate_refunded: duplicateRefunded,
  access_ended: accessEnded,
  access_reopened: accessReopened,
}

function handlerOf(kind: MailKind, compose: Compose): OutboxHandler {
  return async (deps: Deps, job: OutboxJob) => {
    const buyer = job.session_id ? await readBuyer(deps, job.session_id) : null
    if (!buyer || !parseEmail(buyer.to)) {
      deps.log.error({ outbox: job.id, kind }, 'a notice without anybody to send it to')
      return
    }
    const composed = await compose(deps, buyer, job.payload)
    if (!composed) return
    // the notice's own row holds the key of its bare reason
    const reason = `${job.dedupe_key.slice(`mail:${kind}:`.length)}:letter`
    await queueMail(deps.db, composed.mail, reason, { ...composed.options, sessionId: buyer.sessionId })
  }
}

/** The outbox handlers of every `mail:{kind}` that is composed here. */
export const NOTICES: Readonly<Record<string, OutboxHandler>> = Object.fromEntries(
  Object.entries(COMPOSERS).map(([kind, compose]) => [`mail:${kind}`, handlerOf(kind as MailKind, compose)]),
)
