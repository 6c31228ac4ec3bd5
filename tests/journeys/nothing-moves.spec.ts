/**
 * Nothing moves while it is read: cumulative layout shift of every page. Pages are painted before their scripts run and
 * before the service answers, as on a slow network, whatever the speed of the machine.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { paidBuyer } from './buyer.ts'
import { becomeMember } from './members.ts'
import { newEmail, prepared } from './prepared.ts'

const LIMIT = 0.02

interface Shift {
  value: number
  of: string
}

/** Watches every page of this tab; each call to the service leaves after a painted frame. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    const note = (entries: PerformanceEntryList): void => {
      for (const entry of entries as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[]) {
        if (entry.hadRecentInput) continue
        const nodes = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : ''))
        shifts.push({ value: entry.value, of: nodes.join(' | ') })
      }
    }
    const observer = new PerformanceObserver((list) => note(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const frames = (count: number): Promise<void> =>
      new Promise((resolve) => requestAnimationFrame(() => resolve(count > 1 ? frames(count - 1) : undefined)))
    const painted = new Promise<void>((resolve) => {
      new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true })
    })
    const send = window.fetch.bind(window)
    window.fetch = async (...request) => {
      await painted
      await frames(2)
      return send(...request)
    }
    Object.assign(window, {
      painted,
      shiftsSoFar: async () => {
        await frames(2)
        note(observer.takeRecords())
        return shifts
      },
    })
  })
  await page.route('**/_astro/*.js', async (route) => {
    await page.evaluate(() => (window as unknown as { painted: Promise<void> }).painted).catch(() => undefined)
    await route.continue().catch(() => undefined)
  })
}

/** Opens a page and waits until all of it is there: `filled` is what its island shows last. */
async function steady(page: Page, path: string, filled: Locator): Promise<void> {
  await page.goto(path)
  await expect(filled).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expectShifts(page, path, LIMIT)
}

