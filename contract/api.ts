import type { Attribution } from './attribution.ts'
import type { AddOnId, ProductId, ReadingId, TrialId } from './catalogue.ts'
import { endpoint, type Endpoint } from './endpoint.ts'
import type { PaymentMessageCode } from './payment-messages.ts'
import type { ShownTerms } from './terms.ts'

/**
 * The API between the browser and the service: one row an endpoint. The site's client is built on it, the service's
 * parsers satisfy its types and /api/openapi.json is made from both. Ids in paths are written {sessionId}.
 */
export type { Endpoint } from './endpoint.ts'

/** What the browser learns at run time, so that ports, keys and regions are never baked into a build. */
export interface BrowserConfig {
  stripe: {
    publishableKey: string
    /** Where the payment script comes from; null = Stripe's own address. The embedded sandbox serves its stand-in. */
    scriptUrl: string | null
    paypal: boolean
    /** PayPal starts a trial at value 0 ('$0 today') instead of paying the tier price (P-06, C-14). */
    paypalSetup: boolean
  }
  /** Two-letter country from the CDN's header, null when unknown. */
  country: string | null
  /** Countries whose visitors are asked before anything is stored or sent for advertising or measurement. */
  consentRegions: readonly string[]
  /** Where the programme opens. */
  appUrl: string
  /** True when everything embedded runs (QA hints, test cards). */
  embedded: boolean
}

export interface SessionMetadata {
  userAgent?: string
  referrer?: string
  deviceType?: string
  browser?: string
  os?: string
  screenResolution?: string
  timezone?: string
  language?: string
}

export interface CreateSessionRequest {
  /** Made once by the browser (a UUID): the same key always answers with the same session (D-03). */
  clientKey: string
  landingUrl?: string
  attribution?: { first?: Attribution; last?: Attribution }
  metadata?: SessionMetadata
}
export interface CreateSessionResponse {
  sessionId: string
  created: boolean
}

/** D-08: one look at a page. Sent again with larger numbers when the page is left; the id makes both one row. */
export interface PageViewEvent {
  kind: 'page_view'
  /** UUIDv7, made by the browser. */
  id: string
  /** Path alone, ids of sessions taken out. */
  url: string
  title?: string
  /** 'Welcome' or the number of a quiz step. */
  step?: string
  /** Path of the page before on this site, or the origin of another one. */
  referrer?: string
  /** Whole seconds in which the page was visible. */
  seconds?: number
  /** Deepest scroll in percent. */
  scrollDepth?: number
  /** Clicks, taps and keys. */
  interactions?: number
}
export interface ActivityEvent {
  kind: 'activity'
  id: string
  /** snake_case; `checkout_opened`, `exit_intent` and `contact` also move the session on (D-09, T-03). */
  type: string
  /** Small and flat; never an answer. */
  data?: Readonly<Record<string, string | number | boolean | null>>
  url?: string
  title?: string
  /** Whole seconds. */
  duration?: number
}
export interface ErrorEvent {
  kind: 'error'
  id: string
  type: string
  message: string
  stack?: string
  url?: string
}
export type TrackEvent = PageViewEvent | ActivityEvent | ErrorEvent

/** One beacon. The session id stands in the body: addresses end up in logs. */
export interface TrackRequest {
  sessionId: string
  events: TrackEvent[]
  /** D-07: only what changed since the session was made. */
  metadata?: SessionMetadata
  /** L-06: a later touch than the one the session was made with. */
  attribution?: { first?: Attribution; last?: Attribution }
}
export interface TrackResponse {
  accepted: number
  /** What could not be taken, by its place in `events`, and why; the others are stored. */
  refused: { index: number; field: string }[]
}

export type ConsentKind = 'advertising' | 'analytics' | 'health'
/** Evidence: what was chosen, in which words, on which page. The time is the service's. */
export interface ConsentRequest {
  choices: { kind: ConsentKind; granted: boolean }[]
  wording: string
  version: string
  /** Path alone. */
  page: string
}

