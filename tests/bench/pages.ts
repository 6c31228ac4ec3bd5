/**
 * Landing page and quiz against floors built in the same run: the landing page without a line of script, a quiz written
 * by hand in 0.8 KB, a bare React 19 island. Lighthouse mobile, in turns, median of 7; a 30-tap walk at 4× CPU.
 * `npm run bench -- pages`, or `SITE_DIST=… node tests/bench/pages.ts [rounds]`.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findChromium } from '../support/chromium.ts'
import { siteDist } from '../support/stack.ts'
import { plainLanding, plainQuiz, PLAIN_SCRIPT } from './plain-quiz.ts'
import { served } from './served.ts'
import { finish, judge, median, note } from './table.ts'
import { brotli, islandFloor, weigh } from './weights.ts'

const rounds = Number(process.argv[2] ?? 7)
const dist = siteDist()
const DEBUG_PORT = 20_000 + (process.pid % 20_000)
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: [
    `--remote-debugging-port=${DEBUG_PORT}`,
    '--disable-quic',
    '--disable-background-networking',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})

/** The floors as a built site: same addresses, same pictures and fonts, compressed the same way. */
function buildFloors(): string {
  const place = mkdtempSync(join(tmpdir(), 'eye-floors-'))
  cpSync(join(dist, '_astro'), join(place, '_astro'), { recursive: true })
  mkdirSync(join(place, 'quiz'))
  for (const [file, html] of [
    ['index.html', plainLanding(dist)],
    ['quiz/index.html', plainQuiz(dist)],
  ] as const) {
    writeFileSync(join(place, file), html)
    writeFileSync(join(place, `${file}.br`), brotliCompressSync(html))
  }
  return place
}

