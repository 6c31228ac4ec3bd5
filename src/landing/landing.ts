import { parseAttribution } from '../../contract/attribution.ts'
import { captureHere } from '../session/attribution.ts'

/** Enhancements inside the landing page: everything works without them. The session comes later (visit.client.ts). */

// L-05: any choice closes the menu, also for a page that comes back from the browser's cache
const menu = document.getElementById('menu')
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a')) menu.hidePopover?.()
})

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
