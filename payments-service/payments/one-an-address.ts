import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import type { Database } from '../../db/connect.ts'
import { OVER } from '../stripe/subscription-status.ts'

/**
 * P-14: one subscription a person, also over visits. The unique index `subscriptions_one_an_address` says so: a
 * subscription holds the address that it was bought with from its payment on, until it is over or its buyer leaves.
 */
export interface Holder {
  id: string
  session_id: string
}

/** Its buyer wants no further charge, whether that is carried out yet or not. */
const LEAVING = sql<boolean>`(cancel_requested_at is not null or cancel_at_period_end or cancel_at is not null)`

/** The subscription of another visit that goes on under this address. */
export function heldElsewhere(db: Database, email: string | null, sessionId: string): Promise<Holder | undefined> {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'session_id'])
    .where('subscriber_email', '=', emailKey(email ?? ''))
    .where('session_id', '!=', sessionId)
    .where('status', 'not in', OVER)
    .where(sql<boolean>`not ${LEAVING}`)
    .executeTakeFirst()
}

/** Whoever is leaving may order again: what runs out frees its address for the new one. */
export async function freeLeaving(tx: Database, email: string, sessionId: string): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ subscriber_email: null })
    .where('subscriber_email', '=', emailKey(email))
    .where('session_id', '!=', sessionId)
    .where(LEAVING)
    .execute()
}

/** Gives a session's subscription its address. False when another visit's goes on under it. */
export async function holdAddress(tx: Database, sessionId: string, email: string): Promise<boolean> {
  await freeLeaving(tx, email, sessionId)
  if (await heldElsewhere(tx, email, sessionId)) return false
  // two at once: the later one meets the index, fails, and finds the address held when it is tried again
  await tx
    .updateTable('subscriptions')
    .set({ subscriber_email: emailKey(email) })
    .where('session_id', '=', sessionId)
    .where('status', 'not in', OVER)
    .where('subscriber_email', 'is distinct from', sql<string>`${emailKey(email)}`)
    .execute()
  return true
}
