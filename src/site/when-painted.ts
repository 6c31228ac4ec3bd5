/** The longest wait, for a page that paints nothing (a tab in the background) or a browser that does not tell. */
const LONGEST_MS = 1500

/**
 * Runs `work` once the page's text stands on the screen and one more frame has gone: what it fetches then
 * takes nothing from the first view. (When the browser is "idle" comes before the first paint too, and
 * cost it 0.15 s on a slow phone.)
 */
export function whenPainted(work: () => void): void {
  let begun = false
  const begin = (): void => {
    if (begun) return
    begun = true
    work()
  }
  setTimeout(begin, LONGEST_MS)
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length) requestAnimationFrame(() => setTimeout(begin))
  }).observe({ type: 'paint', buffered: true })
}
