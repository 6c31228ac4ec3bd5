/**
 * The screens that need the service, with the whole product behind them: what they fetch and what moves on a small
 * phone and a wide screen, their paints by Lighthouse mobile, the worst of some taps at 4× CPU, errors in the console.
 * Part of `whole`; alone: `node tests/bench/screens.ts [rounds] [part of a path]`.
 */
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { paidBuyer } from '../journeys/buyer.ts'
import { becomeMember } from '../journeys/members.ts'
import { newEmail, prepared } from '../journeys/prepared.ts'
import { findChromium } from '../support/chromium.ts'
import { startTestServer } from '../support/postgres.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { asText, lookAt } from './look.ts'
import { finish, judge, median, note } from './table.ts'
import { type Interaction, type Seen, touch, watch, worstOf } from './walk.ts'

const LIMITS = { shift: 0.02, tap: 80, requests: 48, firstPaint: 1_300 }
const SIZES = {
  '360 px': { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  '1440 px': { viewport: { width: 1440, height: 900 } },
}
const DEBUG_PORT = 20_000 + (process.pid % 20_000)

interface Screen {
  path: string
  /** What its island shows last. */
  filled: string
  /** Taps that stay on the screen. */
  taps?: [selector: string, index: number][]
  /** Its words and frame are in the built page. */
  framed?: boolean
}

interface Visitor {
  who: string
  screens: Screen[]
}

/** In the order in which one browser becomes what they need. */
async function* visitors(context: BrowserContext, stack: Stack): AsyncGenerator<Visitor> {
  const page = await context.newPage()
  const own = (path: string, filled: string, more: Omit<Screen, 'path' | 'filled'> = {}): Screen => ({
    path,
    filled,
    ...more,
  })
  yield {
    who: 'signed out',
    screens: [
      own('/app/', 'input[type=password]', { taps: [['main .check', 0]], framed: true }),
      own('/app/forgot-password', 'main h1'),
      own('/exit', 'main h1'),
    ],
  }
  const { sessionId } = await prepared(page)
  const terms = '.terms :text("Today")'
  yield {
    who: 'with a quiz',
    screens: [
      own(`/checkout/${sessionId}`, '.price-card .price:not([data-waiting])', {
        taps: [
          ['main summary', 0],
          ['main .round', 1],
          ['main .check', 0],
          ['main .button:text-is("Order now")', 0],
        ],
        framed: true,
      }),
      own(`/special-offer-intro/${sessionId}`, terms),
      own(`/special-offer-details/${sessionId}`, terms, { taps: [['main button.button', 0]] }),
      own(`/payment/${sessionId}`, 'input[name=name]', {
        taps: [
          ['main .package', 0],
          ['main .package', 2],
        ],
      }),
    ],
  }
  const buyer = await paidBuyer(page)
  yield {
    who: 'who paid',
    screens: [
      own(`/multi-upsell/${buyer.sessionId}`, 'main .skip', {
        taps: [
          ['main .addon-head', 0],
          ['main .addon-head', 1],
          ['main summary', 0],
          ['main .addon-head', 2],
        ],
        framed: true,
      }),
      own(`/user-creation/${buyer.sessionId}`, 'input[name=password]', { taps: [['main .check', 0]] }),
      own(`/thank-you/${buyer.sessionId}`, ':text("Next charge:")', { framed: true }),
    ],
  }
  await becomeMember(page, stack, newEmail())
  yield {
    who: 'signed in',
    screens: [
      own('/app/', 'main .button:text("Start the session")', {
        taps: [
          ['main summary', 1],
          ['main summary', 2],
        ],
        framed: true,
      }),
      own('/app/day/1', 'main .player-main', {
        taps: [
          ['main .exercise-pause', 0],
          ['main .button:text-is("Next")', 0],
          ['main summary', 0],
        ],
      }),
      own('/app/subscription', 'main h1', { taps: [['main button.button-text', 0]] }),
      own('/app/invoices', 'main h1'),
    ],
  }
}

type Session = Awaited<ReturnType<Browser['newBrowserCDPSession']>>

/** Gives the browser's own context, in which Lighthouse opens its tab, the cookies of this one. */
async function share(from: BrowserContext, session: Session): Promise<void> {
  const cookies = (await from.cookies()).map(({ name, value, domain, path, httpOnly, secure, sameSite, expires }) => ({
    ...{ name, value, domain, path, httpOnly, secure, sameSite },
    ...(expires > 0 ? { expires } : {}),
  }))
  await session.send('Storage.setCookies', { cookies })
}

interface Paints {
  first: number
  largest: number
  blocked: number
}

async function paints(url: string, again = true): Promise<Paints> {
  const onlyAudits = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']
  const result = await lighthouse(url, { port: DEBUG_PORT, onlyAudits, logLevel: 'silent' }).catch(() => undefined)
  const { audits, runtimeError } = result?.lhr ?? {}
  // a busy machine can miss the paint or lose the tab: try once more
  if ((!audits || runtimeError) && again) return paints(url, false)
  const [first = NaN, largest = NaN, blocked = NaN] = onlyAudits.map((id) => audits?.[id]?.numericValue)
  return { first, largest, blocked }
}

/** The worst tap at a quarter of the processor's speed; undefined where each was painted within 16 ms. */
async function worstTap(
  browser: Browser,
  from: BrowserContext,
  url: string,
  screen: Screen,
): Promise<Interaction | undefined> {
  const storageState = await from.storageState()
  const context = await browser.newContext({ ...SIZES['360 px'], storageState })
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.locator(screen.filled).first().waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (const [selector, index] of screen.taps ?? []) {
    await touch(page, selector, index)
    await page.waitForTimeout(600)
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await context.close()
  return seen.interactions.length ? worstOf(seen) : undefined
}

/** Prints and judges them all, or those whose path has this part. */
export async function judgeScreens(rounds = 3, part = ''): Promise<void> {
  const stopDatabase = await startTestServer()
  const stack = await startStack()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [`--remote-debugging-port=${DEBUG_PORT}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  const session = await browser.newBrowserCDPSession()
  const home = await browser.newContext({ baseURL: stack.url })
  try {
    for await (const { who, screens } of visitors(home, stack)) {
      await share(home, session)
      for (const screen of screens.filter(({ path }) => path.includes(part))) await judgeScreen(who, screen)
    }
  } finally {
    await browser.close()
    await stack.stop()
    await stopDatabase()
  }

  async function judgeScreen(who: string, screen: Screen): Promise<void> {
    const about = `${screen.path.replace(/[0-9a-f-]{36}/, '{id}')}, ${who}`
    const url = stack.url + screen.path
    for (const [size, options] of Object.entries(SIZES)) {
      const context = await browser.newContext({ ...options, storageState: await home.storageState() })
      const look = await lookAt(await context.newPage(), url, screen.filled)
      await context.close()
      note(`${about}, ${size}`, asText(look))
      judge(`${about}, ${size}: layout shift`, look.shift, LIMITS.shift)
      judge(`${about}, ${size}: errors in the console`, look.errors.length, 0)
      for (const error of look.errors) note(about, error)
      if (size === '360 px') judge(`${about}: requests`, look.requests, LIMITS.requests)
    }
    const all: Paints[] = []
    for (let round = 0; round < rounds; round++) all.push(await paints(url))
    const of = (name: keyof Paints): number => median(all.map((one) => one[name]))
    note(`${about}, slow phone`, `largest paint ${of('largest').toFixed(0)} ms, blocked ${of('blocked').toFixed(0)} ms`)
    if (screen.framed) judge(`${about}: first paint`, Math.round(of('first')), LIMITS.firstPaint, ' ms')
    else note(`${about}: first paint`, `${of('first').toFixed(0)} ms`)
    if (!screen.taps) return
    const worst = await worstTap(browser, home, url, screen)
    judge(`${about}: worst tap`, worst?.duration ?? 16, LIMITS.tap, ' ms')
    if (!worst) return
    const { name, delay, handlers, painting } = worst
    note(
      `${about}: worst tap`,
      `${name}, waited ${delay.toFixed(0)}, handlers ${handlers.toFixed(0)}, painting ${painting.toFixed(0)}`,
    )
  }
}

if (import.meta.main) {
  await judgeScreens(Number(process.argv[2] ?? 3), process.argv[3])
  finish()
}
