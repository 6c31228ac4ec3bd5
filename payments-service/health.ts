/**
 * D-11: whether this replica lives (`/healthz`, which depends on nothing) and should get requests (`/readyz`).
 */
import type { RequestHandler, Router } from 'express'
import type { Pool } from 'pg'
import { pendingAmong } from '../db/migrate.ts'
import type { Heartbeats } from './jobs/loop.ts'

/** Milliseconds within which /readyz answers, whatever the database does. */
const ANSWER_WITHIN = 1_800

type Reason = 'draining' | 'database' | 'read_only' | 'migrations' | 'loops'

interface DatabaseState {
  reasons: Reason[]
  pendingMigrations: string[]
}

export interface HealthSource {
  /** A pool of one connection, apart from the others: a busy shop is ready. */
  probe: Pool
  /** Whether this replica was asked to stop. */
  draining: () => boolean
  /** The background loops. They are shown: a replica whose loop hangs can still serve. */
  loops: () => Heartbeats
  /** It is there for its loops alone: it is not ready while one of them is stuck. */
  worksOnly: boolean
}

/** Mounts both checks. */
export function healthRoutes(router: Router, { probe, draining, loops, worksOnly }: HealthSource): void {
  let asking: Promise<DatabaseState> | undefined
  const away: DatabaseState = { reasons: ['database'], pendingMigrations: [] }
  // one question at a time: probes of a frozen database must not pile up
  const ask = () =>
    (asking ??= readDatabase(probe)
      .catch(() => away)
      .finally(() => (asking = undefined)))

  router.get('/healthz', (_req, res) => void res.json({ alive: true }))
  router.get('/readyz', async (_req, res) => {
    const { reasons: found, pendingMigrations } = await within(ANSWER_WITHIN, ask(), away)
    const beats = loops()
    const reasons: Reason[] = [
      ...(draining() ? (['draining'] as const) : []),
      ...found,
      ...(worksOnly && Object.values(beats).some(({ stuck }) => stuck) ? (['loops'] as const) : []),
    ]
    res.setHeader('Cache-Control', 'no-store')
    res
      .status(reasons.length === 0 ? 200 : 503)
      .json({ ready: reasons.length === 0, reasons, pendingMigrations, loops: beats })
  })
}

/** While the replica stops, every answer ends its connection: its client asks another replica next. */
export function endConnections(draining: () => boolean): RequestHandler {
  return (_req, res, next) => {
    if (draining()) res.setHeader('Connection', 'close')
    next()
  }
}

async function readDatabase(probe: Pool): Promise<DatabaseState> {
  const { rows } = await probe.query<{ read_only: boolean; there: boolean }>(
    `select current_setting('transaction_read_only')::boolean as read_only,
      to_regclass('kysely_migration') is not null as there`,
  )
  const applied = rows[0]?.there
    ? await probe.query<{ name: string }>('select name from kysely_migration')
    : { rows: [] }
  const pendingMigrations = pendingAmong(applied.rows.map(({ name }) => name))
  const reasons: Reason[] = []
  if (rows[0]?.read_only) reasons.push('read_only')
  if (pendingMigrations.length > 0) reasons.push('migrations')
  return { reasons, pendingMigrations }
}

/** The result of `work`, or `otherwise` when it takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, ms, otherwise)))
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
