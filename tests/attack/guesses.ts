import { type Attack, quantile, type Run } from './attack.ts'
import { codeOf, type Door, doorsOf } from './doors.ts'
import { membersIn } from './members.ts'

/** How well times distinguish two groups (area under the ROC curve): 0.5 not at all, 1 always. */
export function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  let above = 0
  for (const one of known) for (const other of unknown) above += one > other ? 1 : one === other ? 0.5 : 0
  const share = above / (known.length * unknown.length)
  return Math.max(share, 1 - share)
}

/** What the full form allows, with five hundred answers of each kind. */
const MOST = 0.55
const FULL = 500
const SHORT = 40

/**
 * The area that chance alone reaches once in a million times with so few answers of each kind: five standard
 * deviations of the Mann-Whitney statistic. Both kinds come in an order drawn by lot, so that a busy machine slows
 * both alike: load scatters the times, it moves the area no further than chance.
 */
export const byChance = (samples: number): number => 0.5 + 5 * Math.sqrt((2 * samples + 1) / (12 * samples ** 2))

interface Measured {
  area: number
  /** Medians in milliseconds. */
  medians: [known: number, unknown: number]
  /** Statuses and codes that only one of the two kinds gets, or that say nothing about addresses. */
  odd: string[]
}

async function measure({ target, random }: Run, door: Door, samples: number): Promise<Measured> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const said = { known: new Set<string>(), unknown: new Set<string>() }
  const kinds = Array.from({ length: samples }, () => ['known', 'unknown'] as const).flat()
  for (const kind of random.shuffle(kinds)) {
    const reply = await target.send(await door.prepare(kind === 'known'))
    said[kind].add([reply.status, codeOf(reply)].join(' '))
    times[kind].push(reply.milliseconds)
  }
  const all = [...new Set([...said.known, ...said.unknown])]
  const odd = all.filter((one) => !said.known.has(one) || !said.unknown.has(one) || /^(429|404|403|5)/.test(one))
  return {
    area: areaUnderCurve(times.known, times.unknown),
    medians: [quantile(times.known, 0.5), quantile(times.unknown, 0.5)],
    odd,
  }
}

/** Enumeration: neither the text nor the time of an answer may reveal whether an address has an account. */
export const guesses: Attack = {
  name: 'enumeration',
  title: 'neither the words nor the time of an answer tell whether an address or a visit is known',
  // one address asks often enough to measure
  env: { LIMIT_FACTOR: '1000' },
  async run(run) {
    const samples = run.count(FULL, SHORT)
    const most = run.count(1, 0) ? MOST : byChance(samples)
    const doors = await doorsOf(run, await membersIn(run.world.db, samples))
    const violations: string[] = []
    const lines: string[] = []
    for (const door of doors) {
      const looks = [await measure(run, door, samples)]
      // one of ten doors may exceed it by chance; a door that reveals something exceeds it again
      if ((looks[0]?.area ?? 0) > most) looks.push(await measure(run, door, samples))
      const shown = looks.map(({ area, medians: [known, unknown] }) => {
        return `${area.toFixed(3)} (${known.toFixed(1)}/${unknown.toFixed(1)} ms)`
      })
      lines.push(`${door.name} ${shown.join(', again ')}`)
      if (looks.every(({ area }) => area > most)) violations.push(`${door.name}: AUC ${shown.join(', again ')}`)
      for (const one of new Set(looks.flatMap(({ odd }) => odd))) violations.push(`${door.name}: told by ${one}`)
    }
    const tried = `${samples} of each kind, AUC at most ${most.toFixed(2)}:\n         ${lines.join('\n         ')}`
    return { violations, tried }
  },
}
