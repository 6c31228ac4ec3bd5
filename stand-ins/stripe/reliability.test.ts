// What fault tests rely on: idempotency, faults on demand, a ledger that survives kill -9, webhooks that misbehave.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { startSandbox } from './sandbox.ts'
import {
  failure,
  openInbox,
  openWorld,
  PUBLISHABLE,
  schemaErrors,
  sdk,
  SECRET,
  until,
  WEBHOOK_SECRET,
  type Inbox,
  type World,
} from './testing.ts'

const PAY = {
  amount: 100,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
  payment_method: 'pm_card_visa',
  confirm: true,
} satisfies Stripe.PaymentIntentCreateParams
let world: World
let inbox: Inbox
let stripe: Stripe
beforeAll(async () => {
  inbox = await openInbox()
  world = await openWorld({ webhookUrl: inbox.url })
  stripe = world.stripe
})
afterEach(async () => {
  await world.control('DELETE', 'faults')
  await world.control('POST', 'webhooks', { mode: 'normal', delay_ms: 0, copies: 1, shuffle_ms: 0, retry_ms: 1000 })
})
afterAll(async () => {
  await world.close()
  await inbox.close()
})
const charges = async (): Promise<number> => Number((await world.control('GET', 'totals')).body['charges_succeeded'])

test('an idle connection outlives a client that would use it again: none is reset under a request', async () => {
  expect((await fetch(`${world.sandbox.url}/v1/nothing`)).headers.get('keep-alive')).toBe('timeout=75')
})

describe('idempotency', () => {
  test('the same key gives the same answer; other parameters or another path are an error', async () => {
    const before = await charges()
    const options = { idempotencyKey: 'idem-1' }
    const first = await stripe.paymentIntents.create(PAY, options)
    const second = await stripe.paymentIntents.create(PAY, options)
    expect(second.id).toBe(first.id)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
    expect(await charges()).toBe(before + 1)
    expect(await failure(stripe.paymentIntents.create({ ...PAY, amount: 200 }, options))).toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    })
    expect(await failure(stripe.customers.create({}, options))).toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    })
  })

  test('50 creates at once with one key give one charge: to the others too, or 409 while it is made', async () => {
    const before = await charges()
    const many = (client: Stripe, key: string) =>
      Promise.all(
        Array.from({ length: 50 }, () =>
          client.paymentIntents.create(PAY, { idempotencyKey: key }).catch((error: { statusCode: number }) => error),
        ),
      )
    const plain = await many(stripe, 'idem-50')
    const made = plain.flatMap((one) => ('id' in one ? [one.id] : []))
    expect([new Set(made).size, plain.every((one) => 'id' in one || one.statusCode === 409)]).toEqual([1, true])
    expect(await charges()).toBe(before + 1)
    const patient = await many(sdk(world.sandbox.port, { maxNetworkRetries: 2 }), 'idem-51')
    expect(new Set(patient.map((one) => ('id' in one ? one.id : one.statusCode))).size).toBe(1)
    expect(await charges()).toBe(before + 2)
  })

  test('declines and 500s are replayed; what was refused before execution is not', async () => {
    const declined = { ...PAY, payment_method: 'pm_card_visa_chargeDeclined' }
    const one = await failure(stripe.paymentIntents.create(declined, { idempotencyKey: 'idem-402' }))
    const two = await failure(stripe.paymentIntents.create(declined, { idempotencyKey: 'idem-402' }))
    expect([two.statusCode, two.payment_intent?.id]).toEqual([402, one.payment_intent?.id])
    await world.control('POST', 'faults', { mode: '500' })
    expect(await failure(stripe.paymentIntents.create(PAY, { idempotencyKey: 'idem-500' }))).toMatchObject({
      statusCode: 500,
    })
    const replayed = await failure(stripe.paymentIntents.create(PAY, { idempotencyKey: 'idem-500' }))
    expect([replayed.statusCode, replayed.headers?.['idempotent-replayed']]).toEqual([500, 'true'])
    expect(
      await failure(stripe.paymentIntents.create({ ...PAY, amount: 1 }, { idempotencyKey: 'idem-400' })),
    ).toMatchObject({ statusCode: 400 })
    await world.control('POST', 'faults', { mode: '429' })
    expect(await failure(stripe.customers.create({}, { idempotencyKey: 'idem-429' }))).toMatchObject({
      statusCode: 429,
    })
    expect((await stripe.customers.create({}, { idempotencyKey: 'idem-429' })).object).toBe('customer')
  })

  test('a key is forgotten after 24 hours of the sandbox’s clock', async () => {
    const first = await stripe.customers.create({ name: 'x' }, { idempotencyKey: 'idem-day' })
    await world.control('POST', 'clock', { advance: 25 * 3600 })
    expect((await stripe.customers.create({ name: 'x' }, { idempotencyKey: 'idem-day' })).id).not.toBe(first.id)
  })
})

