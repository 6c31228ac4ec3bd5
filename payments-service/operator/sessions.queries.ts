import { listExits } from '../exit/exit.queries.ts'
import { type RawBuilder, sql } from 'kysely'
import { emailKey, parseEmail } from '../../contract/email.ts'
import { UUID } from '../../contract/uuid.ts'
import type { Database } from '../../db/connect.ts'
import { selectOwed } from '../refunds/owed.queries.ts'

const LATEST = 10
const FOUND = 50
/** The most matches examined for a common beginning of addresses. */
const LOOKED_AT = 500

export interface SessionLine {
  id: string
  created_at: Date
  last_activity_at: Date
  email: string | null
  payment_status: string
  conversion_status: string | null
  selected_price_cents: number | null
  is_bot: boolean
  furthest: number | null
  source: string | null
  country: string | null
  device_type: string | null
}

/** The ten latest sessions, or those found by id or by the beginning of an address (at most 50). */
export async function listSessions(db: Database, search: string): Promise<SessionLine[]> {
  const { rows } = await sql<SessionLine>`
    with chosen as materialized (${chosen(search)})
    select s.id, s.created_at, s.last_activity_at, s.email, s.payment_status, s.conversion_status,
      s.selected_price_cents,
      s.is_bot, p.furthest, coalesce(m.utm_source, m.utm, case when m.fbclid is not null then 'facebook' end) as source,
      m.country, m.device_type
    from chosen join sessions s on s.id = chosen.id
    left join session_metadata m on m.session_id = s.id
    left join session_progress p on p.session_key = s.key
    order by s.created_at desc`.execute(db)
  return rows
}

/** Selects only a few ids, so that everything joined to them is looked up one by one. */
function chosen(search: string): RawBuilder<unknown> {
  if (!search) return sql`select id from sessions order by created_at desc limit ${LATEST}`
  if (UUID.test(search)) return sql`select ${search}::uuid as id`
  const pattern = `${emailKey(parseEmail(search) ?? search).replace(/[\\%_]/g, '\\$&')}%`
  return sql`
    select id from (
      (select id, created_at from sessions where lower(email) like ${pattern} limit ${LOOKED_AT})
      union
      (select s.id, s.created_at from users u join sessions s on s.id = u.session_id
        where lower(u.email) like ${pattern} limit ${LOOKED_AT})
    ) found order by created_at desc limit ${FOUND}`
}

export interface TimelineEntry {
  at: Date
  what: string
  detail: string | null
}

/** Everything that happened in a session, newest first (at most 500), from all tables that record it. */
export async function readTimeline(db: Database, sessionId: string): Promise<TimelineEntry[]> {
  const { rows } = await sql<TimelineEntry>`
    with one as (select id, key from sessions where id = ${sessionId}::uuid)
    select * from (
      select event_time(v.id) as at, 'page view' as what,
        concat_ws(' · ', v.url || coalesce(' step ' || v.step, ''), v.seconds || ' s', v.scroll_depth || ' % scrolled',
          v.interactions || ' interactions') as detail from page_views v join one on v.session_key = one.key
      union all
      select event_time(a.id), 'activity', concat_ws(' · ', a.type, a.data::text)
        from activities a join one on a.session_key = one.key
      union all
      select uuid_extract_timestamp(e.id), 'error', concat_ws(': ', e.type, e.message)
        from session_errors e join one on e.session_key = one.key
      union all
      select f.occurred_at, 'money: ' || f.kind,
        concat_ws(' ', to_char(f.amount_cents / 100.0, 'FM999990.00'), upper(f.currency), f.payment_intent_id)
        from payment_facts f join one on f.session_id = one.id
      union all
      select g.granted_at, 'access given', g.product_id || ' (' || g.granted_via || ')'
        from product_access_grants g join one on g.session_id = one.id
      union all
      select g.revoked_at, 'access ended', g.product_id || ' (' || g.revoked_reason || ')'
        from product_access_grants g join one on g.session_id = one.id where g.revoked_at is not null
      union all
      select l.created_at, 'mail ' || l.result, l.kind || ': ' || l.subject from mail_log l
        join one on l.session_id = one.id
      union all
      select c.recorded_at, 'consent', c.kind || (case when c.granted then ' given'
        else ' refused' end) || ' on ' || c.page
        from consents c join one on c.session_id = one.id
      union all
      select g.agreed_at, 'agreement', g.version || ' on ' || g.page from agreements g join one on g.session_id = one.id
      union all
      select t.created_at, 'browser token', t.kind from session_access t join one on t.session_id = one.id
      union all
      select w.received_at, 'Stripe said', w.type || ' ' || coalesce(w.object_id, '')
        from webhook_events w, one where w.object_id in (
          select i.stripe_intent_id from payment_intents i where i.session_id = one.id
          union select s.stripe_subscription_id from subscriptions s where s.session_id = one.id
          union select p.charge_id from payments p where p.session_id = one.id)
    ) all_of_it
    where at is not null order by at desc limit 500`.execute(db)
  return rows
}

export async function readStory(db: Database, sessionId: string) {
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  if (!session) return undefined
  const [metadata, answers, payments, owed, subscriptions, grants, exits, outbox, timeline] = await Promise.all([
    db.selectFrom('session_metadata').selectAll().where('session_id', '=', sessionId).executeTakeFirst(),
    db.selectFrom('quiz_answers').selectAll().where('session_id', '=', sessionId).orderBy('updated_at').execute(),
    db.selectFrom('payments').selectAll().where('session_id', '=', sessionId).orderBy('created_at').execute(),
    selectOwed(db).where('session_id', '=', sessionId).orderBy('created_at').execute(),
    db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).orderBy('created_at').execute(),
    db
      .selectFrom('product_access_grants')
      .selectAll()
      .where('session_id', '=', sessionId)
      .orderBy('granted_at')
      .execute(),
    listExits(db, { sessionId, email: session.email }),
    db.selectFrom('outbox').selectAll().where('session_id', '=', sessionId).orderBy('created_at').execute(),
    readTimeline(db, sessionId),
  ])
  return { session, metadata, answers, payments, owed, subscriptions, grants, exits, outbox, timeline }
}
