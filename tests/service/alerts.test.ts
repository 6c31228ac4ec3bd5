/** The service's own look: real conditions of a real shop, reported to a mailbox and to an HTTP receiver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAlerts } from '../../payments-service/alerts/look.ts'
import { connect } from '../../db/connect.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { startLoop } from '../../payments-service/jobs/loop.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { requestMoneyBack } from '../../payments-service/money-back/request.ts'
import { keepCancellation } from '../../payments-service/payments/subscriptions.queries.ts'
import { finishCancellations } from '../../payments-service/subscriptions/cancel.ts'
import { startWaitingSubscriptions } from '../../payments-service/subscriptions/waiting.ts'
import { workInbox } from '../../payments-service/webhooks/inbox.ts'
import { createPoll } from '../../payments-service/webhooks/poll.ts'
import { type Mailbox, startMailbox } from '../../stand-ins/mailbox/mailbox.ts'
import { type Funnel, startFunnel, subscriptionRow } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { eventually, startService } from './service.ts'

let folder: string
let mailbox: Mailbox
let receiver: Server
/** What the receiver has got; it answers with `answers` first. */
let got: { text: string }[]
let answers: number[]
let funnel: Funnel
const watching: { close(): Promise<void> }[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  mailbox = await startMailbox({ port: 0, smtpPort: 0, folder })
  got = []
  answers = []
  receiver = createServer((req, res) => {
    let body = ''
    req.on('data', (part: Buffer) => (body += part.toString()))
    req.on('end', () => {
      const status = answers.shift() ?? 200
      if (status === 200) got.push(JSON.parse(body) as { text: string })
      res.writeHead(status).end()
    })
  })
  await new Promise<void>((listening) => void receiver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  funnel = await startFunnel({
    webhooks: false,
    background: false,
    env: { SMTP_URL: mailbox.smtpUrl, ALERT_MAIL: 'ops@example.com', ALERT_URL: url },
  })
})
afterEach(async () => {
  await Promise.all(watching.splice(0).map(({ close }) => close()))
  await funnel.stop()
  receiver.closeAllConnections()
  receiver.close()
  await mailbox.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** One replica's looks, as often as a test asks. */
function replica(loops = {}, turn = 0) {
  const log = createLog('silent')
  const own = connect(funnel.databaseUrl, { max: 1 })
  watching.push(own)
  const metrics = createMetrics({ db: own.db, pools: {}, loops: () => loops, lake: null, log })
  return createAlerts({ config: funnel.config, db: own.db, metrics, log, turn })
}
/** The same as if it had begun, or had been over, that many seconds earlier. */
const age = (seconds: number) =>
  sql`update alerts set since = since - make_interval(secs => ${seconds}),
    over_at = over_at - make_interval(secs => ${seconds})`.execute(funnel.db)
/** Moves the clock of this process alone. */
const later = (seconds: number) => {
  const at = Date.now() + seconds * 1000
  vi.useFakeTimers({ toFake: ['Date'], now: at })
}
const texts = () => got.map(({ text }) => text)
const mails = async () => (await mailbox.store.list({ to: 'ops@example.com' })).map(({ subject }) => subject).reverse()

test('N-03 paid without access: told once by mail and by POST, and once when it is over', async () => {
  const { look } = replica()
  await look()
  const buyer = await funnel.buyer()
  await buyer.pay()
  await look()
  expect([texts(), await mails()]).toEqual([[], []])

  await sql`delete from product_access_grants where session_id = ${buyer.sessionId}`.execute(funnel.db)
  await sql`update payments set settled_at = now() - interval '3 minutes'`.execute(funnel.db)
  await look()
  // it has to last
  expect(texts()).toEqual([])
  await age(60)
  for (let again = 0; again < 3; again++) await look()
  expect(texts()).toEqual([
    expect.stringMatching(
      new RegExp(
        String.raw`^ALERT: PaidWithoutAccess at 127\.0\.0\.1:4321\. A buyer has paid .* Measured: 18\d.* ` +
          String.raw`\(alert above 120\), since .* UTC\. What to do: docs/runbooks/paid-without-access\.md$`,
      ),
    ),
  ])
  expect(await mails()).toEqual(['ALERT: A buyer has paid and cannot open what was bought'])
  expect(JSON.stringify(got)).not.toContain(buyer.sessionId)

  await sql`select grant_product_access(${buyer.sessionId}, 'a@example.com', 'trial_1', 'operator', null)`.execute(
    funnel.db,
  )
  await look()
  // it may come again at once
  expect(texts()).toHaveLength(1)
  await age(300)
  for (let again = 0; again < 3; again++) await look()
  expect(texts().slice(1)).toEqual([expect.stringMatching(/^Over: PaidWithoutAccess at /)])
  expect(await mails()).toHaveLength(2)
  expect(await funnel.db.selectFrom('alerts').selectAll().execute()).toEqual([])
})

test('N-03 a charge at Stripe that nobody has settled counts as paid without access', async () => {
  const { look } = replica()
  const buyer = await funnel.buyer()
  const opened = await buyer.open()
  await funnel.confirm(opened.body)
  await createPoll(funnel.service.deps).round(() => true)
  await sql`update webhook_events set created = now() - interval '10 minutes'`.execute(funnel.db)
  await look()
  await age(60)
  await look()
  expect(texts().filter((text) => text.includes('PaidWithoutAccess'))).toHaveLength(1)
})

test('N-03 webhooks silent: what the poll alone has found is told of after ten minutes', async () => {
  const { look } = replica()
  const buyer = await funnel.buyer()
  await buyer.pay()
  await createPoll(funnel.service.deps).round(() => true)
  await look()
  await age(599)
  await look()
  expect(texts().filter((text) => text.includes('WebhooksSilent'))).toEqual([])
  await age(2)
  await look()
  expect(texts().filter((text) => text.includes('WebhooksSilent'))).toEqual([
    expect.stringMatching(/Measured: 1 \(alert above 0\.9\)/),
  ])
})

test('N-03 a dead letter is told of with its kind; three replicas that look at once tell it once', async () => {
  await funnel.db
    .insertInto('outbox')
    .values({ kind: 'refund_owed', dedupe_key: 'refund_owed:x', dead_at: new Date(), attempts: 100 })
    .execute()
  const all = [replica({}, 55), replica({}, 55), replica({}, 55)]
  for (let minute = 0; minute < 3; minute++) {
    await Promise.all(all.map(({ look }) => look()))
    await sql`update bookmarks set at = at - interval '1 minute' where name = 'alerts'`.execute(funnel.db)
  }
  expect((await funnel.db.selectFrom('replicas').select('id').execute()).length).toBe(3)
  await Promise.all(all.map(({ leave }) => leave()))
  expect(await funnel.db.selectFrom('replicas').select('id').execute()).toEqual([])
  expect(texts()).toEqual([expect.stringMatching(/^Alert: DeadLetters .* Measured: refund_owed 1 \(alert above 0\)/)])
})

test('N-03 a loop that hangs in one replica is told of by another, and its end once it goes on', async () => {
  let now = 0
  let go: () => void = () => undefined
  const loop = startLoop(
    'inbox',
    10,
    createLog('silent'),
    () => new Promise<boolean>((done) => (go = () => done(false))),
    () => now,
  )
  const beats = {
    get inbox() {
      return loop.heartbeat()
    },
  }
  const other = replica()
  await other.look()
  // the turn is taken: this replica only notes what it sees of itself
  const hanging = replica(beats, 1_000_000)
  now = 100_000
  await hanging.look()
  await other.look()
  expect(texts()).toEqual([expect.stringMatching(/^ALERT: LoopStuck .* Measured: inbox 9\d \(alert above 90\)/)])
  const stopped = loop.stop()
  go()
  await stopped
  await hanging.look()
  await other.look()
  await age(300)
  await other.look()
  expect(texts().slice(1)).toEqual([expect.stringMatching(/^Over: LoopStuck/)])
})

/** Texts about one rule. */
const about = (rule: string) => texts().filter((text) => text.includes(` ${rule} at `))

test('P-12 N-03 a refund that cannot go back by Stripe is told of once, and its end once it is settled', async () => {
  const { look } = replica()
  const buyer = await funnel.buyer()
  const intent = await buyer.pay()
  const refund = await funnel.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: '60' })
  const { deps } = funnel.service
  const poll = createPoll(deps)
  const listen = async () => {
    await poll.round(() => true)
    while (await workInbox(deps));
  }
  await listen()
  await funnel.control('POST', 'refunds/settle', { refund: refund.id, status: 'failed', reason: 'lost_or_stolen_card' })
  await listen()
  const owed = await funnel.db.selectFrom('owed_refunds').select('status').execute()
  expect(owed).toEqual([{ status: 'impossible' }])
  for (let again = 0; again < 3; again++) await look()
  expect(about('RefundImpossible')).toEqual([expect.stringMatching(/^Alert: .* Measured: 1 \(alert above 0\)/)])
  await funnel.db.updateTable('owed_refunds').set({ status: 'settled', settled_by: 'op' }).execute()
  await look()
  await age(300)
  await look()
  expect(about('RefundImpossible').slice(1)).toEqual([expect.stringMatching(/^Over: /)])
})

