import { createMatcher, plain, type Entry } from './match.ts'

/**
 * Writes data-sanity on the elements that show a document's text or picture (K-04), now and whenever the page changes:
 * screens drawn by the browser are marked like those sent by the server, and components need not know.
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
    // a delayed call may come after a newer draft has set its own marks
    if (!over) waiting = requestAnimationFrame(mark)
  }
  mark()
  const observer = new MutationObserver((changes) => {
    // an island is hydrating: React compares the server's markup with its own before anything may be written on it
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

/** When the page is idle, or within a second anyway: a page in constant motion is never idle. Safari lacks the call. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 1_000 })
  else setTimeout(work, 300)
}

/** Whether the element itself holds words, possibly broken up by emphasis. */
function holdsWords(element: HTMLElement): boolean {
  if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SANITY-VISUAL-EDITING)$/i.test(element.tagName)) return false
  // Astro removes the attribute once the island is hydrated
  if (element.closest('sanity-visual-editing, [data-drafts-own], astro-island[ssr]')) return false
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && plain(node.nodeValue ?? '') !== '')
}

/** The words of an element without those added beside them for screen readers. */
function wordsOf(element: HTMLElement): string {
  const whole = element.textContent
  const own = [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.nodeValue ?? '')
    .join('')
  // "label + icon + hidden hint": only the label's own words come from the field
  return [...element.children].every((child) => /^(B|STRONG|EM|I|A|BR|SPAN)$/.test(child.tagName)) ? whole : own
}

function set(element: HTMLElement, entry: Entry | undefined): void {
  if (entry) {
    if (element.dataset['sanity'] !== entry.edit) element.dataset['sanity'] = entry.edit
  } else if (element.dataset['sanity'] !== undefined) delete element.dataset['sanity']
}
