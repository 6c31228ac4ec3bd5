import type { RequestHandler } from 'express'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '../../db/connect.ts'
import { isForbidden } from '../../db/kept-log.ts'
import type { Lake } from '../content/lake.ts'
import { isDatabaseAway } from '../http/database-away.ts'
import type { Log } from '../http/logging.ts'
import type { Heartbeats } from '../jobs/loop.ts'
import { watchCertificate } from './certificate.ts'
import { type FactRow, FACTS } from './facts.ts'
import { watchPublish } from './publish.ts'
import { watchReplica } from './replica.ts'
import { countRequests } from './requests.ts'

/** Milliseconds for which what the database said is kept: however often it is scraped, it costs a reading in that. */
const KEPT = 10_000
/** SQLSTATE of a statement that ran into its time limit: the database is there. */
const TOO_SLOW = '57014'
/** Milliseconds within which all facts are read; what is slower is left out. */
const READ_WITHIN = 5_000

export interface MetricsSource {
  /** By a connection of its own, whose statements end soon. */
  db: Database
  /** The pools that buyers use, by name. */
  pools: Record<string, Pool>
  loops: () => Heartbeats
  lake: Lake | null
  /** Whether the shop makes its own backups; yes when left out. */
  backups?: boolean
  /** The site, whose certificate is looked at. */
  siteUrl?: string
  log: Log
}

/** One series: what a line of a scrape says. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Metrics {
  /** Counts a request; the first of all middleware. */
  count: RequestHandler
  /** The text of a scrape. */
  text(): Promise<string>
  registry: Registry
  /** The same as values, of gauges alone; read anew. */
  samples(): Promise<Sample[]>
  /** The metrics that could not be read at last: of what they would say nothing is known. */
  unread(): ReadonlySet<string>
}

/** What the service reports about itself. Costs nothing until it is asked, but for the counting of requests. */
export function createMetrics({ db, pools, loops, lake, backups = true, siteUrl, log }: MetricsSource): Metrics {
  const registry = new Registry()
  const count = countRequests(registry)
  watchReplica(registry, pools, loops)
  const unread = new Set<string>()
  const readPublish = watchPublish(registry, lake, unread, log)
  const readCertificate = watchCertificate(registry, siteUrl, unread)
  const up = new Gauge({
    name: 'funnel_database_up',
    help: 'Whether the database answers this replica and takes what it writes',
    registers: [registry],
  })
  const failures = new Counter({
    name: 'funnel_fact_failures_total',
    help: 'Readings of the database that failed or took too long, by the metric that is missing then',
    labelNames: ['metric'],
    registers: [registry],
  })
  const facts = FACTS.map((fact) => {
    const { name, help, labels = [] } = fact
    return { ...fact, gauge: new Gauge({ name, help, labelNames: labels, registers: [registry] }) }
  })

  async function readFacts(): Promise<void> {
    const until = Date.now() + READ_WITHIN
    let away = false
    // a standby that was never promoted, or a restored database before its last step
    const readOnly = await sql<{ on: boolean }>`select current_setting('transaction_read_only')::boolean as "on"`
      .execute(db)
      .then(
        ({ rows }) => rows[0]?.on ?? false,
        () => false,
      )
    for (const { name, query, also, gauge, labels, ofBackups } of facts) {
      let rows: FactRow[] | undefined
      try {
        if (!away && Date.now() > until) throw new Error('the facts before this one took too long')
        // a transaction, because its time limit goes with it through a pooler too
        if (ofBackups && !backups) rows = []
        else if (!away) rows = (await db.transaction().execute((tx) => query.execute(tx))).rows
      } catch (error) {
        away = isDatabaseAway(error) && (error as { code?: string }).code !== TOO_SLOW
        // a host may keep its replication to itself: no failure, and said once
        const forbidden = isForbidden(error)
        if (!forbidden) failures.inc({ metric: name })
        if (!forbidden || !unread.has(name)) log.warn({ err: error, metric: name }, 'a metric could not be read')
      }
      if (rows) unread.delete(name)
      else unread.add(name)
      // all at once: a scrape meanwhile has the earlier values or the new ones
      gauge.reset()
      // without labels a reset says 0; nothing is known yet
      if (!labels) gauge.remove()
      for (const { value, ...row } of rows ?? []) gauge.set({ ...row, ...also?.({ value, ...row }) }, value)
    }
    up.set(away || readOnly ? 0 : 1)
  }

  let read = 0
  let reading: Promise<unknown> | undefined
  const refresh = (): Promise<unknown> =>
    (reading ??= Promise.all([readFacts(), readPublish(), readCertificate()]).finally(() => {
      read = Date.now()
      reading = undefined
    }))

  return {
    count,
    registry,
    async text() {
      if (Date.now() - read > KEPT) await refresh()
      return registry.metrics()
    },
    async samples() {
      await refresh()
      const all = await registry.getMetricsAsJSON()
      return all.flatMap(({ name, type, values }) =>
        String(type) === 'gauge'
          ? values.map(({ value, labels }) => ({ name, value, labels: labels as Record<string, string> }))
          : [],
      )
    },
    unread: () => unread,
  }
}
