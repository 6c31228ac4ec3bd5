import type { ErrorCode } from '../../contract/errors.ts'
import { product, requireProductId } from '../../contract/catalogue.ts'
import { HOUR } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'
import { closeRow, type IntentRow, linkIntent, openRow, settledAs, type Wanted } from './intents.queries.ts'
import { isSecond } from './finalize.ts'
import { chargeMetadata } from './installation.ts'
import { differenceOf, leftByOtherCard, matches } from './same-intent.ts'
import { dropMonthly, openMonthly, withdrawMonthly } from './monthly.ts'
import { paidAsSecond } from './one-an-address.ts'
import type { Purpose } from './purpose.ts'
import { type Settlement, settlePayment } from './settle.ts'

/** Milliseconds after which a row without an intent is given up: Stripe forgets idempotency keys after a day. */
const GIVE_UP_AFTER = 20 * HOUR
/**
 * How often a purpose starts over within one request: its intent was cancelled meanwhile, or another replica is
 * creating it (200 ms per round).
 */
const ROUNDS = 60
const UNDECIDED_RETRY_SECONDS = 30

/**
 * The one open intent of a session and purpose (P-02). An intent keeps its product, amount, method, customer and date
 * of the first full charge for life: one that differs from what is wanted, in our row or at Stripe, is ended and
 * replaced. So a secret that an earlier page still holds can never be charged for what a later page ordered. One that
 * has succeeded is returned only where it goes back as a second subscription (P-14): finalizing it says so. Throws
 * already_paid (or already_owned) when it turns out to have succeeded, payment_open while one with other terms is being
 * decided, stripe_unavailable, payment_setup_failed, subscription_failed, paypal_use_card.
 */
export async function openIntent(
  deps: Deps,
  sessionId: string,
  purpose: Purpose,
  wanted: Wanted,
  by: Deadline,
): Promise<Intent> {
  const { productId, method, customerId, terms } = wanted
  const key = `intent:${sessionId}:${purpose}:${productId}:${method}:${customerId}:${JSON.stringify(terms)}`
  return deps.flights.run(key, async () => {
    for (let round = 0; round < ROUNDS && !by.over; round++) {
      const { row } = await openRow(deps.db, sessionId, purpose, wanted)
      // a payment that settled after the caller's check has made room for this row: check again now that the row
      // exists, or the same thing is charged twice
      if (!row.stripe_intent_id) {
        const before = await settledBefore(deps, row, customerId, by)
        if (before) return before
      }
      const intent = row.stripe_intent_id
        ? await readOpen(deps, row, row.stripe_intent_id, by)
        : await create(deps, row, wanted, by)
      if (!intent) continue
      if (intent.status === 'succeeded') return intent
      const same = matches(row, wanted) && differenceOf(intent, row) === null
      if (same && !leftByOtherCard(intent, wanted)) return intent
      const paid = await withdraw(deps, row, intent, by)
      if (paid) return paid
    }
    // other callers kept changing or creating it
    throw new AppError('stripe_unavailable', { retryAfter: 2 })
  })
}

const paidAlready = (purpose: string): AppError =>
  new AppError(purpose.startsWith('upsell:') ? 'already_owned' : 'already_paid')

/**
 * Creates the intent of a row from the row alone, so that all callers send the same request. No page holds the secret
 * of an intent whose creation was not answered, so it can never be paid: a failed row is closed and the next one gets a
 * fresh key.
 */
async function create(deps: Deps, row: IntentRow, wanted: Wanted, by: Deadline): Promise<Intent | null> {
  const { db } = deps
  if (Date.now() - row.created_at.getTime() > GIVE_UP_AFTER) {
    await giveUp(deps, row, 'given_up', by)
    return null
  }
  try {
    const intent = await make(deps, row, by)
    const difference = differenceOf(intent, row)
    if (difference) {
      // not what was asked for: neither handed out nor retried
      deps.log.error({ intentId: intent.id, difference }, 'Stripe made another intent than it was asked for')
      await giveUp(deps, row, 'failed', by)
      throw new AppError('payment_setup_failed')
    }
    return (await linkIntent(db, row.id, intent.id, intent.status)) ? intent : null
  } catch (error) {
    if (isFailure(error, 'busy')) {
      await new Promise((resume) => setTimeout(resume, 200))
      return null
    }
    const refused = isFailure(error, 'refused', 'missing')
    // a monthly row stays open without an answer: a subscription whose answer was lost is found by the row's id
    if (refused || row.product_id !== 'monthly') await giveUp(deps, row, 'failed', by)
    // what an earlier order asked for says nothing about this one
    if (refused && !matches(row, wanted)) return null
    if (refused) throw new AppError(refusalOf(row), { cause: error })
    throw error
  }
}

