/**
 * Many phones darken pages that know no dark mode (Samsung's browser, Chrome's “Darken websites”): what a page says
 * must be legible there too. Judged by the pixels, since computed styles know nothing of it.
 */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import config from '../../playwright.config.ts'
import { expect, test } from '../support/journey.ts'
import { atAddOns } from './buyer.ts'
import { openPayment } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail } from './prepared.ts'

const { launchOptions } = config.use ?? {}
test.use({
  colorScheme: 'dark',
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--blink-settings=forceDarkModeEnabled=true'],
  },
})

interface Text {
  words: string
  /** The contrast that WCAG 1.4.3 asks for. */
  asked: number
  x: number
  y: number
  width: number
  height: number
}

/** The lines of text that are on screen, each with its box. Controls that cannot be used are left out (WCAG 1.4.3). */
async function textsOn(page: Page): Promise<Text[]> {
  return page.evaluate(() => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent?.trim()
      const around = node.parentElement
      if (!words || !around?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      if (around.closest('[disabled], [aria-disabled=true], script, style, .visually-hidden')) continue
      const { fontSize, fontWeight } = getComputedStyle(around)
      const large = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24)
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { x, y, width, height } of range.getClientRects()) {
        const onTop = document.elementFromPoint(x + width / 2, y + height / 2)
        if (width < 2 || !onTop || !(around.contains(onTop) || onTop.contains(around))) continue
        if (x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) continue
        texts.push({ words: words.slice(0, 60), asked: large ? 3 : 4.5, x, y, width, height })
      }
    }
    return texts
  })
}

/** WCAG's relative luminance of a pixel of 0…255. */
function luminance(pixel: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = pixel.map((of) => {
    const part = of / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The texts on screen, and a picture of them; taken again where the page has moved meanwhile. */
async function seen(page: Page): Promise<{ texts: Awaited<ReturnType<typeof textsOn>>; picture: Buffer }> {
  for (;;) {
    const texts = await textsOn(page)
    const picture = await page.screenshot({ animations: 'disabled' })
    if (JSON.stringify(await textsOn(page)) === JSON.stringify(texts)) return { texts, picture }
  }
}

/** The texts on screen that differ from their ground by less than WCAG asks for, with the figure. */
async function faint(page: Page): Promise<string[]> {
  const { texts, picture } = await seen(page)
  expect(texts.length, 'texts on screen').toBeGreaterThan(0)
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const scale = info.width / (page.viewportSize()?.width ?? 0)
  return texts.flatMap(({ words, asked, x, y, width, height }) => {
    const all: number[] = []
    for (let row = Math.floor(y * scale); row < (y + height) * scale - 1; row++) {
      for (let column = Math.floor(x * scale); column < (x + width) * scale - 1; column++) {
        const at = (row * info.width + column) * info.channels
        all.push(luminance([...data.subarray(at, at + 3)]))
      }
    }
    const contrast = (Math.max(...all) + 0.05) / (Math.min(...all) + 0.05)
    return contrast < asked ? [`${words}: ${contrast.toFixed(1)}`] : []
  })
}

/** The page from top to bottom, a screen at a time. */
async function expectLegible(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  for (let from = 0; ; from += 700) {
    await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), from)
    expect.soft(await faint(page), `${path} from ${from} px`).toEqual([])
    if (await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1)) return
  }
}

test('L-04 S-01 S-12 V-01 what a phone darkens can be read: landing, quiz, article, terms', async ({ page }) => {
  for (const path of ['/', '/women-over60', '/legal/subscription-terms']) await expectLegible(page, path)
  await page.goto('/quiz?step=1')
  // the drawing of an eye is one only with a dark pupil
  const brown = page.locator('.iris').nth(2)
  await brown.waitFor()
  const eye = sharp(await brown.screenshot()).removeAlpha()
  const { width, height } = await eye.metadata()
  const pupil = await eye.extract({ left: width / 2 - 4, top: height / 2 + 4, width: 4, height: 4 }).stats()
  expect(luminance(pupil.channels.map(({ mean }) => mean))).toBeLessThan(0.05)
  for (let step = 1; step <= 33; step++) await expectLegible(page, `/quiz?step=${step}`)
})

test('C-01 C-12 U-05 A-03 A-05 what a phone darkens can be read: checkout, add-ons, account, programme', async ({
  page,
  stack,
}) => {
  const { sessionId } = await atCheckout(page)
  await expectLegible(page, `/checkout/${sessionId}`)
  await openPayment(page)
  await page.getByRole('textbox', { name: 'Full name' }).waitFor()
  expect(await faint(page), 'payment dialog').toEqual([])
  const bought = await atAddOns(page)
  await expectLegible(page, `/multi-upsell/${bought.sessionId}`)
  await expectLegible(page, `/thank-you/${bought.sessionId}`)
  await becomeMember(page, stack, newEmail())
  for (const path of ['/app/', '/app/day/1', '/app/subscription']) await expectLegible(page, path)
})
