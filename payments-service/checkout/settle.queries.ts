import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { product, PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import { termsOf } from '../../contract/terms.ts'
import type { Database } from '../../db/connect.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import { isErased } from '../erasures/erased.queries.ts'
import { applyOwed, enqueueRefund, owe, oweReturned } from '../refunds/owed.queries.ts'
import { enqueue, enqueueAll, type OutboxEntry, stableId } from '../jobs/outbox.queries.ts'
import type { Session } from '../sessions/access.ts'
import { logActivity } from '../sessions/sessions.queries.ts'
import { meaningOfIntent } from '../stripe/intent-status.ts'
import type { Dispute, Intent } from '../stripe/objects.ts'
import { freeLeaving, heldElsewhere, holdAddress } from '../subscriptions/one-an-address.ts'
import { claimSubscription } from '../subscriptions/subscriptions.queries.ts'
import type { Fact, FactKind } from './facts.ts'
import type { IntentRow } from './intents.queries.ts'
import { startsSubscription } from './purpose.ts'

export interface KnownFact {
  kind: FactKind
  stripeId: string
}

/** What is on record of an intent, as of one moment. */
export interface Recorded {
  row: IntentRow
  known: KnownFact[]
  disputes: { id: string; status: string }[]
  /** Whether its charge is owed back. */
  owed: boolean
}

export async function findWithFacts(db: Database, intentId: string): Promise<Recorded | undefined> {
  const found = await db
    .selectFrom('payment_intents as i')
    .selectAll('i')
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('payment_facts as f')
          .select(['f.kind', 'f.stripe_id as stripeId'])
          .whereRef('f.payment_intent_id', '=', 'i.stripe_intent_id'),
      ).as('known'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('disputes as d')
          .select(['d.id', 'd.status'])
          .whereRef('d.payment_intent_id', '=', 'i.stripe_intent_id'),
      ).as('disputes'),
    )
    .select((eb) =>
      eb
        .exists(
          eb.selectFrom('owed_refunds as o').select('o.id').whereRef('o.payment_intent_id', '=', 'i.stripe_intent_id'),
        )
        .$castTo<boolean>()
        .as('owed'),
    )
    .where('i.stripe_intent_id', '=', intentId)
    .executeTakeFirst()
  if (!found) return undefined
  const { known, disputes, owed, ...row } = found
  return { row, known: known as KnownFact[], disputes, owed }
}

/**
 * Writes one state of an intent, all of it or nothing. False when somebody wrote since `row` was read. The lock on the
 * session's row orders the payments of a session, so that two successes of a purpose see each other (P-14).
 */
export async function recordState(
  tx: Database,
  row: IntentRow,
  intent: Intent,
  news: readonly Fact[],
  disputes: readonly Dispute[],
): Promise<{ duplicate: boolean; claimed: boolean } | false> {
  const session = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', row.session_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { over } = meaningOfIntent(intent.status)
  const won = await tx
    .updateTable('payment_intents')
    .set({
      status: intent.status,
      version: row.version + 1,
      ...(over ? { closed_at: sql<Date>`coalesce(closed_at, now())` } : {}),
    })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returning('id')
    .executeTakeFirst()
  if (!won) return false

  const added = await insertFacts(tx, row, intent, news)
  await writeDisputes(tx, row, intent, disputes)
  for (const fact of added) {
    if (fact.kind === 'failed') {
      await logActivity(tx, session.id, 'payment_failed', { purpose: row.purpose, productId: row.product_id })
    }
  }
  const payments = await tx
    .selectFrom('payments')
    .select(['payment_intent_id', 'purpose', 'is_duplicate', 'settled_at'])
    .where('session_id', '=', session.id)
    .execute()
  const recorded = payments.find((one) => one.payment_intent_id === intent.id)
  const success = intent.status === 'succeeded' && !recorded
  const kept = payments.find((one) => one.purpose === row.purpose && one.settled_at && !one.is_duplicate)
  const erased = await isErased(tx, session.id)
  const duplicate = success
    ? await recordSuccess(tx, session, row, intent, news, { kept: kept?.payment_intent_id, erased })
    : (recorded?.is_duplicate ?? false)
  // what a payment opens follows from all facts of the session, whatever this one was
  if (added.length > 0 || success || disputes.length > 0) await applyGrants(tx, session.id)
  for (const fact of added) await tellOfFact(tx, session, row, fact)
  for (const fact of added) {
    if (fact.kind === 'refund_failed')
      await oweReturned(tx, session.id, intent.id, { id: fact.stripeId, amount: fact.amount })
  }
  await applyOwed(tx, intent.id)
  return { duplicate, claimed: intent.status === 'succeeded' && !duplicate && !erased }
}

