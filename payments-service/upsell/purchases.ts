import { sql } from 'kysely'
import type { PurchasedItem, PurchasesView } from '../../contract/api.ts'
import { isAddOnId, MONEY_BACK_DAYS, PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import { Deadline } from '../http/deadline.ts'
import { settleInTime } from '../payments/finalize.ts'
import type { Session } from '../sessions/access.ts'
import { isFailure } from '../stripe/failure.ts'
import { openSubscription } from '../payments/subscriptions.queries.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { isTurnTaken } from './turns.ts'
import { type Undoable, undoables } from './undo.ts'

/** Milliseconds for Stripe to say what became of open orders. */
const LOOK = 4_000

/**
 * What a session bought and still has, and the next full charge (P-08, A-03). Renewals and duplicates are not items. An
 * add-on is one while it is open, or while what was taken back is being refunded (H-05).
 */
export async function viewPurchases(deps: Deps, session: Session): Promise<PurchasesView> {
  const { db } = deps
  // read before the items, so that a charge which ends in between shows as owned
  const upsellBusy = (await isTurnTaken({ db }, session.id)) || (await isUndecided(deps, session.id))
  const payments = await db
    .selectFrom('payments')
    .select(['product_id', 'payment_intent_id', 'amount_cents', 'settled_at', 'refunded_cents', 'is_upsell'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('product_access_grants')
          .select('id')
          .whereRef('source_payment_id', '=', 'payment_intent_id')
          .where('revoked_at', 'is', null),
      ).as('open'),
    )
    .where('session_id', '=', session.id)
    .where('settled_at', 'is not', null)
    .where('is_duplicate', '=', false)
    .where('purpose', 'not like', 'renewal:%')
    .orderBy('settled_at')
    .orderBy('id')
    .execute()
  const undo = new Map((await undoables({ db }, { sessionId: session.id })).map((one) => [one.intentId, one]))
  const standing = payments.filter(({ payment_intent_id: id, amount_cents, refunded_cents, is_upsell, open }) =>
    is_upsell ? open || undo.get(id)?.state === 'undoing' : amount_cents === 0 || refunded_cents < amount_cents,
  )
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

/**
 * U-08: whether an add-on is being paid for outside of a turn: in a card form, whose confirmation goes from the browser
 * to Stripe, or at a bank that has not decided. What Stripe knows of it by now is settled here, if it is of today.
 */
async function isUndecided(deps: Deps, sessionId: string): Promise<boolean> {
  const open = await deps.db
    .selectFrom('payment_intents')
    .select('stripe_intent_id as id')
    .where('session_id', '=', sessionId)
    .where('purpose', 'like', 'upsell:%')
    .where('closed_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .execute()
  const call = { deadline: Deadline.in(LOOK), log: deps.log }
  const settled = async (id: string) => {
    try {
      return await settleInTime(deps, call, id)
    } catch (error) {
      if (!isFailure(error)) throw error
      deps.log.warn({ err: error, intentId: id }, 'an open add-on cannot be read at Stripe')
      return null
    }
  }
  const found = await Promise.all(open.flatMap(({ id }) => (id ? [settled(id)] : [])))
  return found.some((one) => one === 'late' || one?.state === 'pending')
}

/** H-05: the undo state of an add-on on the thank-you page. */
function undoOf(one: Undoable | undefined): Pick<PurchasedItem, 'undoSeconds' | 'undoing'> {
  return { undoSeconds: one?.undoSeconds ?? null, undoing: one?.state === 'undoing' }
}

function isKnown(id: string): id is ProductId {
  return (PRODUCT_IDS as readonly string[]).includes(id)
}
