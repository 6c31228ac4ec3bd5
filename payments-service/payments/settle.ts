import type { ProductId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { isFailure } from '../stripe/failure.ts'
import { meaningOfIntent } from '../stripe/intent-status.ts'
import type { Dispute, Intent } from '../stripe/objects.ts'
import { type Fact, readFacts } from './facts.ts'
import { type IntentRow, linkIntent } from './intents.queries.ts'
import { differenceOf } from './same-intent.ts'
import { findWithFacts, type Recorded, recordState } from './settle.queries.ts'

export interface Settlement {
  /**
   * settled: recorded and granted. pending: Stripe or the bank has not decided. failed: it
   * needs another try or is over.
   */
  state: 'settled' | 'pending' | 'failed'
  status: Intent['status']
  intentId: string
  sessionId: string
  purpose: string
  productId: ProductId
  duplicate: boolean
  /** Stripe's own words for the buyer about the last failure. */
  failure: string | null
}

/** After this many concurrent writes to one payment, give way: the next event or poll finishes it. */
const ROUNDS = 8

/**
 * The one use case behind finalize, webhook, PayPal return and reconciler. Reads the row with its version and re-reads
 * Stripe, then writes facts, payment, session, grants, the claim of the subscription and the outgoing jobs in one
 * transaction that compares the version; on a mismatch it starts over. No call to Stripe inside the transaction. The
 * subscription itself is created afterwards from its claim: if that fails, the reconciler finishes it, and the buyer
 * has access already. `refunds`: read the refunds even if none is known. Null: this intent is not ours. Throws
 * StripeFailure when Stripe cannot be asked.
 */
export async function settlePayment(
  deps: Deps,
  intentId: string,
  by: Deadline | undefined,
  { refunds = false }: { refunds?: boolean } = {},
): Promise<Settlement | null> {
  for (let round = 0; round < ROUNDS; round++) {
    const found = (await findWithFacts(deps.db, intentId)) ?? (await adopt(deps, intentId, by))
    if (!found) return null
    const { row, known } = found
    const about = { known: known.map(({ kind }) => kind), refunds: refunds || found.owed }
    const { intent, facts, disputes } = await readFacts(deps, intentId, about, by)
    const news = facts.filter((fact) => !known.some((one) => one.kind === fact.kind && one.stripeId === fact.stripeId))
    const settled = await write(deps, found, intent, news, disputes)
    if (!settled) continue
    if (news.some(({ kind }) => kind === 'succeeded')) alarmMismatch(deps, row, intent)
    if (settled.claimed) await follow(deps, intentId, by)
    // mails and conversion events go out after the buyer has the answer
    if (settled.wrote) deps.wake('outbox')
    return settlementOf(row, intent, settled.duplicate)
  }
  throw new Error('a payment changed faster than it could be settled')
}

/**
 * P-04: a charge is recorded as Stripe reports it (recordState), whoever was charged and for what. If it differs from
 * our row, somebody has to look at once.
 */
function alarmMismatch({ log }: Deps, row: IntentRow, intent: Intent): void {
  const difference = row.status === 'adopted' || row.purpose.startsWith('renewal:') ? null : differenceOf(intent, row)
  if (!difference) return
  const { id: intentId, amount, customerId, metadata } = intent
  const { product_id: productId, amount_cents: wanted, session_id: sessionId } = row
  log.error(
    {
      intentId,
      sessionId,
      difference,
      charged: { amount, customerId, metadata },
      expected: { productId, amount: wanted },
    },
    'a payment is not what was ordered; it is recorded as it was charged',
  )
}

/**
 * False on a version mismatch. Writes nothing when nothing is new, so that reading a settled payment again takes no
 * lock.
 */
async function write(
  deps: Deps,
  { row, ...known }: Recorded,
  intent: Intent,
  news: readonly Fact[],
  disputes: readonly Dispute[],
): Promise<{ duplicate: boolean; claimed: boolean; wrote: boolean } | false> {
  const moved = disputes.some((one) => known.disputes.find(({ id }) => id === one.id)?.status !== one.status)
  if (news.length === 0 && row.status === intent.status && !moved) {
    const recorded = await deps.db
      .selectFrom('payments')
      .select('is_duplicate')
      .where('payment_intent_id', '=', intent.id)
      .executeTakeFirst()
    if (recorded || intent.status !== 'succeeded')
      return { duplicate: recorded?.is_duplicate ?? false, claimed: true, wrote: false }
  }
  const done = await deps.db.transaction().execute((tx) => recordState(tx, row, intent, news, disputes))
  return done && { ...done, wrote: true }
}

/**
 * Adopts an intent that Stripe created but whose answer never reached us: its metadata names the session and the
 * purpose, and the row that waits for it takes it. An intent of another application has no such row.
 */
async function adopt(deps: Deps, intentId: string, by: Deadline | undefined): ReturnType<typeof findWithFacts> {
  if (!/^(pi|seti)_/.test(intentId)) return undefined
  let intent: Intent
  try {
    intent = await (intentId.startsWith('seti_')
      ? deps.stripe.readSetup(intentId, by)
      : deps.stripe.readIntent(intentId, by))
  } catch (error) {
    if (isFailure(error, 'missing')) return undefined
    throw error
  }
  const { session_id, purpose } = intent.metadata
  if (!session_id || !purpose || !/^[0-9a-f-]{36}$/.test(session_id)) return undefined
  const waiting = await deps.db
    .selectFrom('payment_intents')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .where('stripe_intent_id', 'is', null)
    .executeTakeFirst()
  // a row for another order waits for a different intent
  const agrees = waiting && differenceOf(intent, waiting) === null
  if (agrees && (await linkIntent(deps.db, waiting.id, intentId, intent.status)))
    return findWithFacts(deps.db, intentId)
  // no row waits for it: only a charge must be recorded, whatever became of its row (P-14)
  if (intent.status !== 'succeeded') return undefined
  const session = await deps.db.selectFrom('sessions').select('id').where('id', '=', session_id).executeTakeFirst()
  if (!session) return undefined
  await deps.db
    .insertInto('payment_intents')
    .columns([
      'session_id',
      'purpose',
      'attempt',
      'kind',
      'stripe_intent_id',
      'stripe_customer_id',
      'product_id',
      'amount_cents',
      'currency',
      'payment_method',
      'status',
      'closed_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('payment_intents')
        .select(({ fn, val, ref }) => [
          val(session_id).as('session_id'),
          val(purpose).as('purpose'),
          eb(fn.coalesce(fn.max<number>(ref('attempt')), eb.lit(0)), '+', 1).as('attempt'),
          val(intent.kind).as('kind'),
          val(intentId).as('stripe_intent_id'),
          val(intent.customerId).as('stripe_customer_id'),
          val(intent.metadata['product_id'] ?? 'unknown').as('product_id'),
          val(intent.amount).as('amount_cents'),
          val(intent.currency).as('currency'),
          val(intent.paymentMethodType ?? 'card').as('payment_method'),
          val('adopted').as('status'),
          fn<Date>('now', []).as('closed_at'),
        ])
        .where('session_id', '=', session_id)
        .where('purpose', '=', purpose),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return findWithFacts(deps.db, intentId)
}

/** A failed follow-up never fails the payment (section 4 of the second text): the claim stays and is retried. */
async function follow(deps: Deps, intentId: string, by: Deadline | undefined): Promise<void> {
  try {
    await deps.afterPayment(deps, intentId, by)
  } catch (error) {
    deps.log.error({ err: error, intentId }, 'a paid subscription is not there yet; the reconciler goes on')
  }
}

function settlementOf(row: IntentRow, intent: Intent, duplicate: boolean): Settlement {
  const { status } = intent
  return {
    state: meaningOfIntent(status).state,
    status,
    intentId: intent.id,
    sessionId: row.session_id,
    purpose: row.purpose,
    productId: (intent.metadata['product_id'] ?? row.product_id) as ProductId,
    duplicate,
    failure: intent.failure,
  }
}
