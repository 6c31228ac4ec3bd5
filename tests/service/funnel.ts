/** The service with its workers, the embedded Stripe and its webhooks; a buyer who pays as a page would. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProductId } from '../../contract/catalogue.ts'
import { setUpCatalogue } from '../../payments-service/stripe/setup.ts'
import { startSandbox } from '../../stand-ins/stripe/sandbox.ts'
import { orderOf } from '../support/order.ts'
import { Browser, environment, type Reply, type RunningService, startService, WEBHOOK_SECRET } from './service.ts'
import { paypalForm } from '../support/paypal-form.ts'

export interface Totals {
  charges_succeeded: number
  charges_failed: number
  amount: number
  refunded: number
  customers: number
  subscriptions: number
  live_subscriptions: number
  events: number
  undelivered: number
}

export interface Funnel extends RunningService {
  stripeUrl: string
  /** The sandbox's control API: clock, faults, webhooks, objects. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the control API says
  control(method: string, path: string, body?: unknown): Promise<any>
  totals(): Promise<Totals>
  /** From here on events asked for fail: only webhooks tell the service what happens at Stripe. */
  stopPolling(): Promise<void>
  /** Nor does a webhook come: the service hears nothing of Stripe. */
  silence(): Promise<void>
  /** Ends both, and every other fault of the sandbox. */
  hear(): Promise<void>
  /** A page confirms an intent with a test method, as Stripe.js does. */
  confirm(result: { paymentIntentId: string; clientSecret: string }, method?: string): Promise<Reply>
  /** The card form of an add-on: the card is kept for the rest of the order. */
  typeCard(result: { paymentIntentId: string; clientSecret: string }, method?: string): Promise<Reply>
  /** A page confirms with PayPal and the buyer answers on PayPal's page. */
  paypal(
    result: { paymentIntentId: string; clientSecret: string },
    answer?: 'complete' | 'complete_once' | 'cancel' | 'fail',
  ): Promise<Reply>
  /** The buyer answers the 3-D Secure dialog. */
  authenticate(result: { paymentIntentId: string; clientSecret: string }, answer: 'complete' | 'fail'): Promise<Reply>
  /** A call to Stripe's API with the secret key (what an operator does in the dashboard). */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Stripe's objects
  dashboard(method: string, path: string, form?: Record<string, string>): Promise<any>
  /** `country`, `region`: as the proxy in front names them. */
  buyer(email?: string, country?: string, region?: string): Promise<Buyer>
}

export interface Buyer {
  browser: Browser
  sessionId: string
  path(rest: string): string
  open(productId?: ProductId, method?: 'card' | 'paypal'): Promise<Reply>
  finalize(id: string): Promise<Reply>
  /** Opens, confirms and finalizes; returns the intent's id. */
  pay(productId?: ProductId, card?: string): Promise<string>
}

/** The row of the subscription of a buyer who has had one. Throws where there is none. */
export const subscriptionRow = ({ db }: Pick<Funnel, 'db'>, { sessionId }: Pick<Buyer, 'sessionId'>) =>
  db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).executeTakeFirstOrThrow()

/** A buyer's payments in the order in which they settled. Stripe's moments are whole seconds. */
export const paymentsOf = ({ db }: Pick<Funnel, 'db'>, { sessionId }: Pick<Buyer, 'sessionId'>) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('settled_at')
    .orderBy('created_at')
    .execute()

/** What was charged to a buyer who has had a subscription, in cents, newest first. */
export async function chargedTo(funnel: Pick<Funnel, 'db' | 'dashboard'>, buyer: Buyer): Promise<number[]> {
  const { stripe_customer_id: customer } = await subscriptionRow(funnel, buyer)
  const { data } = await funnel.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  return (data as { amount: number; status: string }[])
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount }) => amount)
}

/** The add-ons that a buyer may open, by id in alphabetical order. */
export const ownedAddOns = async ({ db }: Pick<Funnel, 'db'>, { sessionId }: Pick<Buyer, 'sessionId'>) => {
  const grants = await db
    .selectFrom('product_access_grants')
    .select('product_id')
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('granted_via', '=', 'upsell')
    .orderBy('product_id')
    .execute()
  return grants.map(({ product_id: id }) => id)
}

export interface FunnelOptions {
  webhooks?: boolean
  background?: boolean
  env?: Record<string, string>
  databaseUrl?: string
}

