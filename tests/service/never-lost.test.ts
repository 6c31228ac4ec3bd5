import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { recordState } from '../../payments-service/payments/settle.queries.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { createService, type Service } from '../../payments-service/service.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { endSubscription } from '../../payments-service/subscriptions/end.ts'
import { handleEvent } from '../../payments-service/webhooks/handle.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'
import { orderOf } from '../support/order.ts'

let funnel: Funnel
const more: Service[] = []
beforeEach(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterEach(async () => {
  await Promise.all(more.splice(0).map((service) => service.stop()))
  await funnel.stop()
})

const grants = (id: string) =>
  funnel.db.selectFrom('product_access_grants').selectAll().where('session_id', '=', id).execute()
const subscriptions = (id: string) =>
  funnel.db.selectFrom('subscriptions').selectAll().where('session_id', '=', id).execute()
/** Another replica on the same database. */
function replica(): Service {
  const service = createService(funnel.config, createLog('silent'))
  more.push(service)
  return service
}

describe('never lost', () => {
  test('P-04 P-10 webhooks off and the tab closed: the poll of the events settles and grants', async () => {
    funnel.service.startWorkers()
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.status === 'trialing',
    )
    expect(await grants(buyer.sessionId)).toHaveLength(1)
    const events = await funnel.db.selectFrom('webhook_events').select(['source', 'handled_at']).execute()
    expect(events.every(({ source }) => source === 'poll')).toBe(true)
  })

  test('P-04 paid while no service ran, three days ago: settled after the start', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    // the poll finds nothing: only the check after the start does
    await funnel.db
      .insertInto('bookmarks')
      .values({ name: 'stripe_events', at: new Date(Date.now() + 600_000) })
      .execute()
    replica().startWorkers()
    await eventually(
      () => grants(buyer.sessionId),
      (found) => found.length === 1,
    )
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.status === 'trialing',
    )
  })

  test('P-04 a subscription refused at the payment is started by the reconciler, once for two replicas', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    await funnel.confirm(body)
    await funnel.control('POST', 'faults', {
      mode: 'execute_then_500',
      method: 'POST',
      path: '/v1/subscriptions',
      times: 1,
    })
    expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
    await funnel.control('DELETE', 'faults')
    expect((await subscriptions(buyer.sessionId))[0]?.status).toBe('creating')
    replica().startWorkers()
    replica().startWorkers()
    await eventually(
      () => subscriptions(buyer.sessionId),
      ([one]) => one?.status === 'trialing',
    )
    expect((await funnel.totals()).subscriptions).toBe(1)
  })

  test('P-02 P-04 two replicas, one session: 40 calls on both open one intent and settle one payment', async () => {
    const other = replica()
    const server = other.app.listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const second = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    try {
      const buyer = await funnel.buyer()
      const cookie = [...buyer.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const post = async (
        base: string,
        rest: string,
        body: object,
        tries = 5,
      ): Promise<{ status: number; body: Record<string, string> }> => {
        const reply = await fetch(base + buyer.path(rest), {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        })
        const answer = (await reply.json()) as Record<string, string>
        // on a slow machine a call may time out; it says so, and a retry gets the same answer
        return reply.status === 503 && tries > 0
          ? post(base, rest, body, tries - 1)
          : { status: reply.status, body: answer }
      }
      const both = (rest: string, body: object) =>
        Promise.all(Array.from({ length: 40 }, (_, i) => post(i % 2 ? second : funnel.url, rest, body)))
      // slow enough for both replicas to request the intent at the same time
      await funnel.control('POST', 'faults', {
        mode: 'slow',
        ms: 900,
        method: 'POST',
        path: '/v1/payment_intents',
        times: 4,
      })
      const opened = await both('/payments/initial', orderOf('trial_1', { paymentMethodType: 'card' }))
      const answers = opened.map(({ status, body }) => `${status} ${body['paymentIntentId'] ?? JSON.stringify(body)}`)
      expect(answers).toEqual(answers.map(() => answers[0]))
      const intent = {
        paymentIntentId: opened[0]?.body['paymentIntentId'] ?? '',
        clientSecret: opened[0]?.body['clientSecret'] ?? '',
      }
      await funnel.confirm(intent)
      const settled = await both('/payments/finalize', { paymentIntentId: intent.paymentIntentId })
      expect(new Set(settled.map(({ status, body }) => `${status} ${body['status']}`))).toEqual(
        new Set(['200 settled']),
      )
      expect(
        [await grants(buyer.sessionId), await subscriptions(buyer.sessionId)].map((found) => found.length),
      ).toEqual([1, 1])
      // a key derived from the row, never from the request: the replicas made one intent at Stripe, not one each
      const { customer } = await funnel.dashboard('GET', `/v1/payment_intents/${intent.paymentIntentId}`)
      expect((await funnel.dashboard('GET', '/v1/payment_intents', { customer })).data).toHaveLength(1)
      const totals = await funnel.totals()
      expect([totals.customers, totals.charges_succeeded, totals.subscriptions]).toEqual([1, 1, 1])
    } finally {
      server.close()
    }
  })
})

