import { Buyer } from '../faults/buyer.ts'
import { pause } from '../faults/random.ts'
import { type Attack, quantile, type Run } from './attack.ts'

/** What a flood sends: cheap requests, each counted by a different limit. */
const SENT: ((n: number) => [method: string, path: string, body?: object])[] = [
  () => ['POST', '/api/sessions', { clientKey: crypto.randomUUID() }],
  () => ['POST', '/api/links/cancel/view', { token: 'AAAA' }],
  (n) => ['POST', '/api/account/sign-in', { email: `a${n}@example.com`, password: '' }],
  () => ['GET', `/api/sessions/${crypto.randomUUID()}`],
  () => ['POST', '/api/account/password/forgot', { email: 'x' }],
  () => ['GET', '/api/config'],
]

/** Lets honest buyers pay one after another; times each of their requests. */
async function buy(
  { world, random }: Run,
  count: number,
): Promise<{ paid: number; times: number[]; troubles: string[] }> {
  const times: number[] = []
  const troubles: string[] = []
  let paid = 0
  for (let n = 0; n < count; n++) {
    const buyer = new Buyer(world, random)
    const once = buyer.once.bind(buyer)
    buyer.once = async (...call) => {
      const reply = await once(...call)
      times.push(reply.milliseconds)
      // no request of an honest buyer is refused because of others
      if (reply.status === 429) troubles.push(`${call[0]} ${call[1].replace(/[0-9a-f-]{36}/, '…')}: 429`)
      return reply
    }
    try {
      await buyer.arrive()
      await buyer.pay('trial_5')
      if (buyer.acknowledged.length > 0) paid += 1
    } catch (error) {
      troubles.push(String(error))
    }
  }
  return { paid, times, troubles: [...new Set(troubles)] }
}

/** Sends as many requests at once as a small attacker has sockets, without a pause, until stopped. */
function flood({ target }: Run, addressOf: (n: number) => string): { stop(): Promise<number> } {
  let sent = 0
  let over = false
  const one = async () => {
    while (!over) {
      const n = sent++
      const [method, path, body] = (SENT[n % SENT.length] as (typeof SENT)[number])(n)
      const headers = { 'x-forwarded-for': addressOf(n) }
      await (body ? target.json(method, path, body, headers) : target.send({ method, path, headers })).catch(
        () => undefined,
      )
      await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: 16 }, one))
  return { stop: async () => ((over = true), await running, sent) }
}

function against(name: string, title: string, addressOf: (n: number) => string): Attack {
  return {
    name,
    title,
    async run(run) {
      const { world } = run
      const buyers = run.count(30, 4)
      const processes = world.replicas.map(({ pid }) => pid)
      const calm = await buy(run, buyers)
      const attackers = flood(run, addressOf)
      await pause(run.count(5_000, 1_000))
      const during = await buy(run, buyers)
      const sent = await attackers.stop()
      const [before, after] = [quantile(calm.times, 0.99), quantile(during.times, 0.99)]
      const violations = [...calm.troubles, ...during.troubles]
      if (during.paid < buyers) violations.push(`${during.paid} of ${buyers} honest buyers paid`)
      // the short run has too few requests for a 99th percentile; below half a second it is not noticed
      if (run.count(1, 0) && after > Math.max(3 * before, 500))
        violations.push(`p99 ${before.toFixed(0)} → ${after.toFixed(0)} ms`)
      if (world.replicas.some(({ pid }, at) => pid !== processes[at]) || world.replicas.some((one) => !one.running()))
        violations.push('a process ended')
      return {
        violations,
        tried: `${sent} requests, ${during.paid} of ${buyers} paid, p99 ${before.toFixed(0)} → ${after.toFixed(0)} ms`,
      }
    },
  }
}

export const manyAddresses = against(
  'flood',
  'honest buyers pay as in calm while many addresses flood the service',
  (n) => `203.${4 + (n % 8)}.${(n >> 3) % 250}.${(n >> 11) % 250}`,
)
export const oneNetwork = against(
  'one-network',
  'a /64 of attackers refuses nobody else anything',
  (n) => `2001:db8:66:1::${(n + 1).toString(16)}`,
)
