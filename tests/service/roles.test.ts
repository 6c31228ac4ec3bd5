/** Requests and background work in processes of their own, on one database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HealthSource, healthRoutes } from '../../payments-service/health.ts'
import type { Heartbeat } from '../../payments-service/jobs/loop.ts'
import { anyPort } from '../../db/ports.ts'
import { orderOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, environment, eventually, type Reply } from './service.ts'

const MAIN = fileURLToPath(new URL('../../payments-service/main.ts', import.meta.url))

let funnel: Funnel
const children: ChildProcess[] = []
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await funnel.stop()
})

async function start(role: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await anyPort()
  const env = environment({
    ...{ DATABASE_URL: funnel.databaseUrl, STRIPE_API_BASE: funnel.stripeUrl },
    ...{ PORT: String(port), ROLE: role, DRAIN_SECONDS: '60' },
  })
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
    stdio: 'ignore',
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await eventually(
    () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  )
  return { child, url }
}

const loopsOf = async (url: string): Promise<string[]> =>
  Object.keys(((await (await fetch(`${url}/readyz`)).json()) as { loops: object }).loops)

/** A buyer who pays at `url`. */
async function pay(url: string): Promise<void> {
  const browser = new Browser(url)
  const path = `/api/sessions/${await browser.visit()}`
  const good = ({ status, body }: Reply) => {
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  good(await browser.put(`${path}/email`, { email: `${crypto.randomUUID()}@example.com` }))
  const order = orderOf('trial_1', { paymentMethodType: 'card' })
  const opened = good(await browser.post(`${path}/payments/initial`, order))
  await funnel.confirm(opened)
  good(await browser.post(`${path}/payments/finalize`, { paymentIntentId: opened.paymentIntentId }))
}

/** Events of Stripe that were read and worked off. */
const handled = async (): Promise<number> => {
  const { count } = await funnel.db
    .selectFrom('webhook_events')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('handled_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('N-03 P-04 one process serves and does not work, another only works, and stops without a drain', async () => {
  const web = await start('web')
  // who is notified that no worker runs
  expect(await loopsOf(web.url)).toEqual(['alerts'])
  await pay(web.url)
  await new Promise((resume) => setTimeout(resume, 6_000))
  expect(await handled()).toBe(0)

  const worker = await start('worker')
  expect(await loopsOf(worker.url)).toEqual(expect.arrayContaining(['inbox', 'outbox', 'poll', 'reconcile', 'alerts']))
  for (const path of ['/api/config', '/api/sessions', '/operator', '/api/webhooks/stripe'])
    expect((await fetch(worker.url + path)).status, path).toBe(404)
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
  await eventually(handled, (count) => count > 0)

  // buyers do not notice that no worker runs, and what they leave is worked off by the next one
  worker.child.kill('SIGKILL')
  await once(worker.child, 'exit')
  const before = await handled()
  await pay(web.url)
  const next = await start('worker')
  await eventually(handled, (count) => count > before)

  const told = performance.now()
  next.child.kill('SIGTERM')
  const [code] = (await once(next.child, 'exit')) as [number]
  expect([code, performance.now() - told < 45_000]).toEqual([0, true])
})

test('N-03 /readyz of a worker names a loop that is stuck; a replica that serves stays ready with one', async () => {
  const stuck: Heartbeat = { secondsSince: 90, stuck: true, age: 90, overdue: 89 }
  const probe = {
    query: () => Promise.resolve({ rows: [{ read_only: false, there: false }] }),
  } as unknown as HealthSource['probe']
  const ask = async (worksOnly: boolean) => {
    const app = express()
    healthRoutes(app, { probe, draining: () => false, loops: () => ({ inbox: stuck }), worksOnly })
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const reply = await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}/readyz`)
    server.close()
    return ((await reply.json()) as { reasons: string[] }).reasons
  }
  expect(await ask(true)).toContain('loops')
  expect(await ask(false)).not.toContain('loops')
})
