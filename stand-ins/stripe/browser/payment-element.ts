// The Payment Element: card and, where allowed, PayPal.
import { CardField, FIELDS, missingIn, rawCard, type RawCard } from './card-field.ts'
import { brandOf, only, type FieldError } from './card-rules.ts'
import { StandInElement, type ElementOptions } from './element.ts'
import { elementSheet } from './style.ts'

export type Chosen = { type: 'paypal' } | { type: 'card'; card: RawCard }

export class PaymentElement extends StandInElement {
  private readonly fields: CardField[]
  private readonly types: () => string[]
  private chosen: string

  constructor(options: ElementOptions, onGone: () => void, types: () => string[]) {
    super('payment', options, onGone)
    this.types = types
    this.chosen = types()[0] ?? 'card'
    this.fields = (['cardNumber', 'cardExpiry', 'cardCvc'] as const).map(
      (kind) =>
        new CardField(
          kind,
          undefined,
          () => brandOf(only(this.fields[0]?.value ?? '')),
          () => this.report(),
        ),
    )
  }

  /** What is missing before the payment can be confirmed. */
  missing(): FieldError | undefined {
    return this.chosen === 'card' ? missingIn(this.fields) : undefined
  }

  value(): Chosen {
    return this.chosen === 'paypal' ? { type: 'paypal' } : { type: 'card', card: rawCard(this.fields) }
  }

  protected render(root: ShadowRoot): void {
    root.adoptedStyleSheets = [elementSheet(this.options.style)]
    const box = document.createElement('div')
    box.className = 'fields'
    for (const field of this.fields) {
      const label = document.createElement('label')
      if (field.kind === 'cardNumber') label.className = 'wide'
      const words = document.createElement('span')
      words.textContent = FIELDS[field.kind].label
      label.append(words, field.input)
      field.input.onkeydown = (event) => {
        if (event.key === 'Enter') this.submitForm()
      }
      box.append(label)
    }
    const types = this.types()
    const choice = document.createElement('fieldset')
    const legend = document.createElement('legend')
    legend.textContent = 'Payment method'
    choice.append(legend)
    for (const type of types) {
      const label = document.createElement('label')
      const radio = document.createElement('input')
      Object.assign(radio, { type: 'radio', name: 'method', value: type, checked: type === this.chosen })
      radio.addEventListener('change', () => {
        this.chosen = type
        box.hidden = type !== 'card'
        this.report()
      })
      label.append(radio, type === 'paypal' ? 'PayPal' : 'Card')
      choice.append(label)
    }
    choice.hidden = types.length < 2
    box.hidden = this.chosen !== 'card'
    root.replaceChildren(choice, box)
  }

  focus(): void {
    this.fields[0]?.input.focus()
  }

  blur(): void {
    for (const field of this.fields) field.input.blur()
  }

  clear(): void {
    for (const field of this.fields) field.clear()
  }

  private report(): void {
    const complete = this.chosen !== 'card' || this.fields.every((field) => field.state.complete)
    this.emit('change', {
      elementType: 'payment',
      empty: this.fields.every((field) => field.state.empty),
      complete,
      collapsed: false,
      value: { type: this.chosen },
    })
  }
}

/** Elements we do not draw (address, link): they mount empty and report ready, so that a page does not break. */
export class EmptyElement extends StandInElement {
  protected render(): void {}
  focus(): void {}
  blur(): void {}
  clear(): void {}
}
