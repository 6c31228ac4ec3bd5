import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** Which of these visits were erased (D-12). */
export async function erasedAmong(db: Database, sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set()
  const rows = await db.selectFrom('erasures').select('session_id').where('session_id', 'in', sessionIds).execute()
  return new Set(rows.map(({ session_id }) => session_id))
}

export const isErased = async (db: Database, sessionId: string): Promise<boolean> =>
  (await erasedAmong(db, [sessionId])).size > 0

/**
 * Whether this visit was erased on a restored database, and after this moment: what the visitor paid then was in order,
 * though it was not in the backup.
 */
export async function wasInOrder(db: Database, sessionId: string, at: Date): Promise<boolean> {
  const found = await db
    .selectFrom('erasures')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('again', '=', true)
    .where('erased_at', '>', at)
    .executeTakeFirst()
  return found !== undefined
}

const text = (path: string) => sql.raw(`e.payload #>> '{data,object,${path}}'`)
const OBJECT = sql`e.object_id`

/** What an event `e` is about, and whose that is: its object, or what the object names. A dispute names no customer. */
const LINKS = [
  { table: 'payment_intents', column: 'stripe_intent_id', by: [OBJECT, text('payment_intent')] },
  { table: 'subscriptions', column: 'stripe_subscription_id', by: [OBJECT] },
  { table: 'payments', column: 'charge_id', by: [OBJECT, text('charge')] },
  { table: 'customers', column: 'stripe_customer_id', by: [OBJECT, text('customer')] },
] as const
/** The metadata that names a visit: what is at Stripe may not be here, after a backup was restored. */
const NAMED = [text('metadata,session_id'), text('parent,subscription_details,metadata,session_id')]

/** The visits that an event `e` of Stripe is about. */
const VISITS = sql`(
  ${sql.join(
    LINKS.map(
      ({ table, column, by }) =>
        sql`select session_id from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(by)})`,
    ),
    sql` union all `,
  )}
  union all select named.id::uuid from (values ${sql.join(NAMED.map((name) => sql`(${name})`))}) named (id)
    where named.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')`

/** The same the other way round: an event `e` is about these visits. Each part has an index. */
export const isAbout = (sessionIds: readonly string[]) => sql<boolean>`e.id in (
  ${sql.join(
    [
      ...LINKS.flatMap(({ table, column, by }) =>
        by.map(
          (one) => sql`select e.id from ${sql.table(table)} t join webhook_events e on ${one} = t.${sql.ref(column)}
            where t.session_id = any (${sessionIds}::uuid[])`,
        ),
      ),
      ...NAMED.map((name) => sql`select e.id from webhook_events e where ${name} = any (${sessionIds}::text[])`),
    ],
    sql` union all `,
  )})`

const EMPTIED = sql`'{"erased": true}'::jsonb`

/** An event's content is kept for this long after it came, for whoever looks into a fault. */
export const CONTENT_DAYS = 30
/** An event `received_at` before this has no content any more, once it is handled. */
export const PAST = sql`now() - make_interval(days => ${sql.lit(CONTENT_DAYS)})`
export const NOTHING = sql`'{}'::jsonb`

/**
 * Set with an event `e` that is marked as handled: it contains the e-mail address and is not needed again, so it is
 * emptied if its visit was erased before it came, or if it waited for longer than contents are kept.
 */
export const FORGET_HANDLED = sql`payload = case when received_at < ${PAST} then ${NOTHING}
  when exists (select from erasures x where x.session_id in ${VISITS}) then ${EMPTIED} else payload end`

/** Stripe puts an id there, or the object with it. */
const idAt = (path: string) => {
  const at = sql.raw(`e.payload #> '{data,object,${path}}'`)
  return sql`case jsonb_typeof(${at}) when 'string' then ${at} else ${at} -> 'id' end`
}
/** What the metadata of a set-up has under `use` where it saves another card for a subscription (change.ts there). */
export const CARD_CHANGE = 'update_card'
/** Whether an event `e` is about such a set-up, which no payment follows. Its content may have ended (SUBJECT). */
export const OF_CARD_CHANGE = sql<boolean>`coalesce(${text('metadata,use')} = ${sql.lit(CARD_CHANGE)}, false)`

