/**
 * `npm run migrate`: brings a database to the newest migration. Safe to run twice and by several processes at once: an
 * advisory lock lets one at a time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { sql } from 'kysely'
import { type MigrationResult, Migrator } from 'kysely/migration'
import { messageOf, runCommand } from './command.ts'
import { connect, type Database } from './connect.ts'
import { LOCK_TIMEOUT, makeMonths } from './event-partitions.ts'
import { type AppliedMigration, CONTRACT, migrations } from './migrations/index.ts'
import { configuredDatabase, PostgresAddress, startedDatabase } from './named-database.ts'
import { planOf, planText } from './plan.ts'
import { checkDirect } from './pooler.ts'
import { checkServer, provideUuidv7 } from './server-version.ts'

/** Tries, and the milliseconds between two in which the requests get their turn. */
const TRIES = 10
const BETWEEN = 3_000
/** Milliseconds after which a process whose turn it is not asks again. */
const TURN = 200

/**
 * Applies missing migrations and returns their names. One that waits for another's open transaction gives way and
 * tries again, all of a transaction together. Throws with the failing migration's name and PostgreSQL's reason, for a
 * server of another version, and for a database of a release that this one cannot follow or precede.
 */
export async function migrate(db: Database, all: Record<string, AppliedMigration> = migrations): Promise<string[]> {
  await checkServer(db)
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(impatient(all)) } })
  // Kysely creates its two tables before it takes its lock; we lock first, so that two first runs do not collide there.
  return db.connection().execute(async (one) => {
    await takeTurn(one)
    try {
      const applied = await appliedMigrations(one)
      refuseUnknown(applied, all)
      await provideUuidv7(one)
      const done: string[] = []
      for (const { last, options } of groupsOf(all, applied)) {
        const { error, results = [] } = await untilUnlocked(() => migrator.migrateTo(last, options))
        if (error) throw failure(error, results)
        done.push(...results.map((result) => result.migrationName))
      }
      const { error } = await untilUnlocked(() => resultOf(makeMonths(one)))
      if (error) throw error
      return done
    } finally {
      await sql`select pg_advisory_unlock(hashtext('eye-funnel migrations'))`.execute(one)
    }
  })
}

