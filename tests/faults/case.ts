/** What a case receives and what it returns. */
import type { Violation } from './invariants.ts'
import type { Random } from './random.ts'
import type { Server, startWorld, World } from './world.ts'

export interface Context {
  server: Server
  seed: number
  random: Random
  /** One kill per named point and low counts: under a minute together. */
  quick: boolean
  /** Share of the full counts, 1 for all of them. */
  scale: number
  /** Only what contains this text (a flow, a point, a mode), to replay one. */
  only: string
  /** Picks a count: `full` (scaled) in the full run, `quick` in the quick one. */
  count(full: number, quick: number): number
  world(options?: Parameters<typeof startWorld>[1]): Promise<World>
  say(line: string): void
}

export interface Outcome {
  runs: number
  violations: Violation[]
  /** Milliseconds until everything held, at most, in this case. */
  slowest?: number
  /** Figures for the table. */
  note?: string
}

export interface Case {
  /** Short, for --case. */
  name: string
  /** Requirement ids and what must hold. */
  title: string
  run(context: Context): Promise<Outcome>
  /** The case kills the shared PostgreSQL, or measures time: no other case may run meanwhile. */
  alone?: boolean
}

/** Combines the outcomes of a case's parts. */
export function together(parts: readonly Outcome[]): Outcome {
  const note = parts.flatMap(({ note: one }) => one ?? []).join('; ')
  return {
    runs: parts.reduce((sum, { runs }) => sum + runs, 0),
    violations: parts.flatMap(({ violations }) => violations),
    slowest: Math.max(0, ...parts.map(({ slowest }) => slowest ?? 0)),
    ...(note ? { note } : {}),
  }
}

/** Runs `work` in its own world; an exception is a violation. The logs are kept when something was wrong. */
export async function inWorld(
  context: Context,
  options: Parameters<typeof startWorld>[1],
  work: (world: World) => Promise<Outcome>,
): Promise<Outcome> {
  const world = await context.world(options)
  let outcome: Outcome
  try {
    outcome = await work(world)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? ` (${JSON.stringify(error.cause)})` : ''
    outcome = {
      runs: 1,
      violations: [`the case broke off: ${error instanceof Error ? error.message : String(error)}${cause}`],
    }
  }
  if (outcome.violations.length > 0) context.say(`  logs: ${world.folder}`)
  await world.stop(outcome.violations.length > 0)
  return outcome
}

const reasonOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message + JSON.stringify(reason.cause ?? '') : String(reason)

/** A violation for each flow that a buyer could not finish. */
export async function finished(flows: readonly Promise<unknown>[]): Promise<Violation[]> {
  const results = await Promise.allSettled(flows)
  return results.flatMap((one) => (one.status === 'rejected' ? [`a buyer was stopped: ${reasonOf(one.reason)}`] : []))
}
