import type { Browser, Page } from '@playwright/test'
import { median } from './table.ts'

/** One interaction as Event Timing reports it, in milliseconds (the duration in steps of 8). */
export interface Interaction {
  /** 'pointerup', 'click' …: the event of the interaction that took longest. */
  name: string
  step: string
  duration: number
  /** Before the first handler, in the handlers, and from their end until it was painted. */
  delay: number
  handlers: number
  painting: number
}

export interface Walk {
  /** p50 of the time in a tap's handlers, including the rendering that they trigger synchronously. */
  handler: number
  worst: Interaction
  shifts: number
  /** Code files requested after the first tap. */
  late: number
  taps: number
}

export interface Seen {
  handlers: number[]
  interactions: Interaction[]
  shifts: number
}

const NONE: Interaction = { name: 'none', step: '', duration: Number.NaN, delay: 0, handlers: 0, painting: 0 }

/** Of what a page of `watch` has seen. */
export const worstOf = ({ interactions }: Seen): Interaction =>
  interactions.reduce((one, other) => (other.duration > one.duration ? other : one), interactions[0] ?? NONE)

/** Runs in the page before any of its own scripts. */
export function watch(): void {
  const seen: Seen = { handlers: [], interactions: [], shifts: 0 }
  Object.assign(window, { seen })
  let began = 0
  const steps: { from: number; step: string }[] = []
  addEventListener(
    'click',
    () => {
      steps.push({ from: performance.now(), step: new URLSearchParams(location.search).get('step') ?? '' })
      began = performance.now()
    },
    true,
  )
  // after the frameworks' own listeners, which are on the document or below it
  addEventListener('click', () => queueMicrotask(() => seen.handlers.push(performance.now() - began)))
  new PerformanceObserver((list) => {
    for (const one of list.getEntries() as PerformanceEventTiming[]) {
      if (!one.interactionId) continue
      seen.interactions.push({
        name: one.name,
        step: steps.findLast(({ from }) => from <= one.startTime + one.duration)?.step ?? '',
        duration: one.duration,
        delay: one.processingStart - one.startTime,
        handlers: one.processingEnd - one.processingStart,
        painting: one.startTime + one.duration - one.processingEnd,
      })
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  new PerformanceObserver((list) => {
    for (const one of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!one.hadRecentInput) seen.shifts += one.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/**
 * Touches the middle of an element. Playwright's own tap() listens in the page and hit-tests while the events run: at
 * 4× CPU that alone takes longer than the handlers measured here. This is a plain touch, once the screen has settled.
 */
export async function touch(page: Page, selector: string, index: number): Promise<void> {
  const target = page.locator(selector).nth(index)
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`nothing to tap at ${selector}`)
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
}

/** Thirty taps through the questions at a quarter of the processor's speed. */
export async function walk(browser: Browser, url: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(`${url}/quiz?step=1`, { waitUntil: 'networkidle' })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  let late = 0
  page.on('request', (request) => (late += Number(/\.js$/.test(request.url()))))
  const step = () => new URL(page.url()).searchParams.get('step')
  const options = page.locator('main .option')
  const next = page.locator('main .button-bar .button')
  let taps = 0
  while (taps < 30) {
    const here = step()
    const count = await options.count()
    const several = (await next.count()) > 0
    for (let index = 0; index < Math.min(count, several ? 3 : 1) && taps < 30; index++, taps++) {
      await touch(page, 'main .option', index)
      await page.waitForTimeout(80)
    }
    if (taps < 30 && several) {
      taps++
      await touch(page, 'main .button-bar .button:enabled', 0)
    }
    if (taps >= 30) break
    await page.waitForURL((address) => address.searchParams.get('step') !== here, { timeout: 12_000 })
    // facts, loaders and the e-mail step are passed by their address: the walk measures questions
    const at = Number(step())
    const question = [1, 2, 3, 4, 5, 8, 9, 10, 11, 13, 16, 17, 18, 20].find((one) => one >= at) ?? 1
    if (question !== at || question < Number(here)) {
      await page.evaluate((address) => {
        history.pushState(null, '', address)
        dispatchEvent(new PopStateEvent('popstate'))
      }, `/quiz?step=${question}`)
    }
    await page.waitForTimeout(300)
  }
  // the last interaction is reported a moment after its paint
  await page.waitForTimeout(300)
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await context.close()
  return {
    handler: median(seen.handlers),
    worst: worstOf(seen),
    shifts: seen.shifts,
    late,
    taps: seen.handlers.length,
  }
}
