/**
 * Sends what waits in the outbox, through SMTP. Any number of replicas may run it.
 *
 * What is guaranteed: every mail is accepted by the mail server at least once or ends as a dead letter with its reason,
 * and every sending of it carries the same Message-ID, by which mail systems know a repetition. Exactly once cannot be
 * had: between the server's "250 accepted" and our commit a crash loses the knowledge. That window is one small
 * transaction, entered straight after the answer and repeated while the lease lasts; a process that is still alive
 * remembers what it had accepted and records it later instead of sending again. The lease is longer than the longest
 * sending, so that two workers never hold one mail.
 */
import type { Kysely } from 'kysely'
import nodemailer from 'nodemailer'
import type { DB } from '../../db/types.ts'
import { identityFrom, senderAddress } from './identity.ts'
import type { Mail, MailIdentity } from './mail.ts'
import { claimMail, giveUp, putOff, recordSent, type ClaimedMail, type Outcome } from './outbox.queries.ts'
import { withoutKeys, type MailPayload } from './queue.ts'
import { isMailKind, renderMail } from './render.ts'
import { MAX_ATTEMPTS, retryWait } from './schedule.ts'

/** The part of a pino logger that is used. Nothing personal is ever logged: ids, kinds, codes. */
export interface SenderLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface MailSenderOptions {
  db: Kysely<DB>
  /** smtp://user:password@host:port, or smtps://… */
  smtpUrl: string
  /** 'Name <address>'. */
  from: string
  log: SenderLog
  /** Who writes; from the CMS settings. Made from `from` when left out. */
  identity?: () => MailIdentity | Promise<MailIdentity>
  /** Asked before each sending: marketing is not sent to somebody who has unsubscribed since. False drops the mail. */
  isWanted?: (mail: Mail, sessionId: string | null) => Promise<boolean>
  /** H-04: the way out for whoever gets a mail that was written without one; null where there is nothing to cancel. */
  cancelUrl?: (to: string) => Promise<string | null>
  /** Milliseconds between looks into the outbox; 1000 when left out. */
  pollMs?: number
  /** Sendings at the same time; 4 when left out. */
  concurrency?: number
  maxAttempts?: number
  /** Milliseconds a claim lasts; 120 000 when left out. Sending is given up at half of it. */
  leaseMs?: number
  /** Waits between tries; for tests. */
  wait?: (attempts: number) => number
}

export interface MailSender {
  /** Takes no more mails, finishes those on their way, closes the connections. */
  stop(): Promise<void>
  /**
   * Resolves when nothing is due any more (mails put off or planned for later excepted).
   * Rejects when the database does.
   */
  drain(): Promise<void>
}

