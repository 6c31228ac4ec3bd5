/**
 * Whole pages as a browser fetches them: every byte and request until nothing more comes, what moved, and the largest
 * paint, where visitors are asked for consent, where they are not, and where nobody knows. The pages that need no
 * service; `node tests/bench/whole.ts`.
 */
import { chromium } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'
import { siteDist } from '../support/stack.ts'
import { served } from './served.ts'
import { finish, judge, note } from './table.ts'

const REGIONS = { asked: 'DE', 'not asked': 'BR', unknown: null }
const PAGES = ['/', '/quiz?step=Welcome&age=30-45', '/quiz?step=1', '/women-over60', '/legal/privacy']
/** The page's tracking comes 0.4 s after the load. */
const LATE_MS = 1_500

interface Whole {
  requests: number
  scripts: number
  bytes: number
  scriptBytes: number
  shift: number
  paint: number
}

/** Runs in the page. */
function weighed(): Promise<Whole> {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const all = [...(performance.getEntriesByType('navigation') as PerformanceResourceTiming[]), ...files]
  const fetched = all.filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
  const scripts = fetched.filter(({ name }) => /\.js$/.test(new URL(name).pathname))
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
      scripts: scripts.length,
      bytes: sum(fetched),
      scriptBytes: sum(scripts),
      shift,
      paint,
    })
    setTimeout(() => done(told()), 100)
  })
}

const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const [region, country] of Object.entries(REGIONS)) {
    await served(
      siteDist(),
      async (url) => {
        for (const path of PAGES) {
          const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
          const page = await context.newPage()
          await page.goto(url + path, { waitUntil: 'networkidle' })
          await page.waitForTimeout(LATE_MS)
          const { requests, scripts, bytes, scriptBytes, shift, paint } = await page.evaluate(weighed)
          const about = `${path}, ${region}`
          const kb = (of: number) => `${(of / 1_024).toFixed(1)} KB`
          note(
            about,
            `${requests} requests, ${kb(bytes)}; ${scripts} scripts, ${kb(scriptBytes)}; ${paint.toFixed(0)} ms`,
          )
          judge(`${about}: layout shift`, shift, 0.02)
          if (path.startsWith('/quiz')) judge(`${about}: requests`, requests, 32)
          else judge(`${about}: requests`, requests, 20)
          await context.close()
        }
      },
      undefined,
      country,
    )
  }
} finally {
  await browser.close()
}
finish()
