/** One pool and one typed query builder from one URL: the only way any program reaches PostgreSQL. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './types.ts'

export type Database = Kysely<DB>

export interface ConnectOptions {
  /** Upper bound of open connections; 10 when left out. */
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Milliseconds to wait for a connection before failing; 5000 when left out. */
  connectTimeout?: number
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
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'eye-funnel',
    connectionTimeoutMillis: options.connectTimeout ?? 5000,
    ...(options.queryTimeout === undefined ? {} : { query_timeout: options.queryTimeout }),
  })
  // Without a listener a restart of PostgreSQL ends this process: an idle client's error has no other place to go.
  pool.on('error', (error) => options.onError?.(error))
  // the same holds for a client that is checked out, between two statements; its next statement fails and reports it
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  return { db, pool, close: () => (closing ??= db.destroy()) }
}
