import { ATTRIBUTION_KEYS } from '../../contract/attribution.ts'
import { startVisit } from '../session/visit.ts'

/** The landing page's only script: everything works without it, this makes it better. */

// L-05: any choice closes the menu, also when the page comes back from the browser's cache
const menu = document.getElementById('menu')
const menuButton = document.querySelector<HTMLElement>('.menu-button')
if (menu && menuButton) {
  if (menu.hidePopover)
    menu.addEventListener('click', (event) => (event.target as Element).closest('a') && menu.hidePopover())
  else servePopover(menu, menuButton)
}

/** For browsers that know no popover: the same behaviour by hand. */
function servePopover(panel: HTMLElement, button: HTMLElement): void {
  const toggle = (open: boolean): void => {
    panel.toggleAttribute('data-open', open)
    button.setAttribute('aria-expanded', String(open))
  }
  document.addEventListener('click', ({ target }) => {
    toggle(button.contains(target as Node) && !panel.hasAttribute('data-open'))
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !panel.hasAttribute('data-open')) return
    toggle(false)
    button.focus()
  })
}

// L-02: the slider
const stage = document.querySelector<HTMLElement>('[data-compare]')
const slider = stage?.querySelector('input')
if (stage && slider) {
  const draw = (): void => {
    stage.style.setProperty('--cut', `${slider.value}%`)
    slider.setAttribute('aria-valuetext', `${slider.value}% ${slider.dataset.before}`)
  }
  slider.hidden = false
  slider.addEventListener('input', draw)
  draw()
}

// L-04, L-06: where nothing may be stored, the address itself carries the attribution to the quiz
const here = new URLSearchParams(location.search)
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-age-link]')) {
  const url = new URL(link.href)
  for (const key of ATTRIBUTION_KEYS) {
    const value = here.get(key)
    if (value) url.searchParams.set(key, value)
  }
  link.href = url.pathname + url.search
}

// D-01: after everything that the visitor waits for
if (document.readyState === 'complete') void startVisit()
else addEventListener('load', () => setTimeout(startVisit))
