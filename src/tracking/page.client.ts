import { CONSENT_WORDS } from '../../contract/consent-words.ts'
import { captureHere } from '../session/attribution.ts'
import { sendEvidence } from '../session/evidence.ts'
import { make, PRIVACY, showBanner } from './banner.ts'
import { hasToAsk, learnRegion, mayAdvertise, tellSignal } from './consent.ts'
import { pushEvent } from './data-layer.ts'
import { forgetAdvertising } from './forget.ts'
import { flush, place, record, recordActivity, timedId } from './outgoing.ts'
import { loadThirdParties, stopThirdParties, tellContact } from './third-parties.ts'
import { watchTrouble } from './trouble.ts'

/** Every page, once it is shown: page views, errors, consent, and what consent allows. Never in the way (T-04). */

/** One view of a page or of a step of the quiz. */
interface View {
  id: string
  url: string
  step: string | null
  referrer: string
  /** Milliseconds seen so far; `since` is null while the page is hidden. */
  seen: number
  since: number | null
  depth: number
  interactions: number
}

let view: View | undefined

/** Chrome renders what it expects to be opened; nobody may ever look at it. TypeScript does not know this yet. */
type Prerendered = Document & { prerendering?: boolean }

const stepHere = (): string | null =>
  location.pathname === '/quiz' ? new URLSearchParams(location.search).get('step') : null

function scrolled(): number {
  const { scrollHeight } = document.documentElement
  return Math.min(100, Math.round((100 * (scrollY + innerHeight)) / Math.max(1, scrollHeight)))
}

function referrerOf(): string {
  if (view) return view.url
  try {
    const from = new URL(document.referrer)
    return from.origin === location.origin ? place(from.pathname) : from.origin
  } catch {
    return ''
  }
}

/** Begins a view, now or at a moment of the page's clock. */
function begin(step = stepHere(), at = performance.now()): void {
  view = {
    id: timedId(Date.now() - performance.now() + at),
    url: place(),
    step,
    referrer: referrerOf(),
    seen: 0,
    since: document.visibilityState === 'hidden' ? null : at,
    depth: scrolled(),
    interactions: 0,
  }
  tell()
  if (step !== null) pushEvent('quiz_progress', { step })
}

/** Begins with what is on the screen, after the steps of the quiz that were passed before this script came. */
function catchUp(): void {
  const marks = performance.getEntriesByName('step', 'mark') as PerformanceMark[]
  for (const { detail, startTime } of marks) {
    if (view?.step === detail) continue
    const at = Math.max(startTime, opened)
    tell(at)
    begin(detail as string | null, at)
  }
  if (view?.step !== stepHere()) begin()
}

/** What is measured is counted by it: the published revision in this page, and the key of a step. */
function published(step: string | null): { revision?: string; stepKey?: string } {
  const { revision, steps = '' } = document.getElementById('main')?.dataset ?? {}
  const stepKey = steps.split(' ')[Number(step) - 1]
  return { ...(revision ? { revision } : {}), ...(stepKey ? { stepKey } : {}) }
}

/** Records the current view up to now, or to a moment; each time it is sent its figures only grow. */
function tell(until = performance.now()): void {
  if (!view) return
  const seen = view.seen + (view.since === null ? 0 : until - view.since)
  record({
    kind: 'page_view',
    id: view.id,
    url: view.url,
    // on a step the title is the question, or a result that follows from answers: the number says enough
    ...(view.step ? { step: view.step } : { title: document.title.slice(0, 200) }),
    ...published(view.step),
    ...(view.referrer ? { referrer: view.referrer } : {}),
    seconds: Math.round(seen / 1000),
    scrollDepth: view.depth,
    interactions: view.interactions,
  })
}

/** The quiz changes its address without a new page. */
function watchSteps(): void {
  const look = (): void => {
    if (!view || (stepHere() === view.step && place() === view.url)) return
    tell()
    begin()
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const before = history[name].bind(history)
    history[name] = (data: unknown, unused: string, url?: string | URL | null) => {
      before(data, unused, url)
      look()
    }
  }
  addEventListener('popstate', look)
}

function watchUse(): void {
  const used = (): void => void (view && view.interactions++)
  addEventListener('pointerdown', used, { passive: true, capture: true })
  addEventListener('keydown', used, { passive: true, capture: true })
  addEventListener('scroll', () => void (view && (view.depth = Math.max(view.depth, scrolled()))), { passive: true })
  document.addEventListener('visibilitychange', () => {
    if (!view) return
    if (document.visibilityState === 'hidden') {
      if (view.since !== null) view.seen += performance.now() - view.since
      view.since = null
      tell()
      flush()
    } else view.since = performance.now()
  })
  addEventListener('pagehide', () => {
    tell()
    flush()
  })
}

/** T-03: the contact link of the contact page and the footer. */
function watchContact(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('a[href^="mailto:"]')) return
    recordActivity('contact')
    void tellContact(pushEvent).catch(() => undefined)
  })
}

function afterChoice(): void {
  if (!mayAdvertise()) {
    forgetAdvertising()
    return stopThirdParties()
  }
  // what the address carries may be stored from now on (L-06)
  captureHere()
  loadThirdParties()
}

/** The quiz has no footer. This one comes below its first view, so that nothing moves and no button is covered. */
function addFooter(): void {
  // on a phone the button lies at the foot of what is seen; wider screens have room under the text
  if (innerWidth <= 640) document.getElementById('main')?.classList.add('filled-main')
  const choices = make('button', { type: 'button', className: 'link-button' })
  choices.dataset['privacyChoices'] = ''
  const privacy = make('a', { href: PRIVACY, textContent: 'Privacy' })
  const list = make('ul', { className: 'site-footer-links' }, make('li', {}, privacy), make('li', {}, choices))
  const footer = make('footer', { className: 'site-footer' }, make('div', { className: 'column' }, list))
  footer.style.margin = list.style.margin = '0'
  footer.style.paddingBlock = '0 env(safe-area-inset-bottom)'
  document.body.append(footer)
}

/** The footer's link to the choices: consent is as easy to withdraw as to give. */
function offerChoices(): void {
  if (!document.querySelector('footer')) addFooter()
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-privacy-choices]')) {
    button.hidden = false
    button.textContent = CONSENT_WORDS.link
    button.addEventListener('click', () => showBanner(afterChoice, true))
  }
}

/** On the page's clock; later than its start where the browser had prepared it. */
let opened = 0
let started = false
export function startTracking(): void {
  if (started) return
  if ((document as Prerendered).prerendering) {
    document.addEventListener(
      'prerenderingchange',
      () => {
        opened = performance.now()
        startTracking()
      },
      { once: true },
    )
    return
  }
  started = true
  try {
    watchTrouble()
    catchUp()
    watchSteps()
    watchUse()
    watchContact()
    offerChoices()
    void sendEvidence()
    tellSignal()
    void learnRegion().then(() => {
      if (!mayAdvertise()) forgetAdvertising()
      if (hasToAsk()) showBanner(afterChoice)
      else if (mayAdvertise()) loadThirdParties()
    })
  } catch {
    // T-04: a page works without tracking
  }
}
