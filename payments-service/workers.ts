import { HOUR } from '../contract/time.ts'
import { createAlerts, type Watch } from './alerts/look.ts'
import { remindAbandoned } from './checkout/abandoned.ts'
import { reconcileAfterStart } from './payments/reconcile.ts'
import type { Deps } from './deps.ts'
import { OUTBOX_HANDLERS } from './handlers.ts'
import { createAfterStart } from './jobs/after-start.ts'
import { type Heartbeats, type Loop, runSteps, startLoop } from './jobs/loop.ts'
import { workOutbox } from './jobs/outbox.ts'
import { createMailLane } from './mail/sender.ts'
import { noteAccess } from './metrics/access.ts'
import { writeMail } from './notices/notices.ts'
import { forgetOldEvidence } from './privacy/evidence.ts'
import { forgetOldExits } from './privacy/exits.ts'
import { forgetOldAskedMails } from './privacy/asked-mails.ts'
import { forgetOldClicks, forgetOldContents, forgetOldVisits } from './privacy/retention.ts'
import { workThrough } from './queue/queue.ts'
import { finishCancellations } from './subscriptions/cancel.ts'
import { startWaitingSubscriptions } from './subscriptions/waiting.ts'
import { CONVERSION_HANDLERS } from './tracking/conversions.ts'
import {
  COUNTS,
  forgetOldCounters,
  forgetOldCounts,
  keepPartitions,
  markAbandoned,
  refreshFunnel,
} from './tracking/upkeep.ts'
import { workInbox } from './webhooks/inbox.ts'
import { createPoll } from './webhooks/poll.ts'
import { checkWebhookEndpoint } from './webhooks/watch.ts'

export interface Workers {
  wake(what: 'inbox' | 'outbox'): void
  /** Each loop, by name. */
  heartbeats(): Heartbeats
  /** Resolves when every loop has finished its present item. */
  stop(): Promise<void>
}

/**
 * Everything that runs outside requests, in every replica unless ROLE says otherwise: no two take the same row, and all
 * work may be done twice. A replica that only serves looks for alerts all the same: one has to report that no worker
 * runs.
 */
export function startWorkers(deps: Deps, watch: Watch): Workers {
  const { log } = deps
  const alerts = createAlerts(watch)
  const look = startLoop('alerts', 60_000, log, async () => {
    await alerts.look()
    return false
  })
  const work = deps.config.role === 'web' ? undefined : startWork(deps)
  const all: Record<string, Loop> = { ...work?.loops, alerts: look }
  return {
    heartbeats: () => Object.fromEntries(Object.entries(all).map(([name, loop]) => [name, loop.heartbeat()])),
    wake: (what) => work?.wake(what),
    stop: async () => {
      await Promise.all(Object.values(all).map((loop) => loop.stop()))
      await alerts.leave().catch((error: unknown) => log.warn({ err: error }, 'what it saw is forgotten in an hour'))
      await work?.leave()
    },
  }
}

interface Work {
  loops: Record<string, Loop>
  wake: Workers['wake']
  /** After the last round. */
  leave(): Promise<void>
}

/** The loops that work. Without SMTP_URL mails wait. */
function startWork(deps: Deps): Work {
  const { log } = deps
  let reconciled = false
  const reconcile = createAfterStart(deps.db, 'reconciled', async (goOn) => {
    // the sandbox gets its one endpoint when it starts
    if (!deps.config.embedded && !deps.config.rehearsal) await checkWebhookEndpoint(deps)
    return reconcileAfterStart(deps, goOn)
  })
  const poll = createPoll(deps)
  const mails = startMails(deps)
  const loops = {
    inbox: startLoop('inbox', 1_000, log, () => workInbox(deps)),
    outbox: startLoop('outbox', 2_000, log, () => workOutbox(deps, OUTBOX_HANDLERS)),
    // an advertiser that does not answer holds up nothing else (T-04)
    conversions: startLoop('conversions', 2_000, log, () => workOutbox(deps, CONVERSION_HANDLERS)),
    poll: startLoop('poll', 5_000, log, async (goOn) => {
      await poll.round(goOn)
      return false
    }),
    reconcile: startLoop('reconcile', 10_000, log, (goOn) =>
      runSteps(log, [
        async () => (reconciled ||= await reconcile(goOn)),
        () => startWaitingSubscriptions(deps, goOn),
        () => finishCancellations(deps, goOn),
        () => forgetOldCounters(deps),
      ]),
    ),
    abandonment: startLoop('abandonment', 60_000, log, () =>
      runSteps(log, [() => markAbandoned(deps), () => remindAbandoned(deps), () => refreshFunnel(deps)]),
    ),
    partitions: startLoop('partitions', 6 * HOUR, log, (goOn) =>
      runSteps(log, [
        () => keepPartitions(deps),
        ...COUNTS.map((counts) => () => forgetOldCounts(deps, counts, goOn)),
        () => forgetOldVisits(deps, goOn),
        () => forgetOldContents(deps, goOn),
        () => forgetOldClicks(deps, goOn),
        () => forgetOldAskedMails(deps.db),
        () => forgetOldExits(deps.db),
        () => forgetOldEvidence(deps.db, goOn),
        () => noteAccess(deps.db),
      ]),
    ),
  }
  return {
    loops: { ...loops, ...(mails ? { mails } : {}) },
    wake: (what) => {
      loops[what].wake()
      if (what === 'inbox') return
      loops.conversions.wake()
      mails?.wake()
    },
    leave: () =>
      poll.leave().catch((error: unknown) => log.warn({ err: error }, 'another replica polls in some seconds')),
  }
}

/**
 * Sends the mails of the outbox in the name of the company in the CMS settings, in a separate loop because mail is
 * slow.
 */
function startMails(deps: Deps): Loop | undefined {
  const { config, db, log } = deps
  const { smtpUrl, from } = config.mail
  if (!smtpUrl) return undefined
  const lane = createMailLane({
    db,
    smtpUrl,
    from,
    write: (job) => writeMail(deps, job),
    identity: async () => (await deps.settings()).identity,
  })
  const loop = startLoop('mails', 1_000, log, () => workThrough(deps, lane))
  return { ...loop, stop: () => loop.stop().finally(() => lane.close()) }
}
