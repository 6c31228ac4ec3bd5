import { parseAttribution } from '../../contract/attribution.ts'
import { captureHere } from '../session/attribution.ts'

/** Enhancements inside the landing page: everything works without them. The session comes later (visit.client.ts). */

// L-05: any choice closes the menu, also for a page that comes back from the browser's cache
const menu = document.getElementById('menu')
const menuButton = menu?.previousElementSibling as HTMLElement | null | undefined
let close = (): void => menu?.hidePopover?.()
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a')) close()
})
// where the browser has no popover (Safari 16), the same by hand: Safari gives the focus to no button that is pressed
if (menu && menuButton && !('hidePopover' in HTMLElement.prototype)) {
  const show = (open: boolean): void => {
    menu.dataset['open'] = menuButton.ariaExpanded = `${open}`
  }
  close = () => show(false)
  close()
  menuButton.addEventListener('click', () => show(menu.dataset['open'] === 'false'))
  // a tap beside the menu is no click on an iPhone
  addEventListener('pointerdown', ({ target }) => {
    if (!menu.contains(target as Node) && !menuButton.contains(target as Node)) close()
  })
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || menu.dataset['open'] === 'false') return
    close()
    menuButton.focus()
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

// L-04, L-06: where nothing may be stored, the links to the quiz carry the attribution
const kept = new URLSearchParams(parseAttribution(new URLSearchParams(location.search))).toString()
if (kept) for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-age-link]')) link.search += `&${kept}`

// L-06: kept before anything else is fetched, so that leaving quickly does not lose the campaign
addEventListener('load', captureHere)
addEventListener('pagehide', captureHere)
