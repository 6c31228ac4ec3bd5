/** What migrations would run, without running them: the statements of each, what they lock, and its phase. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { AppliedMigration } from './migrations/index.ts'
import { judge, type Judged, type Phase, statementsOf } from './statements.ts'

export interface Planned {
  name: string
  /** `contract` where one of its statements is. */
  phase: Phase
  statements: Judged[]
  /** It runs outside of a transaction, each statement by itself. */
  alone: boolean
}

/** The plan of these migrations, in their order. */
export async function planOf(migrations: Record<string, AppliedMigration>): Promise<Planned[]> {
  // a table that an earlier one of them makes is not in use either
  const made = new Set<string>()
  const planned: Planned[] = []
  for (const [name, migration] of Object.entries(migrations)) {
    const alone = migration.transaction === false
    const texts = await recorded(migration)
    const statements = texts.map((statement, at) => ({
      ...judge(statement, made),
      ...misplaced(statement, alone, texts[at - 1] ?? ''),
    }))
    const phase = statements.some((one) => one.phase === 'contract') ? 'contract' : 'expand'
    planned.push({ name, phase, statements, alone })
  }
  return planned
}

const CONCURRENT = /^(?:drop index|create (?:unique )?index) concurrently (?:if (?:not )?exists )?"?(\w+)/i

/** What belongs into a migration without a transaction, and what does not. */
function misplaced(statement: string, alone: boolean, before: string): Pick<Judged, 'problem'> {
  const [, index] = CONCURRENT.exec(statement) ?? []
  if (!alone) return index ? { problem: 'runs in no transaction: the migration exports "transaction = false"' } : {}
  if (!index) return { problem: 'may be made twice: without a transaction only indexes are made, concurrently' }
  const dropped = /^drop/i.test(before) && CONCURRENT.exec(before)?.[1] === index
  // what was cut off leaves an index that is never used
  if (/^create/i.test(statement) && !dropped)
    return { problem: `needs "drop index concurrently if exists ${index}" just before it` }
  return {}
}

/** What a migration sends, where every question has no answer. */
async function recorded(migration: AppliedMigration): Promise<string[]> {
  const sent: string[] = []
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void sent.push(...statementsOf(query.sql)),
  })
  await migration.up(db)
  return sent
}

/** The plan as text, for the person who decides when it runs. */
export function planText(planned: readonly Planned[]): string {
  if (planned.length === 0) return 'Nothing to apply: the database is up to date'
  return planned
    .map(({ name, phase, statements, alone }) => {
      const what = PHASES[phase] + (alone ? '; each statement by itself' : '')
      const lines = statements.flatMap(({ text, locks, problem }) => [
        `  ${text}`,
        ...(locks ? [`      locks ${locks}`] : []),
        ...(problem ? [`      CAREFUL: ${problem}`] : []),
      ])
      return [`${name}  ${phase}: ${what}`, ...lines].join('\n')
    })
    .join('\n\n')
}

const PHASES: Record<Phase, string> = {
  expand: 'before the new release; the one before goes on with it',
  contract: 'only when no replica of the release before is left',
}