export async function startFunnel(options: FunnelOptions = {}): Promise<Funnel> {
  const server = createServer()
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = environment()
  const dataDir = mkdtempSync(join(tmpdir(), 'funnel-stripe-'))
  const sandbox = await startSandbox({
    port: 0,
    dataDir,
    secretKey: env['STRIPE_SECRET_KEY'] ?? '',
    publishableKey: env['STRIPE_PUBLISHABLE_KEY'] ?? '',
    ...(options.webhooks === false ? {} : { webhookUrl: `${base}/api/webhooks/stripe`, webhookSecret: WEBHOOK_SECRET }),
  })
  const running = await startService({
    env: { STRIPE_API_BASE: sandbox.url, ...options.env },
    background: false,
    server,
    ...(options.databaseUrl ? { databaseUrl: options.databaseUrl } : {}),
  })
  await setUpCatalogue(running.config.stripe)
  if (options.background !== false) running.service.startWorkers()

  const call = async (key: string, method: string, path: string, form: Record<string, string>): Promise<Reply> => {
    const text = new URLSearchParams(form).toString()
    const reply = await fetch(`${sandbox.url}${path}${method === 'GET' && text ? `?${text}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      ...(method === 'GET' ? {} : { body: text }),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }

  const page = (path: string, form: Record<string, string>): Promise<Reply> =>
    call(env['STRIPE_PUBLISHABLE_KEY'] ?? '', 'POST', path, form)

  const funnel: Funnel = {
    ...running,
    stripeUrl: sandbox.url,
    async control(method, path, body) {
      const reply = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return reply.json()
    },
    totals: () => funnel.control('GET', 'totals'),
    async stopPolling() {
      const events = { method: 'GET', path: '/v1/events', from: 'server' }
      await funnel.control('POST', 'faults', { ...events, mode: '500', times: 1_000_000 })
    },
    async silence() {
      await funnel.stopPolling()
      await funnel.control('POST', 'webhooks', { mode: 'lost' })
    },
    async hear() {
      await funnel.control('DELETE', 'faults')
      await funnel.control('POST', 'webhooks', { mode: 'normal' })
    },
    confirm: ({ paymentIntentId, clientSecret }, method = 'pm_card_visa') =>
      call(env['STRIPE_PUBLISHABLE_KEY'] ?? '', 'POST', `/_stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
        client_secret: clientSecret,
        payment_method: method,
      }),
    typeCard: ({ paymentIntentId, clientSecret }, method = 'pm_card_visa') =>
      page(`/_stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
        client_secret: clientSecret,
        payment_method: method,
        setup_future_usage: 'on_session',
      }),
    async paypal({ paymentIntentId, clientSecret }, answer = 'complete') {
      const kind = paymentIntentId.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
      const confirmed = await page(`/_stripe/v1/${kind}/${paymentIntentId}/confirm`, {
        client_secret: clientSecret,
        ...paypalForm('http://127.0.0.1:4321/paypal-trial-return/x'),
      })
      if (confirmed.status !== 200) throw new Error(`PayPal refused: ${JSON.stringify(confirmed.body)}`)
      return page('/_stripe/answer', { intent: paymentIntentId, client_secret: clientSecret, answer })
    },
    authenticate: ({ paymentIntentId, clientSecret }, answer) =>
      page('/_stripe/answer', { intent: paymentIntentId, client_secret: clientSecret, answer }),
    dashboard: async (method, path, form = {}) => (await call(env['STRIPE_SECRET_KEY'] ?? '', method, path, form)).body,
    buyer: (email, country, region) => newBuyer(funnel, email, country, region),
    async stop() {
      await running.stop()
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return funnel
}

/** A visitor with an address (none for `''`) who can pay as a page would. */
async function newBuyer(
  funnel: Pick<Funnel, 'url' | 'confirm'>,
  email = `buyer-${crypto.randomUUID().slice(0, 8)}@example.com`,
  country?: string,
  region?: string,
): Promise<Buyer> {
  const browser = new Browser(funnel.url)
  if (country) browser.headers['x-country-code'] = country
  if (region) browser.headers['x-region-code'] = region
  const sessionId = await browser.visit()
  if (email) await browser.put(`/api/sessions/${sessionId}/email`, { email })
  const path = (rest: string) => `/api/sessions/${sessionId}${rest}`
  const buyer: Buyer = {
    browser,
    sessionId,
    path,
    open: (productId = 'trial_1', paymentMethodType = 'card') =>
      browser.post(path('/payments/initial'), orderOf(productId, { paymentMethodType })),
    finalize: (paymentIntentId) => browser.post(path('/payments/finalize'), { paymentIntentId }),
    async pay(productId = 'trial_1', card = 'pm_card_visa') {
      const opened = await buyer.open(productId)
      if (opened.status !== 200) throw new Error(`not opened: ${JSON.stringify(opened.body)}`)
      const confirmed = await funnel.confirm(opened.body, card)
      if (confirmed.status !== 200) throw new Error(`not confirmed: ${JSON.stringify(confirmed.body)}`)
      const settled = await buyer.finalize(opened.body.paymentIntentId)
      if (settled.status !== 200) throw new Error(`not settled: ${JSON.stringify(settled.body)}`)
      return opened.body.paymentIntentId as string
    },
  }
  return buyer
}
