/** The service's mails: those sent, as they were written, and those pending, as they would be sent now. */
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import type { Database } from '../../db/connect.ts'
import { startLoop } from '../../payments-service/jobs/loop.ts'
import type { Mail, MailKind } from '../../payments-service/mail/mail.ts'
import { createMailLane, type MailJob } from '../../payments-service/mail/sender.ts'
import { writeMail } from '../../payments-service/notices/notices.ts'
import { workThrough } from '../../payments-service/queue/queue.ts'
import type { Service } from '../../payments-service/service.ts'
import type { Buyer } from './funnel.ts'
import { eventually } from './service.ts'

export interface SentMails {
  /** The mails to an address in sending order, once none that is due is pending. */
  to(address: string): Promise<Mail[]>
  stop(): Promise<void>
}

/** Sends the service's mails to a mail server that accepts everything, and keeps them. */
export async function startSending({ deps }: Service): Promise<SentMails> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => void stream.on('end', done).resume(),
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const all: Mail[] = []
  const lane = createMailLane({
    db: deps.db,
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    from: 'Eyes <eyes@example.com>',
    async write(job) {
      const mail = await writeMail(deps, job)
      if (typeof mail !== 'string') all.push(mail)
      return mail
    },
  })
  const loop = startLoop('mail', 100, deps.log, () => workThrough(deps, lane))
  /** due or being sent; mails planned for later, or postponed with an error, do not count */
  const waiting = async () => {
    const { rows } = await sql`
      select 1 from outbox where kind like 'mail:%' and sent_at is null and dead_at is null
        and (next_attempt_at <= now() or (attempts > 0 and last_error is null))`.execute(deps.db)
    return rows.length
  }
  return {
    async to(address) {
      await eventually(waiting, (count) => count === 0)
      return all.filter((mail) => mail.to === address)
    },
    async stop() {
      await loop.stop()
      lane.close()
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}

/** Asks for the link that resumes a visit, as its owner does on any page; the code that its mail carries. */
export async function mailedResumeCode(db: Database, { browser, path, sessionId }: Buyer): Promise<string> {
  await browser.post(path('/resume-link'))
  const mails = () =>
    db
      .selectFrom('outbox')
      .select('payload')
      .where('session_id', '=', sessionId)
      .where('kind', '=', 'mail:resume_link')
      .execute()
  const [row] = await eventually(mails, (rows) => rows.length > 0)
  const url = (row?.payload as unknown as { mail: { data: { resumeUrl: string } } }).mail.data.resumeUrl
  return new URL(url).hash.replace('#resume=', '')
}

/** The pending mails of a kind, oldest first: for each, what would be sent now, or the reason for sending nothing. */
export async function waitingMails<K extends MailKind>({ deps }: Service, kind: K, sessionId: string) {
  const jobs = await deps.db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', `mail:${kind}`)
    .where('session_id', '=', sessionId)
    .where('sent_at', 'is', null)
    .orderBy('id')
    .execute()
  const mails: (Extract<Mail, { kind: K }> | string)[] = []
  for (const job of jobs) mails.push((await writeMail(deps, job as unknown as MailJob)) as Extract<Mail, { kind: K }>)
  return mails
}
