import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../db/connect.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import { applyOwed } from '../refunds/owed.queries.ts'
import { oweReturned } from '../refunds/returned.queries.ts'
import { logActivity } from '../sessions/sessions.queries.ts'
import { meaningOfIntent } from '../stripe/intent-status.ts'
import type { Dispute, Intent } from '../stripe/objects.ts'
import type { Fact, FactKind } from './facts.ts'
import type { IntentRow } from './intents.queries.ts'
import { tellOfFact } from './payment-mails.ts'
import { recordSuccess } from './record-success.ts'
import { returned } from './without-visit.queries.ts'

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
  /** Whether its payment is a duplicate; null while it has none. */
  duplicate: boolean | null
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
    .select((eb) =>
      eb
        .selectFrom('payments as p')
        .select('p.is_duplicate')
        .whereRef('p.payment_intent_id', '=', 'i.stripe_intent_id')
        .as('duplicate'),
    )
    .where('i.stripe_intent_id', '=', intentId)
    .executeTakeFirst()
  if (!found) return undefined
  const { known, disputes, owed, duplicate, ...row } = found
  return { row, known: known as KnownFact[], disputes, owed, duplicate }
}

/** What was read of an intent, and the countries in which tax is declared. */
interface Read {
  news: readonly Fact[]
  disputes: readonly Dispute[]
  registered: readonly string[]
}

/**
 * Writes one state of an intent, all of it or nothing. False when another write came since `row` was read. The lock on
 * the session's row orders the payments of a session, so that two successes of a purpose see each other (P-14).
 */
export async function recordState(
  tx: Database,
  row: IntentRow,
  intent: Intent,
  { news, disputes, registered }: Read,
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
  const { payments, ...about } = await circumstances(tx, session.id, intent.id)
  const recorded = payments.find((one) => one.intentId === intent.id)
  const success = intent.status === 'succeeded' && !recorded
  const kept = payments.find((one) => one.purpose === row.purpose && one.settled && !one.duplicate)?.intentId
  const duplicate = success
    ? await recordSuccess(tx, session, row, intent, news, { ...about, kept, registered })
    : (recorded?.duplicate ?? false)
  // grants follow from all facts of the session, not from this one alone
  const look = added.length > 0 || success || disputes.length > 0
  const change = look ? await applyGrants(tx, session.id) : { opened: [], closed: [], reopened: null }
  for (const fact of added) await tellOfFact(tx, session, row, fact, change)
  for (const fact of added) {
    if (fact.kind === 'refund_failed' && !fact.ours) await oweReturned(tx, session.id, intent.id, fact)
  }
  await applyOwed(tx, intent.id)
  return { duplicate, claimed: intent.status === 'succeeded' && !duplicate && !about.erased }
}

interface AboutSession {
  payments: { intentId: string; purpose: string; duplicate: boolean; settled: boolean }[]
  erased: boolean
  lost: boolean
  country: string | null
  region: string | null
}

/** What decides what becomes of a payment; one statement, because a buyer waits. */
async function circumstances(tx: Database, sessionId: string, intentId: string): Promise<AboutSession> {
  const { rows } = await sql<AboutSession>`
    select
      (select coalesce(json_agg(json_build_object('intentId', payment_intent_id, 'purpose', purpose,
        'duplicate', is_duplicate, 'settled', settled_at is not null)), '[]')
        from payments where session_id = ${sessionId}) as payments,
      exists (select from erasures where session_id = ${sessionId}) as erased,
      ${returned(intentId)} as lost,
      m.country, m.region
    from (select) one left join session_metadata m on m.session_id = ${sessionId}`.execute(tx)
  const [about] = rows
  if (!about) throw new Error('a left join of one row has one')
  return about
}

/** Writes disputes as Stripe has them now: the version compared above keeps an older read from overwriting them. */
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
