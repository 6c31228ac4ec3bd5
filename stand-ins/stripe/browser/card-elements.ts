// The split card fields and the one-line card element.
import { StandInElement, type ElementOptions } from './element.ts'
import { brandOf, only } from './card-rules.ts'
import { elementSheet } from './style.ts'
import { CardField, type FieldKind } from './card-field.ts'

/** `cardNumber`, `cardExpiry`, `cardCvc`, and `card`, which shows all three. */
export class CardElement extends StandInElement {
  readonly fields: CardField[]
  private shownBrand = 'unknown'

  constructor(
    type: FieldKind | 'card',
    options: ElementOptions,
    onGone: () => void,
    brand: () => string,
    onBrand: () => void,
  ) {
    super(type, options, onGone)
    const kinds: FieldKind[] = type === 'card' ? ['cardNumber', 'cardExpiry', 'cardCvc'] : [type]
    this.fields = kinds.map(
      (kind) =>
        new CardField(
          kind,
          type === 'card' ? undefined : options.placeholder,
          type === 'card' ? () => this.brand() : brand,
          (field) => {
            if (field.kind === 'cardNumber' && this.brand() !== this.shownBrand) {
              this.shownBrand = this.brand()
              onBrand()
            }
            this.report()
          },
        ),
    )
  }

  brand(): string {
    const number = this.fields.find((field) => field.kind === 'cardNumber')
    return number ? brandOf(only(number.value)) : 'unknown'
  }

  protected render(root: ShadowRoot): void {
    root.adoptedStyleSheets = [elementSheet(this.options.style)]
    const box = document.createElement('div')
    if (this.fields.length > 1) box.className = 'fields'
    const words = this.pageLabel()?.textContent?.trim()
    for (const field of this.fields) {
      const { input } = field
      input.disabled = this.options.disabled === true
      if (this.fields.length === 1 && words) input.setAttribute('aria-label', words)
      input.onfocus = () => {
        this.toggleClass('focus', true)
        this.emit('focus', { elementType: this._componentName })
      }
      input.onblur = () => {
        this.toggleClass('focus', false)
        this.emit('blur', { elementType: this._componentName })
      }
      input.onkeydown = (event) => {
        if (event.key === 'Escape') this.emit('escape', { elementType: this._componentName })
        if (event.key === 'Enter') this.submitForm()
      }
      box.append(input)
    }
    root.replaceChildren(box)
    this.paint()
  }

  override update(options: ElementOptions): void {
    super.update(options)
    if (this.root && options.style) this.root.adoptedStyleSheets = [elementSheet(this.options.style)]
    for (const field of this.fields) {
      field.input.disabled = this.options.disabled === true
      if (options.placeholder !== undefined && this.fields.length === 1) field.input.placeholder = options.placeholder
    }
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

  private paint(): void {
    this.toggleClass(
      'empty',
      this.fields.every((field) => field.state.empty),
    )
    this.toggleClass(
      'complete',
      this.fields.every((field) => field.state.complete),
    )
    this.toggleClass(
      'invalid',
      this.fields.some((field) => field.state.error !== undefined),
    )
  }

  private report(): void {
    this.paint()
    const error = this.fields.find((field) => field.state.error)?.state.error
    this.emit('change', {
      elementType: this._componentName,
      empty: this.fields.every((field) => field.state.empty),
      complete: this.fields.every((field) => field.state.complete),
      error,
      ...(this.fields[0]?.kind === 'cardNumber' ? { brand: this.brand() } : {}),
      ...(this._componentName === 'card' ? { value: { postalCode: '' } } : {}),
    })
  }
}
