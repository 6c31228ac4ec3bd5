import { sql } from 'kysely'
import type { UndoResult } from '../../contract/api.ts'
import { type AddOnId, isAddOnId, UNDO_MINUTES } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { enqueue, sendNow } from '../jobs/outbox.queries.ts'
import { giveBack } from '../payments/give-back.ts'
import { oweNow } from '../refunds/owe.ts'
import { BACK } from '../refunds/owed.queries.ts'
import { isFailure } from '../stripe/failure.ts'
import { inTurn } from './turns.ts'

/** An add-on's payment and whether it can be undone. */
export interface Undoable {
  intentId: string
  sessionId: string
  productId: AddOnId
  amount: number
  /** Ten minutes after it was recorded, which is when page and mail begin to offer it. */
  until: Date
  /** For how long it can still be undone; null unless its state is open. */
  undoSeconds: number | null
  /**
   * undone: all refunded. undoing: requested, the bank has not agreed yet. unrefunded: requested, but the bank returned
   * the refund or cannot take it. open: can be undone. over: the time has run out.
   */
  state: 'open' | 'over' | 'undoing' | 'undone' | 'unrefunded'
}

/** H-05: the add-ons of a session, newest first, with their undo state. The clock is the database's. */
export async function undoables(
  { db }: Pick<Deps, 'db'>,
  of: { sessionId: string } | { intentId: string },
): Promise<Undoable[]> {
  const until = sql`p.created_at + make_interval(mins => ${UNDO_MINUTES})`
  const { rows } = await sql<{
    intentId: string
    sessionId: string
    productId: string
    amount: number
    until: Date
    secondsLeft: number
    state: Undoable['state']
  }>`
    select p.payment_intent_id as "intentId", p.session_id as "sessionId", p.product_id as "productId",
      p.amount_cents as amount, ${until} as until,
      floor(extract(epoch from ${until} - now()))::integer as "secondsLeft",
      case
        when p.refunded_cents >= p.amount_cents then 'undone'
        when w.status in ('waiting', 'pending') then 'undoing'
        when w.status = 'impossible' and ${BACK} < p.amount_cents then 'unrefunded'
        when w.status in ('refunded', 'settled', 'impossible') then 'undone'
        when exists (select from outbox o where o.dedupe_key = 'undo_add_on:' || p.payment_intent_id
          and o.sent_at is null and o.dead_at is null) then 'undoing'
        when ${until} > now() then 'open'
        else 'over'
      end as state
    from payments p
      left join owed_refunds w on w.payment_intent_id = p.payment_intent_id and w.cause = 'undo_add_on'
    where ${'sessionId' in of ? sql`p.session_id = ${of.sessionId}` : sql`p.payment_intent_id = ${of.intentId}`}
      and p.is_upsell and p.settled_at is not null and not p.is_duplicate
    order by p.created_at desc`.execute(db)
  return rows.flatMap(({ productId, secondsLeft, ...row }) =>
    isAddOnId(productId) ? [{ ...row, productId, undoSeconds: row.state === 'open' ? secondsLeft : null }] : [],
  )
}

/**
 * H-05: undoes an add-on: it is refunded in full, its grant ends with the refund's fact, and the refund's mail follows.
 * A request within the ten minutes is recorded first, so it is carried out even if Stripe does not answer now. A repeat
 * answers the same. Throws payment_not_found (never bought), undo_over.
 */
export async function undoUpsell(
  deps: Deps,
  of: { sessionId: string; productId: AddOnId } | { intentId: string },
  by: Deadline,
): Promise<UndoResult> {
  const find = async (): Promise<Undoable> => {
    const found = (await undoables(deps, of)).find((one) => !('productId' in of) || one.productId === of.productId)
    if (!found) throw new AppError('payment_not_found', 'productId' in of ? { field: 'productId' } : {})
    return found
  }
  const { sessionId } = await find()
  return inTurn(deps, sessionId, by, async () => {
    const now = await find()
    if (now.state === 'over') throw new AppError('undo_over')
    const { intentId } = now
    const answer = { productId: now.productId, amount: now.amount }
    if (now.state === 'undone' || now.state === 'unrefunded') return { state: now.state, ...answer }
    const job = { kind: 'undo_add_on', reason: intentId } as const
    if (now.state === 'open') {
      // the job waits for this request: with both asking for the refund at once, this one could not say "undone"
      await enqueue(deps.db, { ...job, sessionId, payload: { intentId }, sendAt: new Date(by.at) })
    }
    try {
      await giveAddOnBack(deps, { sessionId, intentId }, by)
    } catch (error) {
      if (!isFailure(error)) throw error
      deps.log.warn({ err: error, intentId }, 'an add-on was taken back; its refund follows')
      await sendNow(deps.db, job)
    }
    deps.wake('outbox')
    const { state } = await find()
    return { state: state === 'undone' || state === 'unrefunded' ? state : 'undoing', ...answer }
  })
}

/** Completes an undo: the job retries until the money is back. */
export const finishUndo: OutboxHandler = async (deps, job) => {
  const id = job.payload['intentId']
  if (typeof id !== 'string' || !job.session_id) throw new Error('an undo without its payment')
  await giveAddOnBack(deps, { sessionId: job.session_id, intentId: id }, undefined)
}

async function giveAddOnBack(
  deps: Deps,
  of: { sessionId: string; intentId: string },
  by: Deadline | undefined,
): Promise<void> {
  const owed = await oweNow(deps, { ...of, cause: 'undo_add_on' })
  if (owed) await giveBack(deps, owed.id, by)
}

/** While an add-on's refund is under way it is neither owned nor for sale: the bank may still return the refund. */
export const stillRefunding = (): AppError =>
  new AppError('payment_open', {
    field: 'productId',
    message: 'The refund of this add-on is still on its way. You were not charged. Please order again once it arrives.',
    retryAfter: 30,
  })

/** Throws payment_open while the add-on's refund is under way. */
export async function refuseWhileUndoing(deps: Pick<Deps, 'db'>, intentId: string): Promise<void> {
  const [one] = await undoables(deps, { intentId })
  if (one?.state === 'undoing') throw stillRefunding()
}
