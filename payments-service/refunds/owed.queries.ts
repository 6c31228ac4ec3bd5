import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { OwedRefunds } from '../../db/types.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { disputeEffect, type DisputeStatus, TAKEN } from '../stripe/dispute-status.ts'
import { GRANTED, UNDER_WAY } from './request-states.ts'
import { type OwedStanding, owedStanding, type RefundState } from './standing.ts'

export type OwedRow = Selectable<OwedRefunds>
/** What is owed now: what is still to be asked for of it, in cents, and how many refunds of its charge have failed. */
export type OwedNow = OwedRow & { due: number; failed: number }
export type Cause = 'duplicate' | 'undo_add_on' | 'money_back' | 'erased' | 'returned' | 'cancelled' | 'no_visit'

/**
 * What an operator has paid back in another way, `cents` of a `payment_intent_id` and when, also of a debt that came up
 * again since: a table to select from.
 */
export const PAID_OTHERWISE = sql`(
  select payment_intent_id, wanted_cents - back_cents as cents, updated_at as at from owed_refunds
    where status = 'settled'
  union all
  select payment_intent_id, b.cents, b.at from owed_refunds
    cross join jsonb_to_recordset(settled_before) as b (cents integer, at timestamptz))`

/** The sum of it for one payment, in cents. */
export const paidOtherwise = (intentId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`
  coalesce((select sum(o.cents) from ${PAID_OTHERWISE} o where o.payment_intent_id = ${intentId}), 0)::int`

/** What went back of a payment `p` without a refund: paid by an operator in another way, or by the bank. Cents. */
const BACK_OTHERWISE = sql<number>`(
  ${paidOtherwise(sql.ref('p.payment_intent_id'))}
  + coalesce((select sum(d.amount_cents) from disputes d
    where d.payment_intent_id = p.payment_intent_id and d.status = any(${TAKEN})), 0))::int`

/** What went back of a payment `p`, by a refund or otherwise: never more than it was. Cents. */
export const BACK = sql<number>`least(p.amount_cents, p.refunded_cents + ${BACK_OTHERWISE})`

/**
 * What nobody needs to ask back of a payment `p` any more: it went back, or is owed for a reason of its own. A part
 * that the bank sent back (`returned`) can be asked for: it becomes part of that debt. Cents.
 */
export const BACK_OR_OWED = sql<number>`least(p.amount_cents, p.refunded_cents + ${BACK_OTHERWISE} + coalesce((
  select sum(o.wanted_cents - o.back_cents) from owed_refunds o where o.payment_intent_id = p.payment_intent_id
    and o.cause <> 'returned' and o.status <> 'settled'), 0)::int)`

/** What has not gone back yet, whoever has to see to it. */
const OUTSTANDING = ['waiting', 'pending', 'impossible'] as const

/** Whether something of these charges is owed to their buyer and has not gone back. */
export async function isOwed(db: Database, intentIds: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('owed_refunds')
    .select('id')
    .where('payment_intent_id', 'in', intentIds)
    .where('status', 'in', OUTSTANDING)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether nothing of the charge of a row `o` is left to give back, as after a dispute that was lost over all of it. */
export const NOTHING_LEFT = sql<boolean>`exists (select from payments p
  where p.payment_intent_id = o.payment_intent_id and ${BACK} >= p.amount_cents)`

/** What was ever owed, each with whether that is so. */
export const selectOwed = (db: Database) =>
  db.selectFrom('owed_refunds as o').selectAll('o').select(NOTHING_LEFT.as('nothing_left'))

/** What happened to the money of one charge. */
interface ChargeState {
  amount: number
  refunded: number
  /** What is neither refunded nor given back otherwise. */
  left: number
  refunds: RefundState[]
  disputes: DisputeStatus[]
}

export async function chargeState(tx: Database, intentId: string): Promise<ChargeState | undefined> {
  const { rows } = await sql<ChargeState>`
    select p.amount_cents as amount, p.refunded_cents as refunded,
      p.amount_cents - p.refunded_cents - ${BACK_OTHERWISE} as left,
      (select coalesce(json_agg(r order by r.id), '[]') from (
        select min(f.id::text) as id, max(f.amount_cents) as amount, max(f.detail) as reason,
          case when bool_or(f.kind = 'refund_failed') then 'failed' when bool_or(f.kind = 'refunded') then 'succeeded'
            else 'pending' end as state
        from payment_facts f
        where f.payment_intent_id = p.payment_intent_id and f.kind in ('refund_pending', 'refunded', 'refund_failed')
        group by f.stripe_id
      ) r) as refunds,
      (select coalesce(json_agg(d.status), '[]') from disputes d where d.payment_intent_id = p.payment_intent_id)
        as disputes
    from payments p where p.payment_intent_id = ${intentId}`.execute(tx)
  return rows[0]
}

/** Whether a dispute holds or has taken its money: Stripe refuses refunds until it is won. */
export const isTaken = ({ disputes }: ChargeState): boolean =>
  disputes.some((status) => disputeEffect(status) !== 'none')

/** Whether one is undecided: lost, it gives the money to the buyer. */
export const isHeld = ({ disputes }: ChargeState): boolean =>
  disputes.some((status) => disputeEffect(status) === 'held')

/** What of a row is missing still: not what the bank has given back, as in a lost dispute. Cents. */
export const missing = (row: Pick<OwedRow, 'wanted_cents' | 'back_cents'>, charge: ChargeState | undefined): number =>
  Math.max(0, Math.min(row.wanted_cents - row.back_cents, charge?.left ?? Infinity))

/**
 * Records that what is left of a charge is owed back, once per cause and only where no refund of it is under way or
 * needs a person. What the bank sent back of it (`returned`), which may be a part, becomes this debt: beside it, that
 * money would be owed twice. The caller holds the lock on the session's row. Returns the row that counts; undefined
 * when nothing is left.
 */
export async function owe(
  tx: Database,
  about: { sessionId: string; intentId: string; cause: Cause; requestId?: string; wanted?: number },
): Promise<OwedRow | undefined> {
  const { sessionId, intentId, cause, requestId = null } = about
  const known = await tx
    .selectFrom('owed_refunds')
    .selectAll()
    .where('payment_intent_id', '=', intentId)
    .where(({ eb, or, and }) =>
      or([
        eb('status', 'in', OUTSTANDING),
        and([eb('cause', '=', cause), eb('money_back_request_id', 'is not distinct from', requestId)]),
      ]),
    )
    .orderBy(({ eb }) => eb('cause', '=', cause), 'desc')
    .orderBy(({ eb }) => eb('cause', '=', 'returned'))
    .executeTakeFirst()
  if (known && known.cause !== 'returned') return known
  const charge = await chargeState(tx, intentId)
  const wanted = Math.min(about.wanted ?? Infinity, charge?.left ?? 0)
  if (!charge || wanted <= 0) return undefined
  const forgiven = charge.refunds.filter(({ state }) => state === 'failed').length
  const debt = {
    cause,
    money_back_request_id: requestId,
    wanted_cents: wanted,
    before_cents: charge.refunded,
    forgiven,
  }
  const query = known
    ? tx
        .updateTable('owed_refunds')
        .set({ ...debt, back_cents: 0, status: 'waiting', reason: null, refusals: 0, round: known.round + 1 })
        .where('id', '=', known.id)
    : tx.insertInto('owed_refunds').values({ ...debt, session_id: sessionId, payment_intent_id: intentId })
  return query.returningAll().executeTakeFirstOrThrow()
}

/**
 * Updates what is owed of a charge from its facts, with what follows: the job that asks again, the mail, the state of
 * the request. Runs in the caller's transaction, which holds the lock on the session's row.
 */
export async function applyOwed(tx: Database, intentId: string): Promise<OwedNow[]> {
  const rows = await tx
    .selectFrom('owed_refunds')
    .selectAll()
    .where('payment_intent_id', '=', intentId)
    .where('status', '!=', 'settled')
    .execute()
  if (rows.length === 0) return []
  const charge = await chargeState(tx, intentId)
  if (!charge) return []
  const failed = charge.refunds.filter(({ state }) => state === 'failed').length
  const now: OwedNow[] = []
  for (const row of rows) {
    const standing = owedStanding(
      {
        amount: charge.amount,
        before: row.before_cents,
        wanted: row.wanted_cents,
        forgiven: row.forgiven,
        refusals: row.refusals,
        refusal: row.reason,
      },
      charge.refunds,
      isTaken(charge),
    )
    now.push({ ...(await write(tx, row, standing)), due: standing.due, failed })
  }
  // also where no row has changed: a lost dispute leaves nothing of it to give back
  for (const id of new Set(rows.flatMap((row) => row.money_back_request_id ?? []))) await applyRequest(tx, id)
  return now
}

async function write(tx: Database, row: OwedRow, { status, back, reason }: OwedStanding): Promise<OwedRow> {
  if (row.status === status && row.back_cents === back && row.reason === reason) return row
  const again = status === 'waiting' && row.status !== 'waiting'
  const written = await tx
    .updateTable('owed_refunds')
    .set({ status, back_cents: back, reason, ...(again ? { round: row.round + 1, refusals: 0 } : {}) })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (again) await enqueueRefund(tx, written)
  // mails the buyer when the bank returns a refund or it cannot go back; while a money-back answer is still to be sent,
  // that answer says so instead
  const bad = (again && row.status !== 'impossible') || (status === 'impossible' && row.status !== 'impossible')
  const answers = row.cause === 'money_back' && row.told_at === null
  if (bad && !answers) await tellTrouble(tx, written)
  return written
}

/** Queues the job that asks Stripe, one per round of a refund. */
export async function enqueueRefund(tx: Database, row: OwedRow): Promise<void> {
  await enqueue(tx, {
    kind: 'refund_owed',
    reason: `${row.id}:${row.round}`,
    sessionId: row.session_id,
    payload: { owedId: row.id },
  })
}

/** Queues the mail that a refund has not arrived, unless the bank has given all of it back in a dispute. */
export async function tellTrouble(tx: Database, row: OwedRow): Promise<void> {
  const amount = missing(row, await chargeState(tx, row.payment_intent_id))
  if (amount === 0) return
  await enqueue(tx, {
    kind: 'mail:refund_failed',
    reason: `${row.id}:${row.round}:${row.status}`,
    sessionId: row.session_id,
    payload: {
      intentId: row.payment_intent_id,
      amount,
      next: row.status === 'waiting' ? 'again' : row.reason === 'charge_disputed' ? 'bank' : 'person',
    },
  })
}

/** refunding: something is under way. incomplete: what is left needs a person. refunded: nothing is left. */
export async function applyRequest(tx: Database, requestId: string): Promise<void> {
  const owed = await selectOwed(tx).where('money_back_request_id', '=', requestId).execute()
  const under = owed.some(({ status }) => status === 'waiting' || status === 'pending')
  const status = under
    ? ('refunding' as const)
    : owed.some((one) => one.status === 'impossible' && !one.nothing_left)
      ? ('incomplete' as const)
      : ('refunded' as const)
  await tx
    .updateTable('money_back_requests as r')
    .set({ status, refunded_cents: owed.reduce((sum, { back_cents }) => sum + back_cents, 0) })
    .where('r.id', '=', requestId)
    .where('r.status', 'in', GRANTED)
    // the buyer has asked again since this one was done: the newer request holds the place
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('money_back_requests as o')
            .select('o.id')
            .whereRef('o.session_id', '=', 'r.session_id')
            .whereRef('o.id', '!=', 'r.id')
            .whereRef('o.kind', '=', 'r.kind')
            .whereRef('o.contract', '=', 'r.contract')
            .whereRef('o.intent_ids', 'is not distinct from', 'r.intent_ids')
            .where('o.status', 'in', UNDER_WAY),
        ),
      ),
    )
    .execute()
}
