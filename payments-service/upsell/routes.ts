import { sql } from 'kysely'
import type { UndoResult } from '../../contract/api.ts'
import { addOnPath } from '../../contract/api/add-ons.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { type Call, parse, route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/access.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { chargeUpsell } from './charge.ts'
import { viewContext } from './context.ts'
import { viewPurchases } from './purchases.ts'
import { undoUpsell } from './undo.ts'
import { undoByLink, viewUndoLink } from './undo-link.ts'

/** 202 while the refund is under way. */
function answered(call: Call<unknown>, result: UndoResult): UndoResult {
  if (result.state === 'undoing') call.res.status(202)
  return result
}

export function upsellRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'chargeUpsell', 'payment', async (call) => {
    const { session } = await openFrom(deps, call)
    return chargeUpsell(deps, session, call.body, call.deadline)
  })

  route(table, 'undoUpsell', 'payment', async (call) => {
    const { session } = await openFrom(deps, call)
    const { productId } = parse(addOnPath, call.params)
    return answered(call, await undoUpsell(deps, { sessionId: session.id, productId }, call.deadline))
  })

  route(table, 'undoLink', 'mailLink', (call) => viewUndoLink(deps, call.body.token))

  route(table, 'undoByLink', 'mailLink', async (call) =>
    answered(call, await undoByLink(deps, call.body.token, call.deadline)),
  )

  route(table, 'paymentContext', 'visit', async (call) => {
    const { session } = await openFrom(deps, call)
    return viewContext(deps, session, call.deadline)
  })

  route(table, 'purchases', 'visit', async (call) => {
    const { session } = await openFrom(deps, call)
    return viewPurchases(deps, session)
  })

  route(table, 'finishUpsell', 'visit', async (call) => {
    const { session } = await openFrom(deps, call)
    if (session.payment_status === 'unpaid') throw new AppError('not_paid')
    // buying after a Skip (a second tab) is a completion; a Skip after buying takes nothing back
    await deps.db
      .updateTable('sessions')
      .set({
        upsell_finished_at: sql<Date>`coalesce(upsell_finished_at, now())`,
        upsell_outcome: sql<string>`case when upsell_outcome = 'completed' then 'completed'
          else ${call.body.reason} end`,
      })
      .where('id', '=', session.id)
      .execute()
    return { status: 'settled' as const, productId: null, nextPage: await readNextPage(deps, call.req, session.id) }
  })
}
