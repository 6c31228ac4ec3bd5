import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, environment, eventually } from './service.ts'
import { orderOf } from '../support/order.ts'

const MAIN = fileURLToPath(new URL('../../payments-service/main.ts', import.meta.url))

interface Process {
  child: ChildProcess
  output: () => string
  exit: Promise<number | null>
}
function start(env: Record<string, string | undefined>): Process {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()))
  return { child, output: () => text, exit: new Promise((done) => child.once('exit', done)) }
}
const portOf = async ({ output }: Process) =>
  Number(
    /"port":(\d+)/.exec(
      await eventually(
        () => Promise.resolve(output()),
        (text) => /"port":\d+/.test(text),
      ),
    )?.[1],
  )

describe('the process', () => {
  let database: TestDatabase
  let funnel: Funnel
  beforeAll(async () => {
    database = await createTestDatabase()
    funnel = await startFunnel({ webhooks: false, background: false })
  })
  afterAll(async () => {
    await funnel.stop()
    await database.drop()
  })
  const env = () => environment({ DATABASE_URL: database.url, STRIPE_API_BASE: funnel.stripeUrl, LOG_LEVEL: 'info' })

  test('D-11 says everything that keeps it from starting, and starts nothing', async () => {
    const nothing = start({ NODE_ENV: 'test' })
    expect(await nothing.exit).toBe(1)
    for (const name of ['DATABASE_URL', 'SITE_URL', 'TOKEN_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      expect(nothing.output()).toContain(`${name} is missing`)
    }
    const empty = await createTestDatabase()
    await sql`drop table kysely_migration`.execute(empty.db)
    const unmigrated = start({ ...env(), DATABASE_URL: empty.url })
    expect(await unmigrated.exit).toBe(1)
    expect(unmigrated.output()).toMatch(/lacks migrations.*npm run migrate/)
    await empty.drop()
  })

  test('N-03 serves metrics on their own port alone, and only where one is named', async () => {
    const running = start({ ...env(), METRICS_PORT: '0' })
    const port = await portOf(running)
    const inner = /"metricsPort":(\d+)/.exec(
      await eventually(
        () => Promise.resolve(running.output()),
        (text) => text.includes('"metricsPort":'),
      ),
    )?.[1]
    // on a busy machine the first reading may find no connection in its two seconds
    await eventually(
      async () => (await fetch(`http://127.0.0.1:${inner}/metrics`)).text(),
      (text) => text.includes('funnel_database_up 1\n'),
    )
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404)
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    const without = start(env())
    await portOf(without)
    without.child.kill('SIGTERM')
    await without.exit
    expect(without.output()).not.toContain('metricsPort')
  })

  test('P-13 starts, answers a payment in flight when it is asked to stop, and ends with 0', async () => {
    const running = start(env())
    const visitor = new Browser(`http://127.0.0.1:${await portOf(running)}`)
    expect((await visitor.get('/readyz')).body.ready).toBe(true)
    const sessionId = await visitor.visit()
    await visitor.put(`/api/sessions/${sessionId}/email`, { email: 'flight@example.com' })
    await funnel.control('POST', 'faults', {
      mode: 'slow',
      ms: 3_000,
      method: 'POST',
      path: '/v1/payment_intents',
      times: 1,
    })
    const inFlight = visitor.post(
      `/api/sessions/${sessionId}/payments/initial`,
      orderOf('trial_1', { paymentMethodType: 'card' }),
    )
    // the order is at Stripe, which is slow to answer
    await eventually(
      () => funnel.control('GET', 'faults'),
      ({ rules }) => (rules as { times: number }[]).every(({ times }) => times === 0),
    )
    running.child.kill('SIGTERM')
    expect((await inFlight).status).toBe(200)
    expect(await running.exit).toBe(0)
  })

  test('D-11 stays up while the database ends its connections, and loses nothing it acknowledged', async () => {
    const visitor = new Browser(funnel.url)
    const acknowledged: string[] = []
    for (let round = 0; round < 5; round++) {
      const storm = Promise.all(
        Array.from({ length: 20 }, async () => {
          const reply = await visitor.post('/api/sessions', { clientKey: crypto.randomUUID() })
          if (reply.status === 200) acknowledged.push(reply.body.sessionId)
          else expect(reply).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } })
        }),
      )
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'payments-service'
        and datname = current_database()`.execute(funnel.db)
      await storm
    }
    await eventually(
      () => visitor.get('/readyz'),
      ({ status }) => status === 200,
    )
    const kept = await funnel.db.selectFrom('sessions').select('id').where('id', 'in', acknowledged).execute()
    expect(kept).toHaveLength(acknowledged.length)
    expect(acknowledged.length).toBeGreaterThan(0)
  })
})
