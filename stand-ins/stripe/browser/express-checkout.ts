// The Express Checkout Element: a button for each wallet that the operator has put on this device; none as a rule.
import { type PageApi } from './api.ts'
import { StandInElement, type ElementOptions } from './element.ts'
import { openSheet, type LineItem, type Sheet, type SheetAnswer } from './wallet-sheet.ts'

/** How Stripe.js spells each of our wallets in the options of elements.create(). */
const WALLETS = {
  apple_pay: { option: 'applePay', words: 'Apple Pay' },
  google_pay: { option: 'googlePay', words: 'Google Pay' },
} as const
type Wallet = keyof typeof WALLETS
const METHODS = ['amazonPay', 'applePay', 'googlePay', 'link', 'paypal', 'klarna'] as const
/** The address of the wallet's owner. */
const ADDRESS = {
  city: 'Springfield',
  country: 'US',
  line1: '1 Test Street',
  line2: null,
  postal_code: '12345',
  state: 'IL',
}
/** A click handler has one second to answer (Stripe.js). */
const RESOLVE_WITHIN_MS = 1_000

/** What the element uses of its group. */
interface Group {
  amount: number
  currency: string
  /** Of the buttons, from the appearance. */
  radius: string
}
interface ClickDetails {
  business?: { name: string }
  lineItems?: LineItem[]
  applePay?: { recurringPaymentRequest?: Recurring }
  emailRequired?: boolean
}
interface Recurring {
  paymentDescription: string
  regularBilling: { label: string; amount: number; recurringPaymentStartDate?: Date }
}

const SHEET = `
  :host { display: block }
  .buttons { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)) }
  button { all: unset; box-sizing: border-box; height: 44px; border-radius: 4px; background: #000; color: #fff; font:
    600 1.125rem system-ui, sans-serif; text-align: center; cursor: pointer }
  button.h40 { height: 40px } button.h48 { height: 48px } button.h52 { height: 52px } button.h55 { height: 55px }
  button:focus-visible { outline: 3px solid #1a75ff; outline-offset: 2px }
`

export class ExpressCheckoutElement extends StandInElement {
  private readonly api: PageApi
  private readonly group: () => Group
  private offered: Wallet[] = []
  private buttons: HTMLButtonElement[] = []
  private sheet: Sheet | undefined
  private paying: { wallet: Wallet; answer: SheetAnswer } | undefined

  constructor(options: ElementOptions, onGone: () => void, api: PageApi, group: () => Group) {
    const height = options['buttonHeight']
    if (height !== undefined && !(typeof height === 'number' && height >= 40 && height <= 55)) {
      throw new Error('Invalid value for elements.create(): buttonHeight must be between 40 and 55.')
    }
    super('expressCheckout', options, onGone)
    this.api = api
    this.group = group
  }

  protected render(root: ShadowRoot): void {
    const sheet = new CSSStyleSheet()
    const { radius } = this.group()
    sheet.replaceSync(SHEET + (/^\d+px$/.test(radius) ? `button { border-radius: ${radius} }` : ''))
    root.adoptedStyleSheets = [sheet]
    void this.api.wallets().then((names) => {
      // removed from the page before the answer came
      if (this.root !== root) return
      this.offered = (Object.keys(WALLETS) as Wallet[]).filter((one) => names.includes(one) && this.allowed(one))
      const box = document.createElement('div')
      box.className = 'buttons'
      this.buttons = this.offered.map((wallet) => this.button(wallet))
      box.append(...this.buttons)
      root.replaceChildren(box)
      const any = this.offered.length > 0
      super.emit('ready', {
        elementType: 'expressCheckout',
        availablePaymentMethods: any ? this.available() : undefined,
      })
      super.emit('availablepaymentmethodschange', {
        elementType: 'expressCheckout',
        paymentMethods: any
          ? Object.fromEntries(this.offered.map((one) => [WALLETS[one].option, { available: true }]))
          : undefined,
      })
    })
  }

  /** `ready` is emitted once the available wallets are known, not when the element is mounted. */
  protected override emit(event: string, detail: Record<string, unknown>): void {
    if (event !== 'ready') super.emit(event, detail)
  }

