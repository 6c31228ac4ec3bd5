import { type Selectable, sql } from 'kysely'
import type { ProductId } from '../../contract/catalogue.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import type { Database } from '../../db/connect.ts'
import type { PaymentIntents } from '../../db/types.ts'
import { traceparent } from '../tracing/tracing.ts'
import type { Purpose } from './purpose.ts'

export type IntentRow = Selectable<PaymentIntents>

/** The intent that an order asks for. The amount comes from the Stripe price of the product. */
export interface Wanted {
  productId: ProductId
  priceId: string | null
  amount: number
  method: 'card' | 'paypal'
  customerId: string
  kind: 'payment' | 'setup'
  /** The figures agreed to: an open intent with other figures is ended. */
  terms: ShownTerms
  /** The saved card to charge, if any. */
  savedMethodId?: string
  /** Where it is opened from (declines.ts); null or nothing where no card can be tried. */
  origin?: string | null
}

/** The open row of a session and purpose; an index keeps it the only one. */
export function findOpenRow(db: Database, sessionId: string, purpose: string): Promise<IntentRow | undefined> {
  return db
    .selectFrom('payment_intents')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

/** The open row of a session and purpose, created if there is none. `fresh`: created by this call. */
export async function openRow(
  db: Database,
  sessionId: string,
  purpose: Purpose,
  wanted: Wanted,
): Promise<{ row: IntentRow; fresh: boolean }> {
  for (;;) {
    const made = await db
      .insertInto('payment_intents')
      .values({
        session_id: sessionId,
        purpose,
        attempt: sql<number>`(select coalesce(max(attempt), 0) + 1 from payment_intents
          where session_id = ${sessionId} and purpose = ${purpose})`,
        kind: wanted.kind,
        stripe_customer_id: wanted.customerId,
        product_id: wanted.productId,
        price_id: wanted.priceId,
        amount_cents: wanted.amount,
        payment_method: wanted.method,
        opened_from: wanted.origin ?? null,
        terms: JSON.stringify(wanted.terms),
        traceparent: traceparent(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) return { row: made, fresh: true }
    const row = await findOpenRow(db, sessionId, purpose)
    // closed between the two statements: try again
    if (row) return { row, fresh: false }
  }
}

/**
 * P-07: takes the opening away (claimOpening): the buyer's own browser has settled the payment, so no other needs it.
 * Returns when the payment was recorded.
 */
export async function endOpening(db: Database, intentId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ recorded: Date }>`
    with ended as (
      update payment_intents set claimed_at = now() where stripe_intent_id = ${intentId} and claimed_at is null
    ) select created_at as recorded from payments where payment_intent_id = ${intentId}`.execute(db)
  return rows[0]?.recorded
}

/**
 * P-07: claims the one session opening that the return of a payment allows. False when it was used already or the
 * payment is older than an hour.
 */
export async function claimOpening(db: Database, intentId: string): Promise<boolean> {
  const fresh = sql<boolean>`not exists (select 1 from payments p where p.payment_intent_id = ${intentId}
    and p.created_at < now() - interval '1 hour')`
  const taken = await db
    .updateTable('payment_intents')
    .set({ claimed_at: sql<Date>`now()` })
    .where('stripe_intent_id', '=', intentId)
    .where('claimed_at', 'is', null)
    .where(fresh)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Stores the intent that Stripe created for a row. False when the row has another one or was closed meanwhile. */
export async function linkIntent(db: Database, rowId: string, intentId: string, status: string): Promise<boolean> {
  const linked = await db
    .updateTable('payment_intents')
    .set({ stripe_intent_id: intentId, status, version: sql<number>`version + 1` })
    .where('id', '=', rowId)
    .where('closed_at', 'is', null)
    .where(({ or, eb }) => or([eb('stripe_intent_id', 'is', null), eb('stripe_intent_id', '=', intentId)]))
    .returning('id')
    .executeTakeFirst()
  return linked !== undefined
}

export interface NewAgreement {
  sessionId: string
  intentId: string
  words: string
  version: string
  page: string
  amounts: object
}

/**
 * H-03: adds the agreement under which an open intent is handed out, and names it in the intent's row, unless the one
 * before it says the same: each request sets the moment of the first full charge anew. The new version of the row makes
 * a settlement that has read it read it again.
 */
export async function addAgreement(db: Database, agreement: NewAgreement): Promise<void> {
  const { sessionId, intentId, words, version, page, amounts } = agreement
  await sql`
    with asked as (
      select ${words}::text as words, ${version}::text as version, ${page}::text as page,
        ${JSON.stringify(amounts)}::jsonb as amounts
    ), last as (
      select words, version, page, amounts from agreements where payment_intent_id = ${intentId}
      order by id desc limit 1
    ), made as (
      insert into agreements (session_id, payment_intent_id, words, version, page, amounts)
      select ${sessionId}::uuid, ${intentId}, asked.* from asked
      where not exists (
        select from last where (last.words, last.version, last.page, last.amounts - 'firstFullDate')
          = (asked.words, asked.version, asked.page, asked.amounts - 'firstFullDate')
      ) returning id
    )
    update payment_intents set agreement_id = made.id, version = payment_intents.version + 1 from made
    where stripe_intent_id = ${intentId} and closed_at is null`.execute(db)
}

/** The agreement that an intent, or a set-up, was last handed out under. */
export const latestAgreement = (db: Database, intentId: string) =>
  db.selectFrom('agreements').where('payment_intent_id', '=', intentId).orderBy('id', 'desc').limit(1)

/** Closes a row: the next call opens a new intent for the purpose. `unlinked`: only if it never got an intent. */
export async function closeRow(db: Database, rowId: string, status: string, unlinked = false): Promise<void> {
  await db
    .updateTable('payment_intents')
    .set({ status, closed_at: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('id', '=', rowId)
    .where('closed_at', 'is', null)
    .$if(unlinked, (query) => query.where('stripe_intent_id', 'is', null))
    .execute()
}

export function findByIntent(db: Database, intentId: string): Promise<IntentRow | undefined> {
  return db.selectFrom('payment_intents').selectAll().where('stripe_intent_id', '=', intentId).executeTakeFirst()
}

/** What has settled for a purpose: the purchase, else a payment beside one, which goes back; null: nothing. */
export async function settledAs(
  db: Database,
  sessionId: string,
  purpose: Purpose,
): Promise<'purchase' | 'duplicate' | null> {
  const settled = await db
    .selectFrom('payments')
    .select('is_duplicate')
    .where('session_id', '=', sessionId)
    .where('purpose', '=', purpose)
    .where('settled_at', 'is not', null)
    .orderBy('is_duplicate')
    .limit(1)
    .executeTakeFirst()
  if (!settled) return null
  return settled.is_duplicate ? 'duplicate' : 'purchase'
}

export const hasSettled = async (db: Database, sessionId: string, purpose: Purpose): Promise<boolean> =>
  (await settledAs(db, sessionId, purpose)) === 'purchase'
