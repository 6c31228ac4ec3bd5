/** Mails and conversion events that follow from a payment, queued in the transaction that records it. */
import type { Database } from '../../db/connect.ts'
import { enqueue, enqueueAll, type OutboxEntry, stableId } from '../jobs/outbox.queries.ts'
import type { GrantChange } from '../grants/grants.queries.ts'
import { isOwed } from '../refunds/owed.queries.ts'
import type { Session } from '../sessions/access.ts'
import type { Fact } from './facts.ts'
import type { IntentRow } from './intents.queries.ts'
import { isReturned } from './without-visit.queries.ts'
import { taxInRefund } from '../tax/share.ts'

/** T-03, A-06: one purchase event and one mail per payment, with ids that never change. */
export async function tellOfSuccess(
  tx: Database,
  session: Session,
  purpose: string,
  about: { intentId: string; productId: string; amount: number; currency: string; paidAt: string },
): Promise<void> {
  const { intentId, productId, amount, currency, paidAt } = about
  const reason = { reason: intentId, sessionId: session.id }
  const renewal = purpose.startsWith('renewal:')
  const told: OutboxEntry[] = []
  if (!renewal) {
    told.push({
      kind: 'conversion:Purchase',
      ...reason,
      payload: {
        name: 'Purchase',
        eventId: stableId(`Purchase:${session.id}:${productId}`),
        productId,
        value: amount,
        currency,
        at: paidAt,
      },
    })
  }
  const mail = renewal
    ? ('mail:renewal_receipt' as const)
    : purpose === 'first'
      ? ('mail:order_confirmation' as const)
      : purpose === 'reading'
        ? ('mail:one_time_receipt' as const)
        : ('mail:addon_receipt' as const)
  told.push({ kind: mail, ...reason, payload: about })
  await enqueueAll(tx, told)
}

/** Whether the answer to a money-back request is still to be sent, and will report this payment's refund. */
async function decisionTells(tx: Database, intentId: string): Promise<boolean> {
  const untold = await tx
    .selectFrom('owed_refunds')
    .select('id')
    .where('payment_intent_id', '=', intentId)
    .where('cause', '=', 'money_back')
    .where('told_at', 'is', null)
    .executeTakeFirst()
  return untold !== undefined
}

/**
 * Queues a mail for a refund (a duplicate's automatic one has its own kind), for a lost dispute that closes a lifetime
 * purchase, and for a won one, or a cancelled refund, that reopens something. `opened`, `closed`: the grants that the
 * fact has changed.
 */
export async function tellOfFact(
  tx: Database,
  session: Session,
  row: IntentRow,
  fact: Fact,
  { opened, closed, reopened }: GrantChange,
): Promise<void> {
  if (fact.kind === 'dispute_won') await tellOfAppeal(tx, session, row, fact, opened)
  if (fact.kind === 'dispute_lost') await tellOfLoss(tx, session, row, fact, closed)
  if (fact.kind === 'refund_failed' && reopened) await tellOfOpening(tx, session, fact, opened)
  if (fact.kind !== 'refunded') return
  const payment = await tx
    .selectFrom('payments')
    .select(['is_duplicate', 'product_id', 'payment_intent_id'])
    .where('payment_intent_id', '=', row.stripe_intent_id)
    .executeTakeFirst()
  if (!payment || (await decisionTells(tx, payment.payment_intent_id))) return
  const payload = {
    intentId: payment.payment_intent_id,
    productId: payment.product_id,
    amount: fact.amount,
    currency: fact.currency,
    refundedAt: fact.at.toISOString(),
    tax: await taxInRefund(tx, payment.payment_intent_id, fact.stripeId),
  }
  const twice = payment.is_duplicate && !(await isReturned(tx, payment.payment_intent_id))
  const kind = twice ? 'mail:duplicate_refunded' : 'mail:refund'
  await enqueue(tx, { kind, reason: fact.stripeId, sessionId: session.id, payload })
}

/** P-12: a lost dispute closes only what it paid for. The end of the programme is announced with its subscription's. */
async function tellOfLoss(
  tx: Database,
  session: Session,
  row: IntentRow,
  fact: Fact,
  closed: readonly string[],
): Promise<void> {
  if (closed.length === 0) return
  const payment = await tx
    .selectFrom('payments')
    .select(['payment_intent_id', 'product_id'])
    .where('payment_intent_id', '=', row.stripe_intent_id)
    .where('purpose', 'not like', 'renewal:%')
    .where('purpose', '!=', 'first')
    .where('product_id', 'in', closed)
    .executeTakeFirst()
  if (!payment) return
  const { payment_intent_id: intentId, product_id: productId } = payment
  await enqueue(tx, {
    kind: 'mail:purchase_ended',
    reason: fact.stripeId,
    sessionId: session.id,
    payload: { intentId, productId, endedAt: new Date().toISOString() },
  })
}

/**
 * P-12: what a lost dispute had closed is open again. One that was never lost has closed nothing, and what is owed to
 * the buyer closes again when it goes back.
 */
async function tellOfAppeal(
  tx: Database,
  session: Session,
  row: IntentRow,
  fact: Fact,
  opened: readonly string[],
): Promise<void> {
  if (opened.length === 0) return
  const lost = await tx
    .selectFrom('payment_facts')
    .select('id')
    .where('stripe_id', '=', fact.stripeId)
    .where('kind', '=', 'dispute_lost')
    .executeTakeFirst()
  const intentId = row.stripe_intent_id
  if (lost && intentId && !(await isOwed(tx, [intentId]))) await tellOfOpening(tx, session, fact, opened)
}

/** P-12: the end of what is open again had been told. */
async function tellOfOpening(tx: Database, session: Session, fact: Fact, opened: readonly string[]): Promise<void> {
  if (opened.length === 0) return
  await enqueue(tx, {
    kind: 'mail:access_reopened',
    reason: fact.stripeId,
    sessionId: session.id,
    payload: { productIds: opened, refund: fact.kind === 'refund_failed' },
  })
}