  /** What the buyer has agreed to in the sheet and the page must now confirm. */
  authorized(): { type: 'card'; card: unknown; billing_details: unknown } | undefined {
    if (!this.paying) return undefined
    const { wallet, answer } = this.paying
    const { line2: _, ...address } = ADDRESS
    const billing_details = { name: answer.name, email: answer.email, address }
    return { type: 'card', card: { ...answer.card, wallet }, billing_details }
  }

  /** The outcome of the payment: a success or the bank's own dialog closes the sheet, a failure is shown in it. */
  confirmed(outcome: 'done' | 'failed'): void {
    this.paying = undefined
    if (outcome === 'done') this.sheet?.close()
    else this.sheet?.fail()
  }

  override destroy(): void {
    this.sheet?.close()
    super.destroy()
  }

  focus(): void {
    this.buttons[0]?.focus()
  }
  blur(): void {
    for (const button of this.buttons) button.blur()
  }
  clear(): void {}

  private allowed(wallet: Wallet): boolean {
    const { option } = WALLETS[wallet]
    const given = (this.options['paymentMethods'] ?? this.options['wallets'] ?? {}) as Record<string, string>
    return given[option] !== 'never'
  }

  private available(): Record<string, boolean> {
    const names: string[] = this.offered.map((one) => WALLETS[one].option)
    return Object.fromEntries(METHODS.map((one) => [one, names.includes(one)]))
  }

  private button(wallet: Wallet): HTMLButtonElement {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = WALLETS[wallet].words
    made.className = `h${Number(this.options['buttonHeight'] ?? 44)}`
    made.addEventListener('click', () => this.clicked(wallet))
    made.addEventListener('focus', () => this.emit('focus', { elementType: this._componentName }))
    made.addEventListener('blur', () => this.emit('blur', { elementType: this._componentName }))
    made.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.emit('escape', { elementType: this._componentName })
    })
    return made
  }

  private clicked(wallet: Wallet): void {
    if (this.sheet) return
    let answered = !this.listens('click')
    if (answered) return this.show(wallet, {})
    const late = setTimeout(() => {
      if (answered) return
      answered = true
      console.error(
        'IntegrationError: The click event of the Express Checkout Element was not resolved within 1 second.',
      )
    }, RESOLVE_WITHIN_MS)
    const once = (then: () => void): void => {
      if (answered) return
      answered = true
      clearTimeout(late)
      then()
    }
    this.emit('click', {
      elementType: this._componentName,
      expressPaymentType: wallet,
      resolve: (details: ClickDetails = {}) => once(() => this.show(wallet, details)),
      reject: () => once(() => undefined),
    })
  }

  private show(wallet: Wallet, details: ClickDetails): void {
    const { amount, currency } = this.group()
    const items = details.lineItems ?? (this.options['lineItems'] as LineItem[] | undefined) ?? []
    const sum = items.reduce((so, item) => so + item.amount, 0)
    if (sum > amount) {
      throw new Error(
        `IntegrationError: The sum of the line items (${sum}) must not exceed the amount of the Elements ` +
          `group (${amount}).`,
      )
    }
    const later = wallet === 'apple_pay' ? details.applePay?.recurringPaymentRequest : undefined
    this.sheet = openSheet(
      {
        title: WALLETS[wallet].words,
        business: details.business?.name ?? 'Test shop',
        items,
        amount,
        currency,
        ...(later ? { later: { ...later.regularBilling, description: later.paymentDescription } } : {}),
      },
      {
        pay: (answer) => this.pay(wallet, answer),
        close: () => {
          this.sheet = undefined
          this.paying = undefined
          this.emit('cancel', { elementType: this._componentName })
        },
        gone: () => (this.sheet = undefined),
      },
    )
  }

  private pay(wallet: Wallet, answer: SheetAnswer): void {
    this.paying = { wallet, answer }
    this.emit('confirm', {
      elementType: this._componentName,
      expressPaymentType: wallet,
      billingDetails: this.billing(answer),
      paymentFailed: (payload: { reason?: string; message?: string } = {}) => {
        this.paying = undefined
        this.sheet?.fail(payload.message)
      },
    })
  }

  /** What the page learns of the owner: the email address only if requested. */
  private billing({ name, email }: SheetAnswer): Record<string, unknown> {
    return { name, ...(this.options['emailRequired'] === true ? { email } : {}), address: ADDRESS }
  }
}
