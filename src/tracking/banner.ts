import { CONSENT_WORDS as WORDS } from '../../contract/consent-words.ts'
import { choiceOf, choose } from './consent.ts'

/**
 * The consent banner: a region at the foot of the page that covers nothing permanently (the page grows by its height)
 * and blocks no one. Refusing takes as many clicks as allowing. Its style is one rule more in the page's own sheet: the
 * site's policy allows no inline style, and Safari 15 has no sheets made by script.
 */
const STYLE = `@media all {
.consent { position: fixed; inset: auto 0 0 0; z-index: 30; background: #fff; color: #0b1b33; border-top: 1.5px solid
#b9c8de;
  box-shadow: 0 -8px 24px rgb(11 27 51 / 10%); padding: 0.875rem max(1rem, env(safe-area-inset-left)) calc(0.875rem +
    env(safe-area-inset-bottom)); max-height: 70vh; overflow: auto }
.consent > div { max-width: 60rem; margin: 0 auto; display: grid; gap: 0.625rem }
.consent h2 { font-size: 1.0625rem; margin: 0 } .consent p { font-size: 1rem; line-height: 1.4; margin: 0 }
.consent-buttons { display: flex; flex-wrap: wrap; gap: 0.5rem }
.consent button { font: inherit; font-size: 1rem; font-weight: 600; min-height: 48px; padding: 0.5rem 1rem; flex: 1 1
8rem; border-radius: 10px; border: 1.5px solid #0b57d0; background: #fff; color: #0b57d0; cursor: pointer }
.consent button:focus-visible, .consent input:focus-visible { outline: 3px solid #1a75ff; outline-offset: 2px }
@media (max-width: 480px) { .consent > div { gap: 0.5rem } .consent button { flex-basis: 5rem; padding: 0.25rem;
font-size: 0.9375rem } }
@media (max-height: 26rem) { .consent { max-height: 50vh } }
@media print { .consent { display: none } }
.consent label { display: flex; gap: 0.75rem; align-items: center; min-height: 44px; font-size: 1rem }
.consent input { width: 24px; height: 24px; flex: none }
}`
let shown: HTMLElement | undefined
let styled = false

/** Where it is said what is measured, and what else is kept. */
export const PRIVACY = '/legal/privacy'

export const make = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  change: Partial<HTMLElementTagNameMap[Name]> = {},
  ...inner: Node[]
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), change)
  element.append(...inner)
  return element
}

/** Shows the banner, expanded when the visitor asked for it. `done` is called after every choice. */
export function showBanner(done: () => void, byRequest = false): void {
  if (shown) return
  const sheet = document.styleSheets[0]
  if (!styled) sheet?.insertRule(STYLE, sheet.cssRules.length)
  styled = true
  const opener = document.activeElement
  // the end of the page can still be scrolled into view, and nothing floats or takes the focus beneath the banner
  const fit = (height: number): void => {
    document.body.style.paddingBottom = height ? `${height}px` : ''
    document.documentElement.style.setProperty('--consent', `${height}px`)
  }
  const size = new ResizeObserver(() => fit(shown?.offsetHeight ?? 0))
  const close = (): void => {
    size.disconnect()
    fit(0)
    shown?.remove()
    shown = undefined
    if (byRequest && opener instanceof HTMLElement) opener.focus()
  }
  const decide = (choices: { analytics: boolean; advertising: boolean }): void => {
    choose(choices, shown?.innerText ?? WORDS.text)
    close()
    done()
  }
  const box = (purpose: 'analytics' | 'advertising'): HTMLInputElement =>
    make('input', { type: 'checkbox', checked: choiceOf(purpose) === 'granted' })
  const [analytics, advertising] = [box('analytics'), box('advertising')]
  const details = make(
    'div',
    { hidden: !byRequest },
    make('label', {}, analytics, make('span', { textContent: WORDS.analytics })),
    make('label', {}, advertising, make('span', { textContent: WORDS.advertising })),
  )
  const button = (words: string, act: () => void): HTMLButtonElement =>
    make('button', { type: 'button', textContent: words, onclick: act })
  const save = button(WORDS.save, () => decide({ analytics: analytics.checked, advertising: advertising.checked }))
  save.hidden = !byRequest
  const more = button(WORDS.choose, () => {
    details.hidden = false
    save.hidden = false
    more.hidden = true
    analytics.focus()
  })
  more.hidden = byRequest
  const title = make('h2', { id: 'consent-title', textContent: WORDS.title })
  shown = make(
    'section',
    { className: 'consent' },
    make(
      'div',
      {},
      title,
      make('p', { textContent: `${WORDS.text} ` }, make('a', { href: PRIVACY, textContent: WORDS.privacy })),
      details,
      make(
        'div',
        { className: 'consent-buttons' },
        button(WORDS.accept, () => decide({ analytics: true, advertising: true })),
        button(WORDS.refuse, () => decide({ analytics: false, advertising: false })),
        more,
        save,
      ),
    ),
  )
  shown.setAttribute('aria-labelledby', 'consent-title')
  // beside an open dialog, which makes everything usable again when it goes
  shown.inert = document.querySelector('dialog[open]') !== null
  document.body.append(shown)
  size.observe(shown)
  if (byRequest) analytics.focus()
}
