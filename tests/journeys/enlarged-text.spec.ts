/** WCAG 2.2, 1.4.4: text at twice its size, on a phone. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { atAddOns } from './buyer.ts'
import { atCheckout } from './prepared.ts'

/** What extends beyond the screen, as a finger would find it by scrolling sideways. */
async function beyond(page: Page): Promise<{ sideways: number; elements: string[] }> {
  return page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%'
    // a screen that is still sliding in from the side is not too wide
    await Promise.all(
      document
        .getAnimations()
        .map(({ effect, finished }) =>
          effect?.getComputedTiming().endTime === Infinity ? undefined : finished.catch(() => undefined),
        ),
    )
    const { scrollWidth, clientWidth } = document.documentElement
    const elements = [...document.querySelectorAll('body *')].filter((element) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && box.right > clientWidth + 1 && getComputedStyle(element).position !== 'absolute'
    })
    return {
      sideways: scrollWidth - clientWidth,
      elements: scrollWidth > clientWidth ? elements.slice(0, 5).map((element) => element.outerHTML.slice(0, 90)) : [],
    }
  })
}
const FITS = { sideways: 0, elements: [] }

test('L-04 G-01 V-01 landing, quiz, article and legal pages hold text of twice the size on a phone', async ({
  page,
}) => {
  for (const path of [
    '/',
    '/quiz?step=1',
    '/quiz?step=33',
    '/women-over60',
    '/legal/terms-and-conditions',
    '/legal/subscription-terms',
    '/legal/money-back-guarantee',
    '/legal/privacy',
    '/legal/contact-us',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await beyond(page), path).toEqual(FITS)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, h1, h2')].flatMap((element) =>
        element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
          ? [element.outerHTML.slice(0, 90)]
          : [],
      ),
    )
    expect(
      cut.filter((html) => /class="age|class="button|class="skip/.test(html)),
      path,
    ).toEqual([])
  }
})

test('C-01 U-05 A-03 checkout, add-ons, account and thank-you hold text of twice the size on a phone', async ({
  page,
}) => {
  await atCheckout(page)
  expect(await beyond(page), 'checkout').toEqual(FITS)
  const { sessionId } = await atAddOns(page)
  expect(await beyond(page), 'add-ons').toEqual(FITS)
  await expect(page.getByRole('button', { name: 'Skip →' })).toBeInViewport({ ratio: 1 })
  await page.goto(`/thank-you/${sessionId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await beyond(page), 'thank-you').toEqual(FITS)
})
