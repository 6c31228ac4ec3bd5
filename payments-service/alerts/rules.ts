/**
 * The one table of alerts: Prometheus' rules (docs/ops), the dashboard's list and the service's own look are made of
 * it. Each has a page in docs/runbooks.
 */
import type { Sample } from '../metrics/metrics.ts'

interface RuleRow {
  /** What it means for buyers or money, in a sentence. */
  summary: string
  metric: string
  /** Only series with this label. */
  where?: { label: string; is: string }
  /** The label that says which part it is about. */
  by?: string
  /** Each part is an alert of its own, as in Prometheus: one that holds for weeks must not hide another. */
  each?: true
  /** It holds above (or below) this … */
  above?: number
  below?: number
  /** … for this many seconds. */
  lasting: number
  severity: 'critical' | 'warning'
  /** Only the replica itself sees it: the database does not have it. */
  local?: true
}

const TABLE = {
  PaidWithoutAccess: {
    summary: 'A buyer has paid and cannot open what was bought',
    metric: 'funnel_paid_without_access_seconds',
    above: 120,
    lasting: 60,
    severity: 'critical',
  },
  SubscriptionMissing: {
    summary: 'A subscription that is paid for cannot be made at Stripe: it will never renew',
    metric: 'funnel_subscriptions_missing_seconds',
    above: 600,
    lasting: 60,
    severity: 'warning',
  },
  CancellationLate: {
    summary: 'A buyer has cancelled and Stripe does not carry it out: they may be charged again',
    metric: 'funnel_cancellation_waiting_seconds',
    above: 600,
    lasting: 60,
    severity: 'critical',
  },
  RefundImpossible: {
    summary: 'Money that is owed back cannot go back by Stripe: the buyer was told that a person sees to it',
    metric: 'funnel_refunds_impossible',
    above: 0,
    lasting: 0,
    severity: 'warning',
  },
  AnswerDue: {
    summary: 'A request for money back waits for an answer, which is promised within a day from now',
    metric: 'funnel_money_back_answer_seconds_left',
    below: 86_400,
    lasting: 0,
    severity: 'warning',
  },
  ChargesWithoutVisit: {
    summary: 'Stripe charged buyers whose visits are not in this database',
    metric: 'funnel_charges_without_visit_last_day',
    above: 0,
    lasting: 0,
    severity: 'critical',
  },
  StripeUnread: {
    summary: "Stripe's events are not read: payments, refunds and cancellations pass unnoticed",
    metric: 'funnel_stripe_read_age_seconds',
    above: 120,
    lasting: 60,
    severity: 'critical',
  },
  WebhooksSilent: {
    summary: "Stripe's webhooks do not arrive: everything comes seconds late, by the poll alone",
    metric: 'funnel_stripe_events_by_poll_ratio',
    above: 0.9,
    lasting: 600,
    severity: 'warning',
  },
  DeadLetters: {
    summary: 'A mail, a refund or an event was given up and waits for an operator',
    metric: 'funnel_queue_dead',
    by: 'kind',
    each: true,
    above: 0,
    lasting: 0,
    severity: 'warning',
  },
  QueueLate: {
    summary: 'Work that is due waits: mails, refunds or cancellations are late',
    metric: 'funnel_queue_age_seconds',
    by: 'kind',
    above: 300,
    lasting: 60,
    severity: 'critical',
  },
  WorkRetried: {
    summary: 'Work fails and is tried again and again: something does not mend by itself',
    metric: 'funnel_queue_retrying',
    by: 'kind',
    each: true,
    above: 0,
    lasting: 3_600,
    severity: 'warning',
  },
  LoopStuck: {
    summary: 'A background loop hangs or fails again and again',
    metric: 'funnel_loop_overdue_seconds',
    by: 'loop',
    above: 90,
    lasting: 0,
    severity: 'critical',
    local: true,
  },
  MailsFailing: {
    summary: 'Mails are given up: buyers miss confirmations and links to the programme',
    metric: 'funnel_mails_last_hour',
    where: { label: 'result', is: 'failed' },
    above: 5,
    lasting: 0,
    severity: 'warning',
  },
  PublishLate: {
    summary: 'What editors published is not on the site',
    metric: 'funnel_publish_waiting_seconds',
    above: 1_800,
    lasting: 0,
    severity: 'warning',
  },
  CertificateEnds: {
    summary: "The site's certificate ends in less than two days: then nobody can open the shop",
    metric: 'funnel_certificate_seconds_left',
    below: 172_800,
    lasting: 0,
    severity: 'critical',
  },
  RequestsFailing: {
    summary: 'Visitors get errors',
    metric: 'funnel_http_failed_ratio',
    above: 0.05,
    lasting: 60,
    severity: 'critical',
    local: true,
  },
  PoolExhausted: {
    summary: 'Requests wait for a connection to the database',
    metric: 'funnel_database_pool_waiting',
    by: 'pool',
    above: 5,
    lasting: 60,
    severity: 'critical',
    local: true,
  },
  DatabaseAway: {
    summary: 'The database does not answer or takes no writes: nobody can buy or open anything',
    metric: 'funnel_database_up',
    below: 1,
    lasting: 60,
    severity: 'critical',
    local: true,
  },
  BackupOld: {
    summary: 'No backup was made for a day and a half: after a loss of the database, orders could be gone',
    metric: 'funnel_backup_age_seconds',
    above: 129_600,
    lasting: 0,
    severity: 'warning',
  },
  LogKept: {
    summary: 'The database keeps log that a replication slot does not read: its disk fills up, then the shop stops',
    metric: 'funnel_wal_kept_bytes',
    by: 'slot',
    each: true,
    above: 5_368_709_120,
    lasting: 600,
    severity: 'critical',
  },
} as const satisfies Record<string, RuleRow>

