/** One look at a page, as the benches take it: everything that it fetched, what moved, how long it was blocked. */
import type { Page } from '@playwright/test'

/** The page's tracking comes 0.4 s after the load. */
const LATE_MS = 1_500

interface Look {
  requests: number
  /** Of `requests`, those to the service. */
  calls: number
  scripts: number
  /** Bodies as they travelled, compressed. */
  bytes: number
  scriptBytes: number
  shift: number
  /** Largest contentful paint, in milliseconds on this machine. */
  paint: number
  /** What was written to the console as an error, and what the page threw. */
  errors: string[]
}

/** Runs in the page. */
function weighed(): Promise<Omit<Look, 'errors'>> {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const fetched = [...(performance.getEntriesByType('navigation') as PerformanceResourceTiming[]), ...files]
  const scripts = fetched.filter(({ name }) => /\.js$/.test(new URL(name).pathname))
  const calls = fetched.filter(({ name }) => new URL(name).pathname.startsWith('/api/'))
  const sum = (of: PerformanceResourceTiming[]): number => of.reduce((all, one) => all + one.encodedBodySize, 0)
  return new Promise((done) => {
    let [shift, paint] = [0, 0]
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) paint = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const told = () => ({
      requests: fetched.length,
      calls: calls.length,
      scripts: scripts.length,
      bytes: sum(fetched),
      scriptBytes: sum(scripts),
      shift,
      paint,
    })
    setTimeout(() => done(told()), 100)
  })
}

/** Opens the page and looks once nothing more comes; `filled` matches what its island shows last. */
export async function lookAt(page: Page, url: string, filled?: string): Promise<Look> {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url, { waitUntil: 'load' })
  if (filled) await page.locator(filled).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(LATE_MS)
  return { ...(await page.evaluate(weighed)), errors }
}

const kb = (of: number): string => `${(of / 1_024).toFixed(1)} KB`

export const asText = ({ requests, calls, scripts, bytes, scriptBytes, paint }: Look): string =>
  `${requests} requests${calls ? ` (${calls} of the service)` : ''}, ${kb(bytes)}; ` +
  `${scripts} scripts, ${kb(scriptBytes)}; ${paint.toFixed(0)} ms`
