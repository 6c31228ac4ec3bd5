import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import type { Database } from '../../db/connect.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { ROW_LEAVING } from './subscriptions.queries.ts'

/**
 * P-14: one subscription per person, across visits, enforced by the unique index `subscriptions_one_an_address`: a
 * subscription holds the address it was bought with from its payment until it is over or its buyer cancels.
 */
export interface Holder {
  id: string
  session_id: string
  status: string
}

/** The buyer has cancelled, whether or not that is carried out yet. */
const LEAVING = sql<boolean>`(cancel_requested_at is not null or ${ROW_LEAVING})`

/** Another visit's subscription under this address that is live and not cancelled. */
export function heldElsewhere(db: Database, email: string | null, sessionId: string): Promise<Holder | undefined> {
  return othersUnder(db, email, sessionId)
    .where(sql<boolean>`not ${LEAVING}`)
    .executeTakeFirst()
}

/**
 * The visit whose subscription the cancel link of a visit ends: the one that holds the address (H-04). The visit's own
 * may be over, not paid, or about to be taken back: "nothing more is charged" would not be true.
 */
export async function visitToCancel(
  db: Database,
  { id, email }: { id: string; email: string | null },
): Promise<string> {
  const own = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('session_id', '=', id)
    .where('subscriber_email', 'is not', null)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
  if (own) return id
  const other = await othersUnder(db, email, id).orderBy(LEAVING).executeTakeFirst()
  return other?.session_id ?? id
}

/**
 * The payment that a visit has made under a customer, which is one of its addresses, while another visit's subscription
 * holds that address. It goes back, and whoever made it has been told why, or would be by finalizing it. The address in
 * `payments` does not count: a visit that has not paid may write another one there, and would learn of that.
 */
export async function paidAsSecond(
  db: Database,
  sessionId: string,
  customerId: string,
): Promise<{ intentId: string; kind: string } | undefined> {
  const paid = await db
    .selectFrom('payments as p')
    .innerJoin('payment_intents as i', 'i.stripe_intent_id', 'p.payment_intent_id')
    .innerJoin('sessions as s', 's.id', 'p.session_id')
    .select(['p.payment_intent_id as intentId', 'i.kind', 's.email'])
    .where('p.session_id', '=', sessionId)
    .where('p.purpose', '=', 'first')
    .where('p.is_duplicate', '=', true)
    .where('i.stripe_customer_id', '=', customerId)
    .orderBy('p.settled_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return paid && (await heldElsewhere(db, paid.email, sessionId)) ? paid : undefined
}

function othersUnder(db: Database, email: string | null, sessionId: string) {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'session_id', 'status'])
    .where('subscriber_email', '=', emailKey(email ?? ''))
    .where('session_id', '!=', sessionId)
    .where('status', 'not in', OVER)
}

/** Lets a buyer who has cancelled order again: the subscription that is running out gives up its address. */
export async function freeLeaving(tx: Database, email: string, sessionId: string): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ subscriber_email: null })
    .where('subscriber_email', '=', emailKey(email))
    .where('session_id', '!=', sessionId)
    // the index leaves out those that are over; this runs in each first payment
    .where('status', 'not in', OVER)
    .where(LEAVING)
    .execute()
}

/** Gives a session's subscription its address. False when another visit's live subscription holds it. */
export async function holdAddress(tx: Database, sessionId: string, email: string): Promise<boolean> {
  await freeLeaving(tx, email, sessionId)
  if (await heldElsewhere(tx, email, sessionId)) return false
  // of two at once, the later one violates the index, fails, and finds the address taken when it is retried
  await tx
    .updateTable('subscriptions')
    .set({ subscriber_email: emailKey(email) })
    .where('session_id', '=', sessionId)
    .where('status', 'not in', OVER)
    .where('subscriber_email', 'is distinct from', sql<string>`${emailKey(email)}`)
    .execute()
  return true
}

/**
 * the same for a visit that takes another address. One without a subscription that runs on needs none: where
 * another visit's holds it, one that is leaving only gives up the old. False where both run on.
 */
export async function takeAddress(tx: Database, sessionId: string, email: string): Promise<boolean> {
  if (await holdAddress(tx, sessionId, email)) return true
  const own = await tx
    .selectFrom('subscriptions')
    .select(['id', LEAVING.as('leaving')])
    .where('session_id', '=', sessionId)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
  if (!own) return true
  if (!own.leaving) return false
  await tx.updateTable('subscriptions').set({ subscriber_email: null }).where('id', '=', own.id).execute()
  return true
}
