import { UUID } from '../../contract/uuid.ts'
import { requireMember } from '../accounts/member.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { type Call, route, type RouteTable } from '../http/route.ts'
import { requestMoneyBack } from '../money-back/request.ts'
import { cancelSubscription, reread } from '../subscriptions/cancel.ts'
import { keepSubscription, saveCard, setUpCard } from '../subscriptions/change.ts'
import { payWithMethodOnFile } from '../subscriptions/debt.ts'
import { listInvoices, viewInvoice } from '../subscriptions/invoices.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { viewSavedCard, viewSubscription } from './subscription-view.ts'

/** A subscription of this member. Throws sign_in_required, not_found (also for someone else's). */
async function ownSubscription(deps: Deps, call: Call<unknown>): Promise<SubscriptionRow> {
  const member = await requireMember(deps, call.req)
  const id = call.params['subscriptionId'] ?? ''
  const row = UUID.test(id)
    ? await deps.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row || !member.sessionIds.includes(row.session_id)) throw new AppError('not_found', { field: 'subscriptionId' })
  return row
}

export function subscriptionRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'cancelSubscription', 'member', async (call) => {
    const row = await cancelSubscription(deps, await ownSubscription(deps, call), call.deadline)
    const view = await viewSubscription(deps, row, call.deadline)
    if (view.state === 'cancelling') call.res.status(202)
    return view
  })
  route(table, 'keepSubscription', 'member', async (call) =>
    viewSubscription(
      deps,
      await keepSubscription(deps, await ownSubscription(deps, call), call.deadline),
      call.deadline,
    ),
  )
  route(table, 'setUpCard', 'payment', async (call) =>
    setUpCard(deps, await ownSubscription(deps, call), call.deadline),
  )
  route(table, 'saveCard', 'payment', async (call) =>
    viewSavedCard(
      deps,
      await saveCard(deps, await ownSubscription(deps, call), call.body, call.deadline),
      call.deadline,
    ),
  )
  route(table, 'payOwed', 'payment', async (call) =>
    viewSavedCard(
      deps,
      await payWithMethodOnFile(deps, await ownSubscription(deps, call), call.body, call.deadline),
      call.deadline,
    ),
  )
  route(table, 'requestMoneyBack', 'member', async (call) => {
    const row = await ownSubscription(deps, call)
    await requestMoneyBack(deps, row.session_id, 'guarantee')
    return viewSubscription(deps, row, call.deadline)
  })
  route(table, 'withdraw', 'member', async (call) => {
    const row = await ownSubscription(deps, call)
    await requestMoneyBack(deps, row.session_id, 'withdrawal')
    // it is cancelled now
    return viewSubscription(deps, await reread(deps, row.id), call.deadline)
  })

  route(table, 'invoices', 'member', async (call) => {
    const { sessionIds } = await requireMember(deps, call.req)
    return { invoices: await listInvoices(deps, sessionIds) }
  })
  route(table, 'invoice', 'member', async (call) => {
    const { sessionIds } = await requireMember(deps, call.req)
    const id = call.params['invoiceId'] ?? ''
    if (!UUID.test(id)) throw new AppError('not_found')
    return viewInvoice(deps, id, sessionIds, call.deadline)
  })
}
