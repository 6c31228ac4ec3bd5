// The object that `Stripe(key)` returns.
import { PageApi, pathOf, type Answer, type IntentObject, type StripeError } from './api.ts'
import { authenticate } from './dialog.ts'
import { ElementsGroup, type GroupOptions } from './elements.ts'
import { StandInElement } from './element.ts'
import { type ExpressCheckoutElement } from './express-checkout.ts'

type Params = Record<string, unknown>
export interface IntentResult {
  paymentIntent?: IntentObject
  setupIntent?: IntentObject
  error?: StripeError
}

const never = new Promise<never>(() => {})
const asResult = (intent: IntentObject): IntentResult =>
  intent.object === 'setup_intent' ? { setupIntent: intent } : { paymentIntent: intent }

function amountOf(intent: IntentObject): string {
  const { amount, currency } = intent as { amount?: number; currency?: string }
  return amount === undefined || currency === undefined
    ? 'Card set-up'
    : `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`
}

/** A group made without an intent has to be what its intent is (docs: accept a payment, collect details first). */
function mismatch(options: GroupOptions, intent: IntentObject): StripeError | undefined {
  const wanted: [name: string, here: unknown, there: unknown][] = [
    ['amount', options.amount, intent['amount']],
    ['currency', options.currency, intent['currency']],
    ['setup_future_usage', options['setupFutureUsage'] ?? null, intent['setup_future_usage']],
  ]
  if (!options.mode) return undefined
  const wrong = wanted.find(([, here, there]) => here !== there)
  if (!wrong) return undefined
  const [name, here, there] = wrong
  return {
    type: 'invalid_request_error',
    message:
      `The provided ${name} (${String(here)}) does not match the expected ${name} (${String(there)}) of the ` +
      `PaymentIntent.`,
  }
}

/** `infer_from_client`: the browser identifies itself. */
function mandate(data: unknown): unknown {
  const given = data as
    { customer_acceptance?: { type?: string; online?: { infer_from_client?: boolean } } } | undefined
  if (!given?.customer_acceptance?.online?.infer_from_client) return data
  return { customer_acceptance: { type: 'online', online: { user_agent: navigator.userAgent } } }
}

export class StandInStripe {
  private readonly api: PageApi
  private readonly groups: ElementsGroup[] = []

  constructor(key: string, base: string) {
    this.api = new PageApi(base, key)
  }

  elements = (options: GroupOptions = {}): ElementsGroup => {
    const group = new ElementsGroup(options, this.api)
    this.groups.push(group)
    return group
  }

  registerAppInfo = (): void => {}
  _registerWrapper = (): void => {}

  createToken = async (): Promise<{ error: StripeError }> => ({
    error: { type: 'invalid_request_error', message: 'Tokens are not part of this sandbox; use createPaymentMethod.' },
  })

  createPaymentMethod = async (params: Params): Promise<{ paymentMethod?: unknown; error?: StripeError }> => {
    const read = this.methodData({ ...params, type: params['type'] ?? 'card' })
    if ('error' in read) return { error: read.error }
    const answer = await this.api.call<unknown>('POST', '/v1/payment_methods', read.data)
    return answer.error ? { error: answer.error } : { paymentMethod: answer.value }
  }

  confirmCardPayment = (
    secret: string,
    data: Params = {},
    options: { handleActions?: boolean } = {},
  ): Promise<IntentResult> => this.confirm(secret, 'card', data, options)
  confirmCardSetup = this.confirmCardPayment
  confirmPayPalPayment = (
    secret: string,
    data: Params = {},
    options: { handleActions?: boolean } = {},
  ): Promise<IntentResult> => this.confirm(secret, 'paypal', data, options)
  confirmPayPalSetup = this.confirmPayPalPayment

  confirmPayment = async (options: Params): Promise<IntentResult> => {
    const group = options['elements'] instanceof ElementsGroup ? options['elements'] : undefined
    const secret = (options['clientSecret'] ?? group?.options.clientSecret) as string | undefined
    if (!secret) throw new Error('You must pass in a clientSecret when calling stripe.confirmPayment().')
    const given = (options['confirmParams'] ?? {}) as Params
    if (group?.options.mode && !group.submitted) {
      throw new Error('IntegrationError: elements.submit() must be called before stripe.confirmPayment().')
    }
    const express = group?.express()
    const wallet = express?.authorized()
    if (group && express && wallet)
      return this.confirmWallet(group, express, secret, { ...given, payment_method_data: wallet })
    const chosen = group?.payment()
    const problem = chosen?.missing()
    if (problem) return { error: problem as StripeError & typeof problem }
    const value = chosen?.value()
    const details = given['payment_method_data'] as Params | undefined
    const method = value
      ? {
          payment_method_data:
            value.type === 'card' ? { ...details, type: 'card', card: value.card } : { ...details, type: 'paypal' },
        }
      : {}
    const result = await this.send(secret, { ...given, ...method }, {})
    const done = result.paymentIntent ?? result.setupIntent
    const back = given['return_url']
    if (!result.error && done && typeof back === 'string' && options['redirect'] !== 'if_required') {
      const url = new URL(back)
      url.searchParams.set(done.object, done.id)
      url.searchParams.set(`${done.object}_client_secret`, done.client_secret)
      url.searchParams.set('redirect_status', 'succeeded')
      window.location.assign(url.href)
      return never
    }
    return result
  }
  confirmSetup = this.confirmPayment

