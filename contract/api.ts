import type { EndpointName } from './api/shapes.ts'
import { endpoint, type Endpoint } from './endpoint.ts'

/**
 * The endpoints of the API that the funnel's pages call. Requests and answers are defined in api/shapes.ts; only types
 * come from there, because browsers load this file. Ids in paths are written {sessionId}.
 */
export type { RequestOf, ResponseOf } from './api/shapes.ts'
export type { Done, PaymentMethodType } from './api/parts.ts'
export type * from './api/add-ons.ts'
export type * from './api/exit.ts'
export type * from './api/order.ts'
export type * from './api/payment.ts'
export type * from './api/reading.ts'
export type * from './api/site.ts'
export type * from './api/tracking.ts'
export type * from './api/visit.ts'

export const api = {
  config: endpoint('GET', '/api/config'),
  createSession: endpoint('POST', '/api/sessions'),
  session: endpoint('GET', '/api/sessions/{sessionId}'),
  saveAnswers: endpoint('POST', '/api/sessions/{sessionId}/answers'),
  answers: endpoint('GET', '/api/sessions/{sessionId}/answers'),
  setSessionEmail: endpoint('PUT', '/api/sessions/{sessionId}/email'),
  setPaymentsEmail: endpoint('PUT', '/api/sessions/{sessionId}/payments/email'),
  setUsersEmail: endpoint('PUT', '/api/sessions/{sessionId}/users/email'),
  setPrice: endpoint('PUT', '/api/sessions/{sessionId}/price'),
  completeQuiz: endpoint('PUT', '/api/sessions/{sessionId}/completion'),
  customer: endpoint('POST', '/api/sessions/{sessionId}/customer'),
  initialPayment: endpoint('POST', '/api/sessions/{sessionId}/payments/initial'),
  finalizePayment: endpoint('POST', '/api/sessions/{sessionId}/payments/finalize'),
  payment: endpoint('GET', '/api/sessions/{sessionId}/payments/{paymentIntentId}'),
  purchases: endpoint('GET', '/api/sessions/{sessionId}/purchases'),
  finishUpsell: endpoint('POST', '/api/sessions/{sessionId}/upsell/finish'),
  chargeUpsell: endpoint('POST', '/api/sessions/{sessionId}/upsells'),
  undoUpsell: endpoint('POST', '/api/sessions/{sessionId}/upsells/{productId}/undo'),
  undoLink: endpoint('POST', '/api/links/undo-add-on/view'),
  undoByLink: endpoint('POST', '/api/links/undo-add-on'),
  paypalSetup: endpoint('POST', '/api/sessions/{sessionId}/paypal/setup'),
  claimReturn: endpoint('POST', '/api/payment-returns'),
  paymentContext: endpoint('GET', '/api/sessions/{sessionId}/payment-context'),
  price: endpoint('GET', '/api/prices/{productId}'),
  finalizePaypalSetup: endpoint('POST', '/api/sessions/{sessionId}/paypal/setup/finalize'),
  createAccount: endpoint('POST', '/api/sessions/{sessionId}/account'),
  reading: endpoint('GET', '/api/sessions/{sessionId}/reading'),
  track: endpoint('POST', '/api/track'),
  recordConsent: endpoint('POST', '/api/sessions/{sessionId}/consents'),
  handover: endpoint('POST', '/api/sessions/{sessionId}/handover'),
  resumeLink: endpoint('POST', '/api/sessions/{sessionId}/resume-link'),
  openLink: endpoint('POST', '/api/session-links'),
  leave: endpoint('POST', '/api/exit'),
  exitLink: endpoint('POST', '/api/exit/view'),
  takeExitBack: endpoint('POST', '/api/exit/take-back'),
  saveReading: endpoint('PUT', '/api/sessions/{sessionId}/reading'),
} as const satisfies Partial<Record<EndpointName, Endpoint>>

export type ApiName = keyof typeof api

/** The path of an endpoint with its {parameters} filled in and escaped. Throws when one is missing. */
export function pathOf(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (!value) throw new TypeError(`the path ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
