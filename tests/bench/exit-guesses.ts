/** Guesses addresses on the page /exit as a stranger would: known and unknown in turn, each from another network. */
import { statement } from '../service/exits.ts'
import { median } from './table.ts'

export interface Guessed {
  /** What answers looked like: status, fields, bytes. */
  kinds: { known: string[]; unknown: string[] }
  /** Milliseconds. */
  medians: { known: number; unknown: number }
  /** All times, in ms. */
  times: { known: number[]; unknown: number[] }
}

/** Networks far apart, so that no limit of one ends the guessing. */
const networkOf = (n: number) => `${11 + (n % 89)}.${(n >> 8) & 255}.${n & 255}.7`

async function ask(url: string, email: string, n: number): Promise<{ kind: string; ms: number }> {
  const body = JSON.stringify(statement(email))
  const begun = performance.now()
  const response = await fetch(`${url}/api/exit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': networkOf(n) },
    body,
  })
  const text = await response.text()
  const ms = performance.now() - begun
  const fields = Object.keys(JSON.parse(text) as object).sort()
  return { kind: `${response.status} ${fields.join()} ${text.length}`, ms }
}

/** `pairs` guesses of each sort, in random order within a pair; addresses of one length: only their fame differs. */
export async function guess(
  { url }: { url: string },
  { known, pairs }: { known: readonly string[]; pairs: number },
): Promise<Guessed> {
  const times: Guessed['times'] = { known: [], unknown: [] }
  const kinds = { known: new Set<string>(), unknown: new Set<string>() }
  for (let n = 0; n < pairs; n++) {
    const of = known[n % known.length] ?? ''
    const [name = '', host = ''] = of.split('@')
    const stranger = `${[...name].reverse().join('')}@${host}`
    const pair = [
      ['known', of],
      ['unknown', stranger],
    ] as const
    for (const [sort, email] of Math.random() < 0.5 ? pair : [pair[1], pair[0]]) {
      const { kind, ms } = await ask(url, email, 2 * n + (sort === 'known' ? 0 : 1))
      kinds[sort].add(kind)
      times[sort].push(ms)
    }
  }
  return {
    kinds: { known: [...kinds.known], unknown: [...kinds.unknown] },
    medians: { known: median(times.known), unknown: median(times.unknown) },
    times,
  }
}
