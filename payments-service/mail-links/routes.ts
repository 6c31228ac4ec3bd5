import { z } from 'zod'
import type { LinkView } from '../../contract/members.ts'
import { createAccount } from '../accounts/accounts.ts'
import { accountBody, setCookies, signedIn } from '../accounts/routes.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { requestMoneyBack } from '../money-back/request.ts'
import { latestSubscription } from '../notices/buyer.ts'
import { done } from '../sessions/routes.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { keepSubscription, saveCard, setUpCard } from '../subscriptions/change.ts'
import { cardSaved, cardSetup, invoiceView, saveCardBody, subscriptionView } from '../subscriptions/schemas.ts'
import type { SubscriptionRow } from '../subscriptions/subscriptions.queries.ts'
import { isLinkName, mailFreshLink, subjectOf, viewLink } from './links.ts'

const linkView: z.ZodType<LinkView> = z.object({
  state: z.enum(['valid', 'expired', 'invalid', 'done']),
  email: z.string().nullable(),
  subscription: subscriptionView.nullable(),
  amount: z.number().int().nullable(),
  invoice: invoiceView.nullable(),
})

/** H-04: what the links of mails do, each by a confirmed click on a page and never by opening it. No sign-in. */
export function mailLinkRoutes(table: RouteTable, deps: Deps): void {
  const tokenOf = (call: Call<unknown>): string => call.params['token'] ?? ''
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
  const shows = { body: undefined, answer: linkView, limit: 'mailLink' } as const

  route(table, 'link', shows, (call) => viewLink(deps, nameOf(call), tokenOf(call), call.deadline))

  route(table, 'freshLink', { body: undefined, answer: done, limit: 'mailLink' }, async (call) => {
    await mailFreshLink(deps, nameOf(call), tokenOf(call))
    return DONE
  })

  route(table, 'cancelByLink', shows, async (call) => {
    const row = await subscriptionOf(subjectOf(deps, 'cancel', tokenOf(call)))
    await cancelSubscription(deps, row, call.deadline)
    const view = await viewLink(deps, 'cancel', tokenOf(call), call.deadline)
    if (view.subscription?.state === 'cancelling') call.res.status(202)
    return view
  })

  route(table, 'keepByLink', shows, async (call) => {
    const row = await subscriptionOf(subjectOf(deps, 'undo-cancel', tokenOf(call)))
    await keepSubscription(deps, row, call.deadline)
    return viewLink(deps, 'undo-cancel', tokenOf(call), call.deadline)
  })

  route(table, 'withdrawByLink', shows, async (call) => {
    await requestMoneyBack(deps, subjectOf(deps, 'withdraw', tokenOf(call)), 'withdrawal')
    return viewLink(deps, 'withdraw', tokenOf(call), call.deadline)
  })

  route(table, 'setUpCardByLink', { body: undefined, answer: cardSetup, limit: 'payment' }, async (call) =>
    setUpCard(deps, await subscriptionOf(subjectOf(deps, 'update-payment', tokenOf(call))), call.deadline),
  )

  route(table, 'saveCardByLink', { body: saveCardBody, answer: cardSaved, limit: 'payment' }, async (call) => {
    const row = await subscriptionOf(subjectOf(deps, 'update-payment', tokenOf(call)))
    return saveCard(deps, row, call.body.setupIntentId, call.deadline)
  })

  route(table, 'createAccountByLink', { body: accountBody, answer: signedIn, limit: 'account' }, async (call) => {
    const sessionId = subjectOf(deps, 'create-account', tokenOf(call))
    const session = await deps.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
    if (!session) throw new AppError('link_invalid')
    const account = await createAccount(deps, session, call.body, { proved: true })
    setCookies(call, account.cookies)
    return { done: true as const, choosePassword: false }
  })
}
