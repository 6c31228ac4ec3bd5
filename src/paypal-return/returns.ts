import { product, resolveProductId } from '../../contract/catalogue.ts'
import type { PaymentMessageCode } from '../../contract/payment-messages.ts'
import { isSessionId, sessionIdInPath } from '../session/id.ts'
import { asRecord } from '../session/storage.ts'

/**
 * P-07: returns from PayPal, as pure rules: what an address says, what it lacks, and where each kind of return leads
 * when something is wrong.
 */
export type ReturnKind = 'standard' | 'special-offer' | 'trial' | 'setup' | 'upsell'

export const ERROR_WAIT_MS = 3_000

export interface ReturnPlan {
  kind: ReturnKind
  /** Null on the standard return in a browser without a session: the secret then identifies it. */
  sessionId: string | null
  /** pi_… or seti_… */
  intentId: string
  clientSecret: string
}

/** What is wrong with an address, or with what Stripe says about it. */
export type ReturnProblem =
  'reference' | 'session' | 'provider' | 'retrieve' | 'incomplete' | 'failed' | 'customer' | 'unexpected'

export type ReturnReading = { plan: ReturnPlan } | { problem: ReturnProblem; kind: ReturnKind }

export function kindOfReturn(pathname: string): ReturnKind {
  if (pathname.startsWith('/special-offer-paypal-return')) return 'special-offer'
  if (pathname.startsWith('/paypal-setup-return')) return 'setup'
  if (pathname.startsWith('/paypal-trial-return')) return 'trial'
  if (pathname.startsWith('/upsell-paypal-return')) return 'upsell'
  return 'standard'
}

/**
 * Reads a return address; `stored` is the session this browser holds (the standard return carries no id in its path).
 */
export function readReturn(pathname: string, search: string, stored: string | null): ReturnReading {
  const kind = kindOfReturn(pathname)
  const query = new URLSearchParams(search)
  const name = kind === 'setup' ? 'setup_intent' : 'payment_intent'
  const clientSecret = query.get(`${name}_client_secret`) ?? ''
  const intentId = query.get(name) ?? clientSecret.split('_secret')[0] ?? ''
  const given = query.get('session_id')
  const sessionId = sessionIdInPath(pathname) ?? (isSessionId(given) ? given : stored)
  if (!intentId || !clientSecret) return { problem: 'reference', kind }
  if (!sessionId && kind !== 'standard') return { problem: 'session', kind }
  // a refusal by PayPal comes back as redirect_status=failed; except for set-ups, Stripe is asked for the true status
  if (kind === 'setup' && query.get('redirect_status') !== 'succeeded') return { problem: 'incomplete', kind }
  return { plan: { kind, sessionId, intentId, clientSecret } }
}

/** A plan as this tab kept it for a reload of the same page; undefined when it is not one. */
export function asPlan(value: unknown, pathname: string): ReturnPlan | undefined {
  const { pathname: of, kind, sessionId, intentId, clientSecret } = asRecord(value) ?? {}
  const expected = kindOfReturn(pathname)
  if (of !== pathname || kind !== expected) return undefined
  if (!isText(intentId) || !isText(clientSecret)) return undefined
  if (sessionId === null && expected === 'standard') return { kind: expected, sessionId, intentId, clientSecret }
  return isText(sessionId) && isSessionId(sessionId) ? { kind: expected, sessionId, intentId, clientSecret } : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The message of a problem on the setup return; the trial return uses PayPal's own (sections 4 and 8). */
export const SETUP_MESSAGES: Readonly<Record<ReturnProblem, PaymentMessageCode>> = {
  provider: 'setup_load_failed',
  incomplete: 'setup_incomplete',
  reference: 'setup_information_missing',
  retrieve: 'setup_retrieve_failed',
  failed: 'setup_failed_status',
  session: 'setup_session_missing',
  customer: 'setup_customer_missing',
  unexpected: 'setup_unexpected',
}

/** What happens on a problem: a message and then /, or directly to another page. */
export function onProblem(
  kind: ReturnKind,
  problem: ReturnProblem,
): { go: '/' | '/payment-error' } | { say: PaymentMessageCode } {
  if (kind === 'setup') return { say: SETUP_MESSAGES[problem] }
  if (kind === 'trial') return { say: problem === 'session' ? 'setup_session_missing' : 'paypal_failed' }
  return { go: problem === 'reference' || problem === 'session' || problem === 'provider' ? '/' : '/payment-error' }
}

/** The address of a return without its secrets: they leave the address bar at once. */
export function withoutSecrets(pathname: string, search: string): string {
  const query = new URLSearchParams(search)
  for (const key of [...query.keys()]) if (/secret|intent|redirect_status|PayerID|token/i.test(key)) query.delete(key)
  const text = query.toString()
  return `${pathname}${text ? `?${text}` : ''}`
}

/** U-06, U-10: the parts of /upsell-paypal-return/{sessionId}/{paymentIntentId}/{productId}. */
export function readUpsellReturn(
  pathname: string,
): { sessionId: string; paymentIntentId: string; productId: string } | undefined {
  const [, , sessionId, paymentIntentId, given] = pathname.split('/')
  const productId = given ? resolveProductId(decodeURIComponent(given)) : undefined
  if (!isSessionId(sessionId) || !paymentIntentId?.startsWith('pi_') || !productId) return undefined
  const { kind } = product(productId)
  return kind === 'bundle' || kind === 'guide' ? { sessionId, paymentIntentId, productId } : undefined
}