export interface HandoverResponse {
  /** Opens the session in one other browser, once, within ten minutes. */
  code: string
}
/** A hand-over code, or the token of a link in a mail. */
export interface OpenLinkRequest {
  code: string
}
export interface OpenLinkResponse {
  sessionId: string
  nextPage: NextPage
  /** The visit holds an address that this browser has not given: it is asked for anew before the visit goes on. */
  askEmail: boolean
}

/** Where a session stands; pages that do not fit it send the visitor on (C-02). */
export type NextPage = 'quiz' | 'checkout' | 'multi-upsell' | 'user-creation' | 'thank-you'

export interface SessionView {
  sessionId: string
  email: string | null
  name: string | null
  /** Decimal dollars, as `quiz_answers.selectedPrice`. */
  selectedPrice: number | null
  trialId: TrialId
  paymentStatus: 'unpaid' | 'paid'
  paymentMethodType: 'card' | 'paypal' | null
  hasCustomer: boolean
  upsellDone: boolean
  accountCreated: boolean
  nextPage: NextPage
}

export interface AnswerInput {
  questionId: string
  /** Encoded as Q-10 says. */
  answer: string
  /** When the visitor gave it, ISO 8601; the last one of a question wins. */
  answeredAt: string
}
export interface SaveAnswersRequest {
  answers: AnswerInput[]
}
export interface SaveAnswersResponse {
  saved: number
}
export interface AnswersView {
  answers: { questionId: string; answer: string; answeredAt: string }[]
}

export interface SetEmailRequest {
  email: string
}
export interface SetPriceRequest {
  selectedPrice: number
}
export interface CompleteQuizRequest {
  /** Whole seconds from the first step to passing step 32. */
  seconds: number
}
export interface Done {
  done: true
}

export interface CustomerRequest {
  email: string
  name?: string
}

export type PaymentMethodType = 'card' | 'paypal'
/** P-02: the payment result of the specification. Ids of customers and methods stay on the server. */
export interface PaymentResult {
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled'
    | 'requires_capture'
  paymentIntentId: string
  clientSecret: string
  paymentMethodType: PaymentMethodType
  message?: PaymentMessageCode
}

/** H-03: the terms in the words that stood beside the button, stored as evidence of what was agreed to. */
export interface AgreementText {
  words: string
  version: string
  /** Path alone. */
  page: string
}

/**
 * What every order carries: the figures that the page showed (`shownTerms`) and its words. Answers terms_changed with
 * the true figures where they are not what would be charged; nothing is opened then.
 */
export interface OrderEvidence {
  shown: ShownTerms
  agreement: AgreementText
}

export interface InitialPaymentRequest extends OrderEvidence {
  productId: ProductId
  paymentMethodType: PaymentMethodType
  /** C-11: counts only with a submitted order. */
  marketingConsent?: boolean
  /** C-11: the words beside the box and whether it was ticked before the visitor came; evidence with the consent. */
  marketing?: { wording: string; version: string; preticked: boolean }
}

export interface FinalizeRequest {
  paymentIntentId: string
}
export interface FinalizeResponse {
  /** pending: Stripe has not decided yet, or it took too long: ask GET …/payments/{id} again. */
  status: 'settled' | 'pending'
  productId: ProductId | null
  nextPage: NextPage
}

export interface PurchasedItem {
  productId: ProductId
  amount: number
  purchasedAt: string
  refundable: boolean
  /** H-05: until when the add-on can be taken back with a click; null when it cannot (any more). */
  undoUntil: string | null
  /** It was taken back and the refund is still on its way. */
  undoing: boolean
}

/** H-05: undone: refunded and closed; undoing: asked for in time, the refund follows by itself. */
export interface UndoResult {
  state: 'undone' | 'undoing' | 'unrefunded'
  productId: AddOnId
  /** What goes back, in cents. */
  amount: number
}
/**
 * H-05: what the link of a receipt would take back, shown before anything is done. Nulls: an address that is no link.
 */
