import type { ProductId } from './catalogue.ts'
import type { RichText } from './content.ts'
import { endpoint } from './endpoint.ts'
import type { Cents } from './money.ts'

/**
 * The API of what comes after the purchase: the account, the programme, the subscription,
 * links in mails (A-01…A-07, H-04).
 */

/**
 * Done. `choosePassword`: signed in by mail for the first time; the old password, if any, is
 * gone (see accounts/sign-in.ts).
 */
export interface SignedIn {
  done: true
  choosePassword: boolean
}

export interface AccountView {
  email: string
  name: string | null
  emailVerified: boolean
  /** False after the first sign-in by mail: a password has to be chosen before one can be used. */
  hasPassword: boolean
  /** Paid orders of other visits with this address; they join once the address is proved. */
  ordersToJoin: number
  programme: 'open' | 'closed'
  guides: ProductId[]
  listened: number
  /** Newest first; the first is the one that matters. */
  subscriptions: SubscriptionView[]
}

export type CardView = { type: 'card'; brand: string; last4: string; expires: string } | { type: 'paypal' }

export interface SubscriptionView {
  id: string
  /**
   * trial, active: renews by itself; ending: cancelled, open until `accessUntil`; paused: nothing is collected until
   * `resumesAt`; late: a charge failed; unpaid: all tries failed, closed until it is paid; cancelling: the cancellation
   * has arrived and is carried out as soon as the payment provider can be reached; ended.
   */
  state: 'starting' | 'trial' | 'active' | 'ending' | 'paused' | 'late' | 'unpaid' | 'cancelling' | 'ended'
  /**
   * What is charged next by itself, as the payment provider plans it; also the next try of a failed charge. ISO date.
   */
  nextCharge: { amount: Cents; at: string } | null
  /** The next charge is for the period that has begun already: it is about to be collected. */
  collecting: boolean
  /** The end of what is paid; null while nothing is, so that cancelling ends it at once. */
  paidUntil: string | null
  /** When a pause ends, where that is known. */
  resumesAt: string | null
  /** Until when the programme is open, when an end is known. */
  accessUntil: string | null
  everyDays: number
  /** What is owed after a failed charge. */
  owed: Cents | null
  paidWith: CardView | null
  moneyBack: MoneyBackView
  /** H-02: the right to withdraw, where the law of the buyer's country gives it: until when. */
  withdrawUntil: string | null
}

/** Whether there is something to cancel: it renews, is owed, or charges once more. */
export function canCancel({ state, nextCharge }: SubscriptionView): boolean {
  return state !== 'cancelling' && state !== 'ended' && (state !== 'ending' || nextCharge !== null)
}

export interface MoneyBackView {
  /** Within 30 days of the first payment. */
  until: string | null
  listened: number
  needed: number
  eligible: boolean
  /** What would be given back, in cents. */
  amount: Cents
  request: MoneyBackRequestView | null
}
export interface MoneyBackRequestView {
  kind: 'guarantee' | 'withdrawal'
  /** incomplete: granted, and something could not be given back yet. */
  status: 'open' | 'refunding' | 'refunded' | 'incomplete' | 'declined'
  requestedAt: string
  answerBy: string
  /** What was asked for. */
  amount: Cents
  /** What the bank has agreed to give back, and what it has not agreed to yet. */
  refunded: Cents
  pending: Cents
  /** What the bank holds because of a dispute, and what it did not accept: somebody looks for another way. */
  withBank: Cents
  open: Cents
  reason: string | null
}

export interface InvoiceLine {
  id: string
  at: string
  /** "3-day trial", "Monthly subscription", a guide's name. */
  what: string
  amount: Cents
  refunded: Cents
}
export interface InvoiceView extends InvoiceLine {
  number: string
  email: string | null
  name: string | null
  paidWith: CardView | null
  period: { from: string; to: string } | null
}

/** What the card page needs to save another card without a charge. */
export interface CardSetup {
  clientSecret: string
  setupIntentId: string
}
export interface CardSaved {
  /** paid: what was owed is paid; saved: nothing was owed; owed: the new card was refused for what is owed. */
  result: 'saved' | 'paid' | 'owed'
  subscription: SubscriptionView
}

export interface ProgrammeDay {
  day: number
  week: number
  title: string
  minutes: number
  state: 'listened' | 'today' | 'open' | 'locked'
  /** Share of its play time heard so far, 0 to 1. */
  heard: number
}
export interface ProgrammeView {
  weeks: { number: number; title: string; text: string; days: ProgrammeDay[] }[]
  /** The day to listen to next; null when all of them are heard. */
  today: number | null
  /** A session was finished today already: the next one may wait until tomorrow. */
  doneToday: boolean
  listened: number
  guides: { productId: ProductId; title: string; emoji: string; intro: string }[]
}
export interface ProgrammeStep {
  key: string
  title: string
  text: string
  seconds: number
  /** Name of a drawn animation; an unknown one shows none. */
  animation: string
}
export interface SessionContent {
  day: number
  week: number
  title: string
  intro: string
  minutes: number
  steps: ProgrammeStep[]
  /** Address of the service itself; null while no recording is there: the words are enough. */
  audioUrl: string | null
  audioSeconds: number | null
  transcript: string | null
  listened: boolean
  /** Share heard so far, 0 to 1. */
  heard: number
  /** A generated stand-in for the recording. */
  sample: boolean
}
export interface GuideContent {
  productId: ProductId
  title: string
  emoji: string
  intro: string
  body: RichText
}
export interface ListeningRequest {
  /** Seconds of sound since the last report, as the player counted them while it played. */
  seconds: number
}
export interface ListeningResponse {
  heard: number
  counted: boolean
  listened: number
}

