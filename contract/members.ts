import type { EndpointName } from './api/shapes.ts'
import type { SubscriptionView } from './api/subscription.ts'
import { endpoint, type Endpoint } from './endpoint.ts'

/**
 * The endpoints for what follows the purchase: the account, the programme, the subscription, links in mails (A-01…A-07,
 * H-04). As with api.ts, requests and answers are defined in api/.
 */
export type { RequestOf, ResponseOf } from './api/shapes.ts'
export type * from './api/account.ts'
export type * from './api/mail-links.ts'
export type * from './api/programme.ts'
export type * from './api/subscription.ts'

/** Whether there is something to cancel: it renews, is owed, or charges once more. */
export function canCancel({ state, nextCharge }: Pick<SubscriptionView, 'state' | 'nextCharge'>): boolean {
  return state !== 'cancelling' && state !== 'ended' && (state !== 'ending' || nextCharge !== null)
}

/** The mailed links handled here; each is worthless for any other purpose. */
export type LinkName = 'cancel' | 'undo-cancel' | 'update-payment' | 'withdraw' | 'invoice' | 'create-account'

export const membersApi = {
  signIn: endpoint('POST', '/api/account/sign-in'),
  signOut: endpoint('POST', '/api/account/sign-out'),
  forgotPassword: endpoint('POST', '/api/account/password/forgot'),
  resetPassword: endpoint('POST', '/api/account/password/reset'),
  choosePassword: endpoint('PUT', '/api/account/password'),
  requestMagicLink: endpoint('POST', '/api/account/magic-link'),
  useMagicLink: endpoint('POST', '/api/account/magic-link/use'),
  /** Whether someone is signed in. Needs no sign-in, so that a page may check before it asks for more. */
  standing: endpoint('GET', '/api/account/standing'),
  account: endpoint('GET', '/api/account'),
  sendJoinCode: endpoint('POST', '/api/account/join'),
  joinPurchases: endpoint('POST', '/api/account/join/confirm'),
  correctEmail: endpoint('POST', '/api/sessions/{sessionId}/email/correction'),
  confirmEmail: endpoint('POST', '/api/sessions/{sessionId}/email/correction/confirm'),
  programme: endpoint('GET', '/api/programme'),
  programmeDay: endpoint('GET', '/api/programme/days/{day}'),
  listening: endpoint('POST', '/api/programme/days/{day}/listening'),
  guide: endpoint('GET', '/api/programme/guides/{productId}'),
  cancelSubscription: endpoint('POST', '/api/subscriptions/{subscriptionId}/cancel'),
  keepSubscription: endpoint('POST', '/api/subscriptions/{subscriptionId}/keep'),
  setUpCard: endpoint('POST', '/api/subscriptions/{subscriptionId}/card/setup'),
  saveCard: endpoint('POST', '/api/subscriptions/{subscriptionId}/card'),
  payOwed: endpoint('POST', '/api/subscriptions/{subscriptionId}/payment'),
  requestMoneyBack: endpoint('POST', '/api/subscriptions/{subscriptionId}/money-back'),
  withdraw: endpoint('POST', '/api/subscriptions/{subscriptionId}/withdrawal'),
  invoices: endpoint('GET', '/api/invoices'),
  invoice: endpoint('GET', '/api/invoices/{invoiceId}'),
  link: endpoint('POST', '/api/links/{link}/view'),
  freshLink: endpoint('POST', '/api/links/{link}/fresh'),
  cancelByLink: endpoint('POST', '/api/links/cancel'),
  keepByLink: endpoint('POST', '/api/links/undo-cancel'),
  withdrawByLink: endpoint('POST', '/api/links/withdraw'),
  setUpCardByLink: endpoint('POST', '/api/links/update-payment/setup'),
  saveCardByLink: endpoint('POST', '/api/links/update-payment'),
  payOwedByLink: endpoint('POST', '/api/links/update-payment/payment'),
  createAccountByLink: endpoint('POST', '/api/links/create-account'),
} as const satisfies Partial<Record<EndpointName, Endpoint>>

/** H-02: days in which a consumer in the EEA, the UK or Switzerland may withdraw without a reason. */
export const WITHDRAWAL_DAYS = 14
/** Days within which a money-back request is answered. */
export const ANSWER_DAYS = 3
/** Share of a session's audio that has to be played for it to count as listened. */
export const LISTENED_SHARE = 0.8
