import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { startMailbox, type Mailbox } from '../../stand-ins/mailbox/mailbox.ts'
import { startLoop } from '../../payments-service/jobs/loop.ts'
import { queueMail } from '../../payments-service/jobs/mails.ts'
import { enqueue } from '../../payments-service/jobs/outbox.queries.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { SAMPLES } from '../../payments-service/mail/samples.ts'
import { createMailLane, type MailJob, type MailLaneOptions, noteSent } from '../../payments-service/mail/sender.ts'
import { POLICIES } from '../../payments-service/queue/policies.ts'
import { claim, reviveAll, workThrough } from '../../payments-service/queue/queue.ts'

const from = 'Sample Programme <hello@sample.test>'
const log = createLog('silent')
let database: TestDatabase
let mailbox: Mailbox
let folder: string
const lanes: { close(): void }[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  mailbox = await startMailbox({ port: 0, smtpPort: 0, folder })
})
afterAll(async () => {
  await mailbox.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await sql`truncate outbox, mail_log cascade`.execute(database.db)
  await mailbox.store.clear()
})
afterEach(async () => {
  for (const lane of lanes.splice(0)) lane.close()
})

/** A job's mail as it was queued. */
const asQueued = ({ payload }: MailJob) => Promise.resolve(payload['mail'] as Mail)

/** A sender that runs only on request, until nothing is due. */
function sender(options: Partial<MailLaneOptions> = {}) {
  const { db } = database
  const lane = createMailLane({ db, smtpUrl: mailbox.smtpUrl, from, write: asQueued, ...options })
  lanes.push(lane)
  const drain = async () => {
    while (await workThrough({ db, log }, lane));
  }
  return { lane, drain }
}

const welcome = (to: string): Mail => ({
  kind: 'account_welcome',
  to,
  data: { email: to, appUrl: 'https://sample.test/app/' },
})
const row = async (mail: Mail, reason: string) =>
  database.db
    .selectFrom('outbox')
    .selectAll()
    .where('dedupe_key', '=', `mail:${mail.kind}:${reason}`)
    .executeTakeFirst()
const logged = () => database.db.selectFrom('mail_log').selectAll().execute()
/** No waiting between tries. */
const impatient = { ...POLICIES.mail, firstWait: 0, longestWait: 0, tries: 3 }

