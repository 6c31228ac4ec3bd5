import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService, WEBHOOK_SECRET } from './service.ts'

let service: RunningService
beforeAll(async () => void (service = await startService()))
afterAll(() => service.stop())

const now = (): number => Math.floor(Date.now() / 1000)
const signed = (payload: string, at: number, secret = WEBHOOK_SECRET): string =>
  createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')

async function post(
  payload: string,
  signature = `t=${now()},v1=${signed(payload, now())}`,
  { url } = service,
): Promise<number> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await fetch(`${url}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })).status
}

const event = (change: object = {}): string =>
  JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'charge.unheard_of',
    created: now(),
    livemode: false,
    api_version: '2026-10-28.endive',
    data: { object: { id: 'x' } },
    ...change,
  })

const stored = async (): Promise<number> =>
  (await service.db.selectFrom('webhook_events').select('id').execute()).length

describe('the door for webhooks', () => {
  test('P-10 two webhook secrets are valid at once, as while an endpoint replaces another', async () => {
    const [next, stranger] = ['whsec_ofthenextendpoint0000', 'whsec_ofsomebodyelse00000']
    const both = await startService({ env: { STRIPE_WEBHOOK_SECRET: `${WEBHOOK_SECRET},${next}` } })
    const answers = [WEBHOOK_SECRET, next, stranger].map((secret) => {
      const [payload, at] = [event(), now()]
      return post(payload, `t=${at},v1=${signed(payload, at, secret)}`, both)
    })
    expect(await Promise.all(answers)).toEqual([200, 200, 400])
    await both.stop()
  })

  test('P-10 a webhook that is dated twice is refused, whichever of the dates is signed', async () => {
    const payload = event()
    const [today, ahead] = [now(), now() + 3_600]
    for (const header of [
      `t=${today},t=${ahead},v1=${signed(payload, ahead)}`,
      `t=${ahead},t=${today},v1=${signed(payload, today)}`,
      `t=${today},v1=${signed(payload, ahead)},t=${ahead}`,
    ]) {
      expect(await post(payload, header)).toBe(400)
    }
    expect(await stored()).toBe(0)
  })

  test('P-10 a signed body that is no event is refused as bad, never answered as a failure of ours', async () => {
    for (const created of ['soon', null, undefined, 1e300, 12.5, {}]) {
      expect(await post(event({ created })), `created: ${String(created)}`).toBe(400)
    }
    for (const change of [{ id: undefined }, { id: 7 }, { type: null }, { livemode: 'false' }]) {
      expect(await post(event(change)), JSON.stringify(change)).toBe(400)
    }
    for (const body of ['null', '[]', '7', '"event"']) expect(await post(body), body).toBe(400)
    expect(await stored()).toBe(0)
  })

  test('P-10 a signed event of a shape nobody has seen is stored all the same', async () => {
    for (const data of [undefined, null, {}, { object: null }, { object: 'x' }, []]) {
      expect(await post(event({ data })), JSON.stringify(data)).toBe(200)
    }
    expect(await stored()).toBe(6)
  })

  test('P-10 an event of a family that means nothing here is answered, and takes no row', async () => {
    const before = await stored()
    for (const type of ['payout.paid', 'product.created', 'customer.created', 'payment_method.attached', 'ping.pong']) {
      expect(await post(event({ type })), type).toBe(200)
    }
    expect(await stored()).toBe(before)
  })
})
