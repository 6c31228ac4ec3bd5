import type { World } from '../faults/world.ts'
import type { Random } from '../faults/random.ts'
import type { Target } from './target.ts'

export interface Run {
  world: World
  target: Target
  random: Random
  /** `full` in the full run, `quick` in the short one. */
  count(full: number, quick: number): number
}

/** One kind of attack on its own world. Resolves to the violations and a line about what was tried. */
export interface Attack {
  name: string
  title: string
  /** Environment of its world, beside the limits of production. */
  env?: Record<string, string>
  run(run: Run): Promise<{ violations: string[]; tried: string }>
}

/** A browser that holds a visit. */
export interface Visitor {
  sessionId: string
  headers: Record<string, string>
}

let made = 0

/** A visit from an address not used before. */
export async function visit({ target }: Pick<Run, 'target'>, from?: string): Promise<Visitor> {
  made += 1
  const address = from ?? `198.18.${Math.floor(made / 250) % 250}.${made % 250}`
  const forwarded = { 'x-forwarded-for': address }
  const reply = await target.json('POST', '/api/sessions', { clientKey: crypto.randomUUID() }, forwarded)
  if (reply.status !== 200) throw new Error(`no visit: ${reply.status} ${reply.text.slice(0, 200)}`)
  const cookie = [reply.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { sessionId } = JSON.parse(reply.text) as { sessionId: string }
  return { sessionId, headers: { ...forwarded, cookie } }
}

/** Endpoint paths with their parameters filled in. */
export function fill(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? 'x'))
}

/** The value below which a share of sorted numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
