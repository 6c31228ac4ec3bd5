import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Buyer, type Opened, type Reply } from '../buyer.ts'
import { secondIntent } from '../flows.ts'
import { type Case, finished, inWorld, type Outcome, together } from '../case.ts'
import { settled } from '../invariants.ts'
import { silence } from './events.ts'
import { inTurns, pause, type Random, randomFrom } from '../random.ts'
import type { World } from '../world.ts'
import { orderOf } from '../../support/order.ts'

const times = <T>(n: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, at) => make(at)))

/** Every caller gets an answer, and the same one. */
function agree(what: string, replies: readonly Reply[], key: (reply: Reply) => unknown): string[] {
  const answers = new Set(replies.map((reply) => `${reply.status} ${JSON.stringify(key(reply))}`))
  return answers.size === 1
    ? []
    : [`${what}: ${answers.size} different answers (${[...answers].slice(0, 3).join(' | ')})`]
}

/** The bundle in one tab, one of its guides in another: only the first of the two is charged. */
async function bundleAndGuide(buyer: Buyer): Promise<string[]> {
  await buyer.arrive()
  await buyer.pay('trial_1')
  const ask = (productId: string) => buyer.call('POST', buyer.path('/upsells'), orderOf(productId))
  const replies = await Promise.all(['bundle', 'guide_habits', 'bundle', 'guide_habits'].map(ask))
  const bought = replies.filter(({ status, body }) => status === 200 && body.status === 'succeeded')
  return bought.length > 0 ? [] : [`neither the bundle nor a guide could be bought: ${JSON.stringify(replies[0])}`]
}

/** 50 clicks on Pay across both replicas, two tabs with two products, a reload while a click is being handled. */
async function pay(buyer: Buyer, clicks: number): Promise<string[]> {
  await buyer.arrive()
  // the address changes while the form is open: each address gets one customer, however many calls ask for it
  const email = `other-${buyer.email}`
  await times(clicks, () => buyer.call('POST', buyer.path('/customer'), { email }))
  const open = (productId: string) =>
    buyer.call('POST', buyer.path('/payments/initial'), orderOf(productId, { paymentMethodType: 'card' }))
  const opened = await times(clicks, () => open('trial_9'))
  const wrong = agree('opening', opened, ({ body }) => body.paymentIntentId)
  // another tab changes its mind and comes back
  await Promise.all([open('trial_1'), open('special_offer'), open('trial_9')])
  const intent = (await open('trial_9')).body as Opened
  await times(5, () => buyer.confirm(intent))
  const settledReplies = await times(clicks, (at) =>
    at % 5 === 0
      ? buyer.call('GET', buyer.path(`/payments/${intent.paymentIntentId}`))
      : buyer.call('POST', buyer.path('/payments/finalize'), { paymentIntentId: intent.paymentIntentId }),
  )
  wrong.push(...agree('finalizing', settledReplies, ({ body }) => body.status))
  buyer.acknowledged.push(intent.paymentIntentId)
  const late = await times(5, () => open('trial_9'))
  if (late.some(({ body }) => body?.error?.code !== 'already_paid')) wrong.push('a paid session could pay again')
  const upsells = await times(clicks, () => buyer.call('POST', buyer.path('/upsells'), orderOf('guide_lighting')))
  wrong.push(...agree('add-on', upsells, ({ body }) => [body.status, body.paymentIntentId]))
  const both = await Promise.all(
    (['guide_habits', 'guide_devices', 'guide_habits'] as const).map((id) => buyer.upsell(id)),
  )
  if (both.some(({ status }) => status !== 'succeeded')) wrong.push('add-ons at once were not all bought')
  return wrong
}

export const parallelPay: Case = {
  name: 'parallel',
  title:
    'P-01 P-02 P-04 U-08 50 parallel Pay, two tabs, reload in flight, 50 parallel add-ons on two replicas: ' +
    'one charge, one answer',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const buyers = Array.from({ length: context.count(20, 2) }, () => new Buyer(world, context.random))
      // Stripe is slow with every write, so that two replicas collide there
      await world.control('POST', 'faults', {
        mode: 'stall',
        ms: 150,
        method: 'POST',
        times: 1_000_000,
        from: 'server',
      })
      const results = await inTurns(
        buyers.map((buyer) => () => pay(buyer, context.quick ? 20 : 50).catch((error: unknown) => [String(error)])),
        context.quick ? 2 : 3,
      )
      const pairs = buyers.flatMap(() => [0, 1, 2]).map(() => new Buyer(world, context.random))
      results.push(
        ...(await inTurns(
          pairs.map((buyer) => () => bundleAndGuide(buyer).catch((error: unknown) => [String(error)])),
          3,
        )),
      )
      const { violations, milliseconds } = await settled(world, [...buyers, ...pairs])
      return {
        runs: buyers.length + pairs.length,
        violations: [...results.flat(), ...violations],
        slowest: milliseconds,
      }
    }),
}