/** Closes a row that leads to no intent. A claim of its subscription goes first, or it keeps the session's place. */
async function giveUp(deps: Deps, row: IntentRow, status: string, by: Deadline): Promise<void> {
  if (row.product_id === 'monthly') await dropMonthly(deps, row, by)
  await closeRow(deps.db, row.id, status, true)
}

/** P-11: the error a buyer gets when Stripe refuses to create the payment. */
function refusalOf({ payment_method: method, product_id: productId }: IntentRow): ErrorCode {
  if (method === 'paypal') return 'paypal_use_card'
  return productId === 'monthly' ? 'subscription_failed' : 'payment_setup_failed'
}

/** Asks Stripe for what the row says; the metadata names the session, product and purpose. */
async function make(deps: Deps, row: IntentRow, by: Deadline): Promise<Intent> {
  const { stripe } = deps
  const productId = requireProductId(row.product_id)
  if (productId === 'monthly') return openMonthly(deps, row, by)
  const params = {
    amount: row.amount_cents,
    currency: row.currency,
    customerId: row.stripe_customer_id ?? '',
    method: row.payment_method as Wanted['method'],
    // P-03: the first payment saves the method for the add-ons and the renewals
    save: row.purpose === 'first',
    description: product(productId).name,
    metadata: chargeMetadata(deps.config, { sessionId: row.session_id, productId, purpose: row.purpose }),
  }
  const key = `intent:${row.id}`
  return row.kind === 'setup' ? stripe.createSetup(params, key, by) : stripe.createIntent(params, key, by)
}

/** Closes a row whose purpose is paid for. Resolves to the payment where it goes back; else throws as paidBefore. */
async function settledBefore(deps: Deps, row: IntentRow, customerId: string, by: Deadline): Promise<Intent | null> {
  const { db } = deps
  const purpose = row.purpose as Purpose
  const settled = await settledAs(db, row.session_id, purpose)
  const second =
    settled === 'duplicate' && purpose === 'first' ? await paidAsSecond(db, row.session_id, customerId) : undefined
  if (settled !== 'purchase' && !second) return null
  await closeRow(db, row.id, 'settled', true)
  if (!second) throw paidAlready(purpose)
  return readEither(deps, second.kind, second.intentId, by)
}

const readEither = ({ stripe }: Deps, kind: string, id: string, by: Deadline): Promise<Intent> =>
  kind === 'setup' ? stripe.readSetup(id, by) : stripe.readIntent(id, by)

/** What an intent is returned as that turned out to have succeeded. Throws already_paid, or already_owned. */
async function paidBefore(deps: Deps, row: IntentRow, intent: Intent, settlement: Settlement | null): Promise<Intent> {
  if (!settlement || !(await isSecond(deps, settlement))) throw paidAlready(row.purpose)
  return { ...intent, status: settlement.status }
}

/** The intent of a row as Stripe has it. Null: it was cancelled, start over with a new row. */
async function readOpen(deps: Deps, row: IntentRow, id: string, by: Deadline): Promise<Intent | null> {
  const { db } = deps
  const intent = await readEither(deps, row.kind, id, by)
  if (intent.status === 'succeeded') return paidBefore(deps, row, intent, await settlePayment(deps, id, by))
  if (intent.status !== 'canceled') return intent
  // its subscription ends too, or it keeps the session's place
  if (row.product_id === 'monthly') await withdrawMonthly(deps, row.session_id, by)
  await closeRow(db, row.id, 'canceled')
  return null
}

/** Ends an intent that is not what is wanted. One that succeeds meanwhile is settled, and nothing else is charged. */
async function withdraw(deps: Deps, row: IntentRow, intent: Intent, by: Deadline): Promise<Intent | null> {
  const { db, stripe } = deps
  const undecided = () => new AppError('payment_open', { retryAfter: UNDECIDED_RETRY_SECONDS })
  if (intent.status === 'processing') throw undecided()
  try {
    if (row.kind === 'setup') await stripe.cancelSetup(intent.id, by)
    else if (row.product_id === 'monthly') await withdrawMonthly(deps, row.session_id, by)
    else await stripe.cancelIntent(intent.id, by)
  } catch (error) {
    if (!isFailure(error, 'refused')) throw error
    const settlement = await settlePayment(deps, intent.id, by)
    if (settlement?.state === 'settled') return paidBefore(deps, row, intent, settlement)
    if (settlement?.state === 'pending') throw undecided()
  }
  await closeRow(db, row.id, 'canceled')
  return null
}