describe('never twice', () => {
  test('P-14 of two successes of one purpose settled at once, one counts and one is a duplicate', async () => {
    for (let round = 0; round < 5; round++) {
      const buyer = await funnel.buyer()
      const first = await buyer.open()
      const { customer } = await funnel.dashboard('GET', `/v1/payment_intents/${first.body.paymentIntentId}`)
      const second = await funnel.dashboard('POST', '/v1/payment_intents', {
        amount: '500',
        currency: 'usd',
        customer,
        'allowed_payment_method_types[0]': 'card',
        'metadata[session_id]': buyer.sessionId,
        'metadata[product_id]': 'trial_5',
        'metadata[purpose]': 'first',
      })
      await funnel.confirm(first.body)
      await funnel.confirm({ paymentIntentId: second.id, clientSecret: second.client_secret })
      const { deps } = funnel.service
      const settled = await Promise.all(
        [first.body.paymentIntentId as string, second.id as string].map((id) => settlePayment(deps, id, undefined)),
      )
      expect(settled.map((one) => one?.duplicate).sort()).toEqual([false, true])
      expect(await subscriptions(buyer.sessionId)).toHaveLength(1)
      expect(await grants(buyer.sessionId)).toHaveLength(1)
    }
  })

  /** A tab with the monthly product open and unpaid, and a trial of the same session that is paid at Stripe. */
  async function twoTabs() {
    const buyer = await funnel.buyer()
    const monthly = (await buyer.open('monthly')).body as { paymentIntentId: string; clientSecret: string }
    const { customer } = await funnel.dashboard('GET', `/v1/payment_intents/${monthly.paymentIntentId}`)
    const trial = await funnel.dashboard('POST', '/v1/payment_intents', {
      amount: '100',
      currency: 'usd',
      customer,
      'allowed_payment_method_types[0]': 'card',
      setup_future_usage: 'off_session',
      'metadata[session_id]': buyer.sessionId,
      'metadata[product_id]': 'trial_1',
      'metadata[purpose]': 'first',
    })
    await funnel.confirm({ paymentIntentId: trial.id, clientSecret: trial.client_secret })
    const live = async (): Promise<string[]> => {
      const { data } = await funnel.dashboard('GET', '/v1/subscriptions', { customer, status: 'all' })
      return (data as { id: string; status: string }[])
        .filter(({ status }) => !['canceled', 'incomplete_expired'].includes(status))
        .map(({ id, status }) => `${id} ${status}`)
    }
    const here = async () =>
      (await subscriptions(buyer.sessionId))
        .filter(({ status }) => !['canceled', 'incomplete_expired'].includes(status))
        .map(({ stripe_subscription_id, status }) => `${stripe_subscription_id} ${status}`)
    return { buyer, monthly, trial: trial.id as string, live, here }
  }

  test('P-14 P-05 a stale tab cannot pay the monthly product after a trial: one subscription', async () => {
    const { buyer, monthly, trial, live, here } = await twoTabs()
    expect(await settlePayment(funnel.service.deps, trial, undefined)).toMatchObject({ state: 'settled' })
    expect(await live()).toEqual([expect.stringMatching(/ trialing$/)])
    expect(await here()).toEqual(await live())
    // the tab's own form fails, and so does its next press
    expect(await funnel.confirm(monthly)).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    })
    expect(await buyer.open('monthly')).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } })
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      paymentStatus: 'paid',
      nextPage: 'multi-upsell',
    })
    expect((await funnel.totals()).charges_succeeded).toBeGreaterThan(0)
    expect(await grants(buyer.sessionId)).toHaveLength(1)
  })

  test('P-14 P-05 both paid at once: one is given back and its subscription ends, one lives', async () => {
    const { buyer, monthly, trial, live, here } = await twoTabs()
    await funnel.confirm(monthly)
    const { deps } = funnel.service
    await settlePayment(deps, trial, undefined)
    await settlePayment(deps, monthly.paymentIntentId, undefined)
    funnel.service.startWorkers()
    const duplicate = await eventually(
      () =>
        funnel.db
          .selectFrom('payments')
          .selectAll()
          .where('session_id', '=', buyer.sessionId)
          .where('is_duplicate', '=', true)
          .executeTakeFirst(),
      (found) => found?.refunded_cents === found?.amount_cents,
    )
    expect(duplicate).toBeDefined()
    expect(duplicate?.payment_intent_id).toBe(monthly.paymentIntentId)
    await eventually(live, (found) => found.length === 1 && (found[0] ?? '').endsWith(' trialing'))
    await eventually(here, (found) => found.length === 1 && (found[0] ?? '').endsWith(' trialing'))
    expect(await here()).toEqual(await live())
    const open = (await grants(buyer.sessionId)).filter(({ revoked_at }) => revoked_at === null)
    expect(open.map(({ product_id }) => product_id)).toEqual(['trial_1'])
  })

  test('P-04 a look at Stripe that is older than the last write writes nothing', async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open()
    const stale = await funnel.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('stripe_intent_id', '=', body.paymentIntentId)
      .executeTakeFirstOrThrow()
    const seen = await funnel.service.deps.stripe.readIntent(body.paymentIntentId, undefined)
    await funnel.confirm(body)
    await buyer.finalize(body.paymentIntentId)
    const nothing = { news: [], disputes: [], registered: [] }
    const write = () =>
      funnel.db.transaction().execute((tx) => recordState(tx, stale, { ...seen, status: 'canceled' }, nothing))
    expect(await write()).toBe(false)
    const now = await funnel.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('id', '=', stale.id)
      .executeTakeFirstOrThrow()
    expect(now.status).toBe('succeeded')
  })
})