/** Two tabs press Pay at about the same moment with products that cannot share an intent. */
async function race(buyer: Buyer, at: number, random: Random): Promise<void> {
  const pairs = [
    ['trial_1', 'monthly'],
    ['monthly', 'special_offer'],
    ['trial_5', 'setup'],
  ] as const
  const [one, other] = pairs[at % pairs.length] ?? pairs[0]
  await buyer.arrive()
  buyer.world.duplicatesAllowed.add(buyer.sessionId)
  const first = await buyer.open(one)
  const second = async () => {
    await pause(random.below(60))
    const opened = other === 'setup' ? await buyer.open('trial_5', 'setup') : await buyer.open(other)
    if (!opened) return
    const way = other === 'setup' ? 'setup' : 'card'
    if ((await buyer.confirm(opened, way)) === 'succeeded') await buyer.finalize(opened.paymentIntentId)
  }
  const pressed = async () => {
    await pause(random.below(120))
    if (first) await buyer.confirm(first)
  }
  await Promise.all([second(), pressed()])
}

/** Both tabs' payments succeed, and each replica is notified of both at once, in no particular order. */
async function bothPaid(buyer: Buyer): Promise<string[]> {
  await buyer.arrive()
  const first = await buyer.open('trial_1')
  if (!first) return ['paid before it began']
  const second = await secondIntent(buyer)
  const paid = await Promise.all([first, second].map((one) => buyer.confirm(one)))
  if (paid.some((status) => status !== 'succeeded')) return [`one of two payments was not made: ${paid.join()}`]
  const replies = await Promise.all(
    buyer.world.replicas.flatMap(({ url }) =>
      [first, second].map(async ({ paymentIntentId }) => {
        const tab = new Buyer(buyer.world, SAME, url)
        tab.sessionId = buyer.sessionId
        buyer.cookies.forEach((value, name) => tab.cookies.set(name, value))
        return tab.once('POST', tab.path('/payments/finalize'), { paymentIntentId })
      }),
    ),
  )
  // the second may not be known yet: its own event makes it known
  return replies.filter(({ status }) => status >= 500).map(({ status }) => `two payments at once: ${status}`)
}

/** Both tabs have the same network address. */
const SAME = { ...randomFrom(7), below: () => 7 }

/** The lock keeps two successes apart; where a constraint had to, the log says so and the buyer had to wait. */
function collisions(world: World): string[] {
  return world.replicas.flatMap((_, at) => {
    const log = readFileSync(join(world.folder, `service-${at}.log`), 'utf8')
    const hits = log.split('\n').filter((line) => line.includes('duplicate key') && line.includes('payments'))
    return hits.length > 0 ? [`${hits.length} payments were recorded side by side: only a constraint stopped them`] : []
  })
}

export const twoTabs: Case = {
  name: 'two-tabs',
  title: 'P-14 two first payments race in two tabs: one stands, a second is recorded and given back, with a mail',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const racers = Array.from({ length: context.count(60, 4) }, () => new Buyer(world, context.random))
      const pairs = Array.from({ length: context.count(60, 8) }, () => new Buyer(world, context.random))
      const stopped = await finished([
        inTurns(
          racers.map((buyer, at) => () => race(buyer, at, context.random)),
          4,
        ),
      ])
      const wrong = await inTurns(
        pairs.map((buyer) => () => bothPaid(buyer).catch((error: unknown) => [String(error)])),
        4,
      )
      const { violations, milliseconds } = await settled(world, [...racers, ...pairs])
      const duplicates = await world.db.selectFrom('payments').select('id').where('is_duplicate', '=', true).execute()
      const idle =
        duplicates.length < pairs.length ? ['two payments were made and one was not recorded as a duplicate'] : []
      return {
        runs: racers.length + pairs.length,
        violations: [...stopped, ...wrong.flat(), ...idle, ...collisions(world), ...violations],
        slowest: milliseconds,
        note: `${duplicates.length} duplicates given back`,
      }
    }),
}

