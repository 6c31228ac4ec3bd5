/** With many visits, the loops read only what changed lately, not everything there is. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindAbandoned } from '../../payments-service/checkout/abandoned.ts'
import { connect } from '../../db/connect.ts'
import { createAlerts } from '../../payments-service/alerts/look.ts'
import type { Deps } from '../../payments-service/deps.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { noteAccess } from '../../payments-service/metrics/access.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { listSessions } from '../../payments-service/operator/sessions.queries.ts'
import { forgetOldEvidence } from '../../payments-service/privacy/evidence.ts'
import { forgetOldExits } from '../../payments-service/privacy/exits.ts'
import { forgetOldAskedMails } from '../../payments-service/privacy/asked-mails.ts'
import { forgetOldVisits } from '../../payments-service/privacy/retention.ts'
import { POLICIES } from '../../payments-service/queue/policies.ts'
import { claim } from '../../payments-service/queue/queue.ts'
import { finishCancellations } from '../../payments-service/subscriptions/cancel.ts'
import { startWaitingSubscriptions } from '../../payments-service/subscriptions/waiting.ts'
import {
  COUNTS,
  forgetOldCounters,
  forgetOldCounts,
  keepPartitions,
  markAbandoned,
  refreshFunnel,
} from '../../payments-service/tracking/upkeep.ts'
import { workInbox } from '../../payments-service/webhooks/inbox.ts'
import { createPoll } from '../../payments-service/webhooks/poll.ts'
import { type Funnel, startFunnel } from './funnel.ts'

const VISITS = 40_000
/** Rows that a round may read while fifty visits have changed. */
const MOST = 4_000

let funnel: Funnel
let deps: Deps
// a single connection: PostgreSQL reports the counts of other connections late
let one: ReturnType<typeof connect>
beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false, background: false })
  one = connect(funnel.databaseUrl, { max: 1 })
  deps = { ...funnel.service.deps, db: one.db }
  const run = (statement: string) => sql.raw(statement).execute(one.db)
  // erased a year after they began
  await run(`with old as (
      insert into sessions (created_at, updated_at, last_activity_at)
      select at, at, at from (select now() - interval '2 years' + n * interval '1 minute' as at
        from generate_series(1, ${VISITS / 2}) n) years returning id)
    insert into erasures (session_id) select id from old`)
  const at = `now() - interval '1 day' - (${VISITS} - n) * interval '3 minutes'`
  await run(`
    insert into sessions (client_key, created_at, updated_at, last_activity_at, email, checkout_opened_at,
      conversion_status, abandoned_at, payment_status, paid_at, selected_price_cents)
    select 'many-visit-' || n, ${at}, ${at}, ${at}, 'visitor' || n || '@example.com',
      case when n % 3 = 0 then ${at} end,
      case when n % 15 = 0 then 'converted' when n % 3 = 0 then 'abandoned' end, case when n % 3 = 0 then ${at} end,
      case when n % 15 = 0 then 'paid' else 'unpaid' end, case when n % 15 = 0 then ${at} end, 100
    from generate_series(1, ${VISITS}) n order by n`)
  const mine = `sessions where client_key like 'many-%'`
  await run(`insert into session_metadata (session_id, utm_source) select id, 'many' from ${mine}`)
  await run(`insert into session_progress (session_key, furthest, updated_at)
    select key, key % 33, updated_at from ${mine} order by key`)
  await run(`insert into payments (id, session_id, purpose, amount_cents, payment_intent_id, status, product_id,
      settled_at, created_at, updated_at, stripe_customer_id)
    select uuidv7(paid_at - now()), id, 'first', 100, 'pi_' || key, 'succeeded', 'trial_1', paid_at, paid_at, paid_at,
      'cus_' || key
    from ${mine} and payment_status = 'paid' order by key`)
  await run(`insert into users (email, session_id, created_at, updated_at)
    select email, id, paid_at, paid_at from ${mine} and payment_status = 'paid' order by key`)
  await run(`insert into subscriptions (session_id, product_id, source_payment_id, stripe_subscription_id, status,
      created_at, updated_at)
    select session_id, 'monthly', payment_intent_id, 'sub_' || payment_intent_id, 'canceled', created_at, updated_at
    from payments where payment_intent_id like 'pi_%'`)
  await run(`insert into product_access_grants (session_id, product_id, granted_via, source_payment_id, granted_at)
    select session_id, product_id, 'initial_purchase', payment_intent_id, settled_at from payments`)
  await run(`insert into webhook_events (id, type, object_id, payload, created, received_at, handled_at)
    select 'evt_' || n, case when n % 9 = 0 then 'payment_intent.payment_failed' else 'charge.updated' end, 'x' || n,
      '{}', ${at}, ${at}, ${at} from generate_series(1, ${VISITS}) n order by n`)
  await run(`insert into outbox (id, kind, dedupe_key, created_at, next_attempt_at, sent_at)
    select uuidv7(${at} - now()), 'mail:receipt', 'many-' || n, ${at}, ${at}, ${at}
    from generate_series(1, ${VISITS}) n order by n`)
  await run(`insert into mail_log (id, outbox_id, kind, recipient, subject, message_id, result)
    select id, id, 'receipt', '', '', id, 'sent' from outbox`)
  await run(`insert into agreements (session_id, payment_intent_id, words, version, amounts, page, agreed_at)
    select id, 'pi_' || key, 'I agree', '1', '{}', '/checkout', created_at from ${mine} order by key`)
  await run(`insert into consents (session_id, kind, granted, wording, page, recorded_at)
    select id, 'analytics', true, 'Yes', '/', created_at from ${mine} order by key`)
  await run(`insert into exit_requests (kind, contract, name, email, received_at, effect_at)
    select 'end', 'subscription', 'Ada', 'visitor' || n || '@example.com', ${at}, ${at}
    from generate_series(1, ${VISITS / 4}) n`)
  await run(`update bookmarks set at = now() - interval '90 days' where name = 'steps began'`)
  await run(`select ensure_event_partitions((now() - interval '90 days')::date, 6)`)
  await run(`insert into page_views (session_key, id, url, step, seconds, revision, step_key)
    select key, event_id_floor(created_at) + step, '/quiz', step, 5, 'rev', 'key-' || step
    from (select * from ${mine}) visit cross join generate_series(1, 3) step order by key`)
  await refreshFunnel(deps)
  await noteAccess(one.db)
  await forgetOldVisits(deps)
  await sql.raw('vacuum analyze').execute(one.db)
})
afterAll(async () => {
  await one.close()
  await funnel.stop()
})