test('A-07 H-02 N-03 a request for money back whose answer is due within a day is told of once', async () => {
  const { look } = replica()
  const buyer = await funnel.buyer(undefined, 'DE')
  await buyer.pay()
  await requestMoneyBack(funnel.service.deps, buyer.sessionId, 'withdrawal')
  const twoDays = sql`update money_back_requests set answer_by = answer_by - interval '2 days 1 minute'`
  await look()
  expect(about('AnswerDue')).toEqual([])
  await twoDays.execute(funnel.db)
  for (let again = 0; again < 3; again++) await look()
  expect(about('AnswerDue')).toEqual([expect.stringMatching(/^Alert: .* \(alert below 86400\)/)])
})

test('H-04 N-03 a cancellation that Stripe refuses for ten minutes is told of, and its end', async () => {
  const { look } = replica()
  const buyer = await funnel.buyer()
  await buyer.pay()
  const { deps } = funnel.service
  await startWaitingSubscriptions(deps)
  const { id } = await subscriptionRow(funnel, buyer)
  await funnel.control('POST', 'faults', {
    from: 'server',
    mode: '400',
    method: 'POST',
    path: '/v1/subscriptions',
    times: 90,
  })
  const asked = (minutes: number) => keepCancellation(funnel.db, { id }, new Date(Date.now() - minutes * 60_000))
  await asked(9)
  await finishCancellations(deps)
  await look()
  await age(60)
  await look()
  expect(about('CancellationLate')).toEqual([])
  await sql`update subscriptions set cancel_requested_at = now() - interval '11 minutes', looked_at = null`.execute(
    funnel.db,
  )
  await finishCancellations(deps)
  await look()
  await age(60)
  for (let again = 0; again < 3; again++) await look()
  expect(about('CancellationLate')).toEqual([expect.stringMatching(/^ALERT: .* Measured: 66\d.* \(alert above 600\)/)])
  await funnel.control('DELETE', 'faults')
  await sql`update subscriptions set looked_at = null`.execute(funnel.db)
  await finishCancellations(deps)
  await look()
  await age(300)
  await look()
  expect(about('CancellationLate').slice(1)).toEqual([expect.stringMatching(/^Over: /)])
})

