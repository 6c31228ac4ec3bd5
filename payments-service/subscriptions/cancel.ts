import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { GoOn } from '../jobs/loop.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure, type StripeFailure } from '../stripe/failure.ts'
import { chargedAfterCancelling } from './renewals.ts'
import type { Invoice } from '../stripe/objects.ts'
import { isOver, meaningOf } from '../stripe/subscription-status.ts'
import { isLeaving, keepCancellation, type SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { endWithPeriod } from './steps.ts'
import { type Now, syncSubscription } from './sync.ts'
import { isUnpaid, latestOf } from './upcoming.ts'
import { stateOf } from './state.ts'

/** Rounds of reading and acting in one cancellation: a period may turn in between, but not twice within seconds. */
const ROUNDS = 4

/** Stripe took every step, or refused it, and still does not end the subscription. The cancellation is kept. */
class NotCancelled extends Error {
  constructor(refusal: StripeFailure | undefined) {
    super(`a subscription does not stay cancelled${refusal ? `: ${refusal.message}` : ''}`, { cause: refusal })
    this.name = 'NotCancelled'
  }
}

/** Whether `carryOut` failed so that `finishCancellations` tries again. */
export function isKeptForLater(error: unknown): boolean {
  return isFailure(error) || error instanceof NotCancelled
}

/** The row as it is now. */
export async function reread({ db }: Pick<Deps, 'db'>, id: string): Promise<SubscriptionRow> {
  return db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/**
 * A-05, H-04: the buyer wants no further charge. The request is recorded first and carried out afterwards, now or by
 * `finishCancellations`, so that neither an outage of Stripe nor a lost answer loses it. Paid access lasts to its end;
 * where the running period is not paid yet, the subscription ends now and its invoice is never collected. Cancelling
 * twice is cancelling once, also when the first has already ended it. Throws subscription_over for one that ended
 * otherwise.
 */
export async function cancelSubscription(deps: Deps, row: SubscriptionRow, by: Deadline): Promise<SubscriptionRow> {
  const state = stateOf(row)
  if (state === 'ended' && !row.cancel_requested_at) throw new AppError('subscription_over')
  if (state === 'ended') return row
  // charges made before the request have to be on record before it, and a step that lets it go on may be on its way
  const reached = await reach(deps, row, by)
  if (reached) {
    const now = await reread(deps, row.id)
    if (stateOf(now) === 'ending' && now.next_charge_at === null) return now
  }
  await keepCancellation(deps.db, { id: row.id })
  if (reached) {
    try {
      await carryOut(deps, row.id, by)
    } catch (error) {
      if (!isKeptForLater(error)) throw error
      deps.log.warn({ err: error, subscription: row.id }, 'a cancellation is kept and carried out later')
    }
  }
  return reread(deps, row.id)
}

/** Reads the subscription again. False when Stripe has none yet or cannot be asked now. */
async function reach(deps: Deps, row: SubscriptionRow, by: Deadline): Promise<boolean> {
  if (!row.stripe_subscription_id) return false
  try {
    await syncSubscription(deps, row.stripe_subscription_id, by)
    return true
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}

/** Makes Stripe carry out a cancellation, until a fresh read confirms it. Throws what `isKeptForLater` knows. */
export async function carryOut(deps: Deps, rowId: string, by: Deadline | undefined): Promise<void> {
  let acted = false
  let refusal: StripeFailure | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const row = await reread(deps, rowId)
    const id = row.stripe_subscription_id
    // one that Stripe does not have yet is created as cancelled (start.ts)
    if (!id) return
    // after a step it is read once more: where the cancellation was taken back meanwhile, that takes the step back
    if (!acted && (!row.cancel_requested_at || row.cancel_done_at)) return
    const now = await syncSubscription(deps, id, by)
    const wished = await reread(deps, rowId)
    if (!now || !wished.cancel_requested_at || wished.cancel_done_at) return
    refusal = await act(deps, wished, now, by)
    acted = true
  }
  throw new NotCancelled(refusal)
}

/** One round of it. Resolves to Stripe's refusal to end the subscription, if there was one. */
async function act(
  deps: Deps,
  row: SubscriptionRow,
  { subscription, invoices }: Now,
  by: Deadline | undefined,
): Promise<StripeFailure | undefined> {
  const { stripe } = deps
  const latest = latestOf(subscription, invoices)
  const paidFor =
    meaningOf(subscription.status).renews &&
    !(latest && isUnpaid(latest)) &&
    (await chargedAfterCancelling(deps.db, row.id)).length === 0
  const ends = !isOver(subscription.status) && !(paidFor && isLeaving(subscription))
  const end = () =>
    paidFor
      ? endWithPeriod(deps, subscription.id, true, row.cancel_requested_at, by)
      : stripe.cancelSubscription(subscription.id, by)
  const refusal = ends ? await unlessGone(end) : undefined
  // after the end, so that no retry by Stripe collects them in between
  for (const invoice of invoices.filter(isUnpaid)) await giveUp(deps, invoice, by)
  return refusal
}

/** Voids an unpaid invoice, so that nothing can collect it any more. */
export async function giveUp(
  { stripe }: Pick<Deps, 'stripe'>,
  { id, status }: Invoice,
  by: Deadline | undefined,
): Promise<void> {
  if (status === 'draft') await unlessGone(() => stripe.closeDraft(id, by))
  await unlessGone(() => stripe.voidInvoice(id, by))
}

/** Resolves to a refusal, if there is one: something changed since the read, and the next read shows what. */
export async function unlessGone(work: () => Promise<unknown>): Promise<StripeFailure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!isFailure(error, 'missing', 'refused')) throw error
    return error
  }
}

/** Carries out the cancellations that could not be carried out at once, longest untouched first. */
export async function finishCancellations(deps: Deps, goOn: GoOn = () => true): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update subscriptions set looked_at = now() where id in (
      select id from subscriptions
      where cancel_requested_at is not null and cancel_done_at is null and stripe_subscription_id is not null
        and (looked_at is null or looked_at < now() - interval '5 seconds')
      order by looked_at nulls first limit 50 for update skip locked
    ) returning id`.execute(deps.db)
  for (const { id } of rows) {
    if (!goOn()) return
    try {
      await carryOut(deps, id, undefined)
    } catch (error) {
      deps.log.error({ err: error, subscription: id }, 'a cancellation is still to be carried out')
    }
  }
}