export interface UndoLinkView {
  state: 'valid' | 'undone' | 'undoing' | 'unrefunded' | 'over' | 'invalid'
  productId: AddOnId | null
  amount: number | null
  undoUntil: string | null
}
export interface PurchasesView {
  email: string | null
  items: PurchasedItem[]
  /** The next full charge of the subscription, when there is one. */
  nextCharge: { amount: number; at: string } | null
  /** An add-on is being charged or taken back at this moment (another tab, or a page that was left): ask again. */
  upsellBusy: boolean
}

export interface SkipUpsellRequest {
  reason: 'skipped' | 'completed'
}

export interface UpsellRequest extends OrderEvidence {
  /** One add-on a call: several are charged one after the other (U-03). */
  productId: AddOnId
  /** 'paypal' pays this add-on by PayPal (paypal_redirect_immediate); left out: the saved method. */
  paymentMethodType?: PaymentMethodType
}
/** U-04: the result states of an add-on, as the specification names them. */
export interface UpsellResult {
  status:
    | 'succeeded'
    | 'processing'
    | 'requires_action'
    | 'requires_new_card'
    | 'requires_paypal_redirect'
    | 'paypal_redirect_immediate'
    | 'error'
  productId: AddOnId
  paymentIntentId: string | null
  /** For the steps that the browser has to finish (3-D Secure, a new card, PayPal). */
  clientSecret: string | null
  message?: PaymentMessageCode
  /** The payment provider's words for the buyer, for messages with {reason}. */
  reason?: string
}

export interface FinalizeSetupRequest {
  setupIntentId: string
}
export interface FinalizeSetupResponse {
  status: 'settled' | 'pending'
  /** Null while the subscription is still being made; the payment is safe then. */
  subscriptionId: string | null
  /** What was ordered; null while it is pending. */
  productId: ProductId | null
  nextPage: NextPage
}

export interface PaypalSetupRequest extends OrderEvidence {
  /** A trial: the set-up itself costs nothing (value 0). */
  productId: ProductId
  /** C-11, as with an initial payment. */
  marketingConsent?: boolean
  marketing?: { wording: string; version: string; preticked: boolean }
}

/** P-07: a return that lands in another browser proves itself once by the secret in its address. */
export interface ClaimReturnRequest {
  clientSecret: string
}
export interface ClaimReturnResponse {
  sessionId: string
  status: 'settled' | 'pending'
  /** What was ordered; null while it is pending. */
  productId: ProductId | null
  nextPage: NextPage
}

/** P-08: what add-ons can be charged to. Ids of customers and methods stay on the server. */
export interface PaymentContextView {
  email: string | null
  paymentMethodType: PaymentMethodType
  /** Whether one click charges it; a buyer who paid by PayPal first is asked for a card (U-06). */
  oneClick: boolean
}

/** P-09: the price of a product as it would be charged now. Amount in cents. */
export interface PriceView {
  productId: ProductId
  amount: number
  currency: string
  source: 'stripe' | 'fallback'
}

export interface CreateAccountRequest {
  password: string
  passwordConfirmation: string
}
export interface CreateAccountResponse {
  userId: string
  nextPage: NextPage
}

/** what the reading pages know of a session. Nulls: not there. */
export interface ReadingView {
  /** How many answers are saved. */
  answers: number
  /** The answer `personalInsight`, in lower case; any text, the pages know six. */
  insight: string | null
  /** The answer `birthDate` where it is a day: YYYY-MM-DD. */
  birthDate: string | null
  /** The starseed_* fields of the session, as the results screen wrote them. */
  starseed: { type: string; name: string; description: string } | null
  /** The reading that this session paid for. */
  bought: ReadingId | null
}
/** The title and text that the results screen showed; its insight is the saved answer. */
export interface SaveReadingRequest {
  name: string
  description: string
}

