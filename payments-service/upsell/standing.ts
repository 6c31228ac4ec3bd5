import { sql } from 'kysely'
import { type AddOnId, GUIDE_IDS } from '../../contract/catalogue.ts'
import { closeRow } from '../payments/intents.queries.ts'
import { type Purpose, purposeOf } from '../payments/purpose.ts'
import { settlePayment } from '../payments/settle.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import { stillRefunding } from './undo.ts'

/** The state of one add-on for a session. */
export interface Standing {
  /** The intent that paid for it; null: it is not owned. */
  boughtWith: string | null
  /** The purpose of its next charge. An add-on bought again after an undo gets a new purpose. */
  purpose: Purpose
  /** Open orders of products that exclude this one. */
  clashes: readonly OpenOrder[]
}

interface OpenOrder {
  id: string
  intentId: string | null
}

interface Known {
  live: { productId: string; intentId: string | null }[] | null
  times: number
  refunding: boolean
  clashes: OpenOrder[] | null
}

/** The products that exclude this one: the bundle for a guide, the guides for the bundle. */
function clashing(productId: AddOnId): readonly AddOnId[] {
  return productId === 'bundle' ? GUIDE_IDS : ['bundle']
}

/** What excludes it is owned: of the bundle that is one guide, and the buyer reads so. */
function ownedBeside(productId: AddOnId): AppError {
  const message = 'You own a guide of this bundle already. You were not charged.'
  return new AppError('already_owned', { field: 'productId', ...(productId === 'bundle' ? { message } : {}) })
}

/**
 * U-08: read in one statement, so that a payment that is settled meanwhile is seen with its grant or not at all.
 * Throws already_owned where the add-on comes with, or would contain, one that is owned, or was a gift; payment_open
 * while its refund is under way.
 */
export async function standingOf({ db }: Pick<Deps, 'db'>, sessionId: string, productId: AddOnId): Promise<Standing> {
  const others: readonly string[] = clashing(productId)
  const { rows } = await sql<Known>`
    select
      (select json_agg(json_build_object('productId', product_id, 'intentId', source_payment_id))
        from product_access_grants where session_id = ${sessionId} and revoked_at is null) as live,
      (select count(*)::int from payments where session_id = ${sessionId} and product_id = ${productId}
        and is_upsell and settled_at is not null and not is_duplicate) as times,
      exists (select from payments where session_id = ${sessionId} and product_id = ${productId}
        and is_upsell and not is_duplicate and status = 'refund_pending') as refunding,
      (select json_agg(json_build_object('id', id, 'intentId', stripe_intent_id)) from payment_intents
        where session_id = ${sessionId} and product_id = any(${others}) and purpose like 'upsell:%'
          and closed_at is null) as clashes`.execute(db)
  const live = rows[0]?.live ?? []
  const { times = 0, refunding, clashes } = rows[0] ?? {}
  const purpose = purposeOf(productId, times)
  const own = live.find((grant) => grant.productId === productId)
  const known = { purpose, clashes: clashes ?? [] }
  if (own?.intentId) return { ...known, boughtWith: own.intentId }
  if (own) throw new AppError('already_owned', { field: 'productId' })
  if (live.some((grant) => others.includes(grant.productId))) throw ownedBeside(productId)
  if (refunding) throw stillRefunding()
  return { ...known, boughtWith: null }
}

/**
 * Ends the open intents of products that exclude this one: another page may hold the secret of one and confirm it after
 * this charge. They are still those that were read, because charges of a session take turns. One that turns out to be
 * paid is settled, and throws already_owned; one that is being decided throws payment_open.
 */
export async function endClashing(deps: Deps, productId: AddOnId, { clashes }: Standing, by: Deadline): Promise<void> {
  for (const { id, intentId } of clashes) {
    const end = await endIntent(deps, id, intentId, by)
    if (end === 'paid') throw ownedBeside(productId)
    if (end === 'undecided') throw new AppError('payment_open', { field: 'productId', retryAfter: 30 })
  }
}

/** Cancels an open intent and closes its row, unless it was paid or is being decided. */
export async function endIntent(
  deps: Deps,
  rowId: string,
  intentId: string | null,
  by: Deadline,
): Promise<'ended' | 'paid' | 'undecided'> {
  const { db, stripe } = deps
  try {
    if (intentId) await stripe.cancelIntent(intentId, by)
  } catch (error) {
    if (!isFailure(error, 'refused')) throw error
    const settlement = intentId ? await settlePayment(deps, intentId, by) : null
    if (settlement?.state === 'settled') return 'paid'
    if (settlement?.state === 'pending') return 'undecided'
  }
  await closeRow(db, rowId, 'canceled')
  return 'ended'
}