test('D-11 N-03 a backup older than a day and a half is told of, unless the database’s host makes them', async () => {
  const { look } = replica()
  await look()
  await sql`insert into backups (started_at, bytes, timeline)
    select now() - make_interval(hours => hours), 1, 1 from unnest(array[60, 35]) hours`.execute(funnel.db)
  await look()
  expect(texts()).toEqual([])
  await sql`update backups set started_at = started_at - interval '2 hours'`.execute(funnel.db)
  for (let again = 0; again < 2; again++) await look()
  expect(texts()).toEqual([expect.stringMatching(/^Alert: BackupOld .* Measured: 1332\d\d.* \(alert above 129600\)/)])

  const real = { EMBEDDED: '0', STRIPE_API_BASE: undefined, SITE_URL: 'https://127.0.0.1:1', TRUST_PROXY: 'false' }
  const seriesWith = async (env: Record<string, string | undefined>) => {
    const { service, stop } = await startService({ env, databaseUrl: funnel.databaseUrl })
    const found = await service.metrics.samples()
    await stop()
    return found.filter(({ name }) => name === 'funnel_backup_age_seconds').length
  }
  expect([await seriesWith(real), await seriesWith({ ...real, BACKUPS: 'host' }), await seriesWith({})]).toEqual([
    1, 0, 0,
  ])
})

test('N-03 operators read on their page which alerts hold, what they mean and what to do', async () => {
  const { browser } = await signedOperator(funnel)
  expect((await browser.get('/operator/health')).body).toContain('Nothing is wrong.')
  await funnel.db
    .insertInto('outbox')
    .values({ kind: 'refund_owed', dedupe_key: 'refund_owed:p', dead_at: new Date() })
    .execute()
  await replica().look()
  const page = (await browser.get('/operator/health')).body as string
  for (const words of ['DeadLetters', 'waits for an operator', 'log, mail, url', 'docs/runbooks/dead-letters.md'])
    expect(page).toContain(words)
})

test('N-03 a receiver that refuses is asked again, while who knows already hears nothing twice', async () => {
  await funnel.db
    .insertInto('outbox')
    .values({ kind: 'refund_owed', dedupe_key: 'refund_owed:y', dead_at: new Date() })
    .execute()
  answers = [500, 404]
  const { look } = replica()
  for (let round = 0; round < 4; round++) await look()
  expect(texts()).toHaveLength(1)
  expect(await mails()).toEqual(['Alert: A mail, a refund or an event was given up and waits for an operator'])
})

