import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../payments-service/http/logging.ts'
import { createAfterStart } from '../../payments-service/jobs/after-start.ts'
import { reconcileAfterStart } from '../../payments-service/payments/reconcile.ts'
import { createService, type Service } from '../../payments-service/service.ts'
import { anyPort } from '../../db/ports.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { environment, eventually } from './service.ts'

const MAIN = fileURLToPath(new URL('../../payments-service/main.ts', import.meta.url))
const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms))

let funnel: Funnel
const stops: (() => Promise<unknown> | void)[] = []
beforeEach(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await funnel.stop()
})

/** Another replica on the same database, in this process. */
function replica(): Service {
  const service = createService(funnel.config, createLog('silent'))
  stops.push(() => service.stop())
  return service
}

/** Another replica as a separate process; `code` runs before it. */
function started(env: Record<string, string>, code = ''): { kill: () => void; output: () => string } {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(code)}`, MAIN]
  const whole = environment({
    DATABASE_URL: funnel.databaseUrl,
    STRIPE_API_BASE: funnel.stripeUrl,
    LOG_LEVEL: 'info',
    ...env,
  })
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...whole } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const kill = () => void child.kill('SIGKILL')
  stops.push(kill)
  return { kill, output: () => text }
}

/** Returns a counter of the requests for that list of Stripe's since this call. */
async function countRequests(path: string): Promise<() => Promise<number>> {
  const MANY = 1_000
  const { id } = await funnel.control('POST', 'faults', { mode: 'slow', ms: 0, times: MANY, method: 'GET', path })
  return async () => {
    const { rules } = await funnel.control('GET', 'faults')
    return MANY - (rules as { id: number; times: number }[]).find((rule) => rule.id === id)!.times
  }
}

const bookmark = () =>
  funnel.db.selectFrom('bookmarks').selectAll().where('name', '=', 'stripe_events').executeTakeFirst()
const isKnown = async (intent: string): Promise<boolean> =>
  (await funnel.db.selectFrom('payments').select('id').where('payment_intent_id', '=', intent).execute()).length === 1

async function payAndLeave(): Promise<string> {
  const buyer = await funnel.buyer()
  const { body } = await buyer.open()
  await funnel.confirm(body)
  return body.paymentIntentId as string
}

describe('the poll of the events', () => {
  test('P-10 Stripe is asked once for all replicas, not by each of them', async () => {
    const polls = await countRequests('/v1/events')
    for (const one of [replica(), replica(), replica()]) one.startWorkers()
    const began = performance.now()
    await eventually(polls, (asked) => asked >= 3)
    const asked = await polls()
    // one poll at once and one every five seconds, whichever replica's turn it is
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began + 500) / 5_000))
    const intent = await payAndLeave()
    await eventually(() => isKnown(intent), Boolean)
  })

  test('P-10 another replica asks after the death of the one whose turn it was', async () => {
    const first = started({})
    await eventually(bookmark, (row) => row?.held_by !== undefined)
    const before = await bookmark()
    const survivor = replica()
    survivor.startWorkers()
    await pause(2_000)
    first.kill()
    const intent = await payAndLeave()
    await eventually(() => isKnown(intent), Boolean)
    expect((await bookmark())?.held_by).not.toBe(before?.held_by)
  })

  test('P-10 a replica that stops in peace leaves the turn to another at once', async () => {
    const first = replica()
    first.startWorkers()
    await eventually(bookmark, (row) => row !== undefined)
    stops.pop()
    await first.stop()
    expect((await bookmark())?.held_by).toBeNull()
  })
})

describe('the payments of three days, after a start', () => {
  const reconciler = ({ deps }: Service, ready: Promise<unknown> = Promise.resolve()) =>
    createAfterStart(deps.db, 'reconciled', async (goOn) => {
      await ready
      return reconcileAfterStart(deps, goOn)
    })
  const always = () => true

  test('P-04 Stripe is asked for them once by all workers that start together', async () => {
    const asked = await countRequests('/v1/payment_intents')
    let others = 0
    let begin: () => void = () => undefined
    const allStarted = new Promise<void>((resume) => (begin = resume))
    const workers = [replica(), replica(), replica()].map((one) => reconciler(one, allStarted))
    const first = workers.map(async (round) => {
      const done = await round(always)
      if (!done && ++others === 2) begin()
      return done
    })
    expect((await Promise.all(first)).filter(Boolean)).toHaveLength(1)
    for (const round of workers) expect(await round(always)).toBe(true)
    expect(await asked()).toBe(1)
    // one that starts later cannot know whether anybody ran meanwhile
    expect(await reconciler(replica())(always)).toBe(true)
    expect(await asked()).toBe(2)
  })

  test('P-04 a worker that stops on the way leaves them to the next, which settles what was paid', async () => {
    const intent = await payAndLeave()
    const [stopping, next] = [reconciler(replica()), reconciler(replica())]
    let items = 0
    expect(await stopping(() => items++ < 1)).toBe(false)
    expect(await isKnown(intent)).toBe(false)
    expect(await next(always)).toBe(true)
    expect(await isKnown(intent)).toBe(true)
    expect(await stopping(always)).toBe(true)
  })

  test('P-04 the turn of a worker that died on the way is taken after its time', async () => {
    await funnel.db
      .insertInto('bookmarks')
      .values({
        name: 'reconciled',
        at: new Date(0),
        held_by: crypto.randomUUID(),
        held_until: new Date(Date.now() + 60_000),
      })
      .execute()
    const intent = await payAndLeave()
    const round = reconciler(replica())
    expect(await round(always)).toBe(false)
    await funnel.db
      .updateTable('bookmarks')
      .set({ held_until: new Date(0) })
      .where('name', '=', 'reconciled')
      .execute()
    expect(await round(always)).toBe(true)
    expect(await isKnown(intent)).toBe(true)
  })
})

describe.each([
  ['ten minutes fast', 600],
  ['ten minutes slow', -600],
])('a machine whose clock is %s', (_how, seconds) => {
  test('P-10 refuses every webhook, loses no event, and says in the log what is wrong', async () => {
    const port = await anyPort()
    const url = `http://127.0.0.1:${port}/api/webhooks/stripe`
    const endpoint = await funnel.dashboard('POST', '/v1/webhook_endpoints', { url, 'enabled_events[0]': '*' })
    const wrong = `const R = Date, by = ${seconds * 1000}
      globalThis.Date = class Date extends R {
        constructor(...given) { super(...(given.length ? given : [R.now() + by])) }
        static now() { return R.now() + by }
      }`
    const { output } = started({ PORT: String(port), STRIPE_WEBHOOK_SECRET: endpoint.secret }, wrong)
    await eventually(bookmark, (row) => row !== undefined)
    // after the first poll, which looks back an hour regardless of the clock
    await pause(6_000)
    const intent = await payAndLeave()
    await eventually(() => isKnown(intent), Boolean)
    const { log } = await funnel.control('GET', 'webhooks')
    expect(new Set((log as { status: number }[]).map(({ status }) => status))).toEqual(new Set([400]))
    expect(output()).toContain('Set the clock')
  })
})
