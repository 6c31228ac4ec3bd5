import { createAccount } from '../accounts/accounts.ts'
import { setCookies } from '../accounts/cookies.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { requestMoneyBack } from '../money-back/request.ts'
import { latestSubscription } from '../notices/buyer.ts'
import { proveEmail } from '../sessions/sessions.queries.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { keepSubscription, saveCard, setUpCard } from '../subscriptions/change.ts'
import { payWithMethodOnFile } from '../subscriptions/debt.ts'
import { viewSavedCard } from '../members/subscription-view.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { isLinkName, mailFreshLink, subjectOf, viewLink } from './links.ts'

/** H-04: the actions of links in mails, each by a confirmed click on a page, never by opening the link. No sign-in. */
export function mailLinkRoutes(table: RouteTable, deps: Deps): void {
  const nameOf = (call: Call<unknown>) => {
    const name = call.params['link'] ?? ''
    if (!isLinkName(name)) throw new AppError('link_invalid')
    return name
  }
  const subscriptionOf = async (sessionId: string): Promise<SubscriptionRow> => {
    const row = await latestSubscription(deps.db, sessionId)
    if (!row) throw new AppError('subscription_over')
    return row
  }
  route(table, 'link', 'mailLink', (call) => viewLink(deps, nameOf(call), call.body.token, call.deadline))

  route(table, 'freshLink', 'mailLink', async (call) => {
    await mailFreshLink(deps, nameOf(call), call.body.token)
    return DONE
  })

  route(table, 'cancelByLink', 'mailLink', async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'cancel', call.body.token))
    await cancelSubscription(deps, row, call.deadline)
    const view = await viewLink(deps, 'cancel', call.body.token, call.deadline)
    if (view.subscription?.state === 'cancelling') call.res.status(202)
    return view
  })

  route(table, 'keepByLink', 'mailLink', async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'undo-cancel', call.body.token))
    await keepSubscription(deps, row, call.deadline)
    return viewLink(deps, 'undo-cancel', call.body.token, call.deadline)
  })

  route(table, 'withdrawByLink', 'mailLink', async (call) => {
    await requestMoneyBack(deps, await subjectOf(deps, 'withdraw', call.body.token), 'withdrawal')
    return viewLink(deps, 'withdraw', call.body.token, call.deadline)
  })

  route(table, 'setUpCardByLink', 'payment', async (call) =>
    setUpCard(deps, await subscriptionOf(await subjectOf(deps, 'update-payment', call.body.token)), call.deadline),
  )

  route(table, 'saveCardByLink', 'payment', async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'update-payment', call.body.token))
    return viewSavedCard(deps, await saveCard(deps, row, call.body, call.deadline), call.deadline)
  })

  route(table, 'payOwedByLink', 'payment', async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'update-payment', call.body.token))
    return viewSavedCard(deps, await payWithMethodOnFile(deps, row, call.body, call.deadline), call.deadline)
  })

  route(table, 'createAccountByLink', 'account', async (call) => {
    const sessionId = await subjectOf(deps, 'create-account', call.body.token)
    const session = await deps.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
    if (!session) throw new AppError('link_invalid')
    const account = await createAccount(deps, session, call.body, { proved: true })
    await proveEmail(deps.db, session.id)
    setCookies(call, account.cookies)
    return { done: true as const, choosePassword: false }
  })
}
