/**
 * What the shop's database says about how it does, a gauge each. Every replica reads the same, so that a sum over
 * replicas would count twice: take the largest. Each costs by what is new or open, however much there is.
 */
import { type RawBuilder, sql } from 'kysely'
import { KEPT_LOG } from '../../db/kept-log.ts'
import { UNRECORDED_PAYMENT } from '../jobs/given-up.queries.ts'
import { classOf } from '../jobs/kinds.ts'
import { NOTHING_LEFT } from '../refunds/owed.queries.ts'
import { firstWithoutAccess } from './access.ts'

/** Statuses of a dispute in which nothing more is to be decided; an unknown one of a later API version is none. */
const DECIDED = ['won', 'lost', 'warning_closed', 'prevented']

/** A row becomes a series: `value`, and its labels beside it. */
export type FactRow = { value: number } & Record<string, string | number>

export interface Fact {
  name: string
  help: string
  labels?: readonly string[]
  query: RawBuilder<FactRow>
  /** Known only where the shop makes its own backups. */
  ofBackups?: true
  /** Adds a label that the code knows. */
  also?: (row: FactRow) => Record<string, string>
}

/** Ids are in the order of time, so a table's key finds what an hour has brought. */
const lately = (table: string, time = sql.lit('1 hour')) => sql`
  ${sql.ref(`${table}.id`)} >= uuid7_floor(now() - ${time}::interval)`
const secondsSince = (column: string) => sql`extract(epoch from now() - ${sql.ref(column)})::float`
/** Events of Stripe by which the way they come is judged: the latest, and the fewest that say something. */
const LATEST_EVENTS = 20
const FEWEST_EVENTS = 5

const withClass = ({ kind }: FactRow): Record<string, string> => ({
  class: kind === 'stripe_event' ? 'stripe' : (classOf(String(kind)) ?? 'unknown'),
})
/** Work of the queue: the jobs by their kind, and Stripe's events as one kind. */
const queued = { labels: ['kind', 'class'], also: withClass }

