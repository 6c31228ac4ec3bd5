/** One pool and one typed query builder from one URL: the only way any program reaches PostgreSQL. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Limits, PooledDialect, settingsOf } from './pooler.ts'
import type { DB } from './types.ts'

export type Database = Kysely<DB>

export interface ConnectOptions {
  /** Upper bound of open connections; 10 when left out. */
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Milliseconds to wait for a connection before failing; 5000 when left out. */
  connectTimeout?: number
  /** What the server itself ends; an address that names a setting of these goes first. */
  limits?: Limits
  /** The address may lead through a transaction pooler: the limits go with each transaction, not the connection. */
  pooled?: boolean
  /** Milliseconds after which a statement fails and its connection is closed, even if the server is frozen. */
  queryTimeout?: number
  /** Called when an idle connection breaks (a restarted server). No action is needed: the pool replaces it. */
  onError?: (error: Error) => void
}

/**
 * Opens a pool and wraps it in Kysely. Nothing connects before the first query.
 * `close()` ends every connection and resolves when they are gone; a second call is harmless.
 */
export function connect(
  url: string,
  options: ConnectOptions = {},
): { db: Database; pool: pg.Pool; close(): Promise<void> } {
  const { address, limits } = split(url, options)
  const pool = new pg.Pool({
    connectionString: address,
    ...(options.pooled ? {} : settingsOf(limits)),
    max: options.max ?? 10,
    application_name: options.name ?? 'eye-funnel',
    connectionTimeoutMillis: options.connectTimeout ?? 5000,
    ...(options.queryTimeout === undefined ? {} : { query_timeout: options.queryTimeout }),
  })
  // Without a listener a restart of PostgreSQL ends this process: an idle client's error has no other place to go.
  pool.on('error', (error) => options.onError?.(error))
  // the same holds for a client that is checked out, between two statements; its next statement fails and reports it
  pool.on('connect', (client) => client.on('error', () => undefined))
  const dialect = options.pooled ? new PooledDialect({ pool }, limits) : new PostgresDialect({ pool })
  const db = new Kysely<DB>({ dialect })
  let closing: Promise<void> | undefined
  return { db, pool, close: () => (closing ??= db.destroy()) }
}

/** The limits that count, and an address that a pooler takes: without them. */
function split(url: string, { limits = {}, pooled }: ConnectOptions): { address: string; limits: Limits } {
  const address = new URL(url)
  const statement = address.searchParams.get('statement_timeout')
  if (!pooled || statement === null) return { address: url, limits }
  address.searchParams.delete('statement_timeout')
  return { address: address.href, limits: { ...limits, statement: Number(statement) } }
}