/** Rows that PostgreSQL has read up to now, by any access path. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(one.db)
  const { rows } = await sql<{ n: string }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as n from pg_stat_user_tables`.execute(one.db)
  return Number(rows[0]?.n)
}

const metrics = () => createMetrics({ db: one.db, pools: {}, loops: () => ({}), lake: null, log: deps.log })

/** All that repeats: workers.ts, and what an operator looks for. */
const LOOPS: Record<string, () => Promise<unknown>> = {
  'the count of the funnel': () => refreshFunnel(deps),
  'marking what was abandoned': () => markAbandoned(deps),
  'reminders of what was abandoned': () => remindAbandoned(deps),
  'subscriptions that are missing': () => startWaitingSubscriptions(deps),
  'cancellations under way': () => finishCancellations(deps),
  'counters that are over': () => forgetOldCounters(deps),
  'jobs that wait': () => workOutbox(deps, {}),
  'events that wait': () => workInbox(deps),
  'mails that wait': () => claim(one.db, { table: 'outbox', policy: POLICIES.mail, which: sql`kind like 'mail:%'` }),
  "a look at Stripe's list of events": () => createPoll(deps).round(() => true),
  'a look at the metrics': () => metrics().samples(),
  'a look at the alerts': () =>
    createAlerts({ config: deps.config, db: one.db, metrics: metrics(), log: deps.log }).look(),
  'the partitions of events': () => keepPartitions(deps),
  'the end of old counts': () => Promise.all(COUNTS.map((counts) => forgetOldCounts(deps, counts))),
  'the end of old visits': () => forgetOldVisits(deps),
  'the end of old mails that were asked for': () => forgetOldAskedMails(one.db),
  'the end of old evidence': () => forgetOldEvidence(one.db),
  'the end of old statements of exit': () => forgetOldExits(one.db),
  'which buyers are known to have access': () => noteAccess(one.db),
  'a search by address': () => listSessions(one.db, 'visitor777@'),
}

test.each(Object.keys(LOOPS))('D-09 N-03 with many visits, %s reads what is new', async (name) => {
  await sql`update sessions set last_activity_at = now() where key in (
    select key from sessions where client_key like 'many-%' order by key desc limit 50)`.execute(one.db)
  const before = await rowsRead()
  await LOOPS[name]?.()
  expect((await rowsRead()) - before, name).toBeLessThan(MOST)
})
