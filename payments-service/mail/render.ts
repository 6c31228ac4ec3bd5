/** Turns a mail into the message that is sent. Pure: the same mail at the same moment is always the same message. */
import { footOf } from './letter.foot.ts'
import { toHtml } from './letter.html.ts'
import { toText } from './letter.text.ts'
import { address, type Letter } from './letter.ts'
import type { Mail, MailData, MailIdentity, MailKind } from './mail.ts'
import * as access from './templates/access.ts'
import * as account from './templates/account.ts'
import * as cancellation from './templates/cancellation.ts'
import * as duplicates from './templates/duplicates.ts'
import * as exit from './templates/exit.ts'
import * as orders from './templates/orders.ts'
import * as refunds from './templates/refunds.ts'
import * as running from './templates/running.ts'
import * as subscription from './templates/subscription.ts'
import type { Setting } from './templates/words.ts'

type Template<Kind extends MailKind> = (data: MailData[Kind], setting: Setting) => Letter

const TEMPLATES: { [Kind in MailKind]: Template<Kind> } = {
  order_confirmation: orders.orderConfirmation,
  addon_receipt: orders.addOnReceipt,
  one_time_receipt: orders.oneTimeReceipt,
  account_welcome: account.accountWelcome,
  trial_ends: subscription.trialEnds,
  price_changed: subscription.priceChanged,
  renewal_receipt: subscription.renewalReceipt,
  yearly_reminder: running.yearlyReminder,
  second_withdrawal: running.secondWithdrawal,
  payment_failed: subscription.paymentFailed,
  cancellation_confirmed: cancellation.cancellationConfirmed,
  cancellation_undone: cancellation.cancellationUndone,
  refund: refunds.refund,
  refund_failed: refunds.refundFailed,
  duplicate_refunded: duplicates.duplicateRefunded,
  already_subscribed: subscription.alreadySubscribed,
  access_ended: access.accessEnded,
  purchase_ended: access.purchaseEnded,
  access_reopened: access.accessReopened,
  abandoned_checkout: orders.abandonedCheckout,
  resume_link: account.resumeLink,
  password_reset: account.passwordReset,
  magic_link: account.magicLink,
  email_verification_code: account.emailVerificationCode,
  money_back_requested: refunds.moneyBackRequested,
  money_back_decided: refunds.moneyBackDecided,
  withdrawal_received: refunds.withdrawalReceived,
  exit_received: exit.exitReceived,
  fresh_cancel_link: cancellation.freshCancelLink,
}

export interface RenderedMail {
  subject: string
  html: string
  text: string
  /** Headers for unsubscribing by mail programs (RFC 2369, RFC 8058). */
  headers: Record<string, string>
}

/**
 * Renders a mail as it is sent at `now`. Throws RangeError or TypeError when its data holds an amount that is not whole
 * cents, an invalid date, or a link that is not http(s) or contains a session's id.
 */
export async function renderMail(mail: Mail, identity: MailIdentity, now: Date): Promise<RenderedMail> {
  const letter = letterOf(mail, identity, now)
  const foot = footOf(letter, mail.data, identity)
  const headers: Record<string, string> = { 'X-Mail-Kind': mail.kind, 'Auto-Submitted': 'auto-generated' }
  if (letter.unsubscribeUrl) {
    headers['List-Unsubscribe'] = `<${address(letter.unsubscribeUrl)}>`
    headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
  }
  return {
    subject: letter.subject,
    html: await toHtml(letter, foot, identity),
    text: toText(letter, foot, identity),
    headers,
  }
}

/** The words of a mail as it is sent at `now`, in plain text. Throws what renderMail throws. */
export function renderText(mail: Mail, identity: MailIdentity, now: Date): string {
  const letter = letterOf(mail, identity, now)
  return toText(letter, footOf(letter, mail.data, identity), identity)
}

function letterOf(mail: Mail, identity: MailIdentity, now: Date): Letter {
  const template = TEMPLATES[mail.kind] as Template<MailKind> | undefined
  // queued by a newer replica during a deployment: leave it to a newer one
  if (!template) throw new TypeError(`no template for the mail kind ${mail.kind}`)
  return template(mail.data, { identity, now })
}
