// The 3-D Secure dialog, with the two buttons of Stripe's test page. As in Stripe.js it is an element of the page with
// a high z-index, which a modal `dialog` of the page covers and makes inert (github.com/stripe/stripe-js/issues/599).
const SHEET = `
  :host { position: fixed; inset: 0; z-index: 2147483647; display: grid; place-items: center;
    background: rgb(0 0 0 / .6) }
  [role=dialog] { border-radius: 12px; padding: 1.5rem; width: min(26rem, calc(100vw - 2rem)); box-sizing:
    border-box; color: #1a1f36; background: #fff; font: 16px/1.5 system-ui, sans-serif; box-shadow: 0 12px 48px rgb(0 0
      0 / .35) }
  h2 { font-size: 1.25rem; margin: 0 0 .5rem }
  p { margin: 0 0 1rem }
  .amount { font-weight: 600 }
  button { font: inherit; min-height: 48px; padding: .5rem 1.25rem; margin: 0 .75rem 0 0; border: 1px solid #8792a2;
    border-radius: 8px; background: #fff; color: inherit; cursor: pointer }
  button.primary { background: #0f5fdb; border-color: #0f5fdb; color: #fff }
  button:focus-visible { outline: 3px solid #1a75ff; outline-offset: 2px }
`

/** Asks the buyer to complete or fail. Escape counts as failing, as closing Stripe's dialog does. */
export function authenticate(amount: string): Promise<'complete' | 'fail'> {
  return new Promise((resolve) => {
    const host = document.createElement('div')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(SHEET)
    root.adoptedStyleSheets = [sheet]
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    dialog.setAttribute('aria-modal', 'true')
    dialog.setAttribute('aria-labelledby', 'title')
    const title = document.createElement('h2')
    title.id = 'title'
    title.textContent = '3D Secure 2 test page'
    const words = document.createElement('p')
    words.textContent = 'This stands in for your bank’s authentication. Choose how it ends.'
    const sum = document.createElement('p')
    sum.className = 'amount'
    sum.textContent = amount
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
    const finish = (answer: 'complete' | 'fail'): void => {
      host.remove()
      before?.focus()
      resolve(answer)
    }
    const button = (text: string, answer: 'complete' | 'fail', primary: boolean): HTMLButtonElement => {
      const made = document.createElement('button')
      made.type = 'button'
      made.textContent = text
      if (primary) made.className = 'primary'
      made.addEventListener('click', () => finish(answer))
      return made
    }
    dialog.append(title, words, sum, button('Complete', 'complete', true), button('Fail', 'fail', false))
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') finish('fail')
    })
    root.append(dialog)
    document.body.append(host)
    root.querySelector('button')?.focus()
  })
}
