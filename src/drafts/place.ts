import { createMatcher, plain, type Entry } from './match.ts'

/**
 * Writes data-sanity where a text or picture of a document stands on the page (K-04), now and whenever the page
 * changes: screens that the browser draws are marked like those that the server sent, and no component knows of it.
 */
export function placeEdits(entries: readonly Entry[], root: HTMLElement = document.body): () => void {
  const matcher = createMatcher(entries)
  const mark = (): void => {
    const elements = [...root.querySelectorAll<HTMLElement>('*')].filter(holdsWords)
    const found = matcher.texts(elements.map(wordsOf))
    elements.forEach((element, index) => set(element, found[index]))
    for (const image of root.querySelectorAll('img')) {
      if (image.closest('astro-island[ssr]')) continue
      const address = decodeURIComponent(
        `${image.currentSrc} ${image.src} ${image.srcset}`.replace(/%(?![0-9a-f]{2})/gi, ''),
      )
      set(image, matcher.picture(address))
    }
  }
  let waiting = 0
  let over = false
  const later = (): void => {
    cancelAnimationFrame(waiting)
    // what waited for a quiet moment may come when a newer draft has its own marks
    if (!over) waiting = requestAnimationFrame(mark)
  }
  mark()
  const observer = new MutationObserver((changes) => {
    // an island comes to life: React compares what the server sent with its own before anything is written on it
    if (changes.some(({ type }) => type === 'attributes')) whenIdle(later)
    else later()
  })
  observer.observe(root, { childList: true, characterData: true, subtree: true, attributeFilter: ['ssr'] })
  return () => {
    over = true
    cancelAnimationFrame(waiting)
    observer.disconnect()
  }
}

/**
 * When the page has nothing else to do, or soon all the same: a page that moves all the time is never
 * idle. Safari has no such call.
 */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 1_000 })
  else setTimeout(work, 300)
}

/** A text of its own: the element itself holds words, or its words are broken up by emphasis only. */
function holdsWords(element: HTMLElement): boolean {
  if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SANITY-VISUAL-EDITING)$/i.test(element.tagName)) return false
  // Astro takes the attribute away when the island has begun to live
  if (element.closest('sanity-visual-editing, [data-drafts-own], astro-island[ssr]')) return false
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && plain(node.nodeValue ?? '') !== '')
}

/** The words of an element without those of marks that are drawn beside them for screen readers. */
function wordsOf(element: HTMLElement): string {
  const whole = element.textContent
  const own = [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.nodeValue ?? '')
    .join('')
  // "label + icon + hidden hint": the label's own words are the field's
  return [...element.children].every((child) => /^(B|STRONG|EM|I|A|BR|SPAN)$/.test(child.tagName)) ? whole : own
}

function set(element: HTMLElement, entry: Entry | undefined): void {
  if (entry) {
    if (element.dataset['sanity'] !== entry.edit) element.dataset['sanity'] = entry.edit
  } else if (element.dataset['sanity'] !== undefined) delete element.dataset['sanity']
}
