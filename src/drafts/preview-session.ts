import type {
  BrowserConfig,
  PaymentContextView,
  PriceView,
  PurchasesView,
  ReadingView,
  SessionView,
} from '../../contract/api.ts'
import { DEFAULT_TRIAL, product, resolveProductId } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import type { ErrorBody } from '../../contract/api/error.ts'

/**
 * The answers that the draft deployment's pages get instead of the payments service's: a session called 'preview' in
 * whatever state the page needs, so that an editor sees every page and nothing is ever bought or stored. Pure.
 */
export const PREVIEW_SESSION = 'preview'

export interface Answer {
  status: number
  body: unknown
}

/** `page` is the path of the page that asks. */
export function previewAnswer(method: string, path: string, page: string): Answer {
  const ok = (body: unknown): Answer => ({ status: 200, body })
  if (path === '/api/config') return ok(config)
  if (path === '/api/sessions') return ok({ sessionId: PREVIEW_SESSION, created: true })
  const priced = resolveProductId(/^\/api\/prices\/(\w+)$/.exec(path)?.[1] ?? '')
  if (priced) {
    return ok({
      productId: priced,
      amount: product(priced).price,
      currency: CURRENCY,
      source: 'fallback',
    } satisfies PriceView)
  }
  const part = new RegExp(`^/api/sessions/${PREVIEW_SESSION}(/.*)?$`).exec(path)
  if (part && method === 'GET') {
    if (part[1] === undefined) return ok(sessionFor(page))
    if (part[1] === '/answers') return ok({ answers: [] })
    if (part[1] === '/purchases') return ok(purchases)
    if (part[1] === '/payment-context') return ok(paymentContext)
    if (part[1] === '/reading') return ok(reading)
  }
  const pays = /\/(payments\/(initial|finalize)|customer|upsells|paypal|account)/.test(path)
  // what a visitor's browser only reports is accepted and discarded
  if (method !== 'GET' && !pays) return ok({ done: true, saved: 0 })
  const error: ErrorBody = {
    error: pays
      ? { code: 'service_unavailable', message: 'This is the preview of a draft: nothing can be bought here.' }
      : { code: 'not_found', message: 'There is nothing here.' },
  }
  return { status: pays ? 503 : 404, body: error }
}

const config: BrowserConfig = {
  stripe: { publishableKey: '', scriptUrl: null, paypal: false, paypalSetup: false },
  country: 'US',
  taxIncluded: null,
  consentRegions: [],
  appUrl: '/app/',
  embedded: true,
}

/** Paid on the pages after the payment, unpaid before, so that no page redirects. */
function sessionFor(page: string): SessionView {
  const name = page.split('/')[1] ?? ''
  const paid = ['multi-upsell', 'user-creation', 'thank-you'].includes(name)
  return {
    sessionId: PREVIEW_SESSION,
    email: 'reader@example.com',
    name: null,
    selectedPrice: null,
    trialId: DEFAULT_TRIAL,
    paymentStatus: paid ? 'paid' : 'unpaid',
    paymentMethodType: paid ? 'card' : null,
    hasCustomer: paid,
    upsellDone: name === 'user-creation' || name === 'thank-you',
    accountCreated: name === 'thank-you',
    nextPage: name === 'multi-upsell' || name === 'user-creation' || name === 'thank-you' ? name : 'checkout',
  }
}

const purchases: PurchasesView = {
  email: 'reader@example.com',
  items: [
    {
      productId: DEFAULT_TRIAL,
      amount: product(DEFAULT_TRIAL).price,
      purchasedAt: '2026-01-01T12:00:00.000Z',
      refundable: true,
      undoSeconds: null,
      undoing: false,
    },
  ],
  nextCharge: { amount: product('monthly').price, at: '2026-01-08T12:00:00.000Z' },
  upsellBusy: false,
}

const paymentContext: PaymentContextView = {
  email: 'reader@example.com',
  paymentMethodType: 'card',
  oneClick: true,
  paidWith: { type: 'card', brand: 'visa', last4: '4242', expires: '12/34' },
  methodName: 'Visa ending in 4242',
}

const reading: ReadingView = { answers: 12, insight: 'calm', birthDate: '1960-05-04', starseed: null, bought: null }
