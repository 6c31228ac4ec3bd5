/**
 * A pooler between us and the server gives every transaction another connection of the server's: what belongs to a
 * connection (settings, prepared statements, locks of a session, replication) is lost there or belongs to another
 * client.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'

/** Milliseconds after which the server ends a statement, and a transaction in which nothing happens. */
export interface Limits {
  statement?: number
  idleInTransaction?: number
}

/** The limits as settings of PostgreSQL. */
export const settingsOf = ({ statement, idleInTransaction }: Limits): Record<string, number> => ({
  ...(statement === undefined ? {} : { statement_timeout: statement }),
  ...(idleInTransaction === undefined ? {} : { idle_in_transaction_session_timeout: idleInTransaction }),
})

/** Begins each transaction with its limits, in one message: a pooler takes none with the connection. */
export class PooledDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #limits: Limits
  constructor(config: PostgresDialectConfig, limits: Limits) {
    super(config)
    this.#config = config
    this.#limits = limits
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#config, this.#limits)
  }
}

class PooledDriver extends PostgresDriver {
  readonly #begin: string
  constructor(config: PostgresDialectConfig, limits: Limits) {
    super(config)
    this.#begin = Object.entries(settingsOf(limits))
      .map(([name, value]) => `; set local ${name} = ${value}`)
      .join('')
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.executeQuery(
      CompiledQuery.raw(`begin${isolation}${accessMode ? ` ${accessMode}` : ''}${this.#begin}`),
    )
  }
}

/** An unlikely value, which a server that heard of it repeats. */
const ASKED = 3_599_991

/** Whether something between us and the server takes no settings with a connection, or drops them. */
export async function throughPooler(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: ASKED,
  })
  // its question fails and reports it; without a listener this process would end
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ heard: boolean }>(
      `select setting = '${ASKED}' as heard from pg_settings where name = 'idle_in_transaction_session_timeout'`,
    )
    return !rows[0]?.heard
  } catch (error) {
    // of PgBouncer, and of those that speak like it
    if (/startup parameter/i.test(error instanceof Error ? error.message : '')) return true
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Throws where this address leads through a pooler, with what to do. */
export async function checkDirect(url: string): Promise<void> {
  if (await throughPooler(url)) throw new Error(POOLED)
}

export const POOLED =
  'A pooler stands between us and PostgreSQL. Leave it in DATABASE_URL and set DATABASE_URL_DIRECT to the address of ' +
  'the server itself'
