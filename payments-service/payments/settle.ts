import type { ProductId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { meaningOfIntent } from '../stripe/intent-status.ts'
import type { Dispute, Intent } from '../stripe/objects.ts'
import { adopt } from './adopt.ts'
import { type Fact, readFacts } from './facts.ts'
import type { IntentRow } from './intents.queries.ts'
import { paidProduct } from './paid-product.ts'
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
  /** Null where the catalogue no longer has it. */
  productId: ProductId | null
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
    const found = await findWithFacts(deps.db, intentId)
    if (!found) {
      if (await adopt(deps, intentId, by)) continue
      return null
    }
    const { row, known } = found
    const about = { known: known.map(({ kind }) => kind), refunds: refunds || found.owed }
    const { intent, facts, disputes } = await readFacts(deps, intentId, about, by)
    const news = facts.filter((fact) => !known.some((one) => one.kind === fact.kind && one.stripeId === fact.stripeId))
    const settled = await write(deps, found, intent, news, disputes)
    if (!settled) continue
    if (news.some(({ kind }) => kind === 'succeeded')) alarmMismatch(deps, row, intent)
    // nothing follows from an add-on, a reading or a renewal
    if (settled.claimed && row.purpose === 'first') await follow(deps, intentId, by)
    // mails and conversion events go out after the buyer has the answer
    if (settled.wrote) deps.wake('outbox')
    return settlementOf(row, intent, settled.duplicate)
  }
  throw new Error('a payment changed faster than it could be settled')
}

/**
 * `settlePayment` for requests and events, which come in bursts: those that wait for a running one share the next, so
 * that they do not queue for the visit's lock one by one. Never from within settling, which would wait for itself.
 */
export function settleTogether(
  deps: Deps,
  intentId: string,
  by: Deadline | undefined,
  options: { refunds?: boolean } = {},
): Promise<Settlement | null> {
  const key = `settle:${intentId}${options.refunds ? ':refunds' : ''}`
  return deps.flights.run(key, () => settlePayment(deps, intentId, by, options))
}

/**
 * P-04: a charge is recorded as Stripe reports it (recordState), whoever was charged and for what. If it differs from
 * our row, an operator has to look at once.
 */
function alarmMismatch({ log }: Deps, row: IntentRow, intent: Intent): void {
  const difference = row.status === 'adopted' || row.purpose.startsWith('renewal:') ? null : differenceOf(intent, row)
  if (!difference) return
  const { id: intentId, amount } = intent
  const { product_id: productId, amount_cents: wanted } = row
  log.error(
    { intentId, difference, charged: { amount }, expected: { productId, amount: wanted } },
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
    if (known.duplicate !== null || intent.status !== 'succeeded')
      return { duplicate: known.duplicate ?? false, claimed: true, wrote: false }
  }
  const done = await deps.db
    .transaction()
    .execute((tx) => recordState(tx, row, intent, { news, disputes, registered: deps.config.taxRegistrations }))
  return done && { ...done, wrote: true }
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
    productId: paidProduct(row, intent),
    duplicate,
    failure: intent.failure,
  }
}
