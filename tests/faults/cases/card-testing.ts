import { Buyer } from '../buyer.ts'
import { type Case, type Context, inWorld, type Outcome, together } from '../case.ts'
import { settled } from '../invariants.ts'
import { inTurns, type Random } from '../random.ts'
import type { World } from '../world.ts'
import { orderOf } from '../../support/order.ts'

/** Someone trying out stolen cards: a fresh visit every few cards, the page's Stripe key, and no patience. */
async function attack(world: World, random: Random, address: (n: number) => string, cards: number) {
  let [tried, declined, refused, n] = [0, 0, 0, 0]
  const worker = async () => {
    while (tried < cards) {
      const robot = new Buyer(world, random, world.replicas[0]?.url)
      robot.address = address(n++)
      const opened = await visit(robot)
      if (!opened) {
        // refused by the service: it counts as a card that could not be tried
        tried += 1
        refused += 1
        continue
      }
      // until the intent is withdrawn
      for (let card = 0; card < 25 && tried < cards; card++) {
        tried += 1
        const status = await robot.confirm(
          opened,
          'card',
          random.pick(['pm_card_visa_chargeDeclined', 'pm_card_visa_chargeDeclinedInsufficientFunds']),
        )
        if (status === 'canceled' || status.startsWith('refused')) break
        declined += 1
      }
    }
  }
  await Promise.all(Array.from({ length: 12 }, worker))
  return { tried, declined, refused }
}

async function visit(robot: Buyer) {
  try {
    const created = await robot.once('POST', '/api/sessions', { clientKey: crypto.randomUUID() })
    if (created.status !== 200) return undefined
    robot.sessionId = created.body.sessionId
    await robot.once('PUT', robot.path('/email'), { email: robot.email })
    const opened = await robot.once(
      'POST',
      robot.path('/payments/initial'),
      orderOf('trial_1', { paymentMethodType: 'card' }),
    )
    return opened.status === 200 ? opened.body : undefined
  } catch {
    return undefined
  }
}

async function besieged(context: Context, kind: 'one address' | 'many addresses' | 'forged address'): Promise<Outcome> {
  // the limits of production; the front door that sets the addresses is this program
  const trust = kind === 'forged address' ? { TRUST_PROXY: 'false' } : {}
  return inWorld(context, { env: { LIMIT_FACTOR: '1', ...trust } }, async (world) => {
    const cards = context.count(10_000, 150)
    const honest = kind === 'forged address' ? 0 : context.count(100, 5)
    const addresses = { 'one address': 1, 'many addresses': context.count(1_000, 20), 'forged address': MANY }[kind]
    const address = (n: number) => {
      const one = n % addresses
      return `172.${16 + (one % 16)}.${Math.floor(one / 16) % 256}.${Math.floor(one / 4_096) % 256}`
    }
    const siege = attack(world, context.random, address, cards)
    const buyers: Buyer[] = []
    const buy = async () => {
      const buyer = new Buyer(world, context.random)
      buyers.push(buyer)
      await buyer.arrive()
      await buyer.pay('trial_5')
    }
    const results = await Promise.allSettled([
      inTurns(
        Array.from({ length: honest }, () => buy),
        2,
      ),
    ])
    const { tried, declined, refused } = await siege
    const { violations, milliseconds } = await settled(world, buyers)
    const paid = buyers.filter(({ acknowledged }) => acknowledged.length > 0).length
    const wrong =
      paid === honest
        ? []
        : [
            `${paid} of ${honest} honest buyers paid ` +
              `(${results.map((one) => (one.status === 'rejected' ? String(one.reason) : '')).join()})`,
          ]
    // one address, however many it claims to be, may have sixty declines an hour, plus what its open intents take until
    // they end
    if ((addresses === 1 || kind === 'forged address') && declined > 60 + MOST_AT_ONCE) {
      wrong.push(`${declined} of ${cards} cards could be tried`)
    }
    const perSession = await worstSession(world)
    if (perSession > 25) wrong.push(`${perSession} cards declined in one session`)
    return {
      runs: tried,
      violations: [...wrong, ...violations].map((one) => `${kind}: ${one}`),
      slowest: milliseconds,
      note: `${kind}: ${declined} cards reached Stripe, ${refused} turned away, ${paid}/${honest} honest paid`,
    }
  })
}

/** Twelve robots, each with an intent that takes up to 25 cards and a second one opened before the first is counted. */
const MOST_AT_ONCE = 12 * 25 * 2
const MANY = 65_536

/** The highest number of declines that any one session got. */
async function worstSession(world: World): Promise<number> {
  const { data } = await world.control('GET', 'objects?kind=charge&limit=10000000')
  const counts = new Map<string, number>()
  for (const charge of data as { status: string; metadata: Record<string, string> }[]) {
    const session = charge.metadata['session_id'] ?? ''
    if (charge.status === 'failed') counts.set(session, (counts.get(session) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

export const cardTesting: Case = {
  name: 'card-testing',
  title:
    'P-02 10,000 cards from one address, from 1,000, with forged X-Forwarded-For: limits hold, honest buyers still pay',
  async run(context) {
    const kinds = ['one address', 'many addresses', 'forged address'] as const
    const chosen = kinds.filter((kind) => kind.includes(context.only))
    const outcomes: Outcome[] = []
    if (context.quick) return together(await Promise.all(chosen.slice(0, 1).map((kind) => besieged(context, kind))))
    for (const kind of chosen) outcomes.push(await besieged(context, kind))
    return together(outcomes)
  },
}
