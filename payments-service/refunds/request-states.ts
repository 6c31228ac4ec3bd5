/** The states of a request for money back that are read together (`money_back_requests.status`; A-07, H-02). */
import { sql } from 'kysely'

/** Not done: one of a kind holds the place of its contract. */
export const UNDER_WAY = ['open', 'refunding', 'incomplete'] as const

/** Granted, however far its refunds have come. */
export const GRANTED = ['refunding', 'incomplete', 'refunded'] as const

/**
 * Whether a request (`money_back_requests`) ends its visit's subscription: one that was ordered before it, or whose
 * payment it asks for. A withdrawal from everything that was a reading is none from the programme ordered after it.
 * The release before noted no payments: it is all of the contract, as the guarantee is.
 */
export const ENDS_SUBSCRIPTION = sql<boolean>`(money_back_requests.contract <> 'guides' and (
  money_back_requests.intent_ids is null or exists (
    select from payments p where p.session_id = money_back_requests.session_id
      and (p.purpose = 'first' or p.purpose like 'renewal:%') and p.settled_at is not null and not p.is_duplicate
      and (p.settled_at <= money_back_requests.requested_at
        or p.payment_intent_id = any(money_back_requests.intent_ids))
  )))`
