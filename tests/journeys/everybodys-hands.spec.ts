/**
 * Every screen as people set it who need it so: 320 px wide (a screen of 1280 px at 400 %), with the text spacing of
 * WCAG 1.4.12, with text of twice its size, and in forced colours. A screen is opened once for all three.
 */
import type { Page } from '@playwright/test'
import { pages, resolve } from '../../contract/site-routes.ts'
import { expect, test } from '../support/journey.ts'
import { atAddOns, paidBuyer, savedCardDeclines } from './buyer.ts'
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
  document.documentElement.style.fontSize = setting === 'large' ? '200%' : ''
  const spacing = new CSSStyleSheet()
  spacing.replaceSync(`* {
      line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }`)
  document.adoptedStyleSheets = setting === 'spaced' ? [spacing] : []
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

/** Holds what the page shows now against each setting. */
async function holdsNow(page: Page, what: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  for (const setting of ['spaced', 'forced', 'large'] as const) {
    await page.setViewportSize(SETTINGS[setting])
    await page.emulateMedia({ forcedColors: setting === 'forced' ? 'active' : 'none' })
    expect.soft(await page.evaluate(look, setting), `${setting} ${what}`).toEqual(NOTHING)
  }
}

async function holds(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await holdsNow(page, path)
}

const OPEN = [
  '/',
  '/women-over60',
  '/legal/privacy',
  '/legal/terms-and-conditions',
  '/legal/subscription-terms',
  '/legal/contact-us',
  '/legal/money-back-guarantee',
  '/legal/nothing',
  '/nowhere',
  '/payment-error',
  '/thank-you',
  '/undo',
  '/cancel',
  '/create-account',
  '/update-payment',
  '/exit',
  '/checkout/unknown',
  '/app/',
  '/app/forgot-password',
]
const OF_A_VISIT = [
  '/checkout/{id}',
  '/special-offer-intro/{id}',
  '/special-offer-details/{id}',
  '/payment/{id}',
  '/summary/{id}',
]
/** These lead on after three seconds. */
const ON_THE_WAY = [
  '/redirect/{id}',
  '/paypal-setup-return/{id}',
  '/paypal-trial-return/{id}',
  '/upsell-paypal-return/{id}/pi_1/bundle',
  '/upsell-payment-complete/nothing',
]
const OF_A_BUYER = ['/multi-upsell/{id}', '/user-creation/{id}', '/thank-you/{id}']
const OF_A_MEMBER = [
  '/app/',
  '/app/day/1',
  '/app/guide/guide_habits',
  '/app/subscription',
  '/app/invoices',
  '/app/money-back',
  '/app/card',
]

test('L-04 every page of the site is among the screens that are held', () => {
  const held = [...OPEN, ...OF_A_VISIT, ...ON_THE_WAY, ...OF_A_BUYER, ...OF_A_MEMBER, '/quiz']
    .map((path) => resolve(path.replace('{id}', crypto.randomUUID()), '', () => false))
    .flatMap((found) => (found.kind === 'page' ? [found.shell] : []))
  expect([...new Set(pages.map(({ shell }) => shell))].filter((shell) => !held.includes(shell))).toEqual([])
})

test('L-04 V-01 G-01 H-04 nothing is lost of the pages that everybody may open', async ({ page, expectTrouble }) => {
  expectTrouble(/404 GET .*no(where|thing)/, /status of 404/)
  for (const path of OPEN) await holds(page, path)
})

test('S-00 S-01 S-33 nothing is lost of any step of the quiz', async ({ page }) => {
  await page.clock.install({ time: new Date('2026-11-22T10:00:00Z') })
  await holds(page, '/quiz?step=Welcome')
  // a loader would be over before a busy machine has measured it
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  for (let step = 1; step <= 33; step++) {
    // as Back and Forward lead to a step: its page is loaded once
    await page.evaluate((to) => {
      document.querySelector('h1')?.setAttribute('data-left', '')
      history.pushState(null, '', `/quiz?step=${to}`)
      dispatchEvent(new PopStateEvent('popstate'))
    }, step)
    await expect(page.locator('h1:not([data-left])')).toBeVisible()
    await holdsNow(page, `step ${step}`)
  }
})

test('C-01 C-13 O-01 O-02 X-02 nothing is lost on the way to a purchase', async ({ page }) => {
  const { sessionId } = await prepared(page)
  await page.request.post(`/api/sessions/${sessionId}/answers`, {
    data: { answers: [{ questionId: 'personalInsight', answer: 'soul', answeredAt: new Date().toISOString() }] },
  })
  for (const path of OF_A_VISIT) await holds(page, path.replace('{id}', sessionId))
  await page.goto(`/checkout/${sessionId}`)
  await openPayment(page)
  await holdsNow(page, 'the payment dialog')
  await page.getByRole('button', { name: /^Order Now/ }).click()
  await expect(page.locator('.field-error').first()).toBeVisible()
  await holdsNow(page, 'the payment dialog with its faults')
})

test('C-17 P-07 nothing is lost of the pages that lead on', async ({ page, expectTrouble }) => {
  expectTrouble(/404 POST .*finalize/, /status of 404/)
  const { sessionId } = await prepared(page)
  await page.clock.install({ time: new Date('2026-11-22T10:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-22T10:00:01Z'))
  for (const path of ON_THE_WAY) await holds(page, path.replace('{id}', sessionId))
})

test('U-05 U-06 A-01 A-03 A-05 nothing is lost after a purchase, nor in the programme', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/403 GET .*guide_habits/, /status of 403/)
  const { sessionId } = await paidBuyer(page)
  for (const path of OF_A_BUYER) await holds(page, path.replace('{id}', sessionId))
  await becomeMember(page, stack, newEmail())
  for (const path of OF_A_MEMBER) await holds(page, path)
  const buyer = await atAddOns(page)
  await savedCardDeclines(stack, buyer.sessionId)
  await page.getByRole('button', { name: /^Add to my order/ }).click()
  await holdsNow(page, 'the card form of the add-ons')
})
