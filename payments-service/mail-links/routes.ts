import { z } from 'zod'
import type { LinkView } from '../../contract/members.ts'
import { createAccount } from '../accounts/accounts.ts'
import { setCookies, signedIn } from '../accounts/schemas.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { requestMoneyBack } from '../money-back/request.ts'
import { latestSubscription } from '../notices/buyer.ts'
import { done, text } from '../http/schemas.ts'
import { proveEmail } from '../sessions/sessions.queries.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { keepSubscription, saveCard, setUpCard } from '../subscriptions/change.ts'
import { viewSavedCard } from '../members/subscription-view.ts'
import { cardSaved, cardSetup, invoiceView, subscriptionView } from '../members/schemas.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { isLinkName, mailFreshLink, subjectOf, viewLink } from './links.ts'

const linkView: z.ZodType<LinkView> = z.object({
  state: z.enum(['valid', 'expired', 'invalid', 'done']),
  email: z.string().nullable(),
  subscription: subscriptionView.nullable(),
  amount: z.number().int().nullable(),
  invoice: invoiceView.nullable(),
})

const token = text(2_048)
const linkBody = z.object({ token })
const saveCardByLinkBody = z.object({ token, setupIntentId: z.string().max(255) })
const createAccountBody = z.object({
  token,
  password: z.string().max(10_000),
  passwordConfirmation: z.string().max(10_000),
})

/** H-04: what the links of mails do, each by a confirmed click on a page and never by opening it. No sign-in. */
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
  const shows = { body: linkBody, answer: linkView, limit: 'mailLink' } as const

  route(table, 'link', shows, (call) => viewLink(deps, nameOf(call), call.body.token, call.deadline))

  route(table, 'freshLink', { body: linkBody, answer: done, limit: 'mailLink' }, async (call) => {
    await mailFreshLink(deps, nameOf(call), call.body.token)
    return DONE
  })

  route(table, 'cancelByLink', shows, async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'cancel', call.body.token))
    await cancelSubscription(deps, row, call.deadline)
    const view = await viewLink(deps, 'cancel', call.body.token, call.deadline)
    if (view.subscription?.state === 'cancelling') call.res.status(202)
    return view
  })

  route(table, 'keepByLink', shows, async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'undo-cancel', call.body.token))
    await keepSubscription(deps, row, call.deadline)
    return viewLink(deps, 'undo-cancel', call.body.token, call.deadline)
  })

  route(table, 'withdrawByLink', shows, async (call) => {
    await requestMoneyBack(deps, await subjectOf(deps, 'withdraw', call.body.token), 'withdrawal')
    return viewLink(deps, 'withdraw', call.body.token, call.deadline)
  })

  route(table, 'setUpCardByLink', { body: linkBody, answer: cardSetup, limit: 'payment' }, async (call) =>
    setUpCard(deps, await subscriptionOf(await subjectOf(deps, 'update-payment', call.body.token)), call.deadline),
  )

  route(table, 'saveCardByLink', { body: saveCardByLinkBody, answer: cardSaved, limit: 'payment' }, async (call) => {
    const row = await subscriptionOf(await subjectOf(deps, 'update-payment', call.body.token))
    return viewSavedCard(deps, await saveCard(deps, row, call.body.setupIntentId, call.deadline), call.deadline)
  })

  route(table, 'createAccountByLink', { body: createAccountBody, answer: signedIn, limit: 'account' }, async (call) => {
    const sessionId = await subjectOf(deps, 'create-account', call.body.token)
    const session = await deps.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
    if (!session) throw new AppError('link_invalid')
    const account = await createAccount(deps, session, call.body, { proved: true })
    await proveEmail(deps.db, session.id)
    setCookies(call, account.cookies)
    return { done: true as const, choosePassword: false }
  })
}