async function expectShifts(page: Page, what: string, limit: number): Promise<void> {
  const shifts = await page.evaluate(() => (window as unknown as { shiftsSoFar: () => Promise<Shift[]> }).shiftsSoFar())
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  expect.soft(sum, `${what}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(limit)
}

/** Serves a page of the site in two parts, the second once the first is painted; all else as it is. */
async function inTwoParts(stack: Stack, path: string) {
  const html = await (await fetch(stack.url + path)).text()
  let painted = Promise.withResolvers<void>()
  let cut = 0
  const server = createServer((req, res) => {
    void (async () => {
      if (req.url === '/painted') painted.resolve()
      if (req.url === '/painted' || req.url?.startsWith('/api/')) return res.writeHead(204).end()
      if (req.url !== path) {
        const reply = await fetch(stack.url + req.url)
        res.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' })
        return res.end(Buffer.from(await reply.arrayBuffer()))
      }
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, cut))
      await painted.promise
      res.end(html.slice(cut))
    })()
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    html,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    cutAt(at: number): void {
      cut = at
      painted = Promise.withResolvers()
    },
    stop: () => void server.close().closeAllConnections(),
  }
}

const sizes = {
  'a small phone': { viewport: { width: 360, height: 640 } },
  'a wide screen': { ...desktop },
}
for (const [name, size] of Object.entries(sizes)) {
  test.describe(`on ${name}`, () => {
    test.use(size)

    test('L-01 S-00 V-01 G-01 nothing moves on the pages that everybody may open', async ({ page, expectTrouble }) => {
      expectTrouble(/404 GET .*nowhere/, /status of 404/)
      await watch(page)
      const title = page.getByRole('heading', { level: 1 }).first()
      for (const path of [
        '/',
        '/quiz',
        '/quiz?step=1',
        '/quiz?step=2',
        '/quiz?step=24',
        '/quiz?step=33',
        '/women-over60',
        '/legal/privacy',
        '/legal/contact-us',
        '/nowhere',
        '/payment-error',
        '/thank-you',
        '/undo',
        '/exit',
        '/app/',
        '/app/forgot-password',
      ]) {
        await steady(page, path, title)
      }
    })

    test('C-01 O-01 O-02 nothing moves on the way to a purchase', async ({ page }) => {
      await watch(page)
      const { sessionId } = await prepared(page)
      await steady(page, `/checkout/${sessionId}`, page.locator('.terms').getByText('Today').first())
      await page.evaluate(() => localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 1 })))
      await steady(page, `/checkout/${sessionId}`, page.locator('.terms').getByText('Today').first())
      await steady(page, `/special-offer-intro/${sessionId}`, page.locator('.terms').getByText('Today'))
      await steady(page, `/special-offer-details/${sessionId}`, page.locator('.terms').getByText('Today'))
      await steady(page, `/payment/${sessionId}`, page.getByLabel('Postal code'))
    })

    test('U-05 A-01 A-03 A-05 nothing moves after a purchase, nor in the programme', async ({ page, stack }) => {
      await watch(page)
      const { sessionId } = await paidBuyer(page)
      const button = (words: string) => page.getByRole('button', { name: words })
      await steady(page, `/multi-upsell/${sessionId}`, button('Skip →'))
      await steady(page, `/user-creation/${sessionId}`, page.getByLabel('Password', { exact: true }))
      await steady(page, `/thank-you/${sessionId}`, page.getByText('Next charge:'))
      await becomeMember(page, stack, newEmail())
      await steady(page, '/app/', page.getByRole('link', { name: 'Start the session' }))
      await steady(page, '/app/day/1', page.getByRole('heading', { level: 1 }))
      await steady(page, '/app/subscription', page.getByText('Next charge').first())
      await steady(page, '/app/invoices', page.getByRole('heading', { level: 1 }))
      await steady(page, '/app/money-back', page.getByRole('heading', { level: 1 }))
      await steady(page, '/app/card', page.getByRole('heading', { level: 1 }))
      await steady(page, '/', page.getByRole('heading', { level: 1 }))
      await steady(page, '/quiz', page.getByRole('heading', { level: 1 }))
    })

    test('L-01 V-01 G-01 nothing moves while the markup comes in', async ({ browser, stack }) => {
      const page = await browser.newPage(size)
      await watch(page)
      // as every call, once a part is painted
      await page.addInitScript(() => void fetch('/painted'))
      for (const path of ['/', '/women-over60', '/legal/contact-us']) {
        const parts = await inTwoParts(stack, path)
        const [from, to] = [parts.html.indexOf('</h1>'), parts.html.indexOf('<footer')]
        for (let part = 0; part < 12; part++) {
          parts.cutAt(Math.round(from + ((to - from) * part) / 12))
          await page.goto(parts.url)
          await expectShifts(page, `${path} cut at part ${part}`, LIMIT / 4)
        }
        parts.stop()
      }
      await page.close()
    })
  })
}

test('L-01 C-01 text takes the same room when its font is late or never comes', async ({ page }) => {
  await page.goto('/')
  const ratios = await page.evaluate(async () => {
    const words =
      'Your personal plan is ready. $1 today for your 3-day trial, $39 on November 25, then $39 every 30 days until ' +
      'you cancel. How often do your eyes feel tired, dry or strained? About five minutes a day, with audio.'
    const line = document.createElement('span')
    line.textContent = words
    Object.assign(line.style, { position: 'absolute', whiteSpace: 'nowrap', lineHeight: 'normal', fontSize: '100px' })
    document.body.append(line)
    const boxOf = (weight: number, family: string): DOMRect => {
      Object.assign(line.style, { fontFamily: `'${family}', monospace`, fontWeight: String(weight) })
      return line.getBoundingClientRect()
    }
    // the page does without a font that is late: loaded here under another name, it is certain to be there
    const face = [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .find((rule) => rule instanceof CSSFontFaceRule && rule.style.fontFamily.includes('Figtree Variable'))
    const source = (face as CSSFontFaceRule).style.getPropertyValue('src')
    document.fonts.add(await new FontFace('Figtree alone', source, { weight: '300 900' }).load())
    const found: number[] = []
    for (const weight of [400, 550, 650, 700, 750, 800]) {
      await document.fonts.load(`${weight} 18px 'Figtree fallback'`)
      const [own, other] = [boxOf(weight, 'Figtree alone'), boxOf(weight, 'Figtree fallback')]
      found.push(other.width / own.width, other.height / own.height)
    }
    return found
  })
  for (const ratio of ratios) {
    expect(ratio).toBeGreaterThan(0.97)
    expect(ratio).toBeLessThan(1.03)
  }
})
