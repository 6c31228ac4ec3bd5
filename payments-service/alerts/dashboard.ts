/** A dashboard for Grafana: what is sold, how visitors fare, what the background does. Alerts have their own column. */
import { RULES } from './rules.ts'

interface Panel {
  title: string
  unit?: 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'currencyUSD'
  /** Expressions of PromQL, each with the text of its legend. What every replica says alike is taken once: max. */
  lines: [expression: string, legend: string][]
}

const ROUTE_ERRORS = 'sum by (route) (rate(funnel_http_requests_total{status=~"5.."}[5m]))'
const quantile = (q: number): string =>
  `histogram_quantile(${q}, sum by (le) (rate(funnel_http_request_duration_seconds_bucket[5m])))`

const PANELS: readonly Panel[] = [
  {
    title: 'Visits, orders and payments of the last hour',
    lines: [
      ['max(funnel_sessions_last_hour)', 'visits'],
      ['sum(max by (purpose) (funnel_orders_last_hour))', 'orders'],
      ['max by (purpose) (funnel_paid_last_hour)', 'paid: {{purpose}}'],
    ],
  },
  {
    title: 'Brought in, last hour',
    unit: 'currencyUSD',
    lines: [['max by (purpose) (funnel_paid_cents_last_hour) / 100', '{{purpose}}']],
  },
  { title: 'Declined, last hour', lines: [['max by (reason) (funnel_declines_last_hour)', '{{reason}}']] },
  {
    title: 'Paid without access',
    unit: 's',
    lines: [
      ['max(funnel_paid_without_access_seconds)', 'buyer waits'],
      ['max(funnel_subscriptions_missing_seconds)', 'subscription missing'],
    ],
  },
  {
    title: 'Requests',
    unit: 'reqps',
    lines: [['sum by (route) (rate(funnel_http_requests_total[5m]))', '{{route}}']],
  },
  { title: 'Errors', unit: 'reqps', lines: [[ROUTE_ERRORS, '{{route}}']] },
  { title: 'Share of failed requests', unit: 'percentunit', lines: [['max(funnel_http_failed_ratio)', 'failed']] },
  {
    title: 'How long requests take',
    unit: 's',
    lines: [
      [quantile(0.5), 'half of them'],
      [quantile(0.95), '95 %'],
      [quantile(0.99), '99 %'],
    ],
  },
  {
    title: "Stripe's events",
    unit: 'percentunit',
    lines: [['max(funnel_stripe_events_by_poll_ratio)', 'found by the poll alone']],
  },
  { title: "Since Stripe's list was read", unit: 's', lines: [['max(funnel_stripe_read_age_seconds)', 'age']] },
  { title: 'Oldest work in the queue', unit: 's', lines: [['max by (kind) (funnel_queue_age_seconds)', '{{kind}}']] },
  {
    title: 'Tried again, given up',
    lines: [
      ['sum by (class) (max by (kind, class) (funnel_queue_retrying))', 'again: {{class}}'],
      ['sum by (class) (max by (kind, class) (funnel_queue_dead))', 'given up: {{class}}'],
    ],
  },
  { title: 'Mails of the last hour', lines: [['max by (result) (funnel_mails_last_hour)', '{{result}}']] },
  {
    title: 'Background loops, heartbeat',
    unit: 's',
    lines: [['max by (loop) (funnel_loop_heartbeat_age_seconds)', '{{loop}}']],
  },
  {
    title: 'Connections to the database',
    lines: [
      ['sum by (pool) (funnel_database_pool_in_use)', '{{pool}} at work'],
      ['sum by (pool) (funnel_database_pool_waiting)', '{{pool}} waiting'],
      ['sum by (pool) (funnel_database_pool_size)', '{{pool}} at most'],
    ],
  },
  {
    title: 'Log that replication slots keep',
    unit: 'bytes',
    lines: [['max by (slot) (funnel_wal_kept_bytes)', '{{slot}}']],
  },
  { title: 'Since the last base backup', unit: 's', lines: [['max(funnel_backup_age_seconds)', 'age']] },
  { title: 'Certificate of the site', unit: 's', lines: [['min(funnel_certificate_seconds_left)', 'left']] },
  {
    title: 'Publishing',
    unit: 's',
    lines: [
      ['time() - max(funnel_publish_last_good_timestamp_seconds)', 'since the last good publish'],
      ['max(funnel_publish_waiting_seconds)', 'published, not on the site'],
    ],
  },
  {
    title: 'Money that needs a person',
    lines: [
      ['max by (status) (funnel_disputes_open)', 'dispute: {{status}}'],
      ['max(funnel_refunds_impossible)', 'refunds that cannot be made'],
      ['max(funnel_charges_without_visit_last_day)', 'charges without a visit'],
    ],
  },
  {
    title: 'Buyers who wait for a person',
    unit: 's',
    lines: [
      ['max(funnel_cancellation_waiting_seconds)', 'cancelled, not at Stripe'],
      ['min(funnel_money_back_answer_seconds_left)', 'until an answer is due'],
    ],
  },
  {
    title: 'Process',
    unit: 's',
    lines: [['max(nodejs_eventloop_lag_p99_seconds)', 'event loop lag, 99 %']],
  },
]

const datasource = { type: 'prometheus', uid: '${datasource}' }
const COLUMNS = 3
const SIZE = { w: 24 / COLUMNS, h: 8 }

function panelOf({ title, unit = 'short', lines }: Panel, at: number): object {
  return {
    id: at + 2,
    type: 'timeseries',
    title,
    datasource,
    gridPos: { ...SIZE, x: (at % COLUMNS) * SIZE.w, y: 6 + Math.floor(at / COLUMNS) * SIZE.h },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: lines.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  }
}

const alerts = {
  id: 1,
  type: 'alertlist',
  title: `Alerts that hold (of ${RULES.length})`,
  gridPos: { x: 0, y: 0, w: 24, h: 6 },
  options: { viewMode: 'list', datasource: '${datasource}', stateFilter: { firing: true, pending: true } },
}

/** The text of docs/ops/dashboard.json. */
export function dashboardFile(): string {
  const dashboard = {
    title: 'Eye funnel',
    uid: 'eye-funnel',
    schemaVersion: 39,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: [alerts, ...PANELS.map(panelOf)],
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
