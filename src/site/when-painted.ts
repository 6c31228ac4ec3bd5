/**
 * The longest wait, for a page that paints nothing (a tab in the background) or a browser that does not report paints.
 */
const LONGEST_MS = 1500

/**
 * Runs `work` once the page's text is painted and one more frame has passed, so that what it fetches does not delay the
 * first view. (The browser's "idle" can come before the first paint, which cost 0.15 s on a slow phone.)
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