/** Disputes as Stripe has them now: the version that was compared above keeps an older look from writing. */
async function writeDisputes(
  tx: Database,
  row: IntentRow,
  intent: Intent,
  disputes: readonly Dispute[],
): Promise<void> {
  for (const { id, amount, currency, status, created } of disputes) {
    const now = { amount_cents: amount, currency, status }
    await tx
      .insertInto('disputes')
      .values({ id, session_id: row.session_id, payment_intent_id: intent.id, opened_at: created, ...now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(now))
      .execute()
  }
}

async function insertFacts(tx: Database, row: IntentRow, intent: Intent, news: readonly Fact[]): Promise<Fact[]> {
  if (news.length === 0) return []
  const made = await tx
    .insertInto('payment_facts')
    .values(
      news.map((fact) => ({
        session_id: row.session_id,
        payment_intent_id: intent.id,
        kind: fact.kind,
        stripe_id: fact.stripeId,
        amount_cents: fact.amount,
        currency: fact.currency,
        occurred_at: fact.at,
        detail: fact.detail ?? null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['stripe_id', 'kind']).doNothing())
    .returning(['stripe_id', 'kind'])
    .execute()
  return news.filter((fact) => made.some((one) => one.stripe_id === fact.stripeId && one.kind === fact.kind))
}

/** What the intent says it was for; an unknown product (another catalogue) keeps the row's. */
function productOf(row: IntentRow, intent: Intent): ProductId {
  const named = intent.metadata['product_id'] ?? row.product_id
  return PRODUCT_IDS.find((id) => id === named) ?? (row.product_id as ProductId)
}

/**
 * Records a success; a second one of the purpose, beside the intent that is `kept` or under an address that has a
 * subscription, is recorded as a duplicate and refunded by a job, as is one that arrives after its visit was erased.
 * Returns whether it is a duplicate.
 */
async function recordSuccess(
  tx: Database,
  session: Session,
  row: IntentRow,
  intent: Intent,
  news: readonly Fact[],
  { kept, erased }: { kept: string | undefined; erased: boolean },
): Promise<boolean> {
  const productId = productOf(row, intent)
  const paid = news.find(({ kind }) => kind === 'succeeded')
  const paidAt = paid?.at ?? new Date()
  const first = kept === undefined && !erased && row.purpose === 'first'
  const duplicate = kept !== undefined || (first && !(await claimPlace(tx, session, productId, intent)))
  const { kind } = product(productId)
  const amount = paid?.amount ?? intent.amount
  const method = intent.paymentMethodType ?? row.payment_method
  await tx
    .insertInto('payments')
    .values({
      session_id: session.id,
      purpose: row.purpose,
      amount_cents: amount,
      currency: intent.currency,
      payment_method_id: intent.paymentMethodId,
      payment_method: method,
      payment_intent_id: intent.id,
      charge_id: intent.charge?.id ?? null,
      stripe_customer_id: intent.customerId,
      customer_email: session.email,
      customer_name: session.name,
      status: 'succeeded',
      product_id: productId,
      price_id: row.price_id,
      agreement_id: row.agreement_id,
      is_upsell: row.purpose.startsWith('upsell:'),
      is_trial: kind === 'trial',
      is_duplicate: duplicate,
      settled_at: paidAt,
    })
    .execute()
  const about = {
    intentId: intent.id,
    productId,
    amount,
    currency: intent.currency,
    paidAt: paidAt.toISOString(),
    method,
  }
  if (erased) {
    const owed = await owe(tx, { sessionId: session.id, intentId: intent.id, cause: 'erased' })
    if (owed) await enqueueRefund(tx, owed)
    return duplicate
  }
  if (duplicate) {
    await enqueue(tx, {
      kind: 'refund_duplicate',
      reason: intent.id,
      sessionId: session.id,
      payload: { ...about, keptIntentId: kept },
    })
    return true
  }

  const starts = row.purpose === 'first' || row.purpose === 'reading'
  if (starts) {
    await tx
      .updateTable('sessions')
      .set({
        payment_status: 'paid',
        paid_at: sql<Date>`coalesce(paid_at, ${paidAt})`,
        // D-09: a later payment turns an abandoned one too
        conversion_status: 'converted',
        payment_method: method,
        payment_method_id: intent.paymentMethodId,
        stripe_payment_method_id: intent.paymentMethodId,
        payment_intent_id: intent.id,
        customer_id: intent.customerId,
        last_activity_at: sql<Date>`now()`,
      })
      .where('id', '=', session.id)
      .execute()
  }
  await logActivity(tx, session.id, 'payment_success', { purpose: row.purpose, productId, amount })
  await tellOfSuccess(tx, session, row.purpose, about)
  return false
}

/**
 * P-14: the subscription that a first payment is for. False when another visit's goes on under the same address: this
 * payment is a second one of the same person, who would be charged for two from now on.
 */
async function claimPlace(tx: Database, session: Session, productId: ProductId, intent: Intent): Promise<boolean> {
  const { id: sessionId, email } = session
  // the monthly product has its subscription already, unpaid until now
  if (!startsSubscription(product(productId).kind)) return email === null || holdAddress(tx, sessionId, email)
  if (email) await freeLeaving(tx, email, sessionId)
  const { id: sourceId, paymentMethodId } = intent
  const customerId = intent.customerId ?? ''
  const claim = await claimSubscription(tx, {
    sessionId,
    productId: 'monthly',
    sourceId,
    customerId,
    paymentMethodId,
    email,
  })
  return claim !== undefined || !(await heldElsewhere(tx, email, sessionId))
}

/** T-03, A-06: one purchase event and one mail per payment, with ids that never change. */
async function tellOfSuccess(
  tx: Database,
  session: Session,
  purpose: string,
  about: { intentId: string; productId: ProductId; amount: number; currency: string; paidAt: string },
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
  const terms = termsOf(productId, new Date(paidAt))
  const mail = renewal
    ? ('mail:renewal_receipt' as const)
    : purpose === 'first'
      ? ('mail:order_confirmation' as const)
      : purpose === 'reading'
        ? ('mail:one_time_receipt' as const)
        : ('mail:addon_receipt' as const)
  const payload = {
    ...about,
    ...(terms ? { nextAmount: terms.firstCharge, nextChargeAt: terms.firstChargeAt.toISOString() } : {}),
  }
  told.push({ kind: mail, ...reason, payload })
  await enqueueAll(tx, told)
}

/** The answer to a request for money back tells of its refunds, as long as it has not been given. */
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

/** Refunds are told about, except the automatic one of a duplicate, which has its own mail. */
async function tellOfFact(tx: Database, session: Session, row: IntentRow, fact: Fact): Promise<void> {
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
  }
  const kind = payment.is_duplicate ? 'mail:duplicate_refunded' : 'mail:refund'
  await enqueue(tx, { kind, reason: fact.stripeId, sessionId: session.id, payload })
}
