/** A simulated buyer: does what the pages do, and tries again where a browser or its owner would. */
import type { AddOnId, ProductId } from '../../contract/catalogue.ts'
import { orderOf, setupOf } from '../support/order.ts'
import { pause, type Random } from './random.ts'
import type { World } from './world.ts'
import { paypalForm } from '../support/paypal-form.ts'

export interface Reply {
  status: number
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer is whatever the case makes of it
  body: any
  milliseconds: number
}

export interface Sending {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

export type Way = 'card' | 'paypal' | 'setup'
export interface Opened {
  paymentIntentId: string
  clientSecret: string
}

/** Longer than any outage of a case: a buyer who gives up would hide a failure. */
const PATIENCE = 240_000
/** A browser gives up on a connection that never answers; the service promises an answer within 35 s. */
const ONE_CALL = 36_000

/** The innermost reason of a request that broke: fetch itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return (error as NodeJS.ErrnoException).code ?? error.message
}

export class Buyer {
  readonly world: World
  email: string
  /** What its network adds to every request: a country, as a CDN says it. */
  headers: Record<string, string> = {}
  readonly cookies = new Map<string, string>()
  /** Where its requests go: the balancer, or one replica. */
  base: string
  sessionId = ''
  /** Intents that the service reported as settled. */
  readonly acknowledged: string[] = []
  /** Answers and address that the service confirmed it had saved. */
  readonly saved: { questionId: string; answer: string }[] = []
  slowest = 0
  private readonly random: Random
  address: string
  private readonly clientKey: string

  constructor(world: World, random: Random, base = world.url) {
    this.world = world
    this.random = random
    this.base = base
    const part = () => random.below(256)
    this.address = `10.${part()}.${part()}.${part()}`
    this.clientKey = crypto.randomUUID()
    this.email = `buyer-${this.clientKey.slice(0, 8)}@example.com`
  }

  path = (rest: string) => `/api/sessions/${this.sessionId}${rest}`

  /** How a request is sent. */
  protected ask(url: string, init: Sending): Promise<Response> {
    return fetch(url, init)
  }

  /** One request. Throws when the connection breaks or nothing comes in time. */
  async once(method: string, path: string, body?: unknown): Promise<Reply> {
    const started = performance.now()
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.ask(this.base + path, {
      method,
      headers: {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1',
        'x-forwarded-for': this.address,
        ...this.headers,
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ONE_CALL),
    })
    const text = await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const milliseconds = performance.now() - started
    this.slowest = Math.max(this.slowest, milliseconds)
    return { status: response.status, body: text ? JSON.parse(text) : undefined, milliseconds }
  }

