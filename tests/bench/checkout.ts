/**
 * The moment of payment in numbers: the checkout's largest contentful paint with a payment script that takes three
 * seconds against one that is blocked (each round measures both in succession; the verdict is the median of the rounds'
 * ratios), when that script starts, and how long it takes from a tap on 'Order now' to a usable card form. `SITE_DIST=…
 * node tests/bench/checkout.ts [rounds]`; exits with 1 when a limit is exceeded. Keep the machine quiet: the ratios
 * tolerate load, the limit of 500 ms does not.
 */
import { randomUUID } from 'node:crypto'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'
import { startTestServer } from '../support/postgres.ts'
import { startStack } from '../support/stack.ts'
import { finish, judge, median, note } from './table.ts'

const LIMITS = { lcp: 1.05, form: 500 }
const ROUNDS = Number(process.argv[2] ?? 7)
/** Pairs of paints: one alone differs from its twin by a tenth and more. */
const PAIRS = Number(process.argv[2] ?? 15)

const stopDatabase = await startTestServer()
const stack = await startStack()
const executablePath = findChromium()
const browser: Browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--disable-quic', '--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
const script = '**/_stripe/stripe.js'

/** A visitor on a phone, with a session, before any page is opened. */
async function visitor(): Promise<{ page: Page; url: string }> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const made = await page.request.post('/api/sessions', { data: { clientKey: randomUUID() } })
  const { sessionId } = (await made.json()) as { sessionId: string }
  const email = `bench-${randomUUID().slice(0, 8)}@example.com`
  await page.request.put(`/api/sessions/${sessionId}/email`, { data: { email } })
  await page.request.put(`/api/sessions/${sessionId}/price`, { data: { selectedPrice: 1 } })
  // as the quiz leaves it in the browser
  await page.addInitScript(() => localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 1 })))
  return { page, url: `/checkout/${sessionId}` }
}

/**
 * Milliseconds to the largest contentful paint, on a phone's network; the visitor shows intent
 * as soon as there is a button.
 */
async function paint(how: 'slow' | 'blocked'): Promise<number> {
  const { page, url } = await visitor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.route(script, async (route) => {
    if (how === 'blocked') return route.abort()
    await new Promise((resume) => setTimeout(resume, 3_000))
    await route.continue().catch(() => undefined)
  })
  await page.addInitScript(() => {
    const look = setInterval(() => {
      const order = document.querySelector('.order')
      if (!order?.closest('astro-island:not([ssr])')) return
      clearInterval(look)
      order.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    }, 20)
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForTimeout(4_500)
  const time = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await page.context().close()
  return time
}

/**
 * Milliseconds from the tap on 'Order now' to three usable card fields, and whether the script was requested earlier.
 */
async function open(): Promise<{ form: number; early: boolean }> {
  const { page, url } = await visitor()
  let asked = false
  page.on('request', (request) => {
    asked ||= request.url().endsWith('/_stripe/stripe.js')
  })
  await page.goto(url)
  const order = page.getByRole('button', { name: 'Order now', exact: true }).first()
  await page.locator('.price-card .price:not([data-waiting])').first().waitFor()
  await page.waitForLoadState('networkidle')
  const early = asked
  await page.evaluate(() => {
    const at = { tap: 0, ready: 0 }
    Object.assign(window, { benchAt: at })
    addEventListener('pointerdown', () => (at.tap ||= performance.now()), { capture: true })
    const look = (): void => {
      const fields = [...document.querySelectorAll('dialog .card-input .__PrivateStripeElement')]
      const inputs = fields.map((field) => field.shadowRoot?.querySelector('input'))
      const usable =
        inputs.length === 3 && inputs.every((input) => input && !input.disabled && input.getClientRects().length > 0)
      if (usable && at.tap) at.ready = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await order.tap()
  await page.waitForFunction(() => (window as unknown as { benchAt: { ready: number } }).benchAt.ready > 0)
  const form = await page.evaluate(() => {
    const { tap, ready } = (window as unknown as { benchAt: { tap: number; ready: number } }).benchAt
    return ready - tap
  })
  await page.context().close()
  return { form, early }
}

try {
  await paint('blocked')
  const paints = { slow: [] as number[], blocked: [] as number[] }
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    // the order alternates, so that a machine that slows down or warms up favours neither
    const order = pair % 2 ? (['slow', 'blocked'] as const) : (['blocked', 'slow'] as const)
    const times = { slow: 0, blocked: 0 }
    for (const how of order) paints[how].push((times[how] = await paint(how)))
    ratios.push(times.slow / times.blocked)
  }
  const [slow, blocked] = [median(paints.slow), median(paints.blocked)]
  note(
    'LCP of the checkout',
    `${slow.toFixed(0)} ms with a payment script of 3 s, ${blocked.toFixed(0)} ms with it blocked`,
  )
  const sorted = ratios.toSorted((one, other) => one - other).map((one) => one.toFixed(2))
  note('LCP ratio of each pair', sorted.join(' '))
  judge('LCP with a slow payment script / with it blocked, median of the pairs', median(ratios), LIMITS.lcp)

  await open()
  const opened = []
  for (let round = 0; round < ROUNDS; round++) opened.push(await open())
  judge(
    'the payment script asked for before anybody showed intent',
    opened.filter(({ early }) => early).length,
    0,
    ' times',
  )
  judge('tap to a usable card form', median(opened.map(({ form }) => form)), LIMITS.form, ' ms')
} finally {
  await browser.close()
  await stack.stop()
  await stopDatabase()
}
finish()