/** What a link of a mail is about, shown before anything is done (H-04: never a bare link action). */
export interface LinkView {
  state: 'valid' | 'expired' | 'invalid' | 'done'
  /** ad•••@example.org: enough to know whose it is. Null where the reader may be somebody else. */
  email: string | null
  subscription: SubscriptionView | null
  /** What would be given back (withdrawal). */
  amount: Cents | null
  invoice: InvoiceView | null
}
/** The links of mails that are handled here; each is worthless for any other purpose. */
export type LinkName = 'cancel' | 'undo-cancel' | 'update-payment' | 'withdraw' | 'invoice' | 'create-account'

/** The token of a mail's link: always in the body, because logs keep addresses. */
interface LinkToken {
  token: string
}
interface Done {
  done: true
}
interface NewPassword {
  password: string
  passwordConfirmation: string
}

export const membersApi = {
  signIn: endpoint<{ email: string; password: string }, SignedIn>('POST', '/api/account/sign-in'),
  signOut: endpoint<void, Done>('POST', '/api/account/sign-out'),
  forgotPassword: endpoint<{ email: string }, Done>('POST', '/api/account/password/forgot'),
  resetPassword: endpoint<{ token: string } & NewPassword, Done>('POST', '/api/account/password/reset'),
  choosePassword: endpoint<NewPassword, Done>('PUT', '/api/account/password'),
  requestMagicLink: endpoint<{ email: string }, Done>('POST', '/api/account/magic-link'),
  useMagicLink: endpoint<{ token: string }, SignedIn>('POST', '/api/account/magic-link/use'),
  /** Whether somebody is signed in: answers everybody, so that a page may ask before it asks for more. */
  standing: endpoint<void, { signedIn: boolean }>('GET', '/api/account/standing'),
  account: endpoint<void, AccountView>('GET', '/api/account'),
  sendJoinCode: endpoint<void, Done>('POST', '/api/account/join'),
  joinPurchases: endpoint<{ code: string }, AccountView>('POST', '/api/account/join/confirm'),
  correctEmail: endpoint<{ email: string }, Done>('POST', '/api/sessions/{sessionId}/email/correction'),
  confirmEmail: endpoint<{ email: string; code: string }, Done>(
    'POST',
    '/api/sessions/{sessionId}/email/correction/confirm',
  ),
  programme: endpoint<void, ProgrammeView>('GET', '/api/programme'),
  programmeDay: endpoint<void, SessionContent>('GET', '/api/programme/days/{day}'),
  listening: endpoint<ListeningRequest, ListeningResponse>('POST', '/api/programme/days/{day}/listening'),
  guide: endpoint<void, GuideContent>('GET', '/api/programme/guides/{productId}'),
  cancelSubscription: endpoint<void, SubscriptionView>('POST', '/api/subscriptions/{subscriptionId}/cancel'),
  keepSubscription: endpoint<void, SubscriptionView>('POST', '/api/subscriptions/{subscriptionId}/keep'),
  setUpCard: endpoint<void, CardSetup>('POST', '/api/subscriptions/{subscriptionId}/card/setup'),
  saveCard: endpoint<{ setupIntentId: string }, CardSaved>('POST', '/api/subscriptions/{subscriptionId}/card'),
  requestMoneyBack: endpoint<void, SubscriptionView>('POST', '/api/subscriptions/{subscriptionId}/money-back'),
  withdraw: endpoint<void, SubscriptionView>('POST', '/api/subscriptions/{subscriptionId}/withdrawal'),
  invoices: endpoint<void, { invoices: InvoiceLine[] }>('GET', '/api/invoices'),
  invoice: endpoint<void, InvoiceView>('GET', '/api/invoices/{invoiceId}'),
  link: endpoint<LinkToken, LinkView>('POST', '/api/links/{link}/view'),
  freshLink: endpoint<LinkToken, Done>('POST', '/api/links/{link}/fresh'),
  cancelByLink: endpoint<LinkToken, LinkView>('POST', '/api/links/cancel'),
  keepByLink: endpoint<LinkToken, LinkView>('POST', '/api/links/undo-cancel'),
  withdrawByLink: endpoint<LinkToken, LinkView>('POST', '/api/links/withdraw'),
  setUpCardByLink: endpoint<LinkToken, CardSetup>('POST', '/api/links/update-payment/setup'),
  saveCardByLink: endpoint<LinkToken & { setupIntentId: string }, CardSaved>('POST', '/api/links/update-payment'),
  createAccountByLink: endpoint<LinkToken & NewPassword, SignedIn>('POST', '/api/links/create-account'),
} as const

/** H-02: days in which a consumer in the EEA, the UK or Switzerland may withdraw without a reason. */
export const WITHDRAWAL_DAYS = 14
/** Days within which a request for money back is answered. */
export const ANSWER_DAYS = 3
/** Share of a session's audio that has to be played for it to count as listened. */
export const LISTENED_SHARE = 0.8
