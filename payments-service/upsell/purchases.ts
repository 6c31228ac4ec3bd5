import type { PurchasedItem, PurchasesView } from '../../contract/api.ts'
import { isAddOnId, MONEY_BACK_DAYS, PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../sessions/access.ts'
import { openSubscription } from '../payments/subscriptions.queries.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { isTurnTaken } from './turns.ts'
import { type Undoable, undoables } from './undo.ts'

/**
 * What a session bought and still has, and the next full charge (P-08, A-03). Renewals and duplicates are not items.
 */
export async function viewPurchases({ db }: Deps, session: Session): Promise<PurchasesView> {
  // read before the items, so that a charge which ends in between shows as owned
  const upsellBusy = await isTurnTaken({ db }, session.id)
  const payments = await db
    .selectFrom('payments')
    .select(['product_id', 'payment_intent_id', 'amount_cents', 'settled_at', 'refunded_cents', 'purpose'])
    .where('session_id', '=', session.id)
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .where('purpose', 'not like', 'renewal:%')
    .orderBy('settled_at')
    .orderBy('id')
    .execute()
  const standing = payments.filter(
    ({ amount_cents, refunded_cents }) => amount_cents === 0 || refunded_cents < amount_cents,
  )
  const undo = new Map((await undoables({ db }, { sessionId: session.id })).map((one) => [one.intentId, one]))
  const subscription = await openSubscription(db, session.id)
  return {
    email: session.email,
    items: standing.flatMap(({ product_id, payment_intent_id, amount_cents, settled_at }) =>
      isKnown(product_id) && settled_at
        ? [
            {
              productId: product_id,
              amount: amount_cents,
              purchasedAt: settled_at.toISOString(),
              refundable: !isAddOnId(product_id) && Date.now() - settled_at.getTime() < MONEY_BACK_DAYS * DAY,
              ...undoOf(undo.get(payment_intent_id)),
            },
          ]
        : [],
    ),
    upsellBusy,
    nextCharge: subscription ? nextChargeOf(subscription) : null,
  }
}

/** H-05: the undo state of an add-on on the thank-you page. */
function undoOf(one: Undoable | undefined): Pick<PurchasedItem, 'undoSeconds' | 'undoing'> {
  return { undoSeconds: one?.undoSeconds ?? null, undoing: one?.state === 'undoing' }
}

function isKnown(id: string): id is ProductId {
  return (PRODUCT_IDS as readonly string[]).includes(id)
}
