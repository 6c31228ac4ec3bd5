import { createHmac, randomBytes } from 'node:crypto'
import { PRODUCT_IDS, product } from '../../../contract/catalogue.ts'
import { formatMoney, toCents, toDollars } from '../../../contract/money.ts'
import { WEBHOOK_SECRET } from '../../service/service.ts'
import { Buyer } from '../buyer.ts'
import { type Case, inWorld } from '../case.ts'
import { settled } from '../invariants.ts'
import type { World } from '../world.ts'
import { send } from './events.ts'
import { evidenceOf, orderOf, setupOf } from '../../support/order.ts'

const MANY = 1_000_000

/** Counts the writes that the service sends to Stripe, by means of a fault that never occurs. */
async function counting(world: World): Promise<() => Promise<number>> {
  await world.control('POST', 'faults', { mode: 'slow', ms: 0, method: 'POST', after: MANY, from: 'server' })
  return async () => MANY - ((await world.control('GET', 'faults')).rules as { after: number }[])[0]!.after
}

export const prices: Case = {
  name: 'prices',
  title: 'P-02 P-13 every two-decimal price from 0.01 to 9,999.99 through the conversions: exact',
  run: (context) => {
    const violations: string[] = []
    let runs = 0
    for (let cents = 1; cents <= 999_999; cents += context.quick ? 7 : 1) {
      runs += 1
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
      const exact =
        toCents(Number(text)) === cents &&
        toCents(toDollars(cents)) === cents &&
        toDollars(cents).toFixed(2) === text &&
        Math.round(Number(formatMoney(cents).replace(/[$,]/g, '')) * 100) === cents
      if (!exact) violations.push(`not exact: ${text}`)
    }
    return Promise.resolve({ runs, violations })
  },
}

export const tampered: Case = {
  name: 'tampered',
  title:
    'P-02 U-08 tampered product, price, customer, session: refused, with no call to Stripe; what is charged ' +
    'is the catalogue’s price',
  run: (context) =>
    inWorld(context, {}, async (world) => {
      const wrong: string[] = []
      const buyer = new Buyer(world, context.random)
      await buyer.arrive()
      const other = new Buyer(world, context.random)
      await other.arrive()
      const theirs = await other.open('trial_1')
      const calls = await counting(world)
      const thief = new Buyer(world, context.random)
      thief.sessionId = other.sessionId
      const initial = '/payments/initial'
      const tries: [string, Buyer, string, unknown][] = [
        ['an unknown product', buyer, initial, orderOf('trial_0', { paymentMethodType: 'card' })],
        ['an add-on as first payment', buyer, initial, orderOf('bundle', { paymentMethodType: 'card' })],
        [
          'a product that is no text',
          buyer,
          initial,
          { ...orderOf('trial_1', { paymentMethodType: 'card' }), productId: ['trial_1'] },
        ],
        ['a property of the catalogue', buyer, initial, orderOf('__proto__', { paymentMethodType: 'card' })],
        ['an amount', buyer, initial, orderOf('trial_1767', { paymentMethodType: 'card', amount: 1 })],
        [
          'a price',
          buyer,
          initial,
          orderOf('trial_1767', { paymentMethodType: 'card', priceId: 'price_1', price: 0.01 }),
        ],
        ['a customer', buyer, initial, orderOf('trial_1', { paymentMethodType: 'card', customerId: 'cus_other' })],
        ['a session', buyer, initial, orderOf('trial_1', { paymentMethodType: 'card', sessionId: other.sessionId })],
        ['another method', buyer, initial, orderOf('trial_1', { paymentMethodType: 'cash' })],
        [
          'another price than the page showed',
          buyer,
          initial,
          { ...orderOf('trial_1767', { paymentMethodType: 'card' }), ...evidenceOf('trial_1') },
        ],
        ['the session of another', thief, initial, orderOf('trial_1', { paymentMethodType: 'card' })],
        ['an add-on for another', thief, '/upsells', orderOf('bundle')],
        ['an add-on unpaid', buyer, '/upsells', orderOf('bundle')],
        ['a trial as add-on', buyer, '/upsells', orderOf('trial_1')],
        ['the intent of another', buyer, '/payments/finalize', { paymentIntentId: theirs?.paymentIntentId }],
        ['an intent that is none', buyer, '/payments/finalize', { paymentIntentId: 'pi_1 or 1=1' }],
        ['an intent of nobody', buyer, '/payments/finalize', { paymentIntentId: 'pi_doesnotexist' }],
        ['PayPal at value 0 for the offer', buyer, '/paypal/setup', setupOf('special_offer')],
      ]
      for (const [what, who, path, body] of tries) {
        const reply = await who.once('POST', who.path(path), body)
        if (reply.status < 400 || reply.status >= 500) wrong.push(`${what}: ${reply.status}`)
      }
      const price = await buyer.once('PUT', buyer.path('/price'), { selectedPrice: 0.01 })
      if (price.status < 400) wrong.push('a price of one cent was taken')
      const asked = await calls()
      if (asked > 0) wrong.push(`${asked} calls to Stripe for refused requests`)
      await world.control('DELETE', 'faults')
      // whatever is requested, the charge is the catalogue's
      const charged: Buyer[] = []
      for (const id of PRODUCT_IDS.filter((one) => !['bundle', 'guide'].includes(product(one).kind))) {
        const one = new Buyer(world, context.random)
        charged.push(one)
        await one.arrive()
        await one.pay(id)
      }
      const { violations, milliseconds } = await settled(world, charged)
      return { runs: tries.length + 1 + charged.length, violations: [...wrong, ...violations], slowest: milliseconds }
    }),
}

