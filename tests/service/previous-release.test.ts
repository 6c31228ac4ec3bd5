/**
 * The release before on the schema of this one: while a release rolls out both serve side by side, and when it is taken
 * back the one before serves alone. `npm run previous` runs that release's own tests on the new schema.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyPort } from '../../db/ports.ts'
import { evidenceOf } from '../support/order.ts'
import { checkOut, previousRelease } from '../support/previous-release.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { addresses, environment, eventually } from './service.ts'

const commit = previousRelease()

if (commit) describe('the release before', releaseBefore)
// a download and a shallow clone have none; npm run previous takes one by name
else
  test('D-11 a copy without its history has no release before to try', () => expect(previousRelease()).toBeUndefined())

function releaseBefore(): void {
  let funnel: Funnel
  let before: ReturnType<typeof checkOut>
  let program: ChildProcess
  let said = ''
  let old = ''
  beforeAll(async () => {
    funnel = await startFunnel()
    before = checkOut(commit ?? '')
    const port = await anyPort()
    const env = environment({
      ...addresses(funnel.databaseUrl),
      STRIPE_API_BASE: funnel.stripeUrl,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    })
    program = spawn(process.execPath, [join(before.folder, 'payments-service/main.ts')], {
      cwd: before.folder,
      env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [program.stdout, program.stderr]) stream?.on('data', (text: Buffer) => (said += String(text)))
    old = `http://127.0.0.1:${port}`
    const ready = () =>
      fetch(`${old}/readyz`).then(
        ({ status }) => status,
        () => 0,
      )
    await eventually(ready, (status) => status === 200 || program.exitCode !== null)
    if (program.exitCode !== null) throw new Error(`it does not start: ${said}`)
  })
  afterAll(async () => {
    if (program.exitCode === null) {
      program.kill('SIGKILL')
      await once(program, 'exit')
    }
    await funnel.stop()
    before.remove()
  })

  /** A buyer from the first page to an add-on; what each answer was, by its name. */
  async function walk(at: (step: number) => string, product: 'trial_1' | 'trial_5' | 'monthly'): Promise<string[]> {
    const cookies = new Map<string, string>()
    const answers: string[] = []
    let steps = 0
    // a client of its own: what the release before answers is not of this release's contract
    const send = async (method: string, path: string, body: unknown) => {
      const reply = await fetch(at(steps++) + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: JSON.stringify(body),
      })
      for (const line of reply.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      answers.push(`${path.replace(/[0-9a-f-]{36}/, '*')} ${reply.status}`)
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever that release answers
      return (await reply.json()) as any
    }
    const { sessionId } = await send('POST', '/api/sessions', { clientKey: crypto.randomUUID() })
    const path = (rest: string) => `/api/sessions/${sessionId}${rest}`
    const events = [{ kind: 'page_view', id: crypto.randomUUID(), url: '/quiz', title: 'Quiz', step: '3' }]
    await send('POST', '/api/track', { sessionId, events })
    await send('POST', path('/answers'), {
      answers: [{ questionId: 'eyeColor', answer: 'blue', answeredAt: new Date().toISOString() }],
    })
    await send('PUT', path('/email'), { email: `${crypto.randomUUID()}@example.com` })
    const order = { productId: product, paymentMethodType: 'card', ...evidenceOf(product) }
    const opened = await send('POST', path('/payments/initial'), order)
    await funnel.typeCard(opened)
    await send('POST', path('/payments/finalize'), { paymentIntentId: opened.paymentIntentId })
    await send('POST', path('/upsells'), { productId: 'guide_devices', ...evidenceOf('guide_devices') })
    return answers
  }
  const good = [
    ...['/api/sessions 200', '/api/track 200', '/api/sessions/*/answers 200', '/api/sessions/*/email 200'],
    ...['/payments/initial 200', '/payments/finalize 200', '/upsells 200'].map((rest) => `/api/sessions/*${rest}`),
  ]

  test('D-11 P-04 on the new schema it sells beside this release and alone, and both keep the same books', async () => {
    const products = ['trial_1', 'trial_5', 'monthly'] as const
    // side by side, each request to either; then all at the release before; then all at this one
    const ways = [(step: number) => (step % 2 ? old : funnel.url), () => old, () => funnel.url]
    const walks = ways.flatMap((way) => products.map((product) => walk(way, product)))
    for (const answers of await Promise.all(walks)) expect(answers).toEqual(good)
    const settled = () => funnel.db.selectFrom('payments').select('is_duplicate').where('settled_at', 'is not', null)
    const paid = await eventually(
      () => settled().execute(),
      (rows) => rows.length >= 18,
    )
    expect(paid.filter(({ is_duplicate }) => is_duplicate)).toEqual([])
    expect((await funnel.totals()).charges_succeeded).toBe(18)
    // every event was worked off by one of the two
    await eventually(
      () => funnel.db.selectFrom('webhook_events').select('id').where('handled_at', 'is', null).execute(),
      (rows) => rows.length === 0,
    )
    program.kill('SIGTERM')
    const [code] = (await once(program, 'exit')) as [number | null]
    expect(code).toBe(0)
    // both may be at the same step at Stripe: one waits for the other
    const errors = said
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line) && !/idempotency_key_in_use/.test(line))
    expect(errors).toEqual([])
  })
}
