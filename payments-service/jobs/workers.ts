import { readdressCustomer } from '../accounts/correction.ts'
import { sendAskedMail } from '../accounts/asked-mails.ts'
import { remindAbandoned } from '../checkout/abandoned.ts'
import { refundDuplicate } from '../checkout/duplicates.ts'
import type { Deps } from '../deps.ts'
import { giveMoneyBack } from '../money-back/refund.ts'
import { NOTICES } from '../notices/notices.ts'
import { closeProgramme } from '../grants/grants.queries.ts'
import { cancelIntents } from '../privacy/open-payments.ts'
import { forgetOldVisits } from '../privacy/retention.ts'
import { refundOwed } from '../refunds/give-back.ts'
import type { MoneyKind } from './kinds.ts'
import { endSubscription } from '../subscriptions/end.ts'
import { finishCancellations } from '../subscriptions/cancel.ts'
import { finishUndo } from '../upsell/undo.ts'
import { checkWebhookEndpoint } from '../webhooks/watch.ts'
import { workInbox } from './inbox.ts'
import { CONVERSION_HANDLERS } from '../tracking/conversions.ts'
import { keepPartitions, markAbandoned, refreshFunnel } from '../tracking/upkeep.ts'
import { type Loop, startLoop } from './loop.ts'
import { type OutboxHandler, workOutbox } from './outbox.ts'
import { createPoll } from './poll.ts'
import { forgetOldCounters, reconcileAfterStart, startWaitingSubscriptions } from './reconcile.ts'

/** Every kind of class money has its handler. */
const MONEY: Readonly<Record<MoneyKind, OutboxHandler>> = {
  refund_owed: refundOwed,
  cancel_intents: cancelIntents,
  close_programme: closeProgramme,
  undo_add_on: finishUndo,
  refund_duplicate: refundDuplicate,
  money_back: giveMoneyBack,
  end_subscription: endSubscription,
}

/** What is sent by which kind of outbox entry. Mails that are finished are the mail sender's. */
export const OUTBOX_HANDLERS: Readonly<Record<string, OutboxHandler>> = {
  ...MONEY,
  readdress_customer: readdressCustomer,
  asked_mail: sendAskedMail,
  ...NOTICES,
  ...CONVERSION_HANDLERS,
}

export interface Workers {
  wake(what: 'inbox' | 'outbox'): void
  stop(): Promise<void>
}

/**
 * Everything that runs beside the requests, in every replica: rows are taken past each other, and all work may be done
 * twice. Small loops over our own tables instead of a queue: an event's row is its job, so the two can never differ.
 */
export function startWorkers(deps: Deps): Workers {
  const { log } = deps
  let reconciled = false
  const poll = createPoll(deps)
  const loops: Record<'inbox' | 'outbox' | 'poll' | 'reconcile' | 'abandonment' | 'partitions', Loop> = {
    inbox: startLoop('inbox', 1_000, log, () => workInbox(deps)),
    outbox: startLoop('outbox', 2_000, log, () => workOutbox(deps, OUTBOX_HANDLERS)),
    poll: startLoop('poll', 5_000, log, async () => {
      await poll.round()
      return false
    }),
    reconcile: startLoop('reconcile', 10_000, log, async () => {
      if (!reconciled) {
        // the embedded Stripe is told its one endpoint when it starts
        if (!deps.config.embedded) await checkWebhookEndpoint(deps)
        await reconcileAfterStart(deps)
        reconciled = true
      }
      await startWaitingSubscriptions(deps)
      await finishCancellations(deps)
      await forgetOldCounters(deps)
      return false
    }),
    abandonment: startLoop('abandonment', 60_000, log, async () => {
      await markAbandoned(deps)
      await remindAbandoned(deps)
      await refreshFunnel(deps)
      return false
    }),
    partitions: startLoop('partitions', 6 * 3_600_000, log, async () => {
      await keepPartitions(deps)
      await forgetOldVisits(deps)
      return false
    }),
  }
  return {
    wake: (what) => loops[what].wake(),
    stop: async () => {
      await Promise.all(Object.values(loops).map((loop) => loop.stop()))
      await poll.leave().catch((error: unknown) => log.warn({ err: error }, 'another replica polls in some seconds'))
    },
  }
}
