/** Two replicas are replaced one after the other behind nginx while buyers buy: no request fails. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anyPort } from '../../scripts/settings.ts'
import { nginxFile } from '../../src/site/host-files.ts'
import { orderOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, environment, eventually } from './service.ts'
import { findNginx } from '../support/nginx.ts'

const MAIN = fileURLToPath(new URL('../../payments-service/main.ts', import.meta.url))
const nginx = findNginx()

describe.skipIf(!nginx)('a roll', () => {
  const place = mkdtempSync(join(tmpdir(), 'eye-roll-'))
  const running = new Map<number, ChildProcess>()
  let funnel: Funnel
  let balancer: ChildProcess
  let base = ''
  let ports: number[] = []

  const start = async (port: number): Promise<void> => {
    const env = environment({
      DATABASE_URL: funnel.databaseUrl,
      STRIPE_API_BASE: funnel.stripeUrl,
      PORT: String(port),
      DRAIN_SECONDS: '1',
    })
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
      stdio: 'ignore',
    })
    running.set(port, child)
    await eventually(
      () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    )
  }
  const replace = async (port: number): Promise<number | null> => {
    const child = running.get(port)!
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    await start(port)
    return code
  }

  beforeAll(async () => {
    funnel = await startFunnel({ webhooks: false, background: false })
    ports = [await anyPort(), await anyPort()]
    await Promise.all(ports.map(start))
    const port = await anyPort()
    base = `http://127.0.0.1:${port}`
    for (const name of ['index', '404', '500']) writeFileSync(join(place, `${name}.html`), name)
    const servers = ports.map((one) => `127.0.0.1:${one}`)
    const block = nginxFile({ '': { scripts: [], styles: [] } }, { root: place, servers, logs: place })
    writeFileSync(join(place, 'site.conf'), block.replace('listen 8080;', `listen 127.0.0.1:${port};`))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(place, name)};`)
      .join(' ')
    const file = join(place, 'nginx.conf')
    const http = `http { ${temporary} include ${join(place, 'site.conf')}; }`
    writeFileSync(
      file,
      `user root; daemon off; pid ${join(place, 'pid')}; error_log ${place}/e.log;\nevents {} ${http}\n`,
    )
    expect(spawnSync(nginx!, ['-t', '-c', file], { encoding: 'utf8' }).stderr).toContain('test is successful')
    balancer = spawn(nginx!, ['-c', file], { stdio: 'ignore' })
    await vi.waitFor(() => fetch(base), { timeout: 5_000 })
  })
  afterAll(async () => {
    for (const child of running.values()) child.kill('SIGKILL')
    if (balancer?.exitCode === null) {
      balancer.kill('SIGTERM')
      await once(balancer, 'exit')
    }
    await funnel.stop()
    rmSync(place, { recursive: true, force: true })
  })

  test('N-03 P-04 two replicas replaced in turn under buyers: no failed request, each buyer is charged once', async () => {
    const answers = new Map<string, number>()
    let rolling = true
    let bought = 0
    const buy = async () => {
      const browser = new Browser(base)
      const count = <T extends { status: number }>(name: string, reply: T): T => {
        const key = `${name} ${reply.status}`
        answers.set(key, (answers.get(key) ?? 0) + 1)
        return reply
      }
      const { body } = count('visit', await browser.post('/api/sessions', { clientKey: crypto.randomUUID() }))
      const path = (rest: string) => `/api/sessions/${body.sessionId}${rest}`
      count('e-mail', await browser.put(path('/email'), { email: `${crypto.randomUUID()}@example.com` }))
      const order = orderOf('trial_1', { paymentMethodType: 'card' })
      const opened = count('order', await browser.post(path('/payments/initial'), order))
      await funnel.confirm(opened.body)
      const { paymentIntentId } = opened.body
      count('finalize', await browser.post(path('/payments/finalize'), { paymentIntentId }))
      bought++
    }
    const buyers = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (rolling) await buy()
      }),
    )
    const codes = []
    for (const port of ports) codes.push(await replace(port))
    rolling = false
    await buyers
    expect(codes).toEqual([0, 0])
    expect(Object.fromEntries(answers)).toEqual({
      'visit 200': bought,
      'e-mail 200': bought,
      'order 200': bought,
      'finalize 200': bought,
    })
    expect(bought).toBeGreaterThan(5)
    expect((await funnel.totals()).charges_succeeded).toBe(bought)
  })
})
