import type { Express } from 'express'
import { connect, type Database } from '../db/connect.ts'
import { createApp, createProbes } from './app.ts'
import { createLake } from './content/lake.ts'
import { createSiteSettings } from './content/site-settings.ts'
import { createPriceBook } from './payments/prices.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createFailpoint, watchCommits, watchingCalls } from './failpoints.ts'
import type { Log } from './http/logging.ts'
import { loadOnce } from './load-once.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { startWorkers, type Workers } from './workers.ts'
import { createSingleFlight } from './single-flight.ts'
import { createMethodBook } from './payments/methods.ts'
import { startSubscription } from './subscriptions/start.ts'
import { createGateway } from './stripe/gateway.ts'
import { traceStatements } from './tracing/statements.ts'
import { tracingCalls } from './stripe/trace-calls.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The wired service: its HTTP side and its workers, apart from ports and signals. */
export interface Service {
  app: Express
  db: Database
  deps: Deps
  metrics: Metrics
  startWorkers(): void
  /** Says "not ready" and ends kept connections by their next answer; the workers stop after their present item. */
  drain(): void
  /** Waits for the workers to finish their present item, then closes the pools. */
  stop(): Promise<void>
}

/**
 * Milliseconds of a statement, because a lost lock must not hold a connection of the pool, and of a pause inside a
 * transaction, because a replica that froze there must not keep the lock on a session's money.
 */
const LIMITS = { statement: 15_000, idleInTransaction: 5_000 }

/** Milliseconds that one question of /readyz may wait for the database. */
const PROBE_TIMEOUT = 1_500

/** Milliseconds that a statement of the metrics may take: looking must not hurt buyers. */
const METRICS_TIMEOUT = 2_000

/** For answers and events: what waits longer than 5 s is refused, and the browser sends it again. */
const BULK_CONNECTIONS = 6

/** Wires everything from a config. Nothing connects before the first query. */
export function createService(config: Config, log: Log, tracing?: Tracing): Service {
  const url = config.databaseUrl
  const onError = (error: Error): void => log.warn({ err: error }, 'an idle database connection broke')
  const failpoint = createFailpoint(config.failpoint)
  const common = { pooled: config.databaseUrlDirect !== null, onError }
  const { db, pool, close } = connect(url, { max: 20, name: 'payments-service', limits: LIMITS, ...common })
  const bulk = connect(url, { max: BULK_CONNECTIONS, name: 'payments-service bulk', limits: LIMITS, ...common })
  const replica = config.databaseUrlRead
    ? connect(config.databaseUrlRead, { max: 4, name: 'payments-service reports', limits: LIMITS, onError })
    : undefined
  const within = { connectTimeout: PROBE_TIMEOUT, queryTimeout: PROBE_TIMEOUT }
  const probe = connect(url, { max: 1, name: 'payments-service readiness', ...within, ...common })
  const observer = connect(url, {
    max: 1,
    name: 'payments-service metrics',
    limits: { statement: METRICS_TIMEOUT },
    ...common,
    connectTimeout: METRICS_TIMEOUT,
    // a frozen server ends no statement
    queryTimeout: METRICS_TIMEOUT + 500,
  })
  if (failpoint) for (const one of [pool, bulk.pool]) watchCommits(one, failpoint)
  if (tracing) for (const one of [pool, bulk.pool, replica?.pool]) if (one) traceStatements(one, tracing)
  const stripe = createGateway(
    config.stripe,
    ...(failpoint ? [watchingCalls(failpoint)] : []),
    ...(tracing ? [tracingCalls(tracing)] : []),
  )
  let workers: Workers | undefined
  let draining = false
  let stopping: Promise<void> | undefined
  const stopWorkers = () => (stopping ??= workers?.stop())
  const lake = createLake(config.sanity)
  const deps: Deps = {
    config,
    db,
    bulk: bulk.db,
    replica: replica?.db ?? null,
    pool,
    log,
    tracing,
    auth: loadOnce(() => import('./accounts/auth.ts').then(({ createAuth }) => createAuth(config, db))),
    operatorAuth: loadOnce(() =>
      import('./operator/auth.ts').then(({ createOperatorAuth }) => createOperatorAuth(config, db)),
    ),
    stripe,
    prices: createPriceBook({ stripe, log }),
    methods: createMethodBook({ stripe, log }),
    lake,
    settings: createSiteSettings(config, lake, log),
    flights: createSingleFlight(),
    afterPayment: startSubscription,
    wake: (what) => workers?.wake(what),
  }
  const loops = () => workers?.heartbeats() ?? {}
  const pools = { main: pool, bulk: bulk.pool }
  const backups = !config.backupsByHost && !config.embedded
  const metrics = createMetrics({ db: observer.db, pools, loops, lake, backups, siteUrl: config.siteUrl, log })
  const worksOnly = config.role === 'worker'
  const health = { probe: probe.pool, draining: () => draining, loops, worksOnly }
  return {
    app: worksOnly ? createProbes(deps, health) : createApp(deps, metrics.count, health),
    db,
    deps,
    metrics,
    startWorkers: () => void (workers ??= startWorkers(deps, { config, db: observer.db, metrics, log })),
    drain: () => {
      draining = true
      void stopWorkers()
    },
    stop: async () => {
      await stopWorkers()
      await Promise.all([close(), bulk.close(), probe.close(), observer.close(), replica?.close()])
    },
  }
}
