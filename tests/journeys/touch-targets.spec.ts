/** What is pressed is at least 44 px high on a phone; a link inside a sentence is as high as its line (WCAG 2.5.5). */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { atAddOns } from './buyer.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail } from './prepared.ts'

async function small(page: Page): Promise<string[]> {
  await expect(page.locator('main h1').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const found: string[] = []
    for (const target of document.querySelectorAll<HTMLElement>('a, button, summary, input, select, label')) {
      const box = (target.closest('label') ?? target).getBoundingClientRect()
      if (!target.checkVisibility({ visibilityProperty: true }) || box.width < 2 || target.closest('.skip-link'))
        continue
      if (target.matches('label') && !target.querySelector('input')) continue
      const own = target.textContent?.trim() ?? ''
      const around = target.parentElement?.closest('p, li, dd, td, div')?.textContent?.trim() ?? ''
      const inSentence = getComputedStyle(target).display === 'inline' && around.length > own.length + 12
      if (!inSentence && box.height < 43.5)
        found.push(`${Math.round(box.height)} px: ${target.outerHTML.slice(0, 110)}`)
    }
    return found
  })
}

test('L-03 G-01 V-01 S-01 everything that is pressed on the open pages is 44 px high', async ({ page }) => {
  for (const path of [
    '/',
    '/quiz',
    '/quiz?step=1',
    '/quiz?step=33',
    '/women-over60',
    '/legal/terms-and-conditions',
    '/legal/privacy',
    '/legal/money-back-guarantee',
    '/legal/contact-us',
    '/payment-error',
    '/app/',
  ]) {
    await page.goto(path)
    expect.soft(await small(page), path).toEqual([])
  }
})

test('C-01 O-01 U-05 A-03 everything that is pressed from the checkout to the programme is 44 px high', async ({
  page,
  stack,
}) => {
  const { sessionId } = await atCheckout(page)
  expect.soft(await small(page), 'checkout').toEqual([])
  for (const offer of ['special-offer-intro', 'special-offer-details']) {
    await page.goto(`/${offer}/${sessionId}`)
    expect.soft(await small(page), offer).toEqual([])
  }
  const buyer = await atAddOns(page)
  expect.soft(await small(page), 'add-ons').toEqual([])
  for (const late of ['user-creation', 'thank-you']) {
    await page.goto(`/${late}/${buyer.sessionId}`)
    expect.soft(await small(page), late).toEqual([])
  }
  await becomeMember(page, stack, newEmail())
  for (const path of ['/app/', '/app/day/1', '/app/subscription', '/app/invoices', '/app/money-back', '/app/card']) {
    await page.goto(path)
    expect.soft(await small(page), path).toEqual([])
  }
})
