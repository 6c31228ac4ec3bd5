// The 3-D Secure dialog: a native modal in a shadow root, with the two buttons of Stripe's test page.
const SHEET = `
  dialog { border: 0; border-radius: 12px; padding: 1.5rem; width: min(26rem, calc(100vw - 2rem)); box-sizing:
    border-box; color: #1a1f36; background: #fff; font: 16px/1.5 system-ui, sans-serif; box-shadow: 0 12px 48px rgb(0 0
      0 / .35) }
  dialog::backdrop { background: rgb(0 0 0 / .6) }
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
    const dialog = document.createElement('dialog')
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
      dialog.close()
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
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      finish('fail')
    })
    root.append(dialog)
    // Inside the page's open modal, so that it is on top and not inert.
    const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
    ;(modal ?? document.body).append(host)
    dialog.showModal()
  })
}