/** Starts sending at once. Throws TypeError when `from` holds no address. */
export function startMailSender(options: MailSenderOptions): MailSender {
  const { db, log, from } = options
  const { pollMs = 1000, concurrency = 4, maxAttempts = MAX_ATTEMPTS, leaseMs = 120_000, wait = retryWait } = options
  const identity = options.identity ?? (() => identityFrom(from))
  const domain = senderAddress(from).address.split('@')[1] ?? 'localhost'
  const transport = nodemailer.createTransport(
    {
      url: options.smtpUrl,
      pool: true,
      maxConnections: concurrency,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // data of a mail names no file and no address to load from
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  /** Accepted by the server, not yet recorded because the database was away: never to be sent again by us. */
  const accepted = new Map<string, Outcome>()
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function work(): Promise<void> {
    while (!stopping) {
      const claimed = await claimMail(db, leaseMs, domain)
      if (!claimed) return
      await handle(claimed)
    }
  }

  async function handle(claimed: ClaimedMail): Promise<void> {
    const until = Date.now() + leaseMs
    const before = accepted.get(claimed.id)
    if (before) return record(claimed, before, until)

    const payload = claimed.payload as Partial<MailPayload> | null
    const mail = payload?.mail
    const reason = payload?.reason ?? ''
    const outcome: Outcome = {
      kind: typeof mail?.kind === 'string' ? mail.kind : 'unknown',
      recipient: typeof mail?.to === 'string' ? mail.to : '',
      subject: '',
      detail: reason,
      payload: withoutKeys(payload),
    }
    try {
      // a row written by a newer replica during a deployment: an older one leaves it to the newer
      if (!mail || !isMailKind(mail.kind)) throw new TypeError(`no template for the mail kind ${outcome.kind}`)
      if (payload.notAfter && Date.parse(payload.notAfter) < Date.now()) {
        return await end(claimed, outcome, `too late: not to be sent after ${payload.notAfter}`)
      }
      if (options.isWanted && !(await options.isWanted(mail, claimed.sessionId))) {
        return await end(claimed, outcome, 'not wanted any more')
      }
      const complete = await withWayOut(mail, options.cancelUrl)
      const { subject, html, text, headers } = await renderMail(complete, await identity(), new Date())
      outcome.subject = subject
      await within(
        leaseMs / 2,
        transport.sendMail({
          from,
          // an object, not text: nothing in an address can add a second recipient
          to: { name: '', address: mail.to },
          subject,
          html,
          text,
          headers,
          messageId: claimed.messageId,
        }),
      )
    } catch (error) {
      return failed(claimed, outcome, error)
    }
    accepted.set(claimed.id, outcome)
    return record(claimed, outcome, until)
  }

  async function record(claimed: ClaimedMail, outcome: Outcome, until: number): Promise<void> {
    for (let pause = 50; ; pause = Math.min(pause * 2, 5000)) {
      try {
        await recordSent(db, claimed, outcome)
        accepted.delete(claimed.id)
        log.info({ outbox: claimed.id, kind: outcome.kind, attempts: claimed.attempts }, 'mail sent')
        return
      } catch (error) {
        log.error({ outbox: claimed.id, code: codeOf(error) }, 'mail accepted but not yet recorded')
        if (stopping || Date.now() + pause > until) throw error
        await new Promise((done) => setTimeout(done, pause))
      }
    }
  }

  async function failed(claimed: ClaimedMail, outcome: Outcome, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const fields = { outbox: claimed.id, kind: outcome.kind, attempts: claimed.attempts, code: codeOf(error) }
    if (isRefusal(error) || claimed.attempts >= maxAttempts) {
      await giveUp(db, claimed, message, { ...outcome, detail: `${outcome.detail}: ${message}` })
      log.error(fields, 'mail given up')
      return
    }
    await putOff(db, claimed, wait(claimed.attempts), message)
    log.warn(fields, 'mail put off')
  }

  async function end(claimed: ClaimedMail, outcome: Outcome, why: string): Promise<void> {
    await giveUp(db, claimed, why, { ...outcome, detail: `${outcome.detail}: ${why}` }, true)
    log.info({ outbox: claimed.id, kind: outcome.kind }, 'mail not sent')
  }

  function pump(): Promise<void> {
    // all of them are waited for, also when one fails: stop() must not close what another still sends through
    running ??= Promise.allSettled(Array.from({ length: concurrency }, work)).then((ends) => {
      running = undefined
      const broken = ends.find((end) => end.status === 'rejected')
      if (broken) throw broken.reason
    })
    return running
  }

  function schedule(after: number): void {
    if (stopping) return
    timer = setTimeout(() => {
      pump().then(
        () => schedule(pollMs),
        (error: unknown) => {
          log.error({ code: codeOf(error) }, 'the outbox cannot be read')
          schedule(Math.max(pollMs, 5000))
        },
      )
    }, after)
  }
  schedule(0)

  return {
    async drain() {
      // a worker that found nothing may have ended before the last row came: look once more after it
      await pump()
      await pump()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running?.catch(() => undefined)
      transport.close()
    },
  }
}

/** The foot of every mail is the same: what its writer left out is looked up for its reader. */
async function withWayOut(mail: Mail, lookUp: MailSenderOptions['cancelUrl']): Promise<Mail> {
  if (mail.data.cancelUrl || !lookUp) return mail
  return { ...mail, data: { ...mail.data, cancelUrl: await lookUp(mail.to) } } as Mail
}

/** The server said no to this very recipient, for good: another try would get the same answer. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server took too long')), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
