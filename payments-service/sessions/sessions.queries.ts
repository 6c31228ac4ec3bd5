import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Session } from './access.ts'

/** Inserts the session of a client key, or returns undefined when it exists. */
export function insertSession(db: Database, clientKey: string, isBot: boolean): Promise<Session | undefined> {
  return db
    .insertInto('sessions')
    .values({ client_key: clientKey, is_bot: isBot })
    .onConflict((conflict) => conflict.column('client_key').doNothing())
    .returningAll()
    .executeTakeFirst()
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

export async function saveMetadata(db: Database, sessionId: string, metadata: Record<string, unknown>): Promise<void> {
  await sql`select update_session_metadata(${sessionId}::uuid, ${JSON.stringify(metadata)}::jsonb)`.execute(db)
}

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
  return db
    .selectFrom('quiz_answers')
    .select(['question_id', 'answer', 'answered_at'])
    .where('session_id', '=', sessionId)
    .orderBy('answered_at')
    .orderBy('question_id')
    .execute()
}

/** Columns a visitor changes; activity is touched with them (D-09). */
export async function updateSession(
  db: Database,
  sessionId: string,
  change: Partial<
    Pick<
      Session,
      'email' | 'name' | 'selected_price_cents' | 'pricing_data' | 'quiz_completed_at' | 'quiz_completion_time'
    >
  >,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ...change, last_activity_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute()
}

/** Whether an account and a Stripe customer exist for the session. */
export async function findProgress(db: Database, sessionId: string): Promise<{ account: boolean; customer: boolean }> {
  const { rows } = await sql<{ account: boolean; customer: boolean }>`
    select exists (select 1 from users where session_id = ${sessionId} and auth_user_id is not null) as account,
      exists (select 1 from customers where session_id = ${sessionId} and stripe_customer_id is not null) as customer
  `.execute(db)
  return rows[0] ?? { account: false, customer: false }
}