  /** Retries while the service is unavailable (no connection, 5xx, 429), as the pages and their users do. */
  async call(method: string, path: string, body?: unknown): Promise<Reply> {
    // how often each thing went wrong, for the reader of the run
    const seen: Record<string, number> = {}
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(50 + this.random.below(200))) {
      let went: string
      try {
        const reply = await this.once(method, path, body)
        if (reply.status < 500 && reply.status !== 429) return reply
        went = `${reply.status} ${reply.body?.error?.code}`
      } catch (error) {
        went = reasonOf(error)
      }
      seen[went] = (seen[went] ?? 0) + 1
    }
    throw new Error(`${method} ${path.replace(this.sessionId, '…')}: no answer in ${PATIENCE / 1000} s`, {
      cause: seen,
    })
  }

  private async must(method: string, path: string, body?: unknown): Promise<Reply['body']> {
    const reply = await this.call(method, path, body)
    if (reply.status >= 400)
      throw new Error(`${method} ${path.replace(this.sessionId, '…')}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** From the landing page to the checkout: session, answers, address, customer. */
  async arrive(): Promise<void> {
    this.sessionId = (await this.must('POST', '/api/sessions', { clientKey: this.clientKey })).sessionId
    await this.answer('symptoms', 'Dryness,Redness')
    await this.must('PUT', this.path('/email'), { email: this.email })
    await this.must('POST', this.path('/customer'), { email: this.email, name: 'Bea Buyer' })
  }

  /** A session with an address and no answers. */
  async visit(metadata: { timezone?: string } = {}): Promise<void> {
    this.sessionId = (await this.must('POST', '/api/sessions', { clientKey: this.clientKey, metadata })).sessionId
    await this.must('PUT', this.path('/email'), { email: this.email })
  }

  async answer(questionId: string, answer: string): Promise<void> {
    const answers = [{ questionId, answer, answeredAt: new Date().toISOString() }]
    await this.must('POST', this.path('/answers'), { answers })
    this.saved.push({ questionId, answer })
  }

  /** Opens the first payment; null when it has already been paid. */
  async open(productId: ProductId, way: Way = 'card'): Promise<Opened | null> {
    const reply =
      way === 'setup'
        ? await this.call('POST', this.path('/paypal/setup'), setupOf(productId))
        : await this.call('POST', this.path('/payments/initial'), orderOf(productId, { paymentMethodType: way }))
    if (reply.status === 200) return reply.body as Opened
    if (reply.body?.error?.code === 'already_paid') return null
    throw new Error(`not opened: ${reply.status} ${JSON.stringify(reply.body)}`)
  }

  /** The page confirms with a test card or PayPal: Stripe's answer, as Stripe.js receives it. */
  async confirmation(
    { paymentIntentId, clientSecret }: Opened,
    way: Way = 'card',
    card = 'pm_card_visa',
  ): Promise<Reply['body']> {
    const { stripe } = this.world
    const kind = paymentIntentId.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
    const method = way === 'card' ? { payment_method: card } : paypalForm('http://127.0.0.1:4321/x')
    const confirmed = await stripe('page', 'POST', `/_stripe/v1/${kind}/${paymentIntentId}/confirm`, {
      client_secret: clientSecret,
      ...method,
    })
    if (confirmed.body.status !== 'requires_action' || way === 'card') return confirmed.body
    const answered = await stripe('page', 'POST', '/_stripe/answer', {
      intent: paymentIntentId,
      client_secret: clientSecret,
      answer: 'complete',
    })
    return answered.body
  }

  /**
   * The page confirms with a test card, or the buyer approves on PayPal's page. Returns Stripe's status of the intent.
   */
  async confirm(opened: Opened, way: Way = 'card', card = 'pm_card_visa'): Promise<string> {
    const { status, error } = await this.confirmation(opened, way, card)
    return status ?? error?.payment_intent?.status ?? `refused: ${error?.message}`
  }

  /** Leaves the 3-D Secure dialog. */
  async authenticate({ paymentIntentId, clientSecret }: Opened, answer: 'complete' | 'fail'): Promise<void> {
    await this.world.stripe('page', 'POST', '/_stripe/answer', {
      intent: paymentIntentId,
      client_secret: clientSecret,
      answer,
    })
  }

  /** Asks until the payment is settled. */
  async finalize(id: string): Promise<void> {
    const setup = id.startsWith('seti_')
    const post = () =>
      setup
        ? this.call('POST', this.path('/paypal/setup/finalize'), { setupIntentId: id })
        : this.call('POST', this.path('/payments/finalize'), { paymentIntentId: id })
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(250)) {
      const reply = await post()
      if (reply.status === 200) {
        this.acknowledged.push(id)
        return
      }
      if (reply.status !== 202) throw new Error(`not settled: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
    throw new Error('pending for ever')
  }

  /** Opens, confirms, finalizes. A reload in between opens again, as a page would. */
  async pay(productId: ProductId, way: Way = 'card', card = 'pm_card_visa'): Promise<string | null> {
    const opened = await this.open(productId, way)
    if (!opened) return null
    const status = await this.confirm(opened, way, card)
    if (status === 'requires_action') await this.authenticate(opened, 'complete')
    await this.finalize(opened.paymentIntentId)
    return opened.paymentIntentId
  }

  /** Buys one add-on with the saved card; a card that wants 3-D Secure is completed. Returns the last answer. */
  async upsell(productId: AddOnId): Promise<Reply['body']> {
    for (let round = 0; round < 20; round++, await pause(100)) {
      const body = await this.must('POST', this.path('/upsells'), orderOf(productId))
      if (body.status === 'succeeded') {
        this.acknowledged.push(body.paymentIntentId)
        return body
      }
      if (body.status === 'requires_action') await this.authenticate(body, 'complete')
      else if (body.status === 'requires_paypal_redirect') await this.confirm(body, 'card')
      else if (body.status !== 'processing') return body
    }
    throw new Error('the add-on never came to an end')
  }
}
