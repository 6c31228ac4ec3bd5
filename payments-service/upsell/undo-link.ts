import type { UndoLinkView, UndoResult } from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isStillFor, readMailLink } from '../mail/mailed-links.ts'
import { type Undoable, undoables, undoUpsell } from './undo.ts'

/** What the link is about. Changes nothing: mail programs open links by themselves. */
export async function viewUndoLink(deps: Deps, token: string): Promise<UndoLinkView> {
  const found = await behind(deps, token)
  if (!found) return { state: 'invalid', productId: null, amount: null, undoSeconds: null }
  const { productId, amount, state, undoSeconds } = found
  return { state: state === 'open' ? 'valid' : state, productId, amount, undoSeconds }
}

/** Undoes the add-on, after a confirmed click. Throws not_found (no link of ours), undo_over. */
export async function undoByLink(deps: Deps, token: string, by: Deadline): Promise<UndoResult> {
  const found = await behind(deps, token)
  if (!found) throw new AppError('not_found')
  return undoUpsell(deps, { intentId: found.intentId }, by)
}

async function behind(deps: Deps, token: string): Promise<Undoable | undefined> {
  const { config, db } = deps
  const link = readMailLink(config, 'undo_add_on', token)
  if (link.state === 'invalid') return undefined
  const session = await db
    .selectFrom('payment_intents as i')
    .innerJoin('sessions as s', 's.id', 'i.session_id')
    .select(['s.id', 's.email'])
    .where('i.stripe_intent_id', '=', link.subject)
    .executeTakeFirst()
  if (!session || !(await isStillFor(db, config, link, session))) return undefined
  return (await undoables(deps, { intentId: link.subject }))[0]
}
