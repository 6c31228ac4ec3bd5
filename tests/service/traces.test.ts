/** What a purchase leaves with a collector of traces, and what a collector that fails does to buyers: nothing. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts'
import { startFunnel } from './funnel.ts'
import { Browser, environment, eventually, type Reply, WEBHOOK_SECRET } from './service.ts'

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const ALL = { OTEL_TRACES_SAMPLER_ARG: '1' }
const EMAIL = 'who.buys@example.com'

describe('a purchase, its webhooks and its jobs', () => {
  let collector: Collector
  let secrets: string[]
  let opened: Reply
  beforeAll(async () => {
    collector = await startCollector()
    const funnel = await startFunnel({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key', ...ALL },
    })
    try {
      // what the poll brings before its webhook is work of no trace
      await funnel.stopPolling()
      const buyer = await funnel.buyer(EMAIL)
      buyer.browser.headers['traceparent'] = `00-${CALLER.traceId}-${CALLER.spanId}-00`
      opened = await buyer.open()
      // as src/session/http.ts goes on
      buyer.browser.headers['traceparent'] = /desc="(.+)"/.exec(opened.headers.get('server-timing')!)![1]!
      await funnel.confirm(opened.body)
      expect((await buyer.finalize(opened.body.paymentIntentId)).status).toBe(200)
      await buyer.browser.post(buyer.path('/resume-link'))
      await new Browser(funnel.url).get(`/api/links/${'x'.repeat(40)}?email=${EMAIL}`)
      await new Browser(funnel.url).get(`/wp-login.php?of=${buyer.sessionId}`)
      const left = sql<{ n: number }>`select count(*)::int as n from (
        select 1 from webhook_events where handled_at is null
        union all select 1 from outbox where sent_at is null and dead_at is null and kind not like 'mail:%') waiting`
      await eventually(
        async () => [await funnel.totals(), (await left.execute(funnel.db)).rows[0]?.n] as const,
        ([totals, waiting]) => totals.undelivered === 0 && waiting === 0,
      )
      const cookies = [...buyer.browser.cookies.values()]
      const { clientSecret, paymentIntentId } = opened.body as Record<string, string>
      const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'TOKEN_SECRET'].map((name) => environment()[name]!)
      secrets = [EMAIL, buyer.sessionId, clientSecret!, paymentIntentId!, WEBHOOK_SECRET, ...keys, ...cookies]
    } finally {
      // hands out what is left
      await funnel.stop()
    }
  })
  afterAll(() => collector.close())

  const named = (name: string): CollectedSpan => {
    const found = collector.spans.find((span) => span.name === name)
    expect(found, `${name} is not among ${[...new Set(collector.spans.map((span) => span.name))]}`).toBeDefined()
    return found!
  }
  const traceOf = ({ traceId }: CollectedSpan) => collector.spans.filter((span) => span.traceId === traceId)
  const valueOf = ({ attributes }: CollectedSpan, key: string) =>
    Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

  test('N-03 a payment is one trace, from the request to its statements and its calls of Stripe', () => {
    const request = named('POST /api/sessions/:sessionId/payments/initial')
    const trace = traceOf(request)
    expect(request.kind).toBe(2)
    expect(valueOf(request, 'http.response.status_code')).toBe(200)
    expect(trace.filter(({ parentSpanId }) => !parentSpanId)).toEqual([request])
    const ids = new Set(trace.map(({ spanId }) => spanId))
    expect(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
    const statement = trace.find(({ name }) => name === 'insert payment_intents')!
    expect(valueOf(statement, 'db.query.text')).toMatch(/^insert into "payment_intents" .*\$1/)
    const call = trace.find(({ name }) => name === 'stripe paymentIntents.create')!
    expect(String(valueOf(call, 'stripe.request_id'))).toMatch(/^req_/)
    expect(BigInt(call.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano))
    expect(BigInt(call.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano))
  })

  test('N-03 the page is told its trace, and a trace that a caller names is a link and begins none', () => {
    const request = named('POST /api/sessions/:sessionId/payments/initial')
    const told = opened.headers.get('server-timing')
    expect(told).toBe(`traceparent;desc="00-${request.traceId}-${request.spanId}-01"`)
    expect(request.links).toMatchObject([CALLER])
    expect(collector.spans.filter(({ traceId }) => traceId === CALLER.traceId)).toEqual([])
  })

  test('N-03 what a page asks, its statements, calls of Stripe, webhooks and jobs are one trace', () => {
    const first = named('POST /api/sessions/:sessionId/payments/initial')
    const trace = traceOf(first)
    expect(trace.filter(({ parentSpanId }) => !parentSpanId)).toEqual([first])
    const names = new Set(trace.map(({ name }) => name))
    expect([...names]).toEqual(
      expect.arrayContaining([
        'POST /api/sessions/:sessionId/payments/finalize',
        'insert payments',
        'stripe paymentIntents.create',
        'stripe paymentIntents.retrieve',
      ]),
    )
    expect([...names].filter((name) => /^work [a-z_]+$/.test(name))).not.toEqual([])
    // of its events, those that come together are one work, named by the first
    const work = trace.find(({ name }) => /^work (?:payment_intent|charge)\.\w/.test(name))!
    const webhooks = collector.spans.filter(({ name }) => name === 'POST /api/webhooks/stripe')
    expect(webhooks.map(({ spanId }) => spanId)).toContain(work.links?.[0]?.spanId)
    const ids = new Set(trace.map(({ spanId }) => spanId))
    expect(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
  })

  test('N-03 the work on an event of Stripe’s is in the trace of its webhook, and a job in that of its request', () => {
    for (const [work, cause] of [
      [/^work \w+\.\w/, 'POST /api/webhooks/stripe'],
      [/^work asked_mail$/, 'POST /api/sessions/:sessionId/resume-link'],
    ] as const) {
      const causes = collector.spans.filter(({ name }) => name === cause)
      const done = collector.spans.find(
        ({ name, parentSpanId }) => work.test(name) && causes.some(({ spanId }) => spanId === parentSpanId),
      )!
      expect(causes.find(({ spanId }) => spanId === done.parentSpanId)?.traceId, cause).toBe(done.traceId)
      // what it did is there too
      expect(traceOf(done).some(({ parentSpanId }) => parentSpanId === done.spanId)).toBe(true)
    }
  })

  test('N-02 no span has a value, an id of a visit, an address, a token, a key or an address with a query', () => {
    const all = collector.bodies.join('\n')
    expect(collector.spans.length).toBeGreaterThan(50)
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(all).not.toMatch(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-|@|pm_card|\?\w+=|xxxx|wp-login|api-key/)
    const keys = new Set(collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...keys].sort()).toEqual([
      ...['attempts', 'db.query.text', 'db.system.name', 'http.request.method', 'http.response.status_code'],
      ...['http.route', 'messaging.batch.message_count', 'stripe.request_id'],
    ])
    expect(collector.spans.flatMap(({ events = [], status }) => [...events, status.message ?? []].flat())).toEqual([])
    expect(collector.headers.every((one) => one['api-key'] === 'a key')).toBe(true)
  })
})

test('N-03 buyers buy and a replica ends as ever while its collector is away or never answers', async () => {
  const silent = await startCollector(true)
  for (const endpoint of [silent.url, 'http://127.0.0.1:1']) {
    const funnel = await startFunnel({ background: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...ALL } })
    const buyer = await funnel.buyer()
    expect(await buyer.pay()).toMatch(/^pi_/)
    const asked = performance.now()
    await funnel.stop()
    // the exporter itself would wait for 10 s
    expect(performance.now() - asked).toBeLessThan(8_000)
  }
  expect(silent.spans.length).toBeGreaterThan(10)
  await silent.close()
})
