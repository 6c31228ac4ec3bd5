/**
 * Many buyers in one world at once, with one clock for all of them: when everybody has done what belongs to a moment,
 * it moves to the next. The moments lie around the renewals, so that a step may fall into any minute of one.
 */
import { inTurns, type Random } from '../random.ts'
import { judge, type Lie } from './judge.ts'
import { readLedgers } from './ledger.ts'
import type { Stage } from './stage.ts'
import { goTogether, spell, type Step } from './steps.ts'
import { Visitor } from './visitor.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
/** Buyers who are served at once: more only wait for each other. */
const WIDTH = 24

export interface Found {
  steps: readonly Step[]
  lies: Lie[]
  /** What the buyer was told, for a report. */
  told: string[]
}

/** Plays all sequences, one buyer each, and hands back those whose buyer was lied to. */
export async function play(stage: Stage, all: readonly (readonly Step[])[], random: Random): Promise<Found[]> {
  const buyers = all.map((steps) => ({ steps, visitor: new Visitor(stage, random), next: 0, waits: 0 }))
  const start = stage.now()
  const month = new Date(start * 1000).setUTCMonth(new Date(start * 1000).getUTCMonth() + 1) / 1000 - start
  const around = (at: number) => [at - 20 * MINUTE, at + (4 + random.below(40)) * MINUTE, at + 3 * HOUR]
  const moments = [0, DAY, ...around(3 * DAY), 10 * DAY, ...around(month), ...around(33 * DAY)]
  const failed: string[] = []
  await inTurns(
    buyers.map(
      ({ visitor }) =>
        () =>
          visitor.arrive(),
    ),
    WIDTH,
  )
  for (const moment of moments) {
    if (moment > 0) await stage.moveTo(start + moment)
    if (moment > 0) await stage.settle(30_000)
    const turns = buyers.map((buyer) => async () => {
      if (buyer.waits-- > 0) return
      const { visitor } = buyer
      await visitor.reload()
      const take = (step: Step) =>
        visitor.step(step).catch((error: unknown) => failed.push(`${spell([step])}: ${String(error)}`))
      for (let step = buyer.steps[buyer.next]; step; step = buyer.steps[buyer.next]) {
        buyer.next += 1
        if (step.do === 'later') return void (buyer.waits = step.moments - 1)
        const [one, two] = buyer.steps.slice(buyer.next)
        if (step.do !== 'at once') await take(step)
        else if (one && two && goTogether(one, two)) {
          buyer.next += 2
          await Promise.all([take(one), take(two)])
          // what either page showed may be older than what the other one did
          await take({ do: 'look' })
        }
      }
      buyer.waits = Infinity
    })
    await inTurns(turns, WIDTH)
    await stage.settle(30_000)
  }
  await stage.world.control('DELETE', 'faults')
  await stage.settle(20_000, true)
  await inTurns(
    buyers.map(
      ({ visitor }) =>
        () =>
          visitor.step({ do: 'look' }),
    ),
    WIDTH,
  )
  await stage.moveTo(start + 36 * DAY)
  await stage.settle(20_000, true)
  await stage.readOutbox()
  if (failed.length > 0) throw new Error(`steps that could not be taken: ${failed.slice(0, 5).join('; ')}`)
  return judgeAll(stage, buyers)
}

async function judgeAll(
  stage: Stage,
  buyers: readonly { steps: readonly Step[]; visitor: Visitor }[],
): Promise<Found[]> {
  const ledgers = await readLedgers(stage.world)
  const end = stage.now()
  const found: Found[] = []
  for (const { steps, visitor } of buyers) {
    visitor.readLetters(stage.lettersOf(visitor.sessions))
    const { statements, zone, emails, sessions } = visitor
    const ledger = ledgers(emails, sessions)
    const lies = judge({ statements, ledger, zone, end })
    if (lies.length === 0) continue
    const told = [...statements]
      .sort((a, b) => a.at - b.at)
      .map(
        ({ at, source, claim }) =>
          `${new Date(at * 1000).toISOString().slice(0, 19)} ${source}: ${JSON.stringify(claim)}`,
      )
    const charged = ledger.charges.map(
      (one) => `${new Date(one.at * 1000).toISOString().slice(0, 19)} BANK ${JSON.stringify(one)}`,
    )
    found.push({ steps, lies, told: [...told, ...charged].sort() })
  }
  return found
}
