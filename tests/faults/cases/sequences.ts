import { availableParallelism } from 'node:os'
import { type Case, type Context, inWorld, type Outcome, together } from '../case.ts'
import { randomFrom } from '../random.ts'
import { KNOWN } from '../witness/known.ts'
import { type Found, play } from '../witness/play.ts'
import { Stage } from '../witness/stage.ts'
import { sequences, spell, type Step } from '../witness/steps.ts'
import fc from 'fast-check'

/** Buyers of one world: more of them share its start and its clock, fewer are found sooner. */
const CROWD = 200
/** How many shorter sequences are tried at once, and how often. */
const [BRANCHES, ROUNDS] = [48, 8]

/** How many milliseconds a quick run that has found something spends on shortening it. */
const MOST_QUICK = 120_000

/** Plays sequences in their own world. */
async function playInWorld(context: Context, all: readonly (readonly Step[])[], found: Found[]): Promise<Outcome> {
  const began = Date.now()
  return inWorld(context, {}, async (world) => {
    const stage = new Stage(world)
    const lies = await play(stage, all, randomFrom(context.seed)).finally(() => stage.service.stop())
    found.push(...lies)
    const rate = (all.length / (Date.now() - began)) * 1000
    return { runs: all.length, violations: [], note: `${rate.toFixed(1)} sequences/s` }
  })
}

const kindOf = (lie: string): string => lie.split(':')[0] ?? lie

/** Finds the shortest sequence that still produces a lie of the same kind; shorter ones are tried in parallel. */
async function shrink(context: Context, first: Found): Promise<Found> {
  const kinds = new Set(first.lies.map(kindOf))
  const arbitrary = sequences(!context.quick)
  let best = first
  for (let round = 0; round < ROUNDS; round++) {
    const without = best.steps.map((_, at) => best.steps.filter((__, other) => other !== at))
    const simpler = [...fc.stream(arbitrary.shrink([...best.steps], undefined)).take(BRANCHES - without.length)]
    const tried = [...without, ...simpler.map(({ value }) => value)].filter((one) => one.length > 0)
    const found: Found[] = []
    await playInWorld(context, tried, found)
    const same = found.filter((one) => one.lies.some((lie) => kinds.has(kindOf(lie))))
    const shortest = same.sort((a, b) => a.steps.length - b.steps.length)[0]
    if (!shortest || shortest.steps.length >= best.steps.length) break
    best = shortest
  }
  return best
}

export const sequencesCase: Case = {
  name: 'sequences',
  title:
    'H-01 H-04 A-07 P-02 what pages and mails say of money, and what the bank does, in random sequences of ' +
    'purchases, changes, faults and refunds',
  async run(context) {
    const wanted = context.count(2_000, 150)
    const named = Object.entries(KNOWN).filter(
      ([name]) => context.only === 'named' || (context.only !== 'drawn' && name.includes(context.only)),
    )
    const drawn =
      context.only && context.only !== 'drawn'
        ? []
        : fc.sample(sequences(!context.quick), { seed: context.seed, numRuns: wanted })
    // one of them asked for by name is played by as many buyers at once as the scale says
    const times = context.only && context.only !== 'named' ? Math.max(1, context.scale) : 1
    const all = [...Array.from({ length: times }, () => named.map(([, steps]) => steps)).flat(), ...drawn]
    const found: Found[] = []
    const outcomes: Outcome[] = []
    const crowds = Array.from({ length: Math.ceil(all.length / CROWD) }, (_, n) =>
      all.slice(n * CROWD, (n + 1) * CROWD),
    )
    const began = Date.now()
    const lane = async () => {
      for (let crowd = crowds.shift(); crowd; crowd = crowds.shift())
        outcomes.push(await playInWorld(context, crowd, found))
    }
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), 2) }, lane))
    const rate = (all.length / (Date.now() - began)) * 1000
    const violations: string[] = []
    const seen = new Set<string>()
    for (const one of found) {
      const name = named.find(([, steps]) => steps === one.steps)?.[0]
      const kinds = [...new Set(one.lies.map(kindOf))].sort().join()
      // one of each kind is enough to look at
      const fresh = !name && !seen.has(kinds) && (!context.quick || Date.now() - began < MOST_QUICK)
      seen.add(kinds)
      const least = fresh ? await shrink(context, one) : one
      violations.push(`${name ? `${name}: ` : ''}${least.lies.join('; ')}: ${spell(least.steps)}`)
      if (fresh || name) context.say(`  ${[...least.told].join('\n  ')}\n`)
    }
    const broken = together(outcomes)
    return {
      runs: all.length,
      violations: [...broken.violations, ...violations],
      note: `${rate.toFixed(1)} sequences/s, ${named.length} of them by name`,
    }
  },
}
