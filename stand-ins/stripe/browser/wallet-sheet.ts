// The wallet's own sheet: what the device shows between the button and the payment. A modal in
// a shadow root, as dialog.ts.
export interface LineItem {
  name: string
  amount: number
}
/** What the buyer chose: the card in the wallet, and who they are. */
export interface SheetAnswer {
  card: { number: string; exp_month: string; exp_year: string }
  name: string
  email: string
}
export interface Sheet {
  close: () => void
  /** Shows that the payment failed; the sheet stays until the buyer closes it or chooses another card. */
  fail: (words?: string) => void
}
interface Shown {
  title: string
  business: string
  items: readonly LineItem[]
  amount: number
  currency: string
  later?: { description: string; label: string; amount: number; recurringPaymentStartDate?: Date }
}
interface Answers {
  pay: (answer: SheetAnswer) => void
  /** Closed by the buyer. */
  close: () => void
  /** Closed because the payment succeeded. */
  gone: () => void
}

/** Cards of the wallet; the numbers are test cards of cards.ts. */
const CARDS = [
  ['Visa •••• 4242', '4242424242424242'],
  ['Visa •••• 0002 (declines)', '4000000000000002'],
  ['Visa •••• 3184 (3-D Secure)', '4000002760003184'],
] as const

const STYLE = `
  dialog { border: 0; border-radius: 16px 16px 0 0; padding: 1.25rem; width: min(28rem, 100vw); max-width: none; margin:
    auto auto 0; box-sizing: border-box; color: #1a1f36; background: #fff; font: 16px/1.5 system-ui, sans-serif;
      box-shadow: 0 -8px 40px rgb(0 0 0 / .35) }
  dialog::backdrop { background: rgb(0 0 0 / .6) }
  h2 { font-size: 1.25rem; margin: 0 0 .25rem }
  p { margin: 0 0 .75rem }
  dl { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; margin: 0 0 1rem }
  dd { margin: 0; text-align: right }
  .total { font-weight: 600 }
  label { display: block; margin: 0 0 .75rem }
  select, input { display: block; width: 100%; box-sizing: border-box; font: inherit; min-height: 48px; padding: .25rem
    .75rem; border: 1px solid #8792a2; border-radius: 8px; background: #fff; color: inherit }
  [role=alert] { color: #b3093c; font-weight: 600 }
  [role=alert]:empty { display: none }
  button { font: inherit; min-height: 48px; padding: .5rem 1.25rem; margin: 0 .75rem 0 0; border: 1px solid #8792a2;
    border-radius: 8px; background: #fff; color: inherit; cursor: pointer }
  button.primary { background: #000; border-color: #000; color: #fff }
  button:disabled { opacity: .6 }
  button:focus-visible, select:focus-visible, input:focus-visible { outline: 3px solid #1a75ff; outline-offset: 2px }
`

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Shows the sheet. `pay` may be called again after a failure. */
export function openSheet(shown: Shown, answers: Answers): Sheet {
  const money = (cents: number): string => `${(cents / 100).toFixed(2)} ${shown.currency.toUpperCase()}`
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : null

  const bill = element('dl')
  for (const { name, amount } of shown.items) {
    bill.append(element('dt', {}, name), element('dd', {}, money(amount)))
  }
  bill.append(element('dt', { className: 'total' }, `Pay ${shown.business}`))
  bill.append(element('dd', { className: 'total' }, money(shown.amount)))
  const { later } = shown
  const from = later?.recurringPaymentStartDate
  const renews = later
    ? [
        element(
          'p',
          {},
          `${later.description}: ${later.label} ${money(later.amount)}${from ? ` from ${from.toDateString()}` : ''}`,
        ),
      ]
    : []
  const card = element('select', { name: 'wallet-card' })
  for (const [words, number] of CARDS) card.append(element('option', { value: number }, words))
  const email = element('input', { name: 'wallet-email', type: 'email', value: 'wallet@example.com' })
  const trouble = element('p')
  trouble.setAttribute('role', 'alert')
  const pay = element('button', { type: 'button', className: 'primary' }, 'Pay')
  const cancel = element('button', { type: 'button' }, 'Close wallet')
  const dialog = element(
    'dialog',
    {},
    element('h2', { id: 'title' }, `${shown.title} (test)`),
    bill,
    ...renews,
    element('label', {}, 'Card in the wallet', card),
    element('label', {}, 'Email in the wallet', email),
    trouble,
    pay,
    cancel,
  )
  dialog.setAttribute('aria-labelledby', 'title')

  const close = (): void => {
    if (!host.isConnected) return
    dialog.close()
    host.remove()
    before?.focus()
  }
  pay.addEventListener('click', () => {
    pay.disabled = true
    pay.textContent = 'Processing…'
    trouble.textContent = ''
    answers.pay({
      card: { number: card.value, exp_month: '12', exp_year: '2034' },
      name: 'Wallet Owner',
      email: email.value,
    })
  })
  const dismissed = (): void => {
    // while the payment runs the sheet cannot be closed
    if (pay.disabled) return
    close()
    answers.close()
  }
  cancel.addEventListener('click', dismissed)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    dismissed()
  })
  root.append(dialog)
  // the sheet is the browser's own: above everything of the page
  document.body.append(host)
  dialog.showModal()
  return {
    close() {
      close()
      answers.gone()
    },
    fail(words = 'Payment not completed.') {
      pay.disabled = false
      pay.textContent = 'Pay'
      trouble.textContent = words
    },
  }
}
