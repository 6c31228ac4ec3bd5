/**
 * The one queue. All work done outside requests is a row, written in the transaction that makes it true: an event of
 * Stripe's, a job, a mail. Here a row is claimed for a while, so that no other worker takes it, then done, put off or
 * given up. Its lane knows what it is about. Times are the database's, because several machines share it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { type Log, scrub } from '../http/logging.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { type Policy, waitAfter } from './policies.ts'

/** The tables of the queue: the column that marks a row as done, and the one that orders rows due together. */
const TABLES = {
  outbox: { doneAt: 'sent_at', first: 'id' },
  webhook_events: { doneAt: 'handled_at', first: 'created' },
} as const

type QueueTable = keyof typeof TABLES

/** A claimed row: these columns, and whatever else its table has. */
export interface Entry {
  id: string
  /** Including this one. */
  attempts: number
}

/** Entries of one table that are worked off in one way. */
export interface Lane<Row extends Entry> {
  table: QueueTable
  policy: Policy
  /** Selects entries of the table; all of them when left out. */
  which?: RawBuilder<unknown>
  /**
   * Works on one entry. Must be safe to repeat, because a worker may die after the effect. A returned text says why
   * there was nothing to do; it is kept with the entry. Throws Refused when another try would change nothing.
   */
  work(row: Row): Promise<string | void>
  /** Entries with the same key ask for the same work: those of a batch share one run of it. */
  sameWork?(row: Row): string
  /** What is set with an entry `e` by the statement that marks it as done. */
  whenDone?: RawBuilder<unknown>
  /** Runs in the transaction that gives the entry up. What was refused is logged here or not at all. */
  givenUp?(tx: Database, row: Row, why: string): Promise<void>
}

/** Trying again would change nothing: the entry is given up at once and shown to an operator, who may revive it. */
export class Refused extends Error {}

/** Claims up to `policy.atOnce` due entries: no other worker gets them until the lease is over. */
export async function claim<Row extends Entry>(
  db: Database,
  { table, policy, which = sql`true` }: Pick<Lane<Row>, 'table' | 'policy' | 'which'>,
): Promise<Row[]> {
  const { doneAt, first } = TABLES[table]
  const { rows } = await sql<Row>`
    update ${sql.table(table)}
    set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${policy.lease})
    where id in (
      select id from ${sql.table(table)}
      where ${sql.ref(doneAt)} is null and dead_at is null and next_attempt_at <= now() and ${which}
      order by next_attempt_at, ${sql.ref(first)}, id limit ${policy.atOnce} for update skip locked
    )
    returning *`.execute(db)
  return rows
}

interface Workshop {
  db: Database
  log: Pick<Log, 'error'>
  tracing?: Tracing | undefined
}

const CONSUMER = 4
type Traced = Entry & { kind?: string; type?: string; payload?: { traceparent?: string; broughtBy?: string } }

/** Works through one batch. Says whether there may be more. */
export async function workThrough<Row extends Entry>(
  { db, log, tracing }: Workshop,
  lane: Lane<Row>,
): Promise<boolean> {
  const rows = await claim<Row>(db, lane)
  const groups = Map.groupBy(rows, (row) => lane.sameWork?.(row) ?? row.id)
  const workshop = { db, log, tracing }
  const mark = createMarker(db, lane)
  await Promise.all([...groups.values()].map((group) => workOn(workshop, lane, group as [Row, ...Row[]], mark)))
  return rows.length === lane.policy.atOnce
}

/** Milliseconds for which an entry that is done waits for the others of its batch. */
const GATHER = 20

type Mark = (ids: readonly string[], note: string | null) => Promise<unknown>

/** Marks entries as done, those of a batch that end together in one statement. Where it fails, it fails for each. */
function createMarker<Row extends Entry>(db: Database, { table, whenDone }: Lane<Row>): Mark {
  const waiting = new Map<string | null, { ids: string[]; marked: Promise<unknown> }>()
  return (ids, note) => {
    const others = waiting.get(note)
    if (others) {
      others.ids.push(...ids)
      return others.marked
    }
    const all = [...ids]
    const done = sql`${sql.ref(TABLES[table].doneAt)} = now(), dead_at = null, last_error = ${note}`
    const marked = pause(GATHER).then(() => {
      waiting.delete(note)
      return change(db, table, all, whenDone ? sql`${done}, ${whenDone}` : done)
    })
    waiting.set(note, { ids: all, marked })
    return marked
  }
}