const sign = (payload: string, at: number, secret = WEBHOOK_SECRET, version = 'v1') =>
  `t=${at},${version}=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`

export const forged: Case = {
  name: 'forged-webhooks',
  title:
    'P-10 forged, stale, future-dated, truncated, wrong-secret, live/test-mixed webhooks: refused, nothing written',
  run: (context) =>
    inWorld(context, {}, async (world) => {
      const wrong: string[] = []
      const buyer = new Buyer(world, context.random)
      await buyer.arrive()
      const opened = await buyer.open('trial_1')
      const seconds = () => Math.floor(Date.now() / 1000)
      const make = (change: object = {}) =>
        JSON.stringify({
          id: `evt_forged${randomBytes(8).toString('hex')}`,
          object: 'event',
          type: 'payment_intent.succeeded',
          created: seconds(),
          livemode: false,
          api_version: '2026-10-28.endive',
          data: { object: { id: opened?.paymentIntentId, object: 'payment_intent', status: 'succeeded' } },
          ...change,
        })
      const payload = make()
      const live = make({ livemode: true })
      // signed anew for each round: what is dated ahead would be good some seconds later
      const tries = (now: number): [what: string, body: string, signature: string][] => [
        ['unsigned', payload, ''],
        ['an empty signature', payload, 't=,v1='],
        ['a made-up signature', payload, `t=${now},v1=${'0'.repeat(64)}`],
        ['the wrong secret', payload, sign(payload, now, 'whsec_anothersecret')],
        ['the API key as secret', payload, sign(payload, now, 'sk_test_funnel0123456789')],
        ['stale', payload, sign(payload, now - 301)],
        ['a day old', payload, sign(payload, now - 86_400)],
        ['future-dated', payload, sign(payload, now + 360)],
        ['of the year 2100', payload, sign(payload, 4_102_444_800)],
        ['truncated', payload.slice(0, -20), sign(payload, now)],
        ['signed truncated', payload.slice(0, -20), sign(payload.slice(0, -20), now)],
        ['changed', payload.replace('succeeded', 'canceled'), sign(payload, now)],
        ['an older scheme', payload, sign(payload, now, WEBHOOK_SECRET, 'v0')],
        ['live mode', live, sign(live, now)],
        ['no event', '[]', sign('[]', now)],
        ['nothing', '', sign('', now)],
      ]
      const rows = async () =>
        Number(
          (
            await world.db
              .selectFrom('webhook_events')
              .select(({ fn }) => fn.countAll().as('n'))
              .where('id', 'like', 'evt_forged%')
              .executeTakeFirstOrThrow()
          ).n,
        )
      for (let n = context.count(20, 1); n > 0; n--) {
        for (const [what, body, signature] of tries(seconds())) {
          const status = await send(world, body, signature)
          if (status < 400 || status >= 500) wrong.push(`${what}: ${status}`)
        }
      }
      const written = await rows()
      if (written > 0) wrong.push(`${written} refused events were written`)
      // a claim about a payment is looked up at Stripe even when its signature is valid
      if ((await send(world, payload, sign(payload, seconds()))) !== 200) wrong.push('a good one was refused')
      const { violations, milliseconds } = await settled(world, [buyer])
      const runs = tries(0).length * context.count(20, 1)
      return { runs, violations: [...wrong, ...violations], slowest: milliseconds }
    }),
}