const NAMES = ['object', 'id', 'payment_intent', 'customer', 'subscription']
/** What is left of an event `e` that was given up: what it is about (webhooks/subject.ts), should it be read again. */
const SUBJECT = sql`jsonb_build_object('data', jsonb_build_object('object', jsonb_strip_nulls(jsonb_build_object(
  ${sql.join(NAMES.map((name) => sql`${sql.lit(name)}, ${idAt(name)}`))},
  'metadata', case when ${OF_CARD_CHANGE} then jsonb_build_object('use', ${sql.lit(CARD_CHANGE)}) end,
  'parent', jsonb_build_object('subscription_details',
    jsonb_build_object('subscription', ${idAt('parent,subscription_details,subscription')}))))))`

const GIVEN_UP = sql`e.dead_at is not null and e.handled_at is null`

/** Empties an event that was given up just now where FORGET_HANDLED would; it may be read again all the same. */
export async function forgetGivenUp(tx: Database, id: string): Promise<void> {
  await sql`update webhook_events e set payload = ${SUBJECT} where e.id = ${id} and ${GIVEN_UP}
    and (e.received_at < ${PAST} or exists (select from erasures x where x.session_id in ${VISITS}))`.execute(tx)
}

/** Empties events that were given up once their content is past its days. They are few. Returns how many. */
export async function forgetOldGivenUp(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update webhook_events e set payload = ${SUBJECT}
    where ${GIVEN_UP} and e.received_at < ${PAST} and e.payload <> ${SUBJECT}`.execute(db)
  return Number(numAffectedRows)
}

/** Empties all events about these visits that are handled or given up. */
export async function forgetEvents(db: Database, sessionIds: string[]): Promise<void> {
  await sql`update webhook_events e set payload = case when e.handled_at is null then ${SUBJECT} else ${EMPTIED} end
    where (e.handled_at is not null or e.dead_at is not null) and ${isAbout(sessionIds)}`.execute(db)
}

/**
 * Takes an address out of all events that still have content, also of one that is not handled yet. Day by day, because
 * their text is read, and a month of a big shop's takes longer than a statement may.
 */
export async function forgetAddress(db: Database, email: string): Promise<void> {
  const pattern = email.replace(/[^a-z0-9]/gi, (mark) => `\\${mark}`)
  const forget = (which: RawBuilder<unknown>) =>
    sql`update webhook_events set payload = regexp_replace(payload::text, ${pattern}, 'erased', 'gi')::jsonb
      where ${which} and payload::text ilike ${`%${email.replace(/[\\%_]/g, '\\$&')}%`}`.execute(db)
  const ago = (days: number) => sql`now() - make_interval(days => ${sql.lit(days)})`
  await forget(sql`received_at >= ${ago(1)}`)
  for (let day = 1; day < CONTENT_DAYS; day++)
    await forget(sql`received_at >= ${ago(day + 1)} and received_at < ${ago(day)}`)
  await forget(sql`received_at < ${PAST} and handled_at is null`)
}

/** Stripe's events about these visits, oldest first, each with its object unless that is emptied. */
export async function eventsAbout(db: Database, sessionIds: string[]): Promise<StripeEvent[]> {
  const { rows } = await sql<StripeEvent>`
    select e.id, e.type, e.created, e.received_at, e.payload #> '{data,object}' as object from webhook_events e
    where ${isAbout(sessionIds)}
    order by e.created, e.id`.execute(db)
  return rows
}

export interface StripeEvent {
  id: string
  type: string
  created: Date
  received_at: Date
  object: unknown
}