/** Works on entries that ask for the same. */
async function workOn<Row extends Entry>(
  { db, log, tracing }: Workshop,
  lane: Lane<Row>,
  group: readonly [Row, ...Row[]],
  mark: Mark,
): Promise<void> {
  const work = async (): Promise<void> => {
    const nothing = await lane.work(group[0])
    await mark(
      group.map(({ id }) => id),
      nothing ? `not sent: ${nothing}` : null,
    )
  }
  try {
    await (tracing ? traceWork(tracing, group, work) : work())
  } catch (error) {
    for (const row of group) await putOff(db, log, lane, row, error)
  }
}

/** A span in the trace of what caused the entry: a request, a payment's opening, else the webhook that brought it. */
function traceWork(tracing: Tracing, group: readonly [Entry, ...Entry[]], work: () => Promise<void>): Promise<void> {
  const all = group as readonly [Traced, ...Traced[]]
  const [first] = all
  // of a payment's events some may have come before it was known by its id at Stripe
  const cause = all.find(({ payload }) => payload?.traceparent !== payload?.broughtBy) ?? first
  const links = all.flatMap((one) => [one.payload?.broughtBy, one === cause ? undefined : one.payload?.traceparent])
  const options = {
    kind: CONSUMER,
    causedBy: cause.payload?.traceparent,
    links: links.filter((link) => link !== cause.payload?.traceparent),
    attributes: { 'messaging.batch.message_count': group.length, attempts: first.attempts },
  }
  return tracing.around(`work ${first.kind ?? first.type}`, options, work)
}

/** After a failed try: another one later, or none. */
async function putOff<Row extends Entry>(
  db: Database,
  log: Pick<Log, 'error'>,
  { table, policy, givenUp }: Lane<Row>,
  row: Row,
  error: unknown,
): Promise<void> {
  const refused = error instanceof Refused
  const dead = refused || (policy.tries !== null && row.attempts >= policy.tries)
  const { id, attempts, ...rest } = row as Row & { kind?: string; type?: string }
  const fields = { err: error, table, id, what: rest.kind ?? rest.type, attempts }
  if (!refused) log.error(fields, dead ? 'given up: an operator has to look' : 'put off after a failed try')
  const why = scrub(error instanceof Error ? error.message : String(error)).slice(0, 500)
  if (!dead) {
    const wait = waitAfter(policy, attempts, isFailure(error, 'away', 'busy'))
    const later = sql`next_attempt_at = now() + make_interval(secs => ${wait}), last_error = ${why}`
    return void (await change(db, table, [id], later, attempts))
  }
  await db.transaction().execute(async (tx) => {
    const mine = await change(tx, table, [id], sql`dead_at = now(), last_error = ${why}`, attempts)
    if (mine) await givenUp?.(tx, row, why)
  })
}

/**
 * Stores an outcome, locking in the order of ids, as an erasure does; with `attempts` only while that claim holds.
 * Resolves to whether it was stored.
 */
async function change(
  db: Database,
  table: QueueTable,
  ids: readonly string[],
  set: RawBuilder<unknown>,
  attempts?: number,
): Promise<boolean> {
  const mine = attempts === undefined ? sql`true` : sql`attempts = ${attempts}`
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} e set ${set}
    where id in (select id from ${sql.table(table)} where id = any(${ids}) order by id for update)
      and ${sql.ref(TABLES[table].doneAt)} is null and ${mine}`.execute(db)
  return numAffectedRows > 0n
}

/** Resets the tries of what was given up among all that `which` selects. Resolves to how many entries these were. */
export async function reviveAll(db: Database, table: QueueTable, which: RawBuilder<unknown>): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set dead_at = null, attempts = 0, last_error = null, next_attempt_at = now()
    where ${which} and dead_at is not null`.execute(db)
  return numAffectedRows
}
