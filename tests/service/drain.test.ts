/** What a replica that is asked to stop does: real processes, requests over connections that are kept alive. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'
import { environment, eventually } from './service.ts'

const MAIN = fileURLToPath(new URL('../../payments-service/main.ts', import.meta.url))

let funnel: Funnel
const children: ChildProcess[] = []
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterEach(() => void children.splice(0).map((child) => child.kill('SIGKILL')))
afterAll(() => funnel.stop())

/** A replica on the funnel's database and Stripe, ready. */
async function start(env: Record<string, string>) {
  const { output, ...started } = run(env)
  const port = await eventually(
    () => Promise.resolve(Number(/"port":(\d+)/.exec(output())?.[1] ?? 0)),
    (found) => found > 0,
  )
  return { ...started, port, output }
}

function run(env: Record<string, string>) {
  const all = environment({ DATABASE_URL: funnel.databaseUrl, STRIPE_API_BASE: funnel.stripeUrl, LOG_LEVEL: 'info' })
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...all, ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()))
  const exit = new Promise<{ code: number | null; at: number }>((done) =>
    child.once('exit', (code) => done({ code, at: performance.now() })),
  )
  return { child, exit, output: () => text }
}

interface Answer {
  status: number
  connection: string | undefined
  error?: string
  body: string
}
/** One request by an agent; never rejects. */
function ask(agent: Agent, port: number, path: string): Promise<Answer> {
  return new Promise((done) => {
    const fail = (error: NodeJS.ErrnoException) =>
      done({ status: 0, connection: undefined, error: error.code ?? error.message, body: '' })
    const asked = request({ agent, port, host: '127.0.0.1', path }, (res) => {
      let body = ''
      res.on('data', (part: Buffer) => (body += part.toString()))
      res.on('error', fail)
      res.on('end', () => done({ status: res.statusCode ?? 0, connection: res.headers.connection, body }))
    })
    asked.on('error', fail)
    asked.end()
  })
}

test('N-03 a stopping replica says so at once, serves on, ends connections by an answer, exits with 0', async () => {
  const DRAIN = 4
  const { child, exit, port } = await start({ DRAIN_SECONDS: String(DRAIN) })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const answers: (Answer & { asked: number })[] = []
  let told = Infinity
  // a balancer has gone elsewhere by the end of the drain
  const over = () => performance.now() > told + DRAIN * 1000 - 200
  const traffic = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!over()) {
        const asked = performance.now()
        answers.push({ ...(await ask(agent, port, '/api/config')), asked })
        await pause(5)
      }
    }),
  )
  await eventually(
    () => Promise.resolve(answers.length),
    (found) => found > 50,
  )
  told = performance.now()
  child.kill('SIGTERM')
  const ready = await eventually(
    () => ask(agent, port, '/readyz'),
    ({ status }) => status === 503,
  )
  const draining = performance.now()
  expect(JSON.parse(ready.body)).toMatchObject({ ready: false, reasons: ['draining'] })
  expect((await ask(agent, port, '/healthz')).status).toBe(200)
  const { code, at } = await exit
  await traffic
  expect(code).toBe(0)
  expect((at - told) / 1000).toBeGreaterThan(DRAIN)
  // until then every request was answered
  expect(answers.filter((one) => one.status !== 200)).toEqual([])
  const late = answers.filter(({ asked }) => asked > draining)
  expect(late.length).toBeGreaterThan(5)
  expect(new Set(late.map(({ connection }) => connection))).toEqual(new Set(['close']))
})

test('N-03 embedded, a stop with idle kept connections does not wait for them', async () => {
  const { child, exit, port } = await start({})
  const agent = new Agent({ keepAlive: true })
  await Promise.all(Array.from({ length: 5 }, () => ask(agent, port, '/api/config')))
  const told = performance.now()
  child.kill('SIGTERM')
  const { code, at } = await exit
  // requests under way would get ten seconds
  expect([code, at - told < 8_000]).toEqual([0, true])
})

test('N-03 P-04 the look after a start at many open payments ends between two of them', async () => {
  const buyer = await funnel.buyer()
  await funnel.db
    .insertInto('payment_intents')
    .values(
      Array.from({ length: 200 }, (_, n) => ({
        session_id: buyer.sessionId,
        purpose: `upsell:p${n}`,
        stripe_intent_id: `pi_open${n}`,
        product_id: 'guide_devices',
        amount_cents: 1490,
      })),
    )
    .execute()
  const rule = { mode: 'slow', ms: 200, method: 'GET', path: '/v1/payment_intents/*', times: 1_000, from: 'server' }
  await funnel.control('POST', 'faults', rule)
  const { child, exit, output } = await start({})
  await eventually(
    () => Promise.resolve(output()),
    (text) => text.includes('reconciling one payment failed'),
  )
  child.kill('SIGTERM')
  const { code } = await exit
  await funnel.control('DELETE', 'faults')
  expect(code).toBe(0)
  // most were left to the next start
  expect(output().split('reconciling one payment failed').length - 1).toBeLessThan(100)
})

test('N-03 a port that is taken is named, and the second program ends with 1', async () => {
  const first = await start({})
  const second = run({ PORT: String(first.port) })
  expect((await second.exit).code).toBe(1)
  expect(second.output()).toContain(`cannot listen on 127.0.0.1:${first.port}`)
  expect(second.output()).toContain('EADDRINUSE')
})
