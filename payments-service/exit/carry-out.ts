import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import { type ExitContract, UNDER_WAY_MINUTES } from '../../contract/exit.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { queueMail } from '../jobs/mails.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { requestMoneyBack } from '../money-back/request.ts'
import { keepCancellation, type SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { carryOut, isKeptForLater } from '../subscriptions/cancel.ts'
import { stateOf } from '../subscriptions/state.ts'
import { type ExitRow, lockExit, readExit } from './receive.ts'

const idOf = (payload: Record<string, unknown>): string => String(payload['exit'])

/**
 * The first job of every statement: acknowledges it to the address that was named, and ends the charges from the moment
 * it was received. A withdrawal ends them too, before anything is given back. Needs no Stripe: what cannot be carried
 * out there now is kept (subscriptions/cancel.ts).
 */
export const acknowledgeExit: OutboxHandler = async (deps, job) => {
  const row = await readExit(deps.db, idOf(job.payload))
  if (!row) return 'it was erased'
  await acknowledge(deps, row)
  const ended = await deps.db.transaction().execute((tx) => endCharges(tx, row.id))
  deps.wake('outbox')
  for (const id of ended) {
    try {
      await carryOut(deps, id, undefined)
    } catch (error) {
      if (!isKeptForLater(error)) throw error
      deps.log.warn({ err: error, subscription: id }, 'a cancellation is kept and carried out later')
    }
  }
}

/** The same mail for every address; only its limit stops it (jobs/mails.ts). */
async function acknowledge({ config, db }: Deps, row: ExitRow): Promise<void> {
  const takeBackUrl = mailLink(config, 'undo_exit', { subject: row.id, to: row.email })
  await queueMail(
    db,
    {
      kind: 'exit_received',
      to: row.email,
      data: {
        name: row.name,
        statement: row.kind === 'end' ? 'end' : 'withdraw',
        contract: row.contract as ExitContract,
        receivedAt: row.received_at.toISOString(),
        effectAt: row.kind === 'end' ? null : row.effect_at.toISOString(),
        takeBackUrl,
      },
    },
    row.id,
  )
}

/** Records the cancellation of what still charges under the address; returns the subscriptions to look at. */
async function endCharges(tx: Database, id: string): Promise<readonly string[]> {
  const found = await readExit(tx, id)
  if (!found) return []
  const sessionIds = await purchasesOf(tx, found)
  for (const sessionId of sessionIds) await lockSession(tx, sessionId)
  const row = await lockExit(tx, id)
  // carried out by an earlier try, or taken back before it
  if (!row || row.taken_back_at || row.carried_out_at || row.session_ids.length > 0) return []
  const live = row.contract === 'guides' ? [] : await liveIn(tx, sessionIds, row.received_at)
  // also one that is cancelled already: what lets it go on may be on its way
  for (const { id: one } of live) await keepCancellation(tx, { id: one }, row.received_at)
  // it may have begun as cancelled by this statement (payments/left-since.queries.ts)
  const received = row.received_at.getTime()
  const ended = live.filter((one) => charges(one) || one.cancel_requested_at?.getTime() === received)
  if (ended.length === 0 && (await isPaying(tx, row))) throw new Error('a payment under this address is under way')
  const done = row.kind === 'end'
  await tx
    .updateTable('exit_requests')
    .set({
      session_ids: sessionIds,
      subscription_ids: ended.map(({ id: one }) => one),
      ...(done ? { carried_out_at: sql<Date>`now()`, outcome: ended.length > 0 ? 'ended' : 'nothing' } : {}),
    })
    .where('id', '=', id)
    .execute()
  return live.map(({ id: one }) => one)
}

/**
 * Whether the visit `s` has the address, or had it when the statement was received (db: sessions_keep_meant). Both are
 * read at one moment: the address may be corrected right now.
 */
const isMeant = ({ id, email }: ExitRow) =>
  sql<boolean>`(lower(s.email) = ${emailKey(email)}
    or s.id = any ((select x.meant_session_ids from exit_requests x where x.id = ${id})::uuid[]))`

/** The visits in which something was bought under the address, in the order in which they are locked. */
async function purchasesOf(db: Database, row: ExitRow): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sessions s where ${isMeant(row)}
      and (exists (select from payments p where p.session_id = s.id)
        or exists (select from subscriptions u where u.session_id = s.id))
    order by s.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Whether a payment under the address may still succeed: a statement that is sent while it is under way ends what it
 * starts. A checkout that stays open for longer than minutes does not count as a payment.
 */
async function isPaying(db: Database, row: ExitRow): Promise<boolean> {
  const { received_at } = row
  const { rows } = await sql`
    select 1 from payment_intents i join sessions s on s.id = i.session_id
    where ${isMeant(row)} and i.closed_at is null and i.created_at <= ${received_at}
      and ${received_at}::timestamptz > now() - make_interval(mins => ${UNDER_WAY_MINUTES}) limit 1`.execute(db)
  return rows.length > 0
}

/** Whether it would charge again and nobody has cancelled it. */
function charges(row: SubscriptionRow): boolean {
  const state = stateOf(row)
  return !(state === 'cancelling' || (state === 'ending' && row.next_charge_at === null))
}

/**
 * What a statement ends: what was ordered before it, and what a payment that was under way has started; nothing whose
 * payment was begun after it, while its job waited.
 */
async function liveIn(db: Database, sessionIds: readonly string[], receivedAt: Date): Promise<SubscriptionRow[]> {
  if (sessionIds.length === 0) return []
  return db
    .selectFrom('subscriptions as u')
    .selectAll()
    .where('session_id', 'in', sessionIds)
    .where('status', 'not in', OVER)
    .where(
      sql<boolean>`not exists (
        select from payment_intents i where i.created_at > ${receivedAt} and (i.stripe_intent_id = u.source_payment_id
          -- a monthly order that Stripe has not answered yet
          or i.id = case when u.source_payment_id ~ '^[0-9a-f-]{36}$' then u.source_payment_id::uuid end))`,
    )
    .execute()
}

/**
 * H-02: after its wait, a withdrawal becomes a request that an operator grants, as one from a mail's link does. The
 * right is that of the moment it was received, also for an order paid before it and heard of since. A buyer who
 * meanwhile keeps the subscription has taken it back.
 */
export const carryOutWithdrawal: OutboxHandler = async (deps, job) => {
  const { db } = deps
  const id = idOf(job.payload)
  const row = await readExit(db, id)
  if (!row || row.carried_out_at || row.taken_back_at) return 'taken back, or erased'
  // the first job may have found nothing yet
  const sessionIds = [...new Set([...row.session_ids, ...(await purchasesOf(db, row))])]
  if (await isKept(db, row, sessionIds)) {
    await close(db, id, { taken_back_at: sql<Date>`now()` })
    return 'the subscription was kept'
  }
  const contract = row.contract as ExitContract
  let asked = false
  for (const sessionId of sessionIds) {
    try {
      await requestMoneyBack(deps, sessionId, 'withdrawal', { at: row.received_at, contract })
      asked = true
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_eligible')) throw error
    }
  }
  const outcome = asked ? 'withdrawn' : sessionIds.length > 0 ? 'not_eligible' : 'nothing'
  await close(db, id, { carried_out_at: sql<Date>`now()`, outcome })
}

/**
 * Whether a subscription goes on that was cancelled when the statement was received: by it, or before it. Its first job
 * leaves none uncancelled that was there then; one that became known later began as cancelled by it, or was paid after
 * it, in an order that was open before.
 */
async function isKept(db: Database, exit: ExitRow, sessionIds: readonly string[]): Promise<boolean> {
  if (exit.contract === 'guides') return false
  const live = await liveIn(db, sessionIds, exit.received_at)
  return live.some(
    ({ id, session_id, created_at, cancel_requested_at, cancel_taken_back }) =>
      cancel_requested_at === null &&
      (exit.subscription_ids.includes(id) ||
        (exit.session_ids.includes(session_id) && created_at <= exit.received_at) ||
        cancel_taken_back?.getTime() === exit.received_at.getTime()),
  )
}

async function close(
  db: Database,
  id: string,
  set:
    { taken_back_at: ReturnType<typeof sql<Date>> } | { carried_out_at: ReturnType<typeof sql<Date>>; outcome: string },
): Promise<void> {
  await db.updateTable('exit_requests').set(set).where('id', '=', id).where('taken_back_at', 'is', null).execute()
}
