import { type Selectable, sql } from 'kysely'
import type { ProductId } from '../../contract/catalogue.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import type { Database } from '../../db/connect.ts'
import type { PaymentIntents } from '../../db/types.ts'
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
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) return { row: made, fresh: true }
    const row = await db
      .selectFrom('payment_intents')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('purpose', '=', purpose)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    // closed between the two statements: try again
    if (row) return { row, fresh: false }
  }
}

/**
 * P-07: claims the one session opening that the return of a payment allows. False when it was used already or the
 * payment is older than an hour. `forGood`: the buyer's own browser has settled it, so no other needs the opening.
 */
export async function claimOpening(db: Database, intentId: string, forGood = false): Promise<boolean> {
  const fresh = forGood
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select 1 from payments p where p.payment_intent_id = ${intentId}
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

/**
 * H-03: stores the agreement under which the open intent is handed out. The new version makes a settlement that has
 * read the row before read it again.
 */
export async function noteAgreement(db: Database, intentId: string, agreementId: string): Promise<void> {
  await db
    .updateTable('payment_intents')
    .set({ agreement_id: agreementId, version: sql<number>`version + 1` })
    .where('stripe_intent_id', '=', intentId)
    .where('closed_at', 'is', null)
    .execute()
}

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

export async function hasSettled(db: Database, sessionId: string, purpose: Purpose): Promise<boolean> {
  const settled = await db
    .selectFrom('payments')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('purpose', '=', purpose)
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .executeTakeFirst()
  return settled !== undefined
}