export type RuleName = keyof typeof TABLE
export type Rule = RuleRow & { name: RuleName; runbook: string }

/** PaidWithoutAccess → docs/runbooks/paid-without-access.md */
const runbookOf = (name: string): string =>
  `docs/runbooks/${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`

export const RULES: readonly Rule[] = Object.entries<RuleRow>(TABLE).map(([name, row]) => ({
  ...row,
  name: name as RuleName,
  runbook: runbookOf(name),
}))

/** The series for which a rule holds, the worst first. */
export function breaches({ metric, where, above, below }: Rule, samples: readonly Sample[]): Sample[] {
  return samples
    .filter(
      ({ name, labels, value }) =>
        name === metric &&
        (!where || labels[where.label] === where.is) &&
        ((above !== undefined && value > above) || (below !== undefined && value < below)),
    )
    .sort((a, b) => (above === undefined ? a.value - b.value : b.value - a.value))
}

/** What holds now: the series by the alert, which is a rule's name and, of one with `each`, the part after a space. */
export function holdingNow(samples: readonly Sample[]): Map<string, Sample[]> {
  const found = new Map<string, Sample[]>()
  for (const rule of RULES) {
    for (const sample of breaches(rule, samples)) {
      const alert = rule.each && rule.by ? `${rule.name} ${sample.labels[rule.by]}` : rule.name
      found.set(alert, [...(found.get(alert) ?? []), sample])
    }
  }
  return found
}

/** The rule of an alert, and its part; undefined for one of another release. */
export function ruleOf(alert: string): { rule: Rule; part: string | undefined } | undefined {
  const [name, part] = alert.split(' ')
  const rule = RULES.find((one) => one.name === name && (one.each === true) === (part !== undefined))
  return rule && { rule, part }
}

/** A rule as an expression of PromQL. Replicas that say the same count once. */
export function expressionOf({ metric, where, by, above, below }: Rule): string {
  const series = where ? `${metric}{${where.label}="${where.is}"}` : metric
  const of = by ? ` by (${by}) ` : ''
  return above === undefined ? `min${of}(${series}) < ${below}` : `max${of}(${series}) > ${above}`
}