describe('a Stripe that hangs', () => {
  const HANG_MS = 120_000
  test('P-02 P-04 every visitor gets an answer in time, and the pool stays free for the others', async () => {
    const paid = await funnel.buyer()
    const { body } = await paid.open()
    await funnel.confirm(body)
    const opening = await Promise.all(Array.from({ length: 15 }, () => funnel.buyer()))
    const hang = (method: string, path: string) =>
      funnel.control('POST', 'faults', { mode: 'hang', method, path, ms: HANG_MS, times: 1_000, from: 'server' })
    await hang('POST', '/v1/customers')
    await hang('GET', '/v1/payment_intents')
    const started = Date.now()
    const waiting = [paid.finalize(body.paymentIntentId), ...opening.map((buyer) => buyer.open())]
    await new Promise((resume) => setTimeout(resume, 500))
    let answered = 0
    for (const each of waiting) void each.then(() => answered++)
    const other = await funnel.buyer()
    expect((await other.browser.get(other.path(''))).status).toBe(200)
    expect(answered).toBeLessThan(waiting.length)
    const [finalized, ...opened] = await Promise.all(waiting)
    // no request waited for Stripe to recover
    expect(Date.now() - started).toBeLessThan(HANG_MS)
    expect(finalized).toMatchObject({ status: 202, body: { status: 'pending' } })
    expect(new Set(opened.map((reply) => `${reply.status} ${reply.body.error?.code}`))).toEqual(
      new Set(['503 stripe_unavailable']),
    )
    await funnel.control('DELETE', 'faults')
    expect((await paid.finalize(body.paymentIntentId)).status).toBe(200)
    for (const buyer of opening.slice(0, 3)) await buyer.pay()
    expect((await funnel.totals()).charges_succeeded).toBe(4)
  })

  test('P-10 a statement cannot hold a connection for ever', async () => {
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(funnel.service.db)
    expect(rows).toEqual([{ statement_timeout: '15s' }])
  })
})