test('N-03 a database that is away is told of by mail and POST, which need none, and so is its return', async () => {
  const config = funnel.config
  const log = createLog('silent')
  const { db, close } = connect(funnel.databaseUrl, { max: 1 })
  watching.push({ close })
  let up = 0
  const metrics = {
    samples: () => Promise.resolve([{ name: 'funnel_database_up', labels: {}, value: up }]),
    unread: () => new Set<string>(),
  }
  const { look } = createAlerts({ config, db, metrics, log, turn: 0 })
  await look()
  expect(texts()).toEqual([])
  try {
    later(61)
    await look()
    await look()
    expect(texts()).toEqual([expect.stringMatching(/^ALERT: DatabaseAway/)])
    // it comes and goes: reported once
    for (let round = 0; round < 6; round++) {
      up = round % 2
      await look()
      later(61)
      await look()
    }
    expect(texts()).toHaveLength(1)
    up = 1
    await look()
    later(301)
    await look()
    await look()
  } finally {
    vi.useRealTimers()
  }
  expect(texts().slice(1)).toEqual([expect.stringMatching(/^Over: DatabaseAway/)])
  expect(await mails()).toHaveLength(2)
})

test('N-03 the running service looks by itself, and /readyz shows that it does', async () => {
  await funnel.db
    .insertInto('outbox')
    .values({ kind: 'refund_owed', dedupe_key: 'refund_owed:z', dead_at: new Date() })
    .execute()
  funnel.service.startWorkers()
  await eventually(
    () => Promise.resolve(texts()),
    (all) => all.some((text) => text.includes('DeadLetters')),
  )
  const { loops } = (await (await fetch(`${funnel.url}/readyz`)).json()) as { loops: object }
  expect(loops).toHaveProperty('alerts')
})

test('N-03 a database that takes no writes is told of, though it can be read', async () => {
  const { look } = replica()
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$`.execute(funnel.db)
  await sql`create trigger refuse before insert or update on replicas execute function refuse()`.execute(funnel.db)
  await look()
  expect(texts()).toEqual([])
  try {
    later(61)
    await look()
    expect(texts()).toEqual([expect.stringMatching(/^ALERT: DatabaseAway .* Measured: 0 \(alert below 1\)/)])
    await sql`drop trigger refuse on replicas`.execute(funnel.db)
    await look()
    later(301)
    await look()
  } finally {
    vi.useRealTimers()
  }
  expect(texts().slice(1)).toEqual([expect.stringMatching(/^Over: DatabaseAway/)])
})

test('N-03 an alert whose metric cannot be read is not told to be over, and ends once it can be read', async () => {
  const { look } = replica()
  const dead = { kind: 'refund_owed', dedupe_key: 'refund_owed:u', dead_at: new Date() }
  await funnel.db.insertInto('outbox').values(dead).execute()
  await look()
  expect(texts()).toHaveLength(1)
  await sql`alter table outbox rename to locked`.execute(funnel.db)
  await look()
  await age(300)
  await look()
  expect(texts()).toHaveLength(1)
  await sql`alter table locked rename to outbox`.execute(funnel.db)
  await sql`update outbox set dead_at = null`.execute(funnel.db)
  await look()
  await age(300)
  await look()
  expect(texts().slice(1)).toEqual([expect.stringMatching(/^Over: DeadLetters/)])
})

test('N-03 a receiver that fails is waited for once in a look, however many alerts hold', async () => {
  await funnel.db
    .insertInto('outbox')
    .values({ kind: 'refund_owed', dedupe_key: 'refund_owed:w', dead_at: new Date() })
    .execute()
  await sql`insert into mail_log (outbox_id, kind, recipient, subject, message_id, result)
    select id, 'receipt', '', '', n::text, 'failed' from outbox, generate_series(1, 6) n`.execute(funnel.db)
  answers = [500, 500, 500]
  const { look } = replica()
  await look()
  expect(answers).toHaveLength(2)
  for (let round = 0; round < 3; round++) await look()
  expect(texts().map((text) => text.split(' ')[1])).toEqual(['DeadLetters', 'MailsFailing'])
})

test('N-03 what is given up is told kind by kind: a mail that nobody can send hides no refund', async () => {
  const { look } = replica()
  const give = (kind: string) =>
    funnel.db
      .insertInto('outbox')
      .values({ kind, dedupe_key: `${kind}:v`, dead_at: new Date() })
      .execute()
  await give('mail:receipt')
  await look()
  await give('refund_owed')
  for (let round = 0; round < 2; round++) await look()
  expect(texts()).toEqual([
    expect.stringMatching(/^Alert: DeadLetters of mail:receipt at .* Measured: mail:receipt 1 \(/),
    expect.stringMatching(/^Alert: DeadLetters of refund_owed at .* Measured: refund_owed 1 \(/),
  ])
  await funnel.db.updateTable('outbox').set({ dead_at: null }).where('kind', '=', 'refund_owed').execute()
  await look()
  await age(300)
  await look()
  expect(texts().slice(2)).toEqual([expect.stringMatching(/^Over: DeadLetters of refund_owed at /)])
  const standing = await funnel.db.selectFrom('alerts').select('rule').execute()
  expect(standing).toEqual([{ rule: 'DeadLetters mail:receipt' }])
})
