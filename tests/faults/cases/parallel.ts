import { sql } from 'kysely'
import { Buyer, type Opened, type Reply } from '../buyer.ts'
import { type Case, finished, inWorld, type Outcome, together } from '../case.ts'
import { settled } from '../invariants.ts'
import { inTurns, pause } from '../random.ts'
import type { World } from '../world.ts'

const times = <T>(n: number, make: (at: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: n }, (_, at) => make(at))) // prettier-ignore

/** Every caller gets an answer, and the same one. */
function agree(what: string, replies: readonly Reply[], key: (reply: Reply) => unknown): string[] {
  const answers = new Set(replies.map((reply) => `${reply.status} ${JSON.stringify(key(reply))}`))
  return answers.size === 1 ? [] : [`${what}: ${answers.size} different answers (${[...answers].slice(0, 3).join(' | ')})`] // prettier-ignore
}

/** The bundle in one tab, a guide out of it in another: whichever comes first, not both are charged. */
async function bundleAndGuide(buyer: Buyer): Promise<string[]> {
  await buyer.arrive()
  await buyer.pay('trial_1')
  const ask = (productId: string) => buyer.call('POST', buyer.path('/upsells'), { productId })
  const replies = await Promise.all(['bundle', 'guide_habits', 'bundle', 'guide_habits'].map(ask))
  const bought = replies.filter(({ status, body }) => status === 200 && body.status === 'succeeded')
  return bought.length > 0 ? [] : [`neither the bundle nor a guide could be bought: ${JSON.stringify(replies[0])}`]
}

/** 50 clicks on Pay over both replicas, two tabs with two products, a reload while it runs. */
async function pay(world: World, buyer: Buyer, clicks: number): Promise<string[]> {
  await buyer.arrive()
  // an address that changes while the form is open: each gets one customer, however many calls ask for it
  const email = `other-${buyer.email}`
  await times(clicks, () => buyer.call('POST', buyer.path('/customer'), { email }))
  const open = (productId: string) => buyer.call('POST', buyer.path('/payments/initial'), { productId, paymentMethodType: 'card' }) // prettier-ignore
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
  const upsells = await times(clicks, () => buyer.call('POST', buyer.path('/upsells'), { productId: 'guide_lighting' }))
  wrong.push(...agree('add-on', upsells, ({ body }) => [body.status, body.paymentIntentId]))
  const both = await Promise.all((['guide_habits', 'guide_devices', 'guide_habits'] as const).map((id) => buyer.upsell(id))) // prettier-ignore
  if (both.some(({ status }) => status !== 'succeeded')) wrong.push('add-ons at once were not all bought')
  return wrong
}

export const parallelPay: Case = {
  name: 'parallel',
  title:
    'P-01 P-02 P-04 U-08 50 parallel Pay, two tabs, reload in flight, 50 parallel add-ons on two replicas: one charge, one answer',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const buyers = Array.from({ length: context.count(20, 2) }, () => new Buyer(world, context.random))
      // Stripe takes its time over every write, so that two replicas meet at it
      await world.control('POST', 'faults', {
        mode: 'stall',
        ms: 150,
        method: 'POST',
        times: 1_000_000,
        from: 'server',
      })
      const results = await inTurns(
        buyers.map(
          (buyer) => () => pay(world, buyer, context.quick ? 20 : 50).catch((error: unknown) => [String(error)]),
        ),
        context.quick ? 2 : 3,
      )
      const pairs = buyers.flatMap(() => [0, 1, 2]).map(() => new Buyer(world, context.random))
      results.push(...(await inTurns(pairs.map((buyer) => () => bundleAndGuide(buyer).catch((error: unknown) => [String(error)])), 3))) // prettier-ignore
      const { violations, milliseconds } = await settled(world, [...buyers, ...pairs])
      return {
        runs: buyers.length + pairs.length,
        violations: [...results.flat(), ...violations],
        slowest: milliseconds,
      }
    }),
}

/** Two tabs press Pay at the same moment with products that cannot share an intent. */
export const twoTabs: Case = {
  name: 'two-tabs',
  title: 'P-14 two first payments race in two tabs: one stands, a second is recorded and given back, with a mail',
  run: (context) =>
    inWorld(context, { replicas: 2 }, async (world) => {
      const buyers = Array.from({ length: context.count(60, 4) }, () => new Buyer(world, context.random))
      const pairs = [['trial_1', 'monthly'], ['monthly', 'special_offer'], ['trial_5', 'setup']] as const // prettier-ignore
      const race = async (buyer: Buyer, at: number) => {
        const [one, other] = pairs[at % pairs.length] ?? pairs[0]
        world.duplicatesAllowed.add(buyer.sessionId)
        await buyer.arrive()
        world.duplicatesAllowed.add(buyer.sessionId)
        const first = await buyer.open(one)
        const second = async () => {
          await pause(context.random.below(60))
          const opened = other === 'setup' ? await buyer.open('trial_5', 'setup') : await buyer.open(other)
          if (!opened) return
          const way = other === 'setup' ? 'setup' : 'card'
          if ((await buyer.confirm(opened, way)) === 'succeeded') await buyer.finalize(opened.paymentIntentId)
        }
        const pressed = async () => {
          await pause(context.random.below(120))
          if (first) await buyer.confirm(first)
        }
        await Promise.all([second(), pressed()])
      }
      const stopped = await finished([inTurns(buyers.map((buyer, at) => () => race(buyer, at)), 4)]) // prettier-ignore
      const { violations, milliseconds } = await settled(world, buyers)
      const duplicates = await world.db.selectFrom('payments').select('id').where('is_duplicate', '=', true).execute()
      return { runs: buyers.length, violations: [...stopped, ...violations], slowest: milliseconds, note: `${duplicates.length} duplicates given back` } // prettier-ignore
    }),
}

/** An add-on whose answer was lost, asked for again when Stripe has forgotten every idempotency key. */
async function aDayLater(world: World, buyers: readonly Buyer[]): Promise<string[]> {
  const wrong: string[] = []
  for (const buyer of buyers) {
    await buyer.arrive()
    await buyer.pay('trial_1')
  }
  const paths = ['/v1/payment_intents/*/confirm', '/v1/payment_intents']
  for (const path of paths) {
    const productId = path === '/v1/payment_intents' ? 'guide_ergonomics' : 'guide_disorders'
    await world.control('POST', 'faults', { mode: 'execute_then_500', method: 'POST', path, times: buyers.length, from: 'server' }) // prettier-ignore
    await Promise.all(buyers.map((buyer) => buyer.once('POST', buyer.path('/upsells'), { productId })))
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
