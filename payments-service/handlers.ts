/** Maps kinds of jobs to use cases: the queue itself (jobs/) knows none of them. */
import { readdressCustomer } from './members/correction.ts'
import { mailSignInLink, startPasswordReset } from './accounts/sign-in.ts'
import { refundDuplicate } from './subscriptions/duplicates.ts'
import { closeProgramme } from './grants/grants.queries.ts'
import { askedMailHandler, type AskedMailSenders } from './jobs/asked-mails.ts'
import type { MoneyKind } from './jobs/kinds.ts'
import type { OutboxHandler } from './jobs/outbox.ts'
import { acknowledgeExit, carryOutWithdrawal } from './exit/carry-out.ts'
import { giveMoneyBack } from './money-back/refund.ts'
import { mailAlreadySubscribed } from './notices/already-subscribed.ts'
import { cancelIntents } from './privacy/open-payments.ts'
import { refundOwed } from './payments/give-back.ts'
import { mailResumeLink } from './sessions/handover.ts'
import { endSubscription } from './subscriptions/end.ts'
import { priceChanger } from './subscriptions/planned-price.ts'
import { syncSubscription } from './subscriptions/sync.ts'
import { finishUndo } from './upsell/undo.ts'

/** The handlers of all kinds of class money. */
const MONEY: Readonly<Record<MoneyKind, OutboxHandler>> = {
  refund_owed: refundOwed,
  cancel_intents: cancelIntents,
  change_price: priceChanger((deps, id) => syncSubscription(deps, id, undefined)),
  close_programme: closeProgramme,
  undo_add_on: finishUndo,
  refund_duplicate: refundDuplicate,
  money_back: giveMoneyBack,
  end_subscription: endSubscription,
  exit_received: acknowledgeExit,
  exit_withdrawal: carryOutWithdrawal,
}

/** Finds the recipient of each kind of requested mail. */
const ASKED_MAILS: AskedMailSenders = {
  password_reset: startPasswordReset,
  magic_link: mailSignInLink,
  already_subscribed: mailAlreadySubscribed,
  resume_link: mailResumeLink,
}

/** The handler of each kind of outbox entry; mails and events for advertisers have their own lanes. */
export const OUTBOX_HANDLERS: Readonly<Record<string, OutboxHandler>> = {
  ...MONEY,
  readdress_customer: readdressCustomer,
  asked_mail: askedMailHandler(ASKED_MAILS),
}