  /** A wallet's payment: the group must match the intent, and the sheet shows the outcome. */
  private async confirmWallet(
    group: ElementsGroup,
    express: ExpressCheckoutElement,
    secret: string,
    params: Params,
  ): Promise<IntentResult> {
    const before = await this.api.retrieve(secret)
    const problem = before.error ?? mismatch(group.options, before.value)
    if (problem) {
      express.confirmed('failed')
      return { error: problem }
    }
    const sent = await this.send(secret, params, { handleActions: false })
    express.confirmed(sent.error ? 'failed' : 'done')
    const intent = sent.paymentIntent ?? sent.setupIntent
    // the bank's dialog opens once the wallet's sheet is closed
    return sent.error || !intent ? sent : this.act(intent)
  }

  handleNextAction = async (options: { clientSecret: string }): Promise<IntentResult> => {
    const answer = await this.api.retrieve(options.clientSecret)
    return answer.error ? { error: answer.error } : this.act(answer.value)
  }
  handleCardAction = (clientSecret: string): Promise<IntentResult> => this.handleNextAction({ clientSecret })

  retrievePaymentIntent = async (secret: string): Promise<IntentResult> => {
    const answer = await this.api.retrieve(secret)
    return answer.error ? { error: answer.error } : asResult(answer.value)
  }
  retrieveSetupIntent = this.retrievePaymentIntent

  /** Payment method data of a call: fields of a card element, or what was given. */
  private methodData(given: Params): { data: Params } | { error: StripeError } {
    const { card, ...rest } = given
    if (!(card instanceof StandInElement)) return { data: card === undefined ? rest : { ...rest, card } }
    const group = this.groups.find((one) => one.getElement(card._componentName) === card)
    if (!group) throw new Error('The card Element was destroyed or belongs to another Stripe instance.')
    const problem = group.missing()
    return problem ? { error: { ...problem } } : { data: { ...rest, card: group.card() } }
  }

  private async confirm(
    secret: string,
    type: 'card' | 'paypal',
    data: Params,
    options: { handleActions?: boolean },
  ): Promise<IntentResult> {
    if (typeof secret !== 'string' || !secret.includes('_secret_')) throw new Error('The client secret is not valid.')
    const { payment_method: method, ...rest } = data
    let named: Params = {}
    if (typeof method === 'string') named = { payment_method: method }
    else if (method || type === 'paypal') {
      const { paypal: _, ...given } = (method ?? {}) as Params
      const read = this.methodData({ ...given, type })
      if ('error' in read) return { error: read.error }
      named = { payment_method_data: read.data }
    }
    return this.send(secret, { ...rest, ...named }, options)
  }

  private async send(secret: string, params: Params, options: { handleActions?: boolean }): Promise<IntentResult> {
    const { mandate_data, ...rest } = params
    const answer: Answer<IntentObject> = await this.api.call('POST', `${pathOf(secret)}/confirm`, {
      ...rest,
      ...(mandate_data ? { mandate_data: mandate(mandate_data) } : {}),
      client_secret: secret,
      use_stripe_sdk: true,
    })
    if (answer.error) return { error: answer.error }
    return options.handleActions === false ? asResult(answer.value) : this.act(answer.value)
  }

  /** Takes the buyer through the action that the intent requires. */
  private async act(intent: IntentObject): Promise<IntentResult> {
    if (intent.status !== 'requires_action' || !intent.next_action) return asResult(intent)
    const link = intent.next_action.redirect_to_url?.url
    if (link) {
      // The sandbox does not know the page's origin; the origin of the script is right.
      const url = new URL(link)
      window.location.assign(`${this.api.base}${url.pathname.replace(/^\/_stripe/, '')}${url.search}`)
      return never
    }
    const answered = await this.api.answer(intent, await authenticate(amountOf(intent)))
    if (answered.error) return { error: answered.error }
    const now = await this.api.retrieve(intent.client_secret)
    if (now.error) return { error: now.error }
    const failure = now.value.last_payment_error ?? now.value.last_setup_error
    if (now.value.status === 'requires_payment_method' && failure)
      return { error: { ...failure, [now.value.object]: now.value } }
    return asResult(now.value)
  }
}
