/**
 * Every screen as people set it who need it so: 320 px wide (a screen of 1280 px at 400 %), with the text spacing of
 * WCAG 1.4.12, with text of twice its size, and in forced colours.
 */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { paidBuyer } from './buyer.ts'
import { openPayment } from './funnel.ts'
import { becomeMember } from './members.ts'
import { newEmail, prepared } from './prepared.ts'

/** What is lost of the screen: how far it scrolls sideways, and by what; texts that are cut; controls without a box. */
interface Lost {
  sideways: string[]
  cut: string[]
  boxless: string[]
}
const NOTHING: Lost = { sideways: [], cut: [], boxless: [] }

type Setting = 'spaced' | 'large' | 'forced'
const SETTINGS: Record<Setting, { width: number; height: number }> = {
  spaced: { width: 320, height: 640 },
  large: { width: 390, height: 844 },
  forced: { width: 390, height: 844 },
}

/** Runs in the page. */
async function look(setting: Setting): Promise<Lost> {
  if (setting === 'large') document.documentElement.style.fontSize = '200%'
  if (setting === 'spaced') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`* {
        line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-block-end: 2em !important }`)
    document.adoptedStyleSheets.push(sheet)
  }
  const ends = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined))
  await Promise.all(ends)
  const { scrollWidth, clientWidth } = document.documentElement
  const all = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  )
  const told = (element: Element): string => element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 110)
  const hidden = (element: Element): boolean => element.closest('.visually-hidden, .skip-link, svg') !== null
  const wide = all.filter((element) => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.right > clientWidth + 1 && !hidden(element)
  })
  const cut = all.filter((element) => {
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    if (words.length === 0 || element.clientWidth < 2 || hidden(element)) return false
    const { overflowX, overflowY } = getComputedStyle(element)
    const x = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 2
    const y = /hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 4
    // the words of a control beside its box
    const box = element.getBoundingClientRect()
    const over = words.some((node) => {
      const range = document.createRange()
      range.selectNode(node)
      return range.getBoundingClientRect().right > box.right + 2
    })
    return x || y || (over && element.matches('a, button, label'))
  })
  const canvas = getComputedStyle(document.body).backgroundColor
  const controls = all.filter(
    (element) => element.matches('button, .button, input, select, textarea') && !hidden(element),
  )
  const boxless = controls.filter((element) => {
    const { borderTopWidth, borderTopColor, textDecorationLine } = getComputedStyle(element)
    const boxed = parseFloat(borderTopWidth) > 0 && borderTopColor !== canvas
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 2 &&
      height > 2 &&
      !boxed &&
      !textDecorationLine.includes('underline') &&
      // a button of a drawing alone shows the drawing
      element.innerText.trim() !== '' &&
      !element.matches('input[type=checkbox], input[type=radio], input[type=range]')
    )
  })
  return {
    sideways: scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px`, ...wide.slice(0, 4).map(told)] : [],
    cut: cut.slice(0, 5).map(told),
    boxless: setting === 'forced' ? boxless.slice(0, 5).map(told) : [],
  }
}

async function holds(page: Page, path: string, setting: Setting, before?: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await before?.()
  expect.soft(await page.evaluate(look, setting), `${setting} ${path}`).toEqual(NOTHING)
}

for (const [setting, viewport] of Object.entries(SETTINGS) as [Setting, (typeof SETTINGS)[Setting]][]) {
  test.describe(setting, () => {
    test.use({ viewport, ...(setting === 'forced' ? { forcedColors: 'active' as const } : {}) })

    test(`L-04 S-00 V-01 G-01 nothing is lost of the pages that everybody may open: ${setting}`, async ({
      page,
      expectTrouble,
    }) => {
      expectTrouble(/404 GET .*nowhere/, /status of 404/)
      for (const path of [
        '/',
        '/women-over60',
        '/legal/privacy',
        '/legal/contact-us',
        '/legal/money-back-guarantee',
        '/nowhere',
        '/payment-error',
        '/thank-you',
        '/undo',
        '/exit',
        '/app/',
        '/app/forgot-password',
      ])
        await holds(page, path, setting)
    })

    test(`S-01 S-33 nothing is lost of the steps of the quiz: ${setting}`, async ({ page }) => {
      const each = Array.from({ length: 33 }, (_, n) => n + 1)
      // a choice, several choices, pictures, a loader, the address, the summary, the price
      const kinds = [1, 2, 4, 14, 23, 26, 33]
      for (const step of ['Welcome', ...(setting === 'spaced' ? each : kinds)])
        await holds(page, `/quiz?step=${step}`, setting)
    })

    test(`C-01 O-01 O-02 nothing is lost on the way to a purchase: ${setting}`, async ({ page }) => {
      const { sessionId } = await prepared(page)
      await holds(page, `/checkout/${sessionId}`, setting)
      await holds(page, `/checkout/${sessionId}`, setting, () => openPayment(page))
      await holds(page, `/special-offer-intro/${sessionId}`, setting)
      await holds(page, `/special-offer-details/${sessionId}`, setting)
      await holds(page, `/payment/${sessionId}`, setting)
    })

    test(`U-05 A-01 A-03 A-05 nothing is lost after a purchase, nor in the programme: ${setting}`, async ({
      page,
      stack,
    }) => {
      const { sessionId } = await paidBuyer(page)
      for (const path of [`/multi-upsell/${sessionId}`, `/user-creation/${sessionId}`, `/thank-you/${sessionId}`])
        await holds(page, path, setting)
      await becomeMember(page, stack, newEmail())
      for (const path of ['/app/', '/app/day/1', '/app/subscription', '/app/invoices', '/app/money-back', '/app/card'])
        await holds(page, path, setting)
    })
  })
}