export const FACTS: readonly Fact[] = [
  {
    name: 'funnel_sessions_last_hour',
    help: 'Visits that began in the last hour, without bots',
    query: sql`select count(*)::int as value from sessions where created_at > now() - interval '1 hour' and not is_bot`,
  },
  {
    name: 'funnel_orders_last_hour',
    help: 'Payments that were opened in the last hour, paid or not',
    labels: ['purpose'],
    query: sql`select split_part(purpose, ':', 1) as purpose, count(*)::int as value from payment_intents
      where ${lately('payment_intents')} group by 1`,
  },
  {
    name: 'funnel_paid_last_hour',
    help: 'Payments that were settled in the last hour, without duplicates',
    labels: ['purpose'],
    query: sql`select split_part(purpose, ':', 1) as purpose, count(*)::int as value from payments
      where ${lately('payments')} and settled_at is not null and not is_duplicate group by 1`,
  },
  {
    name: 'funnel_paid_cents_last_hour',
    help: 'What they brought, in US cents',
    labels: ['purpose'],
    query: sql`select split_part(purpose, ':', 1) as purpose, sum(amount_cents)::float as value from payments
      where ${lately('payments')} and settled_at is not null and not is_duplicate group by 1`,
  },
  {
    name: 'funnel_declines_last_hour',
    help: "Refused cards and wallets of the last hour, by Stripe's reason",
    labels: ['reason'],
    query: sql`select coalesce(e ->> 'decline_code', e ->> 'code', 'unknown') as reason, count(*)::int as value from (
        select coalesce(o -> 'last_payment_error', o -> 'last_setup_error') as e
        from webhook_events, jsonb_extract_path(payload, 'data', 'object') o
        where type in ('payment_intent.payment_failed', 'setup_intent.setup_failed')
          and received_at > now() - interval '1 hour'
      ) declines group by 1 order by 2 desc limit 30`,
  },
  {
    name: 'funnel_paid_without_access_seconds',
    help: 'How long the buyer has waited who paid first and cannot open it; 0: nobody waits',
    // settled without a grant, or charged at Stripe and not settled
    query: sql`select coalesce(greatest(extract(epoch from now() - least(
      ${firstWithoutAccess},
      (select min(e.created) from webhook_events e
        where ${UNRECORDED_PAYMENT})
    )), 0), 0)::float as value`,
  },
  {
    name: 'funnel_stripe_read_age_seconds',
    help: "Since Stripe's list of events was last read to its end",
    query: sql`select ${secondsSince('at')} as value from bookmarks where name = 'stripe_events'`,
  },
  {
    name: 'funnel_stripe_events_by_poll_ratio',
    help: `Share of the ${LATEST_EVENTS} latest events of two hours that no webhook brought; 0 below ${FEWEST_EVENTS}`,
    query: sql`select case when count(*) < ${FEWEST_EVENTS} then 0
        else (count(*) filter (where source = 'poll'))::float / count(*) end as value from (
        select source from webhook_events where received_at > now() - interval '2 hours'
        order by received_at desc limit ${LATEST_EVENTS}
      ) latest`,
  },
  {
    name: 'funnel_queue_age_seconds',
    help: 'How long the oldest work has waited for its first try since it was due',
    ...queued,
    query: sql`select kind, ${secondsSince('first')} as value from (
        select kind, min(next_attempt_at) as first from outbox
        where sent_at is null and dead_at is null and attempts = 0 and next_attempt_at <= now() group by kind
        union all
        select 'stripe_event', min(next_attempt_at) from webhook_events
        where handled_at is null and dead_at is null and attempts = 0 and next_attempt_at <= now()
      ) waiting where first is not null`,
  },
  {
    name: 'funnel_queue_retrying',
    help: 'Work that failed at least three times and will be tried again',
    ...queued,
    // the longest wait between two tries is four hours (queue/policies.ts)
    query: sql`select kind, count(*)::int as value from outbox
      where sent_at is null and dead_at is null and attempts >= 3 and next_attempt_at < now() + interval '4 hours'
      group by kind
      union all
      select 'stripe_event', count(*)::int from webhook_events
      where handled_at is null and dead_at is null and attempts >= 3 having count(*) > 0`,
  },
  {
    name: 'funnel_queue_dead',
    help: 'Work that was given up and waits for an operator',
    ...queued,
    query: sql`select kind, count(*)::int as value from outbox where dead_at is not null group by kind
      union all
      select 'stripe_event', count(*)::int from webhook_events
      where dead_at is not null and handled_at is null having count(*) > 0`,
  },
  {
    name: 'funnel_mails_last_hour',
    help: 'Mails of the last hour, sent or given up',
    labels: ['result'],
    query: sql`select result, count(*)::int as value from mail_log where ${lately('mail_log')} group by 1`,
  },
  {
    name: 'funnel_charges_without_visit_last_day',
    help: 'Charges of ours found at Stripe without their visit here in the last day (a restored backup)',
    query: sql`select count(*)::int as value from charges_without_visit where found_at > now() - interval '1 day'`,
  },
  {
    name: 'funnel_disputes_open',
    help: "Disputes that the bank has not decided, by Stripe's status",
    labels: ['status'],
    query: sql`select status, count(*)::int as value from disputes
      where status <> all(${DECIDED}) group by 1`,
  },
  {
    name: 'funnel_refunds_impossible',
    help: 'Refunds that are owed and that Stripe cannot make, but those that a dispute holds or has given back',
    query: sql`select count(*)::int as value from owed_refunds o where status = 'impossible' and not ${NOTHING_LEFT}
      and not exists (
      select from disputes d where d.payment_intent_id = o.payment_intent_id
        and d.status <> all(${DECIDED}))`,
  },
  {
    name: 'funnel_money_back_answer_seconds_left',
    help: 'Until the next answer to a request for money back is due, as its buyer was told; absent: nobody waits',
    query: sql`select extract(epoch from min(answer_by) - now())::float as value from money_back_requests
      where status = 'open' having count(*) > 0`,
  },
  {
    name: 'funnel_cancellation_waiting_seconds',
    help: 'How long the oldest cancellation that was asked for has not been carried out at Stripe; 0: none',
    // one that is not at Stripe yet is made as cancelled
    query: sql`select coalesce(extract(epoch from now() - min(cancel_requested_at)), 0)::float as value
      from subscriptions where cancel_requested_at is not null and cancel_done_at is null
        and stripe_subscription_id is not null`,
  },
  {
    name: 'funnel_subscriptions_missing_seconds',
    help: 'How long the oldest subscription that is paid for has not been at Stripe; 0: none',
    // the monthly product's is claimed before anybody pays it
    query: sql`select coalesce(extract(epoch from now() - min(p.created_at)), 0)::float as value
      from subscriptions s join payments p on p.payment_intent_id = s.source_payment_id
      where s.status = 'creating' and p.settled_at is not null and not p.is_duplicate and p.status <> 'refunded'`,
  },
  {
    name: 'funnel_backup_age_seconds',
    help: "Since the last base backup began; absent: none was made, or the database's host makes them",
    ofBackups: true,
    query: sql`select extract(epoch from now() - max(started_at))::float as value from backups having count(*) > 0`,
  },
  {
    name: 'funnel_wal_kept_bytes',
    help: "The database's log that is kept for a replication slot until it is read",
    labels: ['slot'],
    query: sql`select slot, bytes as value from ${KEPT_LOG} kept`,
  },
]