describe('faults on demand', () => {
  test('drop: executed, the reply lost; a retry with the key finds the one charge', async () => {
    const before = await charges()
    // The SDK itself retries once after a closed connection, so the second reply is dropped too.
    await world.control('POST', 'faults', { mode: 'drop', times: 2, path: '/v1/payment_intents' })
    expect((await failure(stripe.paymentIntents.create(PAY, { idempotencyKey: 'drop-1' }))).type).toBe(
      'StripeConnectionError',
    )
    expect(await charges()).toBe(before + 1)
    expect((await stripe.paymentIntents.create(PAY, { idempotencyKey: 'drop-1' })).status).toBe('succeeded')
    expect(await charges()).toBe(before + 1)
  })

  test('a fault about a customer hits calls on what belongs to it, also where they name only the object', async () => {
    const [mine, other] = await Promise.all([stripe.customers.create({}), stripe.customers.create({})])
    const open = (customer: string) => stripe.paymentIntents.create({ amount: 100, currency: 'usd', customer })
    const [intent, another] = await Promise.all([open(mine.id), open(other.id)])
    await world.control('POST', 'faults', { mode: '500', path: '/v1/payment_intents', about: [mine.id] })
    expect((await stripe.paymentIntents.retrieve(another.id)).id).toBe(another.id)
    expect(await failure(stripe.paymentIntents.retrieve(intent.id))).toMatchObject({ statusCode: 500 })
    expect((await stripe.paymentIntents.retrieve(intent.id)).id).toBe(intent.id)
  })

  test('execute_then_500, 409, drop_before, stall and hang do what they say, and only where told', async () => {
    const before = await charges()
    await world.control('POST', 'faults', { mode: 'execute_then_500', method: 'POST', path: '/v1/payment_intents' })
    expect((await stripe.customers.create({})).object).toBe('customer')
    expect(await failure(stripe.paymentIntents.create(PAY))).toMatchObject({ statusCode: 500 })
    expect(await charges()).toBe(before + 1)
    await world.control('POST', 'faults', { mode: '409' })
    expect(await failure(stripe.paymentIntents.create(PAY))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    })
    await world.control('POST', 'faults', { mode: 'drop_before', times: 2 })
    expect((await failure(stripe.paymentIntents.create(PAY))).type).toBe('StripeConnectionError')
    expect(await charges()).toBe(before + 1)
    const patient = sdk(world.sandbox.port, { timeout: 200 })
    await world.control('POST', 'faults', { mode: 'hang', ms: 600 })
    expect((await failure(patient.paymentIntents.create(PAY, { idempotencyKey: 'hang-1' }))).type).toBe(
      'StripeConnectionError',
    )
    expect(await charges()).toBe(before + 2)
    // While the first call is still being answered, its key is in use.
    expect(await failure(patient.paymentIntents.create(PAY, { idempotencyKey: 'hang-1' }))).toMatchObject({
      statusCode: 409,
    })
    await until(
      async () =>
        (await patient.paymentIntents.create(PAY, { idempotencyKey: 'hang-1' }).catch(() => undefined))?.status ===
        'succeeded',
    )
    expect(await charges()).toBe(before + 2)
    await world.control('POST', 'faults', { mode: 'slow', ms: 150, after: 1, path: '/v1/customers/*' })
    const customer = await stripe.customers.create({})
    const took = async (): Promise<number> => {
      const begun = performance.now()
      await stripe.customers.retrieve(customer.id)
      return performance.now() - begun
    }
    expect([(await took()) < 140, (await took()) >= 140]).toEqual([true, true])
    expect((await world.control('POST', 'faults', { mode: 'nonsense' })).status).toBe(400)
    expect(
      (
        await fetch(`${world.sandbox.url}/_sandbox/faults`, {
          method: 'DELETE',
          headers: { origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403)
  })

  test('the SDK’s own retries meet the fault and get through with one charge', async () => {
    const before = await charges()
    await world.control('POST', 'faults', { mode: '409' })
    await world.control('POST', 'faults', { mode: 'drop' })
    const intent = await sdk(world.sandbox.port, { maxNetworkRetries: 3 }).paymentIntents.create(PAY)
    expect(intent.status).toBe('succeeded')
    expect(await charges()).toBe(before + 1)
  })
})

describe('webhooks', () => {
  const events = (): Stripe.Event[] => inbox.received.map((one) => JSON.parse(one.body) as Stripe.Event)

  test('P-10 signed so that the SDK accepts them, retried until answered', async () => {
    inbox.answers.push(500, 503)
    await world.control('POST', 'webhooks', { retry_ms: 20 })
    const customer = await stripe.customers.create({ name: 'hook' })
    const mine = () => inbox.received.filter((one) => one.body.includes(customer.id))
    await until(() => mine().length === 3)
    for (const one of mine()) {
      const event = stripe.webhooks.constructEvent(one.body, one.signature, WEBHOOK_SECRET)
      expect([event.type, schemaErrors(event), event.request?.id?.startsWith('req_')]).toEqual([
        'customer.created',
        [],
        true,
      ])
      expect(() => stripe.webhooks.constructEvent(`${one.body} `, one.signature, WEBHOOK_SECRET)).toThrow()
      expect(() => stripe.webhooks.constructEvent(one.body, one.signature, 'whsec_other')).toThrow()
    }
    const id = events().find((event) => (event.data.object as { id: string }).id === customer.id)?.id ?? ''
    await until(async () => (await stripe.events.retrieve(id)).pending_webhooks === 0)
    expect(mine()).toHaveLength(3)
  })

  test('off keeps events back, on sends them; lost ones can be listed and sent again', async () => {
    await until(async () => (await world.control('GET', 'webhooks')).body['pending'] === 0)
    await world.control('POST', 'webhooks', { mode: 'off' })
    const customer = await stripe.customers.create({ name: 'kept' })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(inbox.received.some((one) => one.body.includes(customer.id))).toBe(false)
    await world.control('POST', 'webhooks', { mode: 'normal' })
    await until(() => inbox.received.some((one) => one.body.includes(customer.id)))
    await world.control('POST', 'webhooks', { mode: 'lost' })
    const lost = await stripe.customers.create({ name: 'lost' })
    await world.control('POST', 'webhooks', { mode: 'normal' })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(inbox.received.some((one) => one.body.includes(lost.id))).toBe(false)
    const event = (await stripe.events.list({ type: 'customer.created', limit: 1 })).data[0]
    expect((event?.data.object as { id: string }).id).toBe(lost.id)
    await world.control('POST', 'webhooks/resend', { event: event?.id, times: 3 })
    await until(() => inbox.received.filter((one) => one.body.includes(lost.id)).length === 3)
  })

  test('double, late and shuffled deliveries', async () => {
    await world.control('POST', 'webhooks', { copies: 2, delay_ms: 50, shuffle_ms: 2_000 })
    const ids: string[] = []
    for (let n = 0; n < 12; n += 1) ids.push((await stripe.customers.create({ name: `s${n}` })).id)
    const order = () =>
      events()
        .filter((event) => ids.includes((event.data.object as { id: string }).id))
        .map((event) => (event.data.object as { id: string }).id)
    await until(() => order().length === 24)
    expect(new Set(order()).size).toBe(12)
    const firstSeen = [...new Set(order())]
    expect(firstSeen).not.toEqual(ids)
  })

  test('an endpoint made through the API gets what it asked for, signed with its own secret', async () => {
    const second = await openInbox()
    const endpoint = await stripe.webhookEndpoints.create({ url: second.url, enabled_events: ['product.created'] })
    expect(schemaErrors(endpoint)).toEqual([])
    await stripe.customers.create({})
    await stripe.products.create({ name: 'p' })
    await until(() => second.received.length === 1)
    const one = second.received[0]
    expect(stripe.webhooks.constructEvent(one?.body ?? '', one?.signature ?? '', endpoint.secret ?? '').type).toBe(
      'product.created',
    )
    await stripe.webhookEndpoints.del(endpoint.id)
    await second.close()
  })
})

describe('the ledger', () => {
  test('holds every accepted change once, in order; state is rebuilt from it, a torn last line is cut', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
    const first = await openWorld({ dataDir: folder })
    const intent = await first.stripe.paymentIntents.create(PAY, { idempotencyKey: 'ledger-1' })
    await failure(first.stripe.paymentIntents.create({ ...PAY, payment_method: 'pm_card_visa_chargeDeclined' }))
    await first.stripe.paymentIntents.retrieve(intent.id)
    await failure(first.stripe.paymentIntents.create({ ...PAY, customer: 'cus_none' }))
    await first.control('POST', 'clock', { advance: 3600 })
    const lines = first.sandbox.ledger()
    expect(lines.map((line) => [line.seq, line.cause.request?.path ?? line.cause.job])).toEqual([
      [1, '/v1/payment_intents'],
      [2, '/v1/payment_intents'],
      [3, '/v1/payment_intents'],
      [4, 'clock.advance'],
    ])
    expect(lines[0]?.objects?.map((one) => one.object).sort()).toEqual(['charge', 'payment_intent', 'payment_method'])
    const whole = await first.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    const events = (await first.stripe.events.list()).data.map((event) => event.id)
    await first.close()
    appendFileSync(join(folder, 'ledger.ndjson'), '{"seq":5,"at":"torn')

    const second = await openWorld({ dataDir: folder })
    const again = await second.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(JSON.stringify(again)).toBe(JSON.stringify(whole))
    expect((await second.stripe.events.list()).data.map((event) => event.id)).toEqual(events)
    expect((await second.stripe.paymentIntents.create(PAY, { idempotencyKey: 'ledger-1' })).id).toBe(intent.id)
    expect(Number((await second.control('GET', 'clock')).body['offset'])).toBe(3600)
    expect(readFileSync(join(folder, 'ledger.ndjson'), 'utf8')).not.toContain('torn')
    await second.close()
    rmSync(folder, { recursive: true })
  })

  test('kill -9 under load: what was answered is there after the restart, nothing twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledger-kill-'))
    const start = async () => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          PORT: '0',
          STRIPE_SANDBOX_DATA: folder,
          STRIPE_SECRET_KEY: SECRET,
          STRIPE_PUBLISHABLE_KEY: PUBLISHABLE,
          STRIPE_WEBHOOK_URL: '',
          STRIPE_WEBHOOK_SECRET: '',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      return { child, port: Number(/:(\d+)\s*$/.exec(line.toString())?.[1]) }
    }
    const answered = new Map<string, string>()
    for (let round = 0; round < 3; round += 1) {
      const { child, port } = await start()
      const client = sdk(port)
      for (const [key, id] of answered)
        expect((await client.paymentIntents.create(PAY, { idempotencyKey: key })).id).toBe(id)
      let running = true
      const workers = Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; running; n += 1) {
          const key = `kill-${round}-${worker}-${n}`
          const made = await client.paymentIntents.create(PAY, { idempotencyKey: key }).catch(() => undefined)
          if (made) answered.set(key, made.id)
        }
      })
      const before = answered.size
      await expect.poll(() => answered.size, { interval: 5 }).toBeGreaterThan(before + 3)
      await new Promise((resolve) => setTimeout(resolve, round * 130))
      running = false
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      await Promise.all(workers)
    }
    expect(answered.size).toBeGreaterThan(10)
    const last = await startSandbox({ port: 0, dataDir: folder, secretKey: SECRET, publishableKey: PUBLISHABLE })
    const client = sdk(last.port)
    for (const id of answered.values()) expect((await client.paymentIntents.retrieve(id)).status).toBe('succeeded')
    const paid = last.ledger().flatMap((line) => (line.objects ?? []).filter((one) => one.object === 'charge'))
    const keys = last.ledger().flatMap((line) => (line.key ? [line.key.key] : []))
    expect(new Set(keys).size).toBe(keys.length)
    expect(paid).toHaveLength(keys.length)
    await last.close()
    rmSync(folder, { recursive: true })
  })

  test('does not start in production, with live keys, or on a taken port', async () => {
    const options = { port: 0, dataDir: join(tmpdir(), 'ledger-none'), secretKey: SECRET, publishableKey: PUBLISHABLE }
    const environment = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    await expect(startSandbox(options)).rejects.toThrow('NODE_ENV=production')
    process.env['NODE_ENV'] = environment
    await expect(startSandbox({ ...options, secretKey: 'sk_live_1' })).rejects.toThrow('sk_test_')
    await expect(startSandbox({ ...options, port: world.sandbox.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
