import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Session } from './access.ts'
import { MOST_ANSWERS } from './answers.queries.ts'

/**
 * Inserts a new visit: session, metadata, quiz_start and the token of its browser, in one statement. Undefined when the
 * key is known.
 */
export async function insertVisit(
  db: Database,
  visit: { clientKey: string; isBot: boolean; metadata: Record<string, unknown>; tokenHash: Buffer; tokenDays: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with s as (
      insert into sessions (client_key, is_bot) values (${visit.clientKey}, ${visit.isBot})
      on conflict (client_key) do nothing returning id, key
    ), m as (
      insert into session_metadata
      select (jsonb_populate_record(null::session_metadata, ${jsonOf(visit.metadata)}::jsonb
        || jsonb_build_object('session_id', s.id, 'created_at', now(), 'updated_at', now()))).* from s
    ), a as (
      insert into activities (session_key, type) select key, 'quiz_start' from s
    ), t as (
      insert into session_access (token_hash, session_id, kind, expires_at)
      select ${visit.tokenHash}, id, 'browser', now() + make_interval(days => ${visit.tokenDays}) from s
    ) select id from s`.execute(db)
  return rows[0]?.id
}

/** The session of a client key with what decides whether a browser without its token may still have it. */
export function findByClientKey(db: Database, clientKey: string) {
  return db
    .selectFrom('sessions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.id')
    .select(['s.id', 's.email', 's.payment_status', 's.created_at', 'm.user_agent'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('quiz_answers as a').select('a.session_id').whereRef('a.session_id', '=', 's.id'))
        .as('answered'),
    )
    .where('s.client_key', '=', clientKey)
    .executeTakeFirst()
}

/** PostgreSQL's jsonb rejects half a surrogate pair, which browsers leave when they cut texts. */
const jsonOf = (value: object): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))

/** D-07: adds what is known now. Once paid, the place is the order's, which decides about rights and taxes (H-02). */
export async function saveMetadata(db: Database, sessionId: string, metadata: Record<string, unknown>): Promise<void> {
  await sql`select update_session_metadata(s.id, case when s.payment_status = 'unpaid' or m.country is null
      then given else given - array['country', 'city', 'region'] end)
    from sessions s left join session_metadata m on m.session_id = s.id, (values (${jsonOf(metadata)}::jsonb)) v (given)
    where s.id = ${sessionId}`.execute(db)
}

/** Whether a payment of a session `s` waits for its bank: its buyer is asked not to pay again. */
export const isBeingDecided = sql<boolean>`exists (select 1 from payment_intents i where i.session_id = s.id
  and i.closed_at is null and i.status in ('processing', 'requires_capture'))`

/** D-08: one activity of a session. */
export async function logActivity(
  db: Database,
  sessionId: string,
  type: string,
  data: object | null = null,
): Promise<void> {
  const json = data === null ? null : JSON.stringify(data)
  await sql`select log_session_activity(${sessionId}::uuid, ${type}, ${json}::jsonb)`.execute(db)
}

export function listAnswers(db: Database, sessionId: string) {
  return (
    db
      .selectFrom('quiz_answers')
      .select(['question_id', 'answer', 'updated_at'])
      .where('session_id', '=', sessionId)
      .orderBy('updated_at')
      .orderBy('question_id')
      // a visit's limit, plus what two concurrent writers may add
      .limit(2 * MOST_ANSWERS)
      .execute()
  )
}

/**
 * Changes columns that a visitor sets, and marks the session as active (D-09). With an address, only while the visit is
 * unpaid: a settlement may have come first, and then a code mailed to the address is needed. So it is with a
 * price, unless none is known. Returns whether it changed.
 */
export async function updateSession(
  db: Database,
  sessionId: string,
  change: Partial<
    Pick<
      Session,
      'email' | 'name' | 'selected_price_cents' | 'pricing_data' | 'quiz_completed_at' | 'quiz_completion_time'
    >
  >,
): Promise<boolean> {
  const changed = await db
    .updateTable('sessions')
    .set({ ...change, last_activity_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .$if(change.email !== undefined, (query) => query.where('payment_status', '=', 'unpaid'))
    .$if(change.selected_price_cents !== undefined, (query) =>
      query.where(({ or, eb }) => or([eb('payment_status', '=', 'unpaid'), eb('selected_price_cents', 'is', null)])),
    )
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Records that the session's address is proved, by a mailed code or link. */
export async function proveEmail(db: Database, sessionId: string): Promise<void> {
  await sql`update sessions set email_proved_at = now() where id = ${sessionId} and email_proved_at is null`.execute(db)
}

interface Progress {
  account: boolean
  customer: boolean
  over: boolean
}

/**
 * Whether an account and a Stripe customer exist for the session, and whether what it bought is over: given back, paid
 * once (a reading), or subscribed to and ended. A trial that was paid and has no subscription yet is unfinished.
 * What an earlier release gave up is canceled and has no end.
 */
export async function findProgress(db: Database, sessionId: string): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select exists (select 1 from users where session_id = ${sessionId} and auth_user_id is not null) as account,
      exists (select 1 from customers where session_id = ${sessionId} and stripe_customer_id is not null) as customer,
      exists (select 1 from sessions s where id = ${sessionId} and payment_status != 'unpaid'
        and (payment_status = 'refunded' or exists (select 1 from subscriptions where session_id = s.id)
          or not exists (select 1 from payments where session_id = s.id and purpose = 'first'))
        and not exists (
          select 1 from subscriptions where session_id = s.id and ended_at is null and status != 'canceled'
        )) as over
  `.execute(db)
  return rows[0] ?? { account: false, customer: false, over: false }
}
