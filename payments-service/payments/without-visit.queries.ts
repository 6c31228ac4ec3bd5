import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Intent } from '../stripe/objects.ts'
import { findOpenRow, linkIntent } from './intents.queries.ts'
import { differenceOf } from './same-intent.ts'

/** What a charge at Stripe says it is for. */
export interface Named {
  sessionId: string
  purpose: string
  productId: string
  /** The subscription whose first invoice it paid, if any. */
  subscriptionId: string | null
}

/** What is in the database of the visit that a charge names. `lost`: made anew for an earlier charge. */
export interface KnownVisit {
  email: string | null
  erased: boolean
  lost: boolean
}

export async function findVisitOf(db: Database, sessionId: string): Promise<KnownVisit | undefined> {
  const { rows } = await sql<KnownVisit>`
    select s.email, exists (select from erasures e where e.session_id = s.id) as erased,
      exists (select from charges_without_visit c where c.session_id = s.id) as lost
    from sessions s where s.id = ${sessionId}`.execute(db)
  return rows[0]
}

/** Whether this charge is paid back because its lost visit could not be adopted. */
export async function isReturned(db: Database, intentId: string): Promise<boolean> {
  const { rows } = await sql<{ returned: boolean }>`select ${returned(intentId)} as returned`.execute(db)
  return rows[0]?.returned ?? false
}

/** The same as an expression. */
export const returned = (intentId: string): RawBuilder<boolean> => sql`exists (
  select from charges_without_visit where payment_intent_id = ${intentId} and outcome = 'returned')`

/**
 * Makes the visit with what Stripe knows, of the day of its charge, or completes one that has no address. An address
 * here is never replaced.
 */
export async function restoreVisit(
  tx: Database,
  sessionId: string,
  known: { email: string | null; name: string | null; chargedAt: Date },
): Promise<void> {
  await sql`insert into sessions as s (id, email, name, created_at)
    values (${sessionId}, ${known.email}, ${known.name}, ${known.chargedAt})
    on conflict (id) do update set email = excluded.email, name = coalesce(s.name, excluded.name)
      where s.email is null and excluded.email is not null
        and not exists (select from erasures e where e.session_id = s.id)`.execute(tx)
}

/**
 * Gives an intent to the row that waits for it: its creation was not answered, or the answer was lost with a database.
 * False where no row waits for exactly this one: a row for another order waits for a different intent.
 */
export async function linkWaiting(
  db: Database,
  intent: Intent,
  { sessionId, purpose }: Pick<Named, 'sessionId' | 'purpose'>,
): Promise<boolean> {
  const open = await findOpenRow(db, sessionId, purpose)
  if (!open || open.stripe_intent_id !== null || differenceOf(intent, open) !== null) return false
  return linkIntent(db, open.id, intent.id, intent.status)
}

/** Records a charge that has no row here, closed from the start. A second call changes nothing. */
export async function insertAdopted(tx: Database, intent: Intent, named: Omit<Named, 'subscriptionId'>): Promise<void> {
  await sql`
    insert into payment_intents (session_id, purpose, attempt, kind, stripe_intent_id, stripe_customer_id, product_id,
      amount_cents, currency, payment_method, status, closed_at)
    select ${named.sessionId}, ${named.purpose}, coalesce(max(attempt), 0) + 1, ${intent.kind}, ${intent.id},
      ${intent.customerId}, ${named.productId}, ${intent.amount}::int, ${intent.currency},
      ${intent.paymentMethodType ?? 'card'}, 'adopted', now()
    from payment_intents where session_id = ${named.sessionId} and purpose = ${named.purpose}
    on conflict do nothing`.execute(tx)
}
