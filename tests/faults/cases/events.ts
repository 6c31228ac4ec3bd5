import { Buyer } from '../buyer.ts'
import { type Case, finished, inWorld, type Outcome, together } from '../case.ts'
import { FLOWS } from '../flows.ts'
import { settled } from '../invariants.ts'
import { readDatabase, readStripe } from '../books.ts'
import { inTurns, pause } from '../random.ts'
import { WEBHOOK_SECRET } from '../../service/service.ts'
import { signature } from '../../../stand-ins/stripe/webhooks.ts'
import type { World } from '../world.ts'

interface Event {
  id: string
  type: string
  data: { object: { id: string; payment_intent?: string; customer?: string } }
}

export async function send(
  world: World,
  payload: string,
  signed = signature(payload, WEBHOOK_SECRET),
): Promise<number> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signed }
  const reply = await fetch(`${world.url}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })
  await reply.arrayBuffer()
  return reply.status
}

/** Lets no event through but those a case delivers itself: webhooks are lost, and the poll's bookmark lies ahead. */
export async function silence(world: World): Promise<void> {
  await world.control('POST', 'webhooks', { mode: 'lost' })
  const at = new Date(Date.now() + 86_400_000)
  await world.db
    .insertInto('bookmarks')
    .values({ name: 'stripe_events', at })
    .onConflict((row) => row.column('name').doUpdateSet({ at }))
    .execute()
}

const eventsOf = async (world: World): Promise<Event[]> =>
  (await world.control('GET', 'objects?kind=event&limit=1000000')).data

/** Waits until no event is pending and nothing new was written for a second, as after an undisturbed day's work. */
async function quiet(world: World): Promise<void> {
  let before = ''
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(1_000)) {
    const now = await sums(world)
    if (now === before && (await readDatabase(world)).waitingEvents === 0) return
    before = now
  }
}

/** The totals of a case's money, which must be the same after a replay. */
async function sums(world: World): Promise<string> {
  const [stripe, db] = await Promise.all([readStripe(world), readDatabase(world)])
  return JSON.stringify([
    stripe.successes.length,
    stripe.subscriptions.length,
    db.payments.length,
    db.grants.length,
    db.outbox.length,
  ])
}

export const tabClosed: Case = {
  name: 'tab-closed',
  title: 'P-04 P-10 tab closed at each step; webhook first, late, never: grant within 60 s',
  async run(context) {
    const modes = {
      first: { mode: 'normal' },
      late: { mode: 'normal', delay_ms: context.quick ? 4_000 : 20_000 },
      never: { mode: 'lost' },
    }
    const products = ['trial_1', 'special_offer', 'monthly', 'reading_7_days'] as const
    const run = async ([name, settings]: [string, object]) =>
      inWorld(context, {}, async (world) => {
        await world.control('POST', 'webhooks', settings)
        const buyers: Buyer[] = []
        const repeats = context.count(5, 1)
        const jobs = Array.from({ length: repeats }, () =>
          products.flatMap((product) =>
            [0, 1, 2, 3].map((step) => async () => {
              const buyer = new Buyer(world, context.random)
              buyers.push(buyer)
              await buyer.arrive()
              if (step === 0) return
              const way = product === 'trial_1' && step === 3 ? 'setup' : 'card'
              const opened = await buyer.open(product, way)
              if (step === 1 || !opened) return
              const status = await buyer.confirm(opened, way)
              if (status !== 'succeeded') throw new Error(`not paid: ${status}`)
              // the last thing the tab does: it asks and does not wait for the answer
              if (step === 3)
                void buyer
                  .once('POST', buyer.path('/payments/finalize'), { paymentIntentId: opened.paymentIntentId })
                  .catch(() => undefined)
            }),
          ),
        ).flat()
        const stopped = await finished([inTurns(jobs, 8)])
        const { violations, milliseconds } = await settled(world, buyers)
        return {
          runs: buyers.length,
          violations: [...stopped, ...violations].map((one) => `webhook ${name}: ${one}`),
          slowest: milliseconds,
        }
      })
    return together(await Promise.all(Object.entries(modes).map(run)))
  },
}

export const sameEvent: Case = {
  name: 'event-repeated',
  title: 'P-10 T-03 the same event 100 times at once: one effect',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const buyers = Array.from({ length: context.count(10, 2) }, () => new Buyer(world, context.random))
      await Promise.all(buyers.map((buyer) => FLOWS['trial and add-ons'](buyer)))
      await Promise.all(
        buyers.slice(0, 1).map((buyer) => FLOWS['charged twice'](new Buyer(world, context.random, buyer.base))),
      )
      const first = await settled(world, buyers)
      await quiet(world)
      const before = await sums(world)
      const events = await eventsOf(world)
      const types = [...new Set(events.map(({ type }) => type))]
      for (const type of types) {
        const event = events.find((one) => one.type === type)
        if (!event) continue
        // as if it had never been processed, so that a hundred workers can
        await world.db.deleteFrom('webhook_events').where('id', '=', event.id).execute()
        const payload = JSON.stringify(event)
        await Promise.all(Array.from({ length: 100 }, () => send(world, payload)))
      }
      await pause(1_500)
      const { violations, milliseconds } = await settled(world, buyers)
      const after = await sums(world)
      const changed = before === after ? [] : [`a replay changed something: ${before} → ${after}`]
      return {
        runs: types.length * 100,
        violations: [...first.violations, ...changed, ...violations],
        slowest: milliseconds,
        note: `${types.length} types`,
      }
    }),
}

/** All permutations of a list. */
function orders<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((one, at) => orders([...list.slice(0, at), ...list.slice(at + 1)]).map((rest) => [one, ...rest]))
}

const LIFE = [
  'payment_intent.succeeded',
  'charge.refunded',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'charge.dispute.created',
  'charge.dispute.closed',
]

export const eventOrders: Case = {
  name: 'event-orders',
  title: "P-10 P-12 every order of six events of a payment's life, one by one or at once: Stripe's state in the end",
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      await silence(world)
      const all = context.random.shuffle(orders([0, 1, 2, 3, 4, 5])).slice(0, context.count(720, 8))
      const buyers: Buyer[] = []
      const live = async (order: number[]) => {
        const buyer = new Buyer(world, context.random)
        buyers.push(buyer)
        await buyer.arrive()
        const opened = await buyer.open('trial_9')
        if (!opened) throw new Error('paid before it began')
        await buyer.confirm(opened)
        // the subscription must exist for its own events; half of the lives end in a dispute, half in a refund
        await buyer.finalize(opened.paymentIntentId)
        const { body: subscriptions } = await world.stripe('dashboard', 'GET', '/v1/subscriptions', {
          customer: await customerOf(world, buyer),
        })
        const subscription = subscriptions.data[0]?.id as string
        const charge = (await world.stripe('dashboard', 'GET', `/v1/payment_intents/${opened.paymentIntentId}`)).body
          .latest_charge as string
        if (order[0] !== undefined && order[0] % 2 === 0)
          await world.stripe('dashboard', 'DELETE', `/v1/subscriptions/${subscription}`)
        if (context.random.below(2) === 0)
          await world.stripe('dashboard', 'POST', '/v1/refunds', {
            payment_intent: opened.paymentIntentId,
            ...(context.random.below(2) ? { amount: '40' } : {}),
          })
        else {
          const dispute = await world.control('POST', 'disputes', { charge })
          await world.control('POST', 'disputes/close', {
            dispute: dispute.id,
            status: context.random.pick(['won', 'lost']),
          })
        }
        const own = (await eventsOf(world)).filter(
          ({ data: { object } }) =>
            object.id === opened.paymentIntentId ||
            object.payment_intent === opened.paymentIntentId ||
            object.id === subscription,
        )
        const life = LIFE.map((type) => own.find((event) => event.type === type))
        const sequence = order.flatMap((at) => life[at] ?? [])
        const slowly = context.random.below(2) === 0
        for (const event of sequence) {
          await send(world, JSON.stringify(event))
          if (slowly) await handled(world, event.id)
        }
        await Promise.all(sequence.map((event) => handled(world, event.id)))
      }
      const stopped = await finished([
        inTurns(
          all.map((order) => () => live(order)),
          6,
        ),
      ])
      const { violations, milliseconds } = await settled(world, buyers)
      return { runs: all.length, violations: [...stopped, ...violations], slowest: milliseconds }
    }),
}

async function customerOf(world: World, { sessionId }: Buyer): Promise<string> {
  const row = await world.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return row.stripe_customer_id ?? ''
}

async function handled(world: World, id: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(20)) {
    const row = await world.db.selectFrom('webhook_events').select('handled_at').where('id', '=', id).executeTakeFirst()
    if (row?.handled_at) return
  }
  throw new Error(`an event was not worked through in 30 s: ${id}`)
}

const HOUR = 3_600

export const webhooksOff: Case = {
  name: 'webhooks-off',
  title:
    'P-04 P-10 P-12 webhooks off for 72 h of test clock, with and without the service: converges within 60 ' +
    's, replay harmless',
  run: async (context) =>
    together(
      await Promise.all(
        [true, false].map((up) =>
          inWorld(context, {}, async (world): Promise<Outcome> => {
            await world.control('POST', 'webhooks', { mode: 'off' })
            const buyers = Array.from({ length: context.count(40, 4) }, () => new Buyer(world, context.random))
            const opened = await Promise.all(
              buyers.map(async (buyer, at) => {
                await buyer.arrive()
                return { buyer, intent: await buyer.open(at % 4 === 3 ? 'monthly' : 'trial_5') }
              }),
            )
            if (!up) await Promise.all(world.replicas.map((one) => one.kill()))
            for (const { buyer, intent } of opened) if (intent) await buyer.confirm(intent)
            const first = up ? await settled(world) : { violations: [], milliseconds: 0 }
            // trials end, the first full charge is collected an hour later
            for (let hours = 0; hours < 74; hours += 2) await world.control('POST', 'clock', { advance: 2 * HOUR })
            const [lucky] = opened
            if (lucky?.intent)
              await world.stripe('dashboard', 'POST', '/v1/refunds', { payment_intent: lucky.intent.paymentIntentId })
            if (!up) await Promise.all(world.replicas.map((one) => one.start()))
            const second = await settled(world)
            await quiet(world)
            const before = await sums(world)
            await world.control('POST', 'webhooks', { mode: 'normal', copies: 2, shuffle_ms: 300 })
            for (const end = Date.now() + 30_000; Date.now() < end; await pause(200)) {
              if ((await world.control('GET', 'totals')).undelivered === 0) break
            }
            for (const event of (await eventsOf(world)).slice(0, 60))
              await world.control('POST', 'webhooks/resend', { event: event.id, times: 2 })
            await pause(1_500)
            const third = await settled(world)
            const changed = before === (await sums(world)) ? [] : ['a replay changed something']
            const renewals = await world.db
              .selectFrom('payments')
              .select('id')
              .where('purpose', 'like', 'renewal:%')
              .execute()
            if (up && renewals.length === 0) changed.push('no trial was renewed: the case tried nothing')
            return {
              runs: buyers.length,
              violations: [...first.violations, ...second.violations, ...changed, ...third.violations],
              slowest: Math.max(second.milliseconds, third.milliseconds),
              note: `${up ? 'service up' : 'service down'}: ${renewals.length} renewals`,
            }
          }),
        ),
      ),
    ),
}
