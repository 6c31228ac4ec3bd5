import { product } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import type { NewIntent } from '../stripe/gateway.ts'
import type { Intent } from '../stripe/objects.ts'
import {
  closeRow,
  hasSettled,
  type IntentRow,
  linkIntent,
  noteChange,
  openRow,
  type Wanted,
} from './intents.queries.ts'
import { openMonthly, withdrawMonthly } from './monthly.ts'
import type { Purpose } from './purpose.ts'
import { settlePayment } from './settle.ts'

/** A row that never got its intent is given up after so many milliseconds: Stripe forgets idempotency keys after a day. */
const GIVE_UP_AFTER = 20 * 3_600_000
/** How often a purpose starts over within one request (cancelled under our hands, or another replica makes it: 200 ms each). */
const ROUNDS = 60

/**
 * The one open intent of a session and purpose, made or updated in place to what is wanted (P-02). Throws already_paid
 * (or already_owned) when it turns out to have succeeded, stripe_unavailable, payment_setup_failed.
 */
export async function openIntent(
  deps: Deps,
  sessionId: string,
  purpose: Purpose,
  wanted: Wanted,
  by: Deadline,
): Promise<Intent> {
  const key = `intent:${sessionId}:${purpose}:${wanted.productId}:${wanted.method}:${wanted.customerId}`
  return deps.flights.run(key, async () => {
    for (let round = 0; round < ROUNDS && !by.over; round++) {
      const { row } = await openRow(deps.db, sessionId, purpose, wanted)
      // a payment that settles after the caller looked frees the place of its row for this one: look again, now that the
      // row stands, or the same thing is charged twice
      if (!row.stripe_intent_id && (await hasSettled(deps.db, sessionId, purpose))) {
        await closeRow(deps.db, row.id, 'settled', true)
        throw new AppError(purpose.startsWith('upsell:') ? 'already_owned' : 'already_paid')
      }
      const intent = row.stripe_intent_id
        ? await bringUpToDate(deps, row, row.stripe_intent_id, wanted, by)
        : await create(deps, row, by)
      if (intent && matches(row, wanted)) return intent
      // just made for what another call wanted, or closed: look again
      if (intent && row.stripe_intent_id) return intent
    }
    // other callers kept changing or making it
    throw new AppError('stripe_unavailable', { retryAfter: 2 })
  })
}

function matches(row: IntentRow, wanted: Wanted): boolean {
  return (
    row.product_id === wanted.productId &&
    row.payment_method === wanted.method &&
    row.stripe_customer_id === wanted.customerId &&
    row.amount_cents === wanted.amount &&
    row.kind === wanted.kind
  )
}

/** The parameters of a row; what Stripe holds says which session and product it is for. */
function paramsOf(sessionId: string, purpose: string, wanted: Wanted): NewIntent {
  return {
    amount: wanted.amount,
    currency: 'usd',
    customerId: wanted.customerId,
    method: wanted.method,
    // P-03: the first payment saves the method for the add-ons and the renewals
    save: purpose === 'first',
    description: product(wanted.productId).name,
    metadata: { session_id: sessionId, product_id: wanted.productId, purpose },
  }
}

function wantedOf(row: IntentRow): Wanted {
  return {
    productId: row.product_id as Wanted['productId'],
    priceId: row.price_id,
    amount: row.amount_cents,
    method: row.payment_method as Wanted['method'],
    customerId: row.stripe_customer_id ?? '',
    kind: row.kind as Wanted['kind'],
  }
}

/**
 * Makes the intent of a row from the row alone, so that all callers send the same. Nobody holds the secret of an intent
 * whose creation was not answered, so it can never be paid: a failed row is closed and the next one gets a fresh key.
 */
async function create(deps: Deps, row: IntentRow, by: Deadline): Promise<Intent | null> {
  const { db, stripe } = deps
  if (Date.now() - row.created_at.getTime() > GIVE_UP_AFTER) {
    await closeRow(db, row.id, 'given_up', true)
    return null
  }
  const wanted = wantedOf(row)
  const params = paramsOf(row.session_id, row.purpose, wanted)
  const key = `intent:${row.id}`
  try {
    const intent =
      row.kind === 'setup'
        ? await stripe.createSetup(params, key, by)
        : wanted.productId === 'monthly'
          ? await openMonthly(deps, row, wanted, by)
          : await stripe.createIntent(params, key, by)
    return (await linkIntent(db, row.id, intent.id, intent.status)) ? intent : null
  } catch (error) {
    if (isFailure(error, 'busy')) {
      await new Promise((resume) => setTimeout(resume, 200))
      return null
    }
    if (wanted.productId !== 'monthly') await closeRow(db, row.id, 'failed', true)
    if (isFailure(error, 'refused', 'missing')) {
      const code = wanted.method === 'paypal' ? 'paypal_use_card' : 'payment_setup_failed'
      throw new AppError(code, { cause: error })
    }
    throw error
  }
}

/** Null: the row was closed, start over with a new one. */
async function bringUpToDate(
  deps: Deps,
  row: IntentRow,
  intentId: string,
  wanted: Wanted,
  by: Deadline,
): Promise<Intent | null> {
  const { db, stripe } = deps
  const wasMonthly = row.product_id === 'monthly'
  const otherKind = row.kind !== wanted.kind || wasMonthly !== (wanted.productId === 'monthly')
  if (!otherKind && !matches(row, wanted) && row.kind === 'payment' && !wasMonthly) {
    try {
      const params = paramsOf(row.session_id, row.purpose, wanted)
      const updated = await stripe.updateIntent(intentId, params, by)
      await noteChange(db, row.id, wanted, updated.status)
      return updated
    } catch (error) {
      // its state does not allow a change: what state is it in?
      if (!isFailure(error, 'refused')) throw error
    }
  }
  const intent = await (row.kind === 'setup' ? stripe.readSetup(intentId, by) : stripe.readIntent(intentId, by))
  if (intent.status === 'succeeded') {
    await settlePayment(deps, intentId, by)
    throw new AppError(row.purpose.startsWith('upsell:') ? 'already_owned' : 'already_paid')
  }
  if (intent.status === 'canceled') {
    await closeRow(db, row.id, 'canceled')
    return null
  }
  if (matches(row, wanted) || intent.status === 'processing') return intent
  await withdraw(deps, row, intentId, by)
  return null
}

/** Ends an intent that cannot become what is wanted. One that succeeds meanwhile is settled, and nothing else is charged. */
async function withdraw(deps: Deps, row: IntentRow, intentId: string, by: Deadline): Promise<void> {
  const { db, stripe } = deps
  try {
    if (row.kind === 'setup') await stripe.cancelSetup(intentId, by)
    else if (row.product_id === 'monthly') await withdrawMonthly(deps, row.session_id, by)
    else await stripe.cancelIntent(intentId, by)
  } catch (error) {
    if (!isFailure(error, 'refused')) throw error
    const settlement = await settlePayment(deps, intentId, by)
    if (settlement?.state === 'settled') throw new AppError('already_paid')
  }
  await closeRow(db, row.id, 'canceled')
}
