import { sql } from 'kysely'
import type { ExitView } from '../../contract/api.ts'
import type { ExitContract, ExitKind } from '../../contract/exit.ts'
import { UUID } from '../../contract/uuid.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isStillFor, readMailLink } from '../mail/mailed-links.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { carryOut, reread } from '../subscriptions/cancel.ts'
import { keepSubscription } from '../subscriptions/change.ts'
import { isBeingGivenBack } from '../subscriptions/granted.ts'
import { stateOf } from '../subscriptions/state.ts'
import { type ExitRow, lockExit, readExit } from './receive.ts'

const NOTHING: ExitView = { state: 'invalid', kind: null, contract: null, receivedAt: null, effectAt: null }

async function behind({ config, db }: Deps, token: string): Promise<ExitRow | undefined> {
  const link = readMailLink(config, 'undo_exit', token)
  if (link.state !== 'valid' || !UUID.test(link.subject)) return undefined
  const row = await readExit(db, link.subject)
  return row && (await isStillFor(db, config, link, { id: row.id, email: row.email })) ? row : undefined
}

/**
 * A cancellation can be taken back while the paid time lasts, a withdrawal until it is carried out; neither once the
 * subscription is over, which it is at once where the running period is not paid, or was withdrawn from otherwise. Nor
 * can a cancellation after which its owner has ordered again.
 */
async function standingOf(db: Database, row: ExitRow): Promise<ExitView['state']> {
  if (row.taken_back_at) return 'taken_back'
  const ends = row.subscription_ids.length > 0
  if (ends && (await areOver(db, row.subscription_ids))) return 'over'
  for (const id of ends ? row.session_ids : []) if (await isBeingGivenBack(db, id)) return 'over'
  if (!row.carried_out_at) return 'valid'
  if (row.outcome === 'nothing') return 'nothing'
  return row.outcome === 'ended' && ends && !(await areReplaced(db, row.subscription_ids)) ? 'valid' : 'over'
}

/** P-14: whether the owner has ordered again since: the new subscription stays, and those that were ended run out. */
async function areReplaced(db: Database, ids: readonly string[]): Promise<boolean> {
  const ended = await db
    .selectFrom('subscriptions as u')
    .innerJoin('sessions as s', 's.id', 'u.session_id')
    .select(['s.id', 's.email'])
    .where('u.id', 'in', ids)
    .execute()
  for (const { id, email } of ended) if (!(await heldElsewhere(db, email, id))) return false
  return true
}

async function areOver(db: Database, ids: readonly string[]): Promise<boolean> {
  const live = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
  return live === undefined
}

const viewOf = (row: ExitRow, state: ExitView['state']): ExitView => ({
  state,
  kind: row.kind as ExitKind,
  contract: row.contract as ExitContract,
  receivedAt: row.received_at.toISOString(),
  effectAt: row.effect_at.toISOString(),
})

/** What the link of an acknowledgement is about. Changes nothing: mail programs open links by themselves. */
export async function viewExit(deps: Deps, token: string): Promise<ExitView> {
  const row = await behind(deps, token)
  return row ? viewOf(row, await standingOf(deps.db, row)) : NOTHING
}

/**
 * Takes a statement back: first the subscriptions that it ended go on, then it is recorded, so that no page announces
 * what is not so yet, and no later wish to end is overtaken by a waiting job. Twice is once; what cannot be taken back
 * any more answers its state. Throws link_invalid, service_unavailable, StripeFailure.
 */
export async function takeExitBack(deps: Deps, token: string, by: Deadline): Promise<ExitView> {
  const found = await behind(deps, token)
  if (!found) throw new AppError('link_invalid')
  for (let resumed: readonly string[] = []; ;) {
    const now = await record(deps.db, found.id, resumed)
    if (!Array.isArray(now)) return now
    for (const id of now) await resume(deps, id, by)
    resumed = [...resumed, ...now]
  }
}

/** Records that a statement is taken back; the subscriptions that have to go on before, where there are any. */
async function record(db: Database, exitId: string, resumed: readonly string[]): Promise<ExitView | string[]> {
  return db.transaction().execute(async (tx) => {
    const row = await lockExit(tx, exitId)
    if (!row) throw new AppError('link_invalid')
    const state = await standingOf(tx, row)
    if (state !== 'valid') return viewOf(row, state)
    const left = row.subscription_ids.filter((id) => !resumed.includes(id))
    if (left.length > 0) return left
    await tx
      .updateTable('exit_requests')
      .set({ taken_back_at: sql<Date>`now()` })
      .where('id', '=', row.id)
      .execute()
    return viewOf(row, 'taken_back')
  })
}

/** Resumes a subscription that a statement has ended, or is about to. */
async function resume(deps: Deps, id: string, by: Deadline): Promise<void> {
  await carryOut(deps, id, by)
  const subscription = await reread(deps, id)
  if (stateOf(subscription) === 'cancelling') throw new AppError('service_unavailable', { retryAfter: 5 })
  try {
    await keepSubscription(deps, subscription, by)
  } catch (error) {
    // it has ended, or its owner has ordered again since
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ err: error, subscription: id }, 'a cancellation that was taken back stays')
  }
}
