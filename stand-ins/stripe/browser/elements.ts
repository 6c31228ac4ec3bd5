// `stripe.elements()`: a group of elements that belong to one form.
import { type PageApi } from './api.ts'
import { CardElement } from './card-elements.ts'
import { missingIn, rawCard, type CardField, type FieldKind, type RawCard } from './card-field.ts'
import { type FieldError } from './card-rules.ts'
import { type ElementOptions, type StandInElement } from './element.ts'
import { ExpressCheckoutElement } from './express-checkout.ts'
import { EmptyElement, PaymentElement } from './payment-element.ts'

export interface GroupOptions {
  clientSecret?: string
  mode?: string
  amount?: number
  currency?: string
  allowedPaymentMethodTypes?: string[]
  appearance?: { variables?: Record<string, string> }
  [name: string]: unknown
}
const CARD_FIELDS: readonly string[] = ['cardNumber', 'cardExpiry', 'cardCvc', 'card']

export class ElementsGroup {
  options: GroupOptions
  /** Whether submit() has been called, which a group without an intent needs before a confirmation. */
  submitted = false
  private readonly api: PageApi
  private readonly made = new Map<string, StandInElement>()

  constructor(options: GroupOptions, api: PageApi) {
    this.options = options
    this.api = api
  }

  create(type: string, options: ElementOptions = {}): StandInElement {
    if (this.made.has(type))
      throw new Error(`Can only create one Element of type ${type} through the same elements instance.`)
    const gone = (): void => void this.made.delete(type)
    const element = CARD_FIELDS.includes(type)
      ? new CardElement(
          type as FieldKind,
          options,
          gone,
          () => this.brand(),
          () => this.brandChanged(),
        )
      : type === 'payment'
        ? new PaymentElement(options, gone, () => this.types())
        : type === 'expressCheckout'
          ? new ExpressCheckoutElement(options, gone, this.api, () => ({
              amount: this.options.amount ?? 0,
              currency: this.options.currency ?? 'usd',
              radius:
                this.options.appearance?.variables?.['buttonExpressCheckoutBorderRadius'] ??
                this.options.appearance?.variables?.['borderRadius'] ??
                '',
            }))
          : new EmptyElement(type, options, gone)
    this.made.set(type, element)
    return element
  }

  /** By name, or by a React component that carries its name as `__elementType`. */
  getElement(type: string | { __elementType?: string }): StandInElement | null {
    const name = typeof type === 'string' ? type : (type.__elementType ?? '')
    return this.made.get(name) ?? null
  }

  update(options: GroupOptions): void {
    this.options = { ...this.options, ...options }
  }

  async fetchUpdates(): Promise<{ error?: never }> {
    return {}
  }

  async submit(): Promise<{ error?: FieldError; selectedPaymentMethod?: string }> {
    this.submitted = true
    const payment = this.payment()
    const error = payment?.missing()
    return error ? { error } : { ...(payment ? { selectedPaymentMethod: payment.value().type } : {}) }
  }

  payment(): PaymentElement | undefined {
    const element = this.made.get('payment')
    return element instanceof PaymentElement ? element : undefined
  }

  express(): ExpressCheckoutElement | undefined {
    const element = this.made.get('expressCheckout')
    return element instanceof ExpressCheckoutElement ? element : undefined
  }

  /** The fields that make up one card, in reading order. */
  cardFields(): CardField[] {
    const order = ['card', 'cardNumber', 'cardExpiry', 'cardCvc']
    return order.flatMap((type) => {
      const element = this.made.get(type)
      return element instanceof CardElement ? element.fields : []
    })
  }

  missing(): FieldError | undefined {
    return missingIn(this.cardFields())
  }

  card(): RawCard {
    return rawCard(this.cardFields())
  }

  private types(): string[] {
    const allowed = this.options.allowedPaymentMethodTypes
    return allowed ? allowed.filter((type) => type === 'card' || type === 'paypal') : ['card']
  }

  private brand(): string {
    const number = this.made.get('cardNumber')
    return number instanceof CardElement ? number.brand() : 'unknown'
  }

  private brandChanged(): void {
    const cvc = this.made.get('cardCvc')
    if (cvc instanceof CardElement) for (const field of cvc.fields) field.check(false)
  }
}
