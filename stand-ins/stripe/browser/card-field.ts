// A card field, that is an input with its rules, and what three of them make up.
import {
  checkCvc,
  checkExpiry,
  checkNumber,
  fieldError,
  formatExpiry,
  formatNumber,
  only,
  type FieldError,
  type FieldState,
} from './card-rules.ts'

export type FieldKind = 'cardNumber' | 'cardExpiry' | 'cardCvc'
export interface RawCard {
  number: string
  exp_month: string
  exp_year: string
  cvc: string
}

interface FieldSpec {
  label: string
  autocomplete: AutoFill
  name: string
  placeholder: string
}
export const FIELDS: Record<FieldKind, FieldSpec> = {
  cardNumber: {
    label: 'Card number',
    autocomplete: 'cc-number',
    name: 'cardnumber',
    placeholder: '1234 1234 1234 1234',
  },
  cardExpiry: { label: 'Expiration date', autocomplete: 'cc-exp', name: 'exp-date', placeholder: 'MM / YY' },
  cardCvc: { label: 'CVC', autocomplete: 'cc-csc', name: 'cvc', placeholder: 'CVC' },
}

/** One input with its rules; used alone and inside the combined elements. */
export class CardField {
  readonly kind: FieldKind
  readonly input: HTMLInputElement
  state: FieldState = { empty: true, complete: false, error: undefined }
  private readonly brand: () => string
  private readonly changed: (field: CardField) => void

  constructor(
    kind: FieldKind,
    placeholder: string | undefined,
    brand: () => string,
    changed: (field: CardField) => void,
  ) {
    this.kind = kind
    this.brand = brand
    this.changed = changed
    const spec = FIELDS[kind]
    const input = document.createElement('input')
    input.type = 'text'
    input.inputMode = 'numeric'
    input.autocomplete = spec.autocomplete
    input.name = spec.name
    input.placeholder = placeholder ?? spec.placeholder
    input.className = 'empty'
    input.spellcheck = false
    input.setAttribute('aria-label', spec.label)
    input.setAttribute('aria-invalid', 'false')
    input.setAttribute('aria-required', 'true')
    input.addEventListener('input', (event) => this.onInput(event as InputEvent))
    input.addEventListener('blur', () => this.check(true))
    this.input = input
  }

  get value(): string {
    return this.input.value
  }

  clear(): void {
    this.input.value = ''
    this.check(false)
  }

  /** Validates again; `left`: an unfinished value counts as an error. */
  check(left: boolean): void {
    const { value } = this.input
    const next =
      this.kind === 'cardNumber'
        ? checkNumber(value, left)
        : this.kind === 'cardExpiry'
          ? checkExpiry(value, left, new Date())
          : checkCvc(value, left, this.brand())
    this.set(next)
  }

  /** Shows an error from outside (an empty field at submit). */
  set(next: FieldState): void {
    const same =
      next.empty === this.state.empty &&
      next.complete === this.state.complete &&
      next.error?.code === this.state.error?.code
    this.state = next
    this.input.classList.toggle('invalid', next.error !== undefined)
    this.input.classList.toggle('complete', next.complete)
    this.input.classList.toggle('empty', next.empty)
    this.input.setAttribute('aria-invalid', String(next.error !== undefined))
    if (!same || this.kind === 'cardNumber') this.changed(this)
  }

  private onInput(event: InputEvent): void {
    const { input } = this
    const deleting = event.inputType?.startsWith('delete') ?? false
    const caret = only(input.value.slice(0, input.selectionStart ?? input.value.length)).length
    const atEnd = (input.selectionStart ?? 0) >= input.value.length
    const next =
      this.kind === 'cardNumber'
        ? formatNumber(input.value)
        : this.kind === 'cardExpiry'
          ? formatExpiry(input.value, deleting)
          : only(input.value).slice(0, this.brand() === 'amex' || this.brand() === 'unknown' ? 4 : 3)
    if (next !== input.value) {
      input.value = next
      let place = next.length
      if (!atEnd) {
        place = 0
        for (let seen = 0; place < next.length && seen < caret; place += 1) if (/\d/.test(next[place] ?? '')) seen += 1
      }
      input.setSelectionRange(place, place)
    }
    this.check(false)
  }
}

/** The first error in a group of fields, in their order; marks the fields. */
export function missingIn(fields: readonly CardField[]): FieldError | undefined {
  let first: FieldError | undefined
  for (const field of fields) {
    if (field.state.complete) continue
    const code = { cardNumber: 'incomplete_number', cardExpiry: 'incomplete_expiry', cardCvc: 'incomplete_cvc' }[
      field.kind
    ]
    const error = field.state.error ?? fieldError(code)
    field.set({ ...field.state, error })
    first ??= error
  }
  return first
}

/** The card entered in three fields. */
export function rawCard(fields: readonly CardField[]): RawCard {
  const value = (kind: FieldKind): string => only(fields.find((field) => field.kind === kind)?.value ?? '')
  const expiry = value('cardExpiry')
  return {
    number: value('cardNumber'),
    exp_month: String(Number(expiry.slice(0, 2))),
    exp_year: `20${expiry.slice(2, 4)}`,
    cvc: value('cardCvc'),
  }
}