interface Run {
  lcp: number
  tbt: number
  cls: number
}
async function measure(url: string, again = true): Promise<Run> {
  const result = await lighthouse(url, {
    port: DEBUG_PORT,
    onlyAudits: ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'],
    logLevel: 'silent',
  }).catch((error: unknown) => ({ lhr: { runtimeError: error as Error, audits: undefined } }))
  const { runtimeError, audits } = result?.lhr ?? {}
  // a run that painted nothing in time, or lost its tab, on a busy machine: once more
  if (runtimeError && again) return measure(url, false)
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`)
  const value = (id: string) => audits?.[id]?.numericValue ?? Number.NaN
  const run = { lcp: value('largest-contentful-paint'), tbt: value('total-blocking-time'), cls: value('cumulative-layout-shift') } // prettier-ignore
  return Number.isNaN(run.lcp) && again ? measure(url, false) : run
}

/** Ours and the floor in turns, so that a busy minute hits both. */
async function compared(ours: string, floor: string): Promise<Record<'ours' | 'floor', Run>> {
  const runs: Record<'ours' | 'floor', Run[]> = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    runs.floor.push(await measure(floor))
    runs.ours.push(await measure(ours))
  }
  const middle = (all: Run[]): Run => ({
    lcp: median(all.map(({ lcp }) => lcp)),
    tbt: median(all.map(({ tbt }) => tbt)),
    cls: median(all.map(({ cls }) => cls)),
  })
  return { ours: middle(runs.ours), floor: middle(runs.floor) }
}

interface Walk {
  /** p50 of the time in the handlers of a tap, with the drawing that they ask for at once. */
  handler: number
  /** The longest interaction, as Event Timing tells it (8 ms steps). */
  worst: number
  shifts: number
  /** Files of code asked for after the first tap. */
  late: number
  taps: number
}

/** Thirty taps through the questions with a processor four times slower. */
async function walk(url: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { handlers: [] as number[], worst: 0, shifts: 0 }
    Object.assign(window, { seen })
    let began = 0
    addEventListener('click', () => (began = performance.now()), true)
    // after the frameworks' own listeners, which stand on the document or below it
    addEventListener('click', () => queueMicrotask(() => seen.handlers.push(performance.now() - began)))
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as PerformanceEventTiming[]) {
        if (one.interactionId) seen.worst = Math.max(seen.worst, one.duration)
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!one.hadRecentInput) seen.shifts += one.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${url}/quiz?step=1`, { waitUntil: 'networkidle' })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  let late = 0
  page.on('request', (request) => (late += Number(/\.js$/.test(request.url()))))
  const main = page.getByRole('main')
  const step = () => new URL(page.url()).searchParams.get('step')
  const next = main.locator('.button-bar .button')
  let taps = 0
  while (taps < 30) {
    const here = step()
    const options = main.locator('.option')
    const count = await options.count()
    for (let index = 0; index < Math.min(count, (await next.count()) ? 3 : 1) && taps < 30; index++, taps++) {
      await options.nth(index).tap()
      await page.waitForTimeout(80)
    }
    if (taps < 30 && (await next.count())) {
      taps++
      await next.tap()
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
  const seen = await page.evaluate(
    () => (window as unknown as { seen: { handlers: number[]; worst: number; shifts: number } }).seen,
  )
  await context.close()
  return { handler: median(seen.handlers), worst: seen.worst, shifts: seen.shifts, late, taps: seen.handlers.length }
}

const floors = buildFloors()
try {
  const kb = 1024
  const landing = weigh(dist, '')
  const island = weigh(await islandFloor(), '').script
  note('floor: quiz by hand, script', `${brotli(PLAIN_SCRIPT)} bytes`)
  note('floor: bare React 19 island, script', `${island} bytes`)
  judge('landing page, all', landing.total, 12 * kb, ' bytes')
  judge('landing page, script', landing.script, 2 * kb, ' bytes')
  judge('quiz, script to the first answer against the island', weigh(dist, 'quiz').script / island, 1.15)
  judge('checkout, script before the dialog against the island', weigh(dist, 'checkout').script / island, 1.25)

  await served(dist, (ours) =>
    served(floors, async (floor) => {
      const home = await compared(`${ours}/`, `${floor}/`)
      note('landing page, largest paint', `${home.ours.lcp.toFixed(0)} ms, without script ${home.floor.lcp.toFixed(0)} ms`) // prettier-ignore
      judge('landing page, largest paint against no script', home.ours.lcp / home.floor.lcp, 1.1)
      note('landing page without script, blocked', `${home.floor.tbt.toFixed(0)} ms`)
      judge('landing page, blocked more than without script', Math.max(0, Math.round(home.ours.tbt - home.floor.tbt)), 0, ' ms') // prettier-ignore
      judge('landing page, layout shift', home.ours.cls, 0)
      const quiz = await compared(`${ours}/quiz`, `${floor}/quiz`)
      note('quiz, largest paint', `${quiz.ours.lcp.toFixed(0)} ms, by hand ${quiz.floor.lcp.toFixed(0)} ms`)
      note('quiz, blocked', `${quiz.ours.tbt.toFixed(0)} ms, by hand ${quiz.floor.tbt.toFixed(0)} ms`)
      judge('quiz, largest paint against the one by hand', quiz.ours.lcp / quiz.floor.lcp, 1.1)
      judge('quiz, layout shift while loading', quiz.ours.cls, 0)
      const byHand = await walk(floor)
      const walked = await walk(ours)
      note('quiz, handler p50', `${walked.handler.toFixed(2)} ms over ${walked.taps} taps, by hand ${byHand.handler.toFixed(2)} ms over ${byHand.taps}`) // prettier-ignore
      judge('quiz, handler p50 against the one by hand', walked.handler / byHand.handler, 1.5)
      note('quiz by hand, worst interaction', `${byHand.worst} ms`)
      judge('quiz, worst interaction', walked.worst, 80, ' ms')
      judge('quiz, layout shift between steps', walked.shifts, 0)
      judge('quiz, code asked for during the walk', walked.late, 0, ' files')
    }),
  )
} finally {
  await browser.close()
  rmSync(floors, { recursive: true, force: true })
}
finish()