/** Asks again and again: an index that is made concurrently would wait for a statement that waits here. */
async function takeTurn(one: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(hashtext('eye-funnel migrations')) as mine`.execute(one)
    if (rows[0]?.mine) return
    await pause(TURN)
  }
}

/** A newer release has left what this one does not know: it goes on if all of its own is there, and no contract. */
function refuseUnknown(applied: ReadonlySet<string>, all: Record<string, AppliedMigration>): void {
  const unknown = [...applied].filter((name) => !(name in all))
  const whole = Object.keys(all).every((name) => applied.has(name))
  if (unknown.length === 0 || (whole && !unknown.some((name) => CONTRACT.test(name)))) return
  throw new Error(
    `This database has migrations that this code does not know: ${unknown.join(', ')}. It was made by another ` +
      'release: use that, or an empty database (the embedded one is the folder .data)',
  )
}

/** Throws where this release cannot serve from the database: it lacks something, or a newer one has taken it. */
export async function checkSchema(db: Database): Promise<void> {
  const applied = await appliedMigrations(db)
  const pending = pendingAmong(applied)
  if (pending.length > 0) throw new Error(`the database lacks migrations: ${pending.join(', ')}. Run: npm run migrate`)
  refuseUnknown(applied, migrations)
}

function failure(error: unknown, results: readonly MigrationResult[]): Error {
  const failed = results.find((result) => result.status === 'Error')?.migrationName
  const reason = messageOf(error)
  const text = failed ? `Migration ${failed} failed: ${reason}` : `Migrations failed: ${reason}`
  return new Error(text, { cause: error })
}

/** The missing migrations, those of one transaction together; each of the others by itself. */
function groupsOf(
  all: Record<string, AppliedMigration>,
  applied: ReadonlySet<string>,
): { last: string; options: { disableTransactions: boolean } }[] {
  const groups: { last: string; options: { disableTransactions: boolean } }[] = []
  for (const name of Object.keys(all).filter((one) => !applied.has(one))) {
    const disableTransactions = all[name]?.transaction === false
    const before = groups.at(-1)
    if (before && !before.options.disableTransactions && !disableTransactions) before.last = name
    else groups.push({ last: name, options: { disableTransactions } })
  }
  return groups
}

/** The same migrations, none of which waits longer than LOCK_TIMEOUT for a lock that others queue behind. */
function impatient(all: Record<string, AppliedMigration>): Record<string, AppliedMigration> {
  const limited = ({ up, transaction }: AppliedMigration): AppliedMigration => ({
    up: async (tx) => {
      // an index that is made concurrently waits for old transactions, and nothing queues behind it
      if (transaction === false) return withoutLimits(tx, up)
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      // the role may have one, for the statements of the service
      await sql`set local statement_timeout = 0`.execute(tx)
      await up(tx)
    },
  })
  return Object.fromEntries(Object.entries(all).map(([name, migration]) => [name, limited(migration)]))
}

/** On a connection that goes on to be used. */
async function withoutLimits(db: Parameters<AppliedMigration['up']>[0], up: AppliedMigration['up']): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db)
  try {
    await up(db)
  } finally {
    await sql`reset statement_timeout`.execute(db)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

const resultOf = (work: Promise<unknown>): Promise<{ error?: unknown }> =>
  work.then(
    () => ({}),
    (error: unknown) => ({ error }),
  )

async function untilUnlocked<T extends { error?: unknown }>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const result = await attempt()
    const { code } = (result.error ?? {}) as { code?: string }
    if (code !== LOCK_NOT_AVAILABLE || tries === TRIES) return result
    await pause(BETWEEN)
  }
}

async function appliedMigrations(db: Database): Promise<Set<string>> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db)
  const { rows } = tables[0]?.there
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    : { rows: [] }
  return new Set(rows.map((row) => row.name))
}

/** Names of the migrations that the database does not have yet; all of them for an empty database (D-11). */
export async function pendingMigrations(db: Database): Promise<string[]> {
  return pendingAmong(await appliedMigrations(db))
}

/** The migrations that are missing among the applied ones. */
export function pendingAmong(applied: Iterable<string>): string[] {
  const known = new Set(applied)
  return Object.keys(migrations).filter((name) => !known.has(name))
}

function anAddress(text: string): string {
  const { error } = PostgresAddress.safeParse(text)
  if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`)
  return text
}

async function main(): Promise<void> {
  const line = new Command('npm run migrate --')
    .description('Brings the database to the newest migration.')
    .argument('[address]', 'postgres://…; else DATABASE_URL_DIRECT, else DATABASE_URL', anAddress)
    .option('--plan', 'prints what the missing migrations would lock, and changes nothing')
    .showHelpAfterError()
    .parse()
  const planned = line.opts<{ plan?: boolean }>().plan === true
  const given = line.args[0] ?? configuredDatabase(process.env)
  // a plan changes nothing, so it may be that of the embedded one, which npm start migrates itself
  const url = given ?? (planned ? startedDatabase() : undefined)
  if (!url) throw new Error('No database named. Set DATABASE_URL or DATABASE_URL_FILE, or name its address: --help.')
  const { db, close } = connect(url, { max: 2, name: 'migrate' })
  try {
    if (planned) {
      const names = await pendingMigrations(db)
      const missing = Object.entries(migrations).filter(([name]) => names.includes(name))
      return console.log(planText(await planOf(Object.fromEntries(missing))))
    }
    await checkDirect(url)
    const applied = await migrate(db)
    console.log(applied.length ? `Applied ${applied.join(', ')}` : 'Nothing to apply: the database is up to date')
  } finally {
    await close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runCommand(main)