describe('any order', () => {
  interface Event {
    id: string
    type: string
    data: { object: { id: string; payment_intent?: string } }
  }
  const hear = (event: Event) => handleEvent(funnel.service.deps, { type: event.type, payload: event })

  test("P-10 P-12 the events of a payment in any order, repeated and at once, end in Stripe's state", async () => {
    const indexes = fc.array(fc.nat({ max: 5 }), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(indexes, fc.boolean(), fc.boolean(), async (order, whole, cancelled) => {
        const buyer = await funnel.buyer()
        const { body } = await buyer.open('trial_9')
        await funnel.confirm(body)
        await funnel.dashboard('POST', '/v1/refunds', {
          payment_intent: body.paymentIntentId,
          amount: whole ? '900' : '40',
        })
        const about = async (): Promise<Event[]> => {
          const { data } = await funnel.dashboard('GET', '/v1/events', { limit: '30' })
          return data.filter(
            ({ data: { object } }: Event) =>
              object.id === body.paymentIntentId || object.payment_intent === body.paymentIntentId,
          )
        }
        const life = await about()
        expect(life.length).toBeGreaterThanOrEqual(4)
        const pick = order.map((index) => life[index % life.length]).filter((event) => event !== undefined)
        const half = Math.floor(pick.length / 2)
        for (const event of pick.slice(0, half)) await hear(event)
        await Promise.all([...pick.slice(half), ...life].map(hear))

        const [subscription, ...others] = await subscriptions(buyer.sessionId)
        expect(others).toEqual([])
        // all of it went back: the subscription is ended by its own job, or never made
        while (await workOutbox(funnel.service.deps, { end_subscription: endSubscription }));
        if (whole) {
          const customer = subscription?.stripe_customer_id ?? ''
          const { data } = await funnel.dashboard('GET', '/v1/subscriptions', { customer })
          expect(data).toEqual([])
        } else if (cancelled) {
          const path = `/v1/subscriptions/${subscription?.stripe_subscription_id}`
          await funnel.dashboard('POST', path, { cancel_at_period_end: 'true' })
          await funnel.dashboard('DELETE', path)
          const { data } = await funnel.dashboard('GET', '/v1/events', { limit: '30' })
          const ends: Event[] = data.filter(
            ({ data: { object } }: Event) => object.id === subscription?.stripe_subscription_id,
          )
          await Promise.all([...ends, ...ends.reverse()].map(hear))
        }
        const payments = await funnel.db
          .selectFrom('payments')
          .select(['status', 'refunded_cents', 'amount_cents'])
          .where('session_id', '=', buyer.sessionId)
          .execute()
        expect(payments).toEqual([
          { status: whole ? 'refunded' : 'partially_refunded', refunded_cents: whole ? 900 : 40, amount_cents: 900 },
        ])
        expect((await subscriptions(buyer.sessionId))[0]?.status).toBe(cancelled || whole ? 'canceled' : 'trialing')
        expect((await grants(buyer.sessionId)).filter(({ revoked_at }) => !revoked_at)).toHaveLength(
          whole || cancelled ? 0 : 1,
        )
        const kinds = (
          await funnel.db
            .selectFrom('outbox')
            .select('kind')
            .where('session_id', '=', buyer.sessionId)
            .orderBy('kind')
            .execute()
        ).map(({ kind }) => kind)
        expect(
          kinds.filter(
            (kind) => kind === 'conversion:Purchase' || kind === 'mail:order_confirmation' || kind === 'mail:refund',
          ),
        ).toEqual(['conversion:Purchase', 'mail:order_confirmation', 'mail:refund'])
      }),
      { numRuns: 15 },
    )
  })
})

describe('what is logged', () => {
  test('N-02 no session id, address, token, card or secret, whatever goes wrong', async () => {
    const lines: string[] = []
    const service = createService(funnel.config, createLog('trace', { write: (line) => void lines.push(line) }))
    more.push(service)
    const server = service.app.listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    const buyer = await funnel.buyer('secret.reader@example.com')
    const cookie = [...buyer.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'application/json' }
    const { body } = await buyer.open()
    await funnel.control('POST', 'faults', { mode: '500', times: 1, from: 'server' })
    await fetch(url + buyer.path('/payments/finalize'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ paymentIntentId: body.paymentIntentId }),
    })
    await fetch(url + buyer.path('/payments/finalize'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ paymentIntentId: body.paymentIntentId }),
    })
    await fetch(url + buyer.path('/email'), { method: 'PUT', headers, body: '{"email": 5}' })
    await service.db.schema.dropTable('quiz_answers').execute()
    expect((await fetch(url + buyer.path('/answers'), { headers })).status).toBe(500)
    server.close()
    const all = lines.join('')
    expect(lines.length).toBeGreaterThan(5)
    expect(all).toContain('/api/sessions/:sessionId/payments/finalize')
    for (const secret of [
      buyer.sessionId,
      'secret.reader',
      '_secret_',
      ...buyer.browser.cookies.values(),
      funnel.config.stripe.secretKey,
    ]) {
      expect(all).not.toContain(secret)
    }
  })
})