describe('queueing', () => {
  test('A-06 the same kind and reason is one mail, whatever calls for it and how often', async () => {
    const queued = await Promise.all(
      Array.from({ length: 8 }, () => queueMail(database.db, welcome('a@example.org'), 'user_1')),
    )
    expect(queued.filter(Boolean)).toHaveLength(1)
    await sender().drain()
    expect(await mailbox.store.list()).toHaveLength(1)
    expect(await queueMail(database.db, welcome('a@example.org'), 'user_1')).toBe(false)
  })

  test('A-06 a mail lives and dies with the transaction that queues it', async () => {
    const broken = database.db.transaction().execute(async (trx) => {
      await queueMail(trx, welcome('a@example.org'), 'user_1')
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    expect(await row(welcome('a@example.org'), 'user_1')).toBeUndefined()
  })

  test('a planned mail waits for its time: the reminder of a trial', async () => {
    const mail = SAMPLES['trial_ends']!
    const entry = { kind: 'mail:trial_ends', reason: 'sub_1', sessionId: null, payload: { mail } } as const
    await enqueue(database.db, { ...entry, sendAt: new Date(Date.now() + 60_000) })
    await sender().drain()
    expect(await mailbox.store.list()).toEqual([])
  })

  test('what is no address is refused before anything is written', async () => {
    await expect(queueMail(database.db, welcome('nobody'), 'x')).rejects.toThrow(TypeError)
    await expect(queueMail(database.db, welcome('a@b.cd\r\nBcc: c@d.ef'), 'x')).rejects.toThrow(TypeError)
    await expect(queueMail(database.db, welcome('a@b.cd'), '')).rejects.toThrow(TypeError)
  })
})

describe('sending', () => {
  test('A-06 P-14 every kind arrives as rendered, once, and stands in the log with its reason', async () => {
    for (const [name, mail] of Object.entries(SAMPLES)) await queueMail(database.db, mail, name)
    await sender().drain()
    const arrived = await mailbox.store.list({ to: 'ada@example.org' })
    expect(arrived.map(({ kind }) => kind).sort()).toEqual(
      Object.values(SAMPLES)
        .map(({ kind }) => kind)
        .sort(),
    )
    const entries = await logged()
    expect(entries).toHaveLength(arrived.length)
    for (const entry of entries) {
      expect(entry.result).toBe('sent')
      expect(Object.keys(SAMPLES)).toContain(entry.detail)
      const message = arrived.find(({ messageId }) => messageId === entry.message_id)
      expect(message?.subject).toBe(entry.subject)
      expect(entry.message_id).toBe(`<${entry.outbox_id}@sample.test>`)
    }
    const confirmation = arrived.find(({ subject }) => subject.startsWith('You paid twice'))!
    const whole = (await mailbox.store.get(confirmation.id))!
    expect(whole.from).toBe('hello@sample.test')
    expect(whole.text).toContain('Two payments arrived for the same order')
    expect(whole.html).toContain('<h1')
  })

  test('C-11 the unsubscribe headers arrive unbroken', async () => {
    await queueMail(database.db, SAMPLES['abandoned_checkout']!, 's')
    await sender().drain()
    const [summary] = await mailbox.store.list()
    const { headers } = (await mailbox.store.get(summary!.id))!
    const header = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value
    expect(header('list-unsubscribe')).toMatch(/^<https:\/\/sample\.test\/api\/unsubscribe\/\w+>$/)
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  test('two senders share a hundred mails and send none twice', async () => {
    for (let index = 0; index < 100; index++)
      await queueMail(database.db, welcome(`a${index}@example.org`), String(index))
    const both = [sender(), sender()]
    await Promise.all(both.map((one) => one.drain()))
    const arrived = await mailbox.store.list()
    expect(arrived).toHaveLength(100)
    expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(100)
    expect(await logged()).toHaveLength(100)
  })

  test('links and codes leave the database once they are delivered; amounts and dates stay as evidence', async () => {
    const mail = SAMPLES['order_confirmation']!
    await queueMail(database.db, mail, 'pi_1')
    await sender().drain()
    const sent = await row(mail, 'pi_1')
    const text = JSON.stringify(sent?.payload)
    expect(text).not.toContain('https://')
    expect((sent?.payload as unknown as { mail: Mail }).mail.data).toMatchObject({
      paid: 1767,
      paidAt: '2026-11-20T15:29:00Z',
    })
    expect(sent?.sent_at).toBeInstanceOf(Date)
  })

  test('a sender that stops finishes what it began', async () => {
    for (let index = 0; index < 20; index++)
      await queueMail(database.db, welcome(`a${index}@example.org`), String(index))
    const { lane } = sender()
    const one = startLoop('mail', 5, log, () => workThrough({ db: database.db, log }, lane))
    try {
      await expect.poll(async () => (await mailbox.store.list()).length).toBeGreaterThan(0)
    } finally {
      await one.stop()
    }
    expect(await logged()).toHaveLength((await mailbox.store.list()).length)
  })
})

describe('failing', () => {
  test('a mail waits for a mail server that is away and goes out under the same Message-ID', async () => {
    const place = await mkdtemp(join(tmpdir(), 'mailbox-'))
    const first = await startMailbox({ port: 0, smtpPort: 0, folder: place })
    const smtpPort = Number(new URL(first.smtpUrl).port)
    await first.stop()
    const mail = welcome('a@example.org')
    await queueMail(database.db, mail, 'x')
    const one = sender({
      smtpUrl: first.smtpUrl,
      policy: { ...impatient, firstWait: 0.05, longestWait: 0.05, tries: 100 },
    })
    const until = Date.now() + 5000
    while (!(await row(mail, 'x'))?.last_error && Date.now() < until) await one.drain()
    const before = await row(mail, 'x')
    expect(before?.last_error).toMatch(/ECONNREFUSED/)
    expect(before?.sent_at).toBeNull()
    const second = await startMailbox({ port: 0, smtpPort, folder: place })
    await expect
      .poll(async () => {
        await one.drain()
        return second.store.list()
      })
      .toMatchObject([{ messageId: `<${before?.id}@sample.test>` }])
    await second.stop()
    await rm(place, { recursive: true })
  })

  test('a mail that cannot be sent ends as a dead letter with its reason, and can be revived', async () => {
    const mail = SAMPLES['trial_ends']!
    const broken = { ...mail, data: { ...mail.data, chargeAt: 'soon' } } as Mail
    await queueMail(database.db, broken, 'sub_1')
    const one = sender({ policy: impatient })
    for (let n = 0; n < 3; n++) await one.drain()
    const dead = await row(mail, 'sub_1')
    expect(dead).toMatchObject({ attempts: 3, sent_at: null })
    expect(dead?.dead_at).toBeInstanceOf(Date)
    expect(dead?.last_error).toMatch(/invalid/i)
    expect(await logged()).toMatchObject([
      { result: 'failed', kind: 'trial_ends', detail: expect.stringMatching(/^sub_1: /) },
    ])
    expect(await mailbox.store.list()).toEqual([])
    expect(await reviveAll(database.db, 'outbox', sql`id = ${dead!.id}`)).toBe(1n)
    expect(await row(mail, 'sub_1')).toMatchObject({ attempts: 0, dead_at: null })
  })

  test('a recipient that the server refuses for good is given up at once, a passing refusal is not', async () => {
    const answers = { 'no@example.org': 550, 'busy@example.org': 450 } as Record<string, number>
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error('no'), { responseCode: answers[address] })),
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.server.address() as { port: number }
    await queueMail(database.db, welcome('no@example.org'), 'no')
    await queueMail(database.db, welcome('busy@example.org'), 'busy')
    await sender({ smtpUrl: `smtp://127.0.0.1:${port}` }).drain()
    expect(await row(welcome('no@example.org'), 'no')).toMatchObject({ attempts: 1, dead_at: expect.any(Date) })
    expect(await row(welcome('busy@example.org'), 'busy')).toMatchObject({ attempts: 1, dead_at: null })
    await new Promise<void>((done) => server.close(done))
  })

  test('a mail past its time and a mail nobody wants any more are not sent, and their links are dropped', async () => {
    const link = SAMPLES['magic_link']!
    await queueMail(database.db, link, 'late', { notAfter: new Date(Date.now() - 1000) })
    await queueMail(database.db, SAMPLES['abandoned_checkout']!, 'unsubscribed')
    await sender({ write: () => Promise.resolve('not true any more') }).drain()
    expect(await mailbox.store.list()).toEqual([])
    const late = await row(link, 'late')
    expect(late?.last_error).toMatch(/^not sent: too late/)
    expect(JSON.stringify(late?.payload)).not.toContain('https://')
    const unwanted = await row(SAMPLES['abandoned_checkout']!, 'unsubscribed')
    expect(unwanted).toMatchObject({ last_error: 'not sent: not true any more', dead_at: null })
    expect(JSON.stringify(unwanted?.payload)).not.toContain('https://')
  })

  test('a worker that died after its claim is taken over when the lease is over; the Message-ID stays', async () => {
    const mail = welcome('a@example.org')
    await queueMail(database.db, mail, 'x')
    const one = sender()
    const [lost] = await claim(database.db, { ...one.lane, policy: { ...POLICIES.mail, lease: 0.4 } })
    await one.drain()
    expect(await mailbox.store.list()).toEqual([])
    await expect
      .poll(async () => {
        await one.drain()
        return mailbox.store.list()
      })
      .toMatchObject([{ messageId: `<${lost?.id}@sample.test>` }])
    expect(await row(mail, 'x')).toMatchObject({ attempts: 2 })
  })

  test('a late record of a lost worker is the same record: one line in the log', async () => {
    await queueMail(database.db, welcome('a@example.org'), 'x')
    const one = sender()
    const [lost] = await claim<MailJob>(database.db, { ...one.lane, policy: { ...POLICIES.mail, lease: 0 } })
    await one.drain()
    const sent = { mail: welcome('a@example.org'), subject: '', messageId: `<${lost!.id}@sample.test>` }
    await noteSent(database.db, lost!, sent)
    expect(await logged()).toHaveLength(1)
  })

  test('a database that fails between acceptance and commit makes no second mail while the process lives', async () => {
    const mail = welcome('a@example.org')
    await queueMail(database.db, mail, 'x')
    await sql`create function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'away'; end $$`.execute(database.db)
    await sql`create trigger refuse before insert on mail_log for each row execute function refuse()`.execute(
      database.db,
    )
    try {
      const one = sender({ policy: impatient })
      await one.drain()
      expect(await mailbox.store.list()).toHaveLength(1)
      expect(await row(mail, 'x')).toMatchObject({ sent_at: null })
      await sql`drop trigger refuse on mail_log`.execute(database.db)
      await expect
        .poll(async () => {
          await one.drain()
          return (await row(mail, 'x'))?.sent_at
        })
        .toBeInstanceOf(Date)
      expect(await mailbox.store.list()).toHaveLength(1)
      expect(await logged()).toHaveLength(1)
    } finally {
      await sql`drop trigger if exists refuse on mail_log`.execute(database.db)
      await sql`drop function refuse`.execute(database.db)
    }
  })
})

test('the mailbox keeps mails as files and finds them again after a restart', async () => {
  await queueMail(database.db, welcome('a@example.org'), 'x')
  await sender().drain()
  expect((await readdir(folder)).filter((name) => name.endsWith('.eml'))).toHaveLength(1)
  const again = await startMailbox({ port: 0, smtpPort: 0, folder })
  expect(await again.store.list()).toHaveLength(1)
  await again.stop()
})
