/** One row of the table: what is tried, and what is wrong with the outcome. */
import type { Random } from '../faults/random.ts'
import type { Asked, Crowd } from './crowd.ts'
import type { Stage } from './stage.ts'

export interface Outcome {
  figures: string
  violations: string[]
}

export interface Scene {
  stage: Stage
  random: Random
  /** The short form: low counts, and no judgement of time. */
  quick: boolean
  /** Rolls of both replicas. */
  rolls: number
  /** Buyers begin to come. */
  admit(): Crowd
}

export interface Row {
  name: string
  /** Requirement ids, and what must hold. */
  title: string
  run(scene: Scene): Promise<Outcome>
  /** Not in the short form. */
  long?: boolean
}

/** What buyers noticed of `asked`, by kind, for the list of violations. */
export function noticed(asked: readonly Asked[]): string[] {
  const kinds = new Map<string, number>()
  for (const { door, what, failed } of asked) {
    if (failed === undefined) continue
    const kind = `${door}: ${what} → ${failed}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${kind}${count > 1 ? ` (${count} times)` : ''}`)
}

/** Whether the service said itself that it cannot answer now; a balancer that sees no replica ready cannot say it. */
export const isTold = ({ door, failed = '' }: Asked): boolean =>
  /^503 \w/.test(failed) || (door === 'no second try' && failed === 'ECONNRESET')

export const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`

/** Requests of each door, and how many of them failed. */
export function byDoor(stage: Stage, asked: readonly Asked[]): string {
  return stage.doors
    .map(({ name }) => {
      const own = asked.filter(({ door }) => door === name)
      return `${name} ${own.filter(({ failed }) => failed !== undefined).length} of ${own.length}`
    })
    .join(', ')
}
