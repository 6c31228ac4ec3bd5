import { type Selectable, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { MoneyBackRequests } from '../../db/types.ts'
import { BACK_OR_OWED } from '../refunds/owed.queries.ts'
import { ENDS_SUBSCRIPTION, UNDER_WAY } from '../refunds/request-states.ts'
import { selectRequests } from '../subscriptions/granted.ts'
import { forSubscription, type Refundable } from './money-back.ts'

/** A request, with whether it ends the visit's subscription. */
export type RequestRow = Selectable<MoneyBackRequests> & { ends: boolean }

/** What was settled in a visit, without duplicates, which are refunded automatically; also what starts for nothing. */
export async function settledPayments(db: Database, sessionId: string): Promise<Refundable[]> {
  const rows = await db
    .selectFrom('payments as p')
    .select(['payment_intent_id', 'purpose', 'amount_cents', 'settled_at', 'created_at'])
    .select(BACK_OR_OWED.as('refunded'))
    .select(
      sql<Date | null>`(select i.created_at from payment_intents i where i.stripe_intent_id = p.payment_intent_id)`.as(
        'begun_at',
      ),
    )
    .where('session_id', '=', sessionId)
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .orderBy('settled_at')
    .execute()
  const first = rows.find(forSubscription)
  return rows.map((row) => {
    const settledAt = row.settled_at ?? new Date(0)
    const made = (forSubscription(row) && first) || row
    const orderedAt = made.settled_at ?? settledAt
    return {
      intentId: row.payment_intent_id,
      purpose: row.purpose,
      amount: row.amount_cents,
      refunded: row.refunded,
      settledAt,
      orderedAt,
      begunAt: made.begun_at ?? orderedAt,
      recordedAt: row.created_at,
    }
  })
}

/** The charges among them. */
export async function refundablePayments(db: Database, sessionId: string): Promise<Refundable[]> {
  return (await settledPayments(db, sessionId)).filter(({ amount }) => amount > 0)
}

/** The requests of a kind that are not done. */
export function waitingRequests(
  db: Database,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
): Promise<RequestRow[]> {
  return selectRequests(db)
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .where('status', 'in', UNDER_WAY)
    .execute()
}

/**
 * The current request: the open one, else the latest. `of` guarantee: those that end the subscription, because a
 * withdrawal from something else leaves the guarantee as it is; withdrawal: those of the right to withdraw.
 */
export function latestRequest(
  db: Database,
  sessionId: string,
  of: 'guarantee' | 'withdrawal',
): Promise<RequestRow | undefined> {
  return selectRequests(db)
    .where('session_id', '=', sessionId)
    .where((eb) => (of === 'withdrawal' ? eb('kind', '=', of) : ENDS_SUBSCRIPTION))
    .orderBy(({ eb }) => eb('status', 'in', UNDER_WAY), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Sessions of the programme that an account has listened to. */
export async function countListened(db: Database, userId: string | null): Promise<number> {
  if (!userId) return 0
  const { n } = await db
    .selectFrom('listened_sessions')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('user_id', '=', userId)
    .where('counted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The account a visit belongs to. */
export async function accountOfSession(db: Database, sessionId: string): Promise<string | null> {
  const own = await db.selectFrom('auth_user').select('id').where('quiz_session_id', '=', sessionId).executeTakeFirst()
  if (own) return own.id
  const { rows } = await sql<{ id: string }>`
    select u.id from sessions s join auth_user u on u.email = lower(s.email) and u.email_verified
    where s.id = ${sessionId}`.execute(db)
  return rows[0]?.id ?? null
}
