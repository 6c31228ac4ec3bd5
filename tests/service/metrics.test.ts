/** What /metrics says of a shop that sells, and what a look at it costs. */
import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { noteAccess } from '../../payments-service/metrics/access.ts'
import { createMetricsServer } from '../../payments-service/metrics/listener.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { findPromtool } from '../support/promtool.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, eventually } from './service.ts'

let funnel: Funnel
let inner: ReturnType<typeof createMetricsServer>
let sold: { sessionId: string; intent: string }
beforeAll(async () => {
  funnel = await startFunnel()
  inner = createMetricsServer(funnel.service.metrics)
  await new Promise<void>((listening) => void inner.listen(0, '127.0.0.1', listening))
  const buyer = await funnel.buyer()
  const intent = await buyer.pay()
  sold = { sessionId: buyer.sessionId, intent }
  const other = await funnel.buyer()
  const opened = await other.open()
  await funnel.confirm(opened.body, 'pm_card_chargeDeclinedInsufficientFunds')
  await new Browser(funnel.url).get(`/api/links/${'x'.repeat(40)}`)
  await new Browser(funnel.url).get('/wp-login.php')
})
afterAll(async () => {
  inner.close()
  await funnel.stop()
})

const address = () => `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
const scrape = async () => (await fetch(`${address()}/metrics`)).text()
/** The value of a series, as a line of a scrape says it. */
const valueOf = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.split(' ')[1]

test('N-03 a scrape counts requests by route templates: no id, no token, no foreign path', async () => {
  const text = await scrape()
  const series = text.split('\n').filter((line) => line.startsWith('funnel_http_'))
  expect(series.length).toBeGreaterThan(20)
  expect(valueOf(text, 'funnel_http_requests_total{method="POST",route="/api/sessions",status="200"}')).toBe('2')
  const path = '/api/sessions/:sessionId/payments/finalize'
  expect(valueOf(text, `funnel_http_requests_total{method="POST",route="${path}",status="200"}`)).toBe('1')
  expect(valueOf(text, `funnel_http_request_duration_seconds_count{method="POST",route="${path}"}`)).toBe('1')
  expect(valueOf(text, 'funnel_http_requests_total{method="GET",route="(none)",status="404"}')).toBe('2')
  for (const secret of [sold.sessionId, sold.intent, 'xxxx', 'wp-login', '@example.com']) {
    expect(text).not.toContain(secret)
  }
})

test('N-03 a scrape says what was visited, ordered, paid and declined, and how pools, loops and queue do', async () => {
  const text = await eventually(scrape, (found) => found.includes('funnel_declines_last_hour{reason='))
  const values = {
    funnel_database_up: '1',
    funnel_sessions_last_hour: '2',
    'funnel_orders_last_hour{purpose="first"}': '2',
    'funnel_paid_last_hour{purpose="first"}': '1',
    'funnel_paid_cents_last_hour{purpose="first"}': '100',
    'funnel_declines_last_hour{reason="insufficient_funds"}': '1',
    funnel_paid_without_access_seconds: '0',
    funnel_charges_without_visit_last_day: '0',
    funnel_refunds_impossible: '0',
    'funnel_database_pool_size{pool="main"}': '20',
    'funnel_database_pool_waiting{pool="main"}': '0',
    'funnel_loop_overdue_seconds{loop="inbox"}': '0',
  }
  expect(Object.fromEntries(Object.keys(values).map((name) => [name, valueOf(text, name)]))).toEqual(values)
  expect(Number(valueOf(text, 'funnel_stripe_read_age_seconds'))).toBeLessThan(60)
})

test('N-03 who paid months ago and cannot open it is not forgotten until it is opened or paid back', async () => {
  const seconds = async () => Number(valueOf(await createMetrics(source()).text(), METRIC))
  const METRIC = 'funnel_paid_without_access_seconds'
  const own = connect(funnel.databaseUrl, { max: 1 })
  const source = () => ({ db: own.db, pools: {}, loops: () => ({}), lake: null, log: createLog('silent') })
  const day = 86_400
  await sql`insert into payments (id, session_id, purpose, amount_cents, payment_intent_id, status, product_id,
      settled_at, created_at)
    select uuidv7(-interval '90 days'), ${sold.sessionId}, 'reading', 500, 'pi_old', 'succeeded', 'reading_1',
      now() - interval '90 days', now() - interval '90 days'`.execute(own.db)
  // the first look of all goes through everything; a worker has had it already
  await sql`delete from bookmarks where name = 'paid_access'`.execute(own.db)
  await noteAccess(own.db)
  expect(await seconds()).toBeGreaterThan(89 * day)
  await noteAccess(own.db)
  expect(await seconds()).toBeGreaterThan(89 * day)
  await sql`update payments set refunded_cents = 500 where payment_intent_id = 'pi_old'`.execute(own.db)
  expect(await seconds()).toBe(0)
  await noteAccess(own.db)
  const { rows } = await sql<{ days: number }>`
    select extract(epoch from now() - at)::float / ${day} as days from bookmarks where name = 'paid_access'`.execute(
    own.db,
  )
  expect(rows[0]?.days).toBeCloseTo(2, 1)
  await own.close()
})

test('N-03 the public port has no metrics, and the inner one nothing else', async () => {
  expect((await new Browser(funnel.url).get('/metrics')).status).toBe(404)
  for (const path of ['/', '/api/config', '/operator', '/readyz'])
    expect((await fetch(address() + path)).status).toBe(404)
  expect((await fetch(`${address()}/metrics`, { method: 'POST' })).status).toBe(404)
})

test.skipIf(!findPromtool())('N-03 promtool has nothing to say against our metrics', async () => {
  const { status, stderr } = spawnSync(findPromtool() ?? '', ['check', 'metrics'], {
    input: await scrape(),
    encoding: 'utf8',
  })
  // 3: it read everything and would name something in another way; the library's own names stay as they are
  expect(status === 0 || status === 3).toBe(true)
  expect(stderr.split('\n').filter((line) => line.includes('funnel_'))).toEqual([])
})

test('N-03 a scrape behind a locked table ends in time without that metric, while buyers go on paying', async () => {
  const { db, close } = connect(funnel.databaseUrl, { max: 1 })
  let locked: () => void = () => undefined
  const lock = db.transaction().execute(async (tx) => {
    await sql`lock table disputes, mail_log in access exclusive mode`.execute(tx)
    await new Promise<void>((done) => (locked = done))
  })
  const asked = performance.now()
  const [text] = await Promise.all([
    eventually(scrape, (found) => found.includes('funnel_fact_failures_total{metric="funnel_mails_last_hour"}')),
    new Browser(funnel.url).visit(),
  ])
  const { rows: left } = await sql`select query from pg_stat_activity where datname = current_database()
    and application_name = 'payments-service metrics' and state = 'active'`.execute(funnel.db)
  locked()
  await lock
  await close()
  expect(text).toContain('funnel_fact_failures_total{metric="funnel_disputes_open"}')
  // nothing of it waits on in the server
  expect(left).toEqual([])
  expect(valueOf(text, 'funnel_sessions_last_hour')).toBeDefined()
  expect(valueOf(text, 'funnel_database_up')).toBe('1')
  expect(performance.now() - asked).toBeLessThan(60_000)
})

test('N-03 without its database a replica says so, and still counts its requests', async () => {
  const log = createLog('silent')
  const { db, close } = connect('postgres://postgres@127.0.0.1:1/none', { max: 1 })
  const text = await createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log }).text()
  await close()
  expect(valueOf(text, 'funnel_database_up')).toBe('0')
  expect(valueOf(text, 'funnel_http_failed_ratio')).toBe('0')
  expect(valueOf(text, 'funnel_sessions_last_hour')).toBeUndefined()
})

test('N-03 a database that can only be read counts as away: nobody can buy', async () => {
  const address = new URL(funnel.databaseUrl)
  address.searchParams.set('options', '-c default_transaction_read_only=on')
  const { db, close } = connect(address.href, { max: 1 })
  const text = await createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log: createLog('silent') }).text()
  await close()
  expect(valueOf(text, 'funnel_database_up')).toBe('0')
  expect(valueOf(text, 'funnel_sessions_last_hour')).toBeDefined()
})

test('N-03 a scrape while a value is read anew has the one before', async () => {
  const { db, close } = connect(funnel.databaseUrl, { max: 2 })
  const own = connect(funnel.databaseUrl, { max: 1, name: 'reading anew' })
  const metrics = createMetrics({ db: own.db, pools: {}, loops: () => ({}), lake: null, log: createLog('silent') })
  // the first that is read
  const before = valueOf(await metrics.text(), 'funnel_sessions_last_hour')
  expect(before).toBeDefined()
  let unlock: () => void = () => undefined
  let transaction: Promise<void> | undefined
  await new Promise<void>((locked) => {
    transaction = db.transaction().execute(async (tx) => {
      await sql`lock table sessions in access exclusive mode`.execute(tx)
      locked()
      await new Promise<void>((done) => (unlock = done))
    })
  })
  const reading = metrics.samples()
  await eventually(
    async () =>
      (
        await sql`select from pg_stat_activity
          where application_name = 'reading anew' and wait_event_type = 'Lock'`.execute(db)
      ).rows.length,
    (waiting) => waiting === 1,
  )
  expect(valueOf(await metrics.registry.metrics(), 'funnel_sessions_last_hour')).toBe(before)
  unlock()
  await Promise.all([transaction, reading])
  await Promise.all([close(), own.close()])
})
