import { memberIn } from './members.ts'
import { type Attack, quantile, visit } from './attack.ts'

/** How well times tell two groups apart: 0.5 not at all, 1 always. */
export function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  let above = 0
  for (const one of known) for (const other of unknown) above += one > other ? 1 : one === other ? 0.5 : 0
  const share = above / (known.length * unknown.length)
  return Math.max(share, 1 - share)
}

/** Enumeration: whether an address has an account must not show in the time of an answer. */
export const guesses: Attack = {
  name: 'enumeration',
  title: 'the time of an answer does not tell whether an address or a visit is known',
  // one address asks often enough to measure
  env: { LIMIT_FACTOR: '1000' },
  async run(run) {
    const { target, world } = run
    const samples = run.count(500, 40)
    const email = await memberIn(world.db)
    const own = await visit(run)
    await target.json('PUT', `/api/sessions/${own.sessionId}/email`, { email: 'visitor@example.com' }, own.headers)
    const doors: [string, (known: boolean) => [string, object]][] = [
      ['password/forgot', (known) => ['/api/account/password/forgot', { email: known ? email : someone() }]],
      ['magic-link', (known) => ['/api/account/magic-link', { email: known ? email : someone() }]],
      ['sign-in', (known) => ['/api/account/sign-in', { email: known ? email : someone(), password: 'Wrong Guess 1' }]],
      ['resume-link', (known) => [`/api/sessions/${known ? own.sessionId : crypto.randomUUID()}/resume-link`, {}]],
    ]
    // few samples scatter: the short form sees a door that stands wide open
    const most = run.count(55, 70) / 100
    const violations: string[] = []
    const measured: string[] = []
    for (const [name, ask] of doors) {
      const times: [number[], number[]] = [[], []]
      for (let n = 0; n < samples * 2; n++) {
        const known = n % 2
        const [path, body] = ask(known === 1)
        const reply = await target.json('POST', path, body, { 'x-forwarded-for': `203.2.${n % 250}.${n >> 8}` })
        if (reply.status === 429 || reply.status >= 500) violations.push(`${name}: ${reply.status}`)
        times[known as 0 | 1].push(reply.milliseconds)
      }
      const area = areaUnderCurve(...times)
      measured.push(
        `${name} ${area.toFixed(2)} (${quantile(times[1], 0.5).toFixed(1)}/${quantile(times[0], 0.5).toFixed(1)} ms)`,
      )
      if (area > most) violations.push(`${name}: AUC ${area.toFixed(2)}`)
    }
    return { violations: [...new Set(violations)], tried: `${samples} each: ${measured.join(', ')}` }
  },
}

const someone = (): string => `nobody-${crypto.randomUUID().slice(0, 8)}@example.com`