export const api = {
  config: endpoint<void, BrowserConfig>('GET', '/api/config'),
  createSession: endpoint<CreateSessionRequest, CreateSessionResponse>('POST', '/api/sessions'),
  session: endpoint<void, SessionView>('GET', '/api/sessions/{sessionId}'),
  saveAnswers: endpoint<SaveAnswersRequest, SaveAnswersResponse>('POST', '/api/sessions/{sessionId}/answers'),
  answers: endpoint<void, AnswersView>('GET', '/api/sessions/{sessionId}/answers'),
  setSessionEmail: endpoint<SetEmailRequest, Done>('PUT', '/api/sessions/{sessionId}/email'),
  setPaymentsEmail: endpoint<SetEmailRequest, Done>('PUT', '/api/sessions/{sessionId}/payments/email'),
  setUsersEmail: endpoint<SetEmailRequest, Done>('PUT', '/api/sessions/{sessionId}/users/email'),
  setPrice: endpoint<SetPriceRequest, Done>('PUT', '/api/sessions/{sessionId}/price'),
  completeQuiz: endpoint<CompleteQuizRequest, Done>('PUT', '/api/sessions/{sessionId}/completion'),
  customer: endpoint<CustomerRequest, Done>('POST', '/api/sessions/{sessionId}/customer'),
  initialPayment: endpoint<InitialPaymentRequest, PaymentResult>('POST', '/api/sessions/{sessionId}/payments/initial'),
  finalizePayment: endpoint<FinalizeRequest, FinalizeResponse>('POST', '/api/sessions/{sessionId}/payments/finalize'),
  payment: endpoint<void, FinalizeResponse>('GET', '/api/sessions/{sessionId}/payments/{paymentIntentId}'),
  purchases: endpoint<void, PurchasesView>('GET', '/api/sessions/{sessionId}/purchases'),
  finishUpsell: endpoint<SkipUpsellRequest, FinalizeResponse>('POST', '/api/sessions/{sessionId}/upsell/finish'),
  chargeUpsell: endpoint<UpsellRequest, UpsellResult>('POST', '/api/sessions/{sessionId}/upsells'),
  undoUpsell: endpoint<void, UndoResult>('POST', '/api/sessions/{sessionId}/upsells/{productId}/undo'),
  undoLink: endpoint<{ token: string }, UndoLinkView>('POST', '/api/links/undo-add-on/view'),
  undoByLink: endpoint<{ token: string }, UndoResult>('POST', '/api/links/undo-add-on'),
  paypalSetup: endpoint<PaypalSetupRequest, PaymentResult>('POST', '/api/sessions/{sessionId}/paypal/setup'),
  claimReturn: endpoint<ClaimReturnRequest, ClaimReturnResponse>('POST', '/api/payment-returns'),
  paymentContext: endpoint<void, PaymentContextView>('GET', '/api/sessions/{sessionId}/payment-context'),
  price: endpoint<void, PriceView>('GET', '/api/prices/{productId}'),
  finalizePaypalSetup: endpoint<FinalizeSetupRequest, FinalizeSetupResponse>(
    'POST',
    '/api/sessions/{sessionId}/paypal/setup/finalize',
  ),
  createAccount: endpoint<CreateAccountRequest, CreateAccountResponse>('POST', '/api/sessions/{sessionId}/account'),
  reading: endpoint<void, ReadingView>('GET', '/api/sessions/{sessionId}/reading'),
  track: endpoint<TrackRequest, TrackResponse>('POST', '/api/track'),
  recordConsent: endpoint<ConsentRequest, Done>('POST', '/api/sessions/{sessionId}/consents'),
  handover: endpoint<void, HandoverResponse>('POST', '/api/sessions/{sessionId}/handover'),
  resumeLink: endpoint<void, Done>('POST', '/api/sessions/{sessionId}/resume-link'),
  openLink: endpoint<OpenLinkRequest, OpenLinkResponse>('POST', '/api/session-links'),
  saveReading: endpoint<SaveReadingRequest, Done>('PUT', '/api/sessions/{sessionId}/reading'),
} as const

export type Api = typeof api
export type ApiName = keyof Api
export type RequestOf<N extends ApiName> = Api[N] extends Endpoint<infer Request, unknown> ? Request : never
export type ResponseOf<N extends ApiName> = Api[N] extends Endpoint<infer _, infer Response> ? Response : never

/** The path of an endpoint with its {parameters} filled in and escaped. Throws when one is missing. */
export function pathOf(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (!value) throw new TypeError(`the path ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
