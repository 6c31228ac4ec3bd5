/** Buyers who come at a steady rate through all doors, and what became of every single request of theirs. */
import { Buyer, type Reply, type Sending } from '../faults/buyer.ts'
import { finished } from '../faults/case.ts'
import { FLOWS } from '../faults/flows.ts'
import { pause, type Random } from '../faults/random.ts'
import type { World } from '../faults/world.ts'
import { browserFetch } from './browser.ts'
import type { Door, Stage } from './stage.ts'

export interface Asked {
  door: Door['name']
  /** Milliseconds of performance.now(). */
  began: number
  ended: number
  what: string
  /** What a buyer would notice; undefined where the answer was good. */
  failed?: string
}

/** Of those who come, so many take each way. */
const WAYS = ['trial', 'trial', 'monthly', 'trial and add-ons', 'PayPal trial'] as const

class Watched extends Buyer {
  private readonly door: Door
  private readonly asked: Asked[]

  constructor(world: World, random: Random, door: Door, asked: Asked[]) {
    super(world, random, door.url)
    this.door = door
    this.asked = asked
  }

  protected override ask(url: string, init: Sending): Promise<Response> {
    return browserFetch(url, init)
  }

  override async once(method: string, path: string, body?: unknown): Promise<Reply> {
    const began = performance.now()
    const what = `${method} ${path.replace(this.sessionId || '-', ':id')}`
    const note = (failed?: string) =>
      this.asked.push({
        door: this.door.name,
        began,
        ended: performance.now(),
        what,
        ...(failed === undefined ? {} : { failed }),
      })
    try {
      const reply = await super.once(method, path, body)
      const bad = reply.status >= 500 || reply.status === 429
      note(bad ? `${reply.status} ${reply.body?.error?.code ?? ''}` : undefined)
      return reply
    } catch (error) {
      note(error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error))
      throw error
    }
  }
}

export interface Crowd {
  asked: Asked[]
  buyers: Buyer[]
  /** How many have everything they came for. */
  done(): number
  /** Nobody comes any more; resolves with what stopped a buyer when all are through. */
  over(): Promise<string[]>
}

/** `rate` buyers a second, as long as no more than `most` are on their way: what a small machine can carry. */
export function admit({ world, doors }: Stage, random: Random, { rate, most }: { rate: number; most: number }): Crowd {
  const asked: Asked[] = []
  const buyers: Buyer[] = []
  const ways: Promise<unknown>[] = []
  let [under, done, coming] = [0, 0, true]
  const arrivals = (async () => {
    for (let next = performance.now(); coming;) {
      // none for whom there was no room come later all at once
      next = Math.max(next + 1_000 / rate, performance.now())
      if (under < most) {
        const buyer = new Watched(world, random, doors[buyers.length % doors.length]!, asked)
        buyers.push(buyer)
        under++
        const way = FLOWS[random.pick(WAYS)](buyer)
          .then(() => done++)
          .finally(() => under--)
        way.catch(() => undefined)
        ways.push(way)
      }
      await pause(Math.max(0, next - performance.now()))
    }
  })()
  return {
    asked,
    buyers,
    done: () => done,
    async over() {
      coming = false
      await arrivals
      return finished(ways)
    },
  }
}