/** An add-on whose answer was lost is requested again when Stripe has forgotten every idempotency key. */
async function aDayLater(world: World, buyers: readonly Buyer[]): Promise<string[]> {
  const wrong: string[] = []
  for (const buyer of buyers) {
    await buyer.arrive()
    await buyer.pay('trial_1')
  }
  const paths = ['/v1/payment_intents/*/confirm', '/v1/payment_intents']
  for (const path of paths) {
    const productId = path === '/v1/payment_intents' ? 'guide_ergonomics' : 'guide_disorders'
    await world.control('POST', 'faults', {
      mode: 'execute_then_500',
      method: 'POST',
      path,
      times: buyers.length,
      from: 'server',
    })
    await Promise.all(buyers.map((buyer) => buyer.once('POST', buyer.path('/upsells'), orderOf(productId))))
    await world.control('DELETE', 'faults')
  }
  await world.control('POST', 'clock', { advance: 25 * 3_600 })
  await sql`update payment_intents set created_at = created_at - interval '25 hours'`.execute(world.db)
  for (const productId of ['guide_disorders', 'guide_ergonomics', 'guide_disorders'] as const) {
    const replies = await Promise.all(buyers.map((buyer) => buyer.upsell(productId)))
    if (replies.some(({ status }) => status !== 'succeeded')) wrong.push(`a day later: ${JSON.stringify(replies[0])}`)
  }
  return wrong
}

export const upsellLater: Case = {
  name: 'upsell-25h',
  title: 'U-08 an add-on retried 25 h later, when the idempotency keys are gone: one charge',
  run: (context) =>
    inWorld(context, {}, async (world): Promise<Outcome> => {
      const buyers = Array.from({ length: context.count(20, 2) }, () => new Buyer(world, context.random))
      const wrong = await aDayLater(world, buyers).catch((error: unknown) => [String(error)])
      const { violations, milliseconds } = await settled(world, buyers)
      return together([{ runs: buyers.length, violations: [...wrong, ...violations], slowest: milliseconds }])
    }),
}

/** The service never learns that Stripe made the subscription: reply lost, no event, then the key expires. */
async function unheard(world: World, buyers: readonly Buyer[], mode: string): Promise<string[]> {
  const paid: { buyer: Buyer; opened: Opened }[] = []
  for (const buyer of buyers) {
    await buyer.arrive()
    const opened = await buyer.open('trial_5')
    if (opened && (await buyer.confirm(opened)) === 'succeeded') paid.push({ buyer, opened })
  }
  const finalize = () => Promise.all(paid.map(({ buyer, opened }) => buyer.finalize(opened.paymentIntentId)))
  // the SDK retries once when a connection is cut
  const times = paid.length * (mode === 'drop' ? 2 : 1)
  await world.control('POST', 'faults', { mode, method: 'POST', path: '/v1/subscriptions', times, from: 'server' })
  await finalize()
  // a rule disappears after its last hit; on a busy machine the reconciler finds some before their buyer asks
  const { rules } = (await world.control('GET', 'faults')) as { rules: { times: number }[] }
  await world.control('DELETE', 'faults')
  await world.control('POST', 'clock', { advance: 25 * 3_600 })
  // a reload of the page repeats the request, and so does the reconciler
  await finalize()
  return rules.some((rule) => rule.times === times) ? ['no reply was lost: the case tried nothing'] : []
}

export const subscriptionLater: Case = {
  name: 'subscription-25h',
  title:
    'P-04 a subscription whose creation was never heard of, asked for again 25 h later: Stripe is asked ' +
    'first, one is made',
  run: (context) =>
    inWorld(context, {}, async (world): Promise<Outcome> => {
      await silence(world)
      const parts: Outcome[] = []
      for (const mode of ['drop', 'execute_then_500']) {
        const buyers = Array.from({ length: context.count(20, 2) }, () => new Buyer(world, context.random))
        const wrong = await unheard(world, buyers, mode).catch((error: unknown) => [String(error)])
        const { violations, milliseconds } = await settled(world, buyers)
        parts.push({
          runs: buyers.length,
          violations: [...wrong, ...violations].map((one) => `${mode}: ${one}`),
          slowest: milliseconds,
        })
      }
      return together(parts)
    }),
}
