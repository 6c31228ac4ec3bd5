/**
 * Sends mails through SMTP, one job each: written, handed to the mail server, recorded. Any number of replicas may do
 * it.
 *
 * The guarantee: every mail is accepted by the mail server at least once or ends as a dead letter with its reason, and
 * every sending of it has the same Message-ID, by which mail systems recognise a repetition. Exactly once is
 * impossible: a crash between the server's "250 accepted" and our commit loses the knowledge. That window is one small
 * transaction, begun straight after the answer; a process that is still alive remembers what was accepted and records
 * it later instead of sending again. Sending stops before the claim ends, so that two workers never hold one mail.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import nodemailer from 'nodemailer'
import type { Database } from '../../db/connect.ts'
import { POLICIES, type Policy } from '../queue/policies.ts'
import { type Entry, type Lane, Refused } from '../queue/queue.ts'
import { identityFrom, senderAddress } from './identity.ts'
import type { Mail, MailIdentity } from './mail.ts'
import { renderMail } from './render.ts'
import { withoutKeys } from './without-keys.ts'

/** A job of the outbox whose kind is `mail:*`. */
export interface MailJob extends Entry {
  /** `mail:{kind}` */
  kind: string
  /** `mail:{kind}:{reason}` */
  dedupe_key: string
  session_id: string | null
  payload: Record<string, unknown>
}

export interface MailLaneOptions {
  db: Database
  /** smtp://user:password@host:port, or smtps://… */
  smtpUrl: string
  /** 'Name <address>'. */
  from: string
  /** Writes the mail of a job as of now; a returned text says why there is none to send. */
  write(job: MailJob): Promise<Mail | string>
  /** The sender's identity, from the CMS settings. Derived from `from` when left out. */
  identity?: () => MailIdentity | Promise<MailIdentity>
  policy?: Policy
}

export interface MailLane extends Lane<MailJob> {
  /** Closes the connections. */
  close(): void
}

/** A mail that the server has accepted. */
interface Sent {
  mail: Mail
  subject: string
  messageId: string
}

/** Share of its lease that a mail may take. */
const LONGEST = 0.8

/** The lane of the queue that sends mails. Throws TypeError when `from` holds no address. */
export function createMailLane(options: MailLaneOptions): MailLane {
  const { db, from, write, policy = POLICIES.mail } = options
  const identity = options.identity ?? (() => identityFrom(from))
  const domain = senderAddress(from).address.split('@')[1] ?? 'localhost'
  const transport = nodemailer.createTransport(
    {
      url: options.smtpUrl,
      pool: true,
      maxConnections: policy.atOnce,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // a mail's data must not name a file or an address to load
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  /** Accepted by the server but not yet recorded because the database was away: we must not send it again. */
  const accepted = new Map<string, Sent>()

  async function send(job: MailJob, until: number): Promise<string | void> {
    const { notAfter } = job.payload
    if (typeof notAfter === 'string' && Date.parse(notAfter) < Date.now()) return `too late after ${notAfter}`
    const mail = await write(job)
    if (typeof mail === 'string') return mail
    const { subject, html, text, headers } = await renderMail(mail, await identity(), new Date())
    const messageId = `<${job.id}@${domain}>`
    // an object instead of text, so that nothing in an address can add a second recipient
    const to = { name: '', address: mail.to }
    if (Date.now() > until) throw new Error('writing the mail took too long')
    await transport.sendMail({ from, to, subject, html, text, headers, messageId })
    // even if `work` has given up waiting for it
    accepted.set(job.id, { mail, subject, messageId })
  }

  async function work(job: MailJob): Promise<string | void> {
    if (!accepted.has(job.id)) {
      const until = Date.now() + policy.lease * LONGEST * 1_000
      const nothing = await before(until, send(job, until)).catch((error: unknown) => {
        throw isRefusal(error) ? new Refused((error as Error).message) : error
      })
      if (nothing) await forgetKeys(db, job)
      if (nothing) return nothing
    }
    const sent = accepted.get(job.id)
    if (sent) await noteSent(db, job, sent)
    accepted.delete(job.id)
  }

  return {
    table: 'outbox',
    policy,
    which: sql`kind like 'mail:%'`,
    work,
    givenUp: (tx, job, why) => logMail(tx, job, { result: 'failed', why }),
    close: () => transport.close(),
  }
}

/**
 * Records in one transaction that a mail was accepted; recording the same message again changes nothing. Retries for
 * some seconds, because a process that starts in the meantime would send an unrecorded mail again.
 */
export async function noteSent(db: Database, job: MailJob, { mail, subject, messageId }: Sent): Promise<void> {
  const payload = JSON.stringify(withoutKeys({ ...job.payload, mail }))
  for (const wait of [50, 500, 2_000, null]) {
    try {
      return await db.transaction().execute(async (tx) => {
        // what its entry needs of the visit comes first: an erasure holds the visit, and then removes the job (D-12)
        await sql`select from sessions where id = ${job.session_id} for key share`.execute(tx)
        await sql`
          update outbox set sent_at = clock_timestamp(), dead_at = null, last_error = null, payload = ${payload}::jsonb
          where id = ${job.id} and sent_at is null`.execute(tx)
        await logMail(tx, job, { result: 'sent', to: mail.to, subject, messageId })
      })
    } catch (error) {
      if (wait === null) throw error
      await pause(wait)
    }
  }
}

/** Removes links and codes from a mail that will not be sent any more. */
async function forgetKeys(db: Database, { id, payload }: MailJob): Promise<void> {
  const kept = JSON.stringify(withoutKeys(payload))
  await sql`update outbox set payload = ${kept}::jsonb where id = ${id} and sent_at is null`.execute(db)
}

interface Logged {
  result: 'sent' | 'failed'
  to?: string
  subject?: string
  messageId?: string
  why?: string
}

/** Of a mail whose row was erased in between only the fact is logged, as an erasure leaves it (privacy/erase.ts). */
async function logMail(
  tx: Database,
  job: MailJob,
  { result, to, subject = '', messageId, why }: Logged,
): Promise<void> {
  const { id, session_id, kind, dedupe_key, payload } = job
  const reason = dedupe_key.slice(kind.length + 1)
  const written = to ?? (payload['mail'] as Partial<Mail> | undefined)?.to ?? null
  const kept = await tx.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst()
  const about = kept
    ? sql`coalesce(${written}, (select email from sessions where id = ${session_id}), ''), ${subject},
        ${why ? `${reason}: ${why}` : reason}`
    : sql`'erased', 'erased', null`
  await sql`
    insert into mail_log (outbox_id, session_id, kind, message_id, result, recipient, subject, detail)
    values (${kept?.id ?? null}, ${session_id}, ${kind.slice('mail:'.length)}, ${messageId ?? id}, ${result}, ${about})
    on conflict (message_id) where result = 'sent' do nothing`.execute(tx)
}

/** Whether the server refused this recipient for good: another try would get the same answer. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

async function before<T>(until: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server took too long')), until - Date.now())
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
