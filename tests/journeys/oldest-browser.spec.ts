/** The way to the programme in a browser without anything that the oldest promised ones lack, libraries included. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { missingMembers } from '../support/oldest-browser.ts'
import { fillCard, makeAccount, openPayment, passStep, pay, startQuiz } from './funnel.ts'
import { newEmail, prepared } from './prepared.ts'

/** Takes from the pages what `missing` names, except the owners in `kept`. */
async function grownOld(page: Page, kept: readonly string[] = []): Promise<void> {
  await page.addInitScript(
    (missing) => {
      const world = window as unknown as Record<string, { prototype?: object } | undefined>
      for (const [owner, member, isStatic] of missing) {
        const holders = isStatic || owner === 'Window' ? [world[owner], window] : [world[owner]?.prototype]
        if (member === null) Reflect.deleteProperty(window, owner)
        else for (const holder of holders) if (holder) Reflect.deleteProperty(holder, member)
      }
    },
    missingMembers().filter(([owner]) => !kept.includes(owner)),
  )
}

test('L-04 T-01 the oldest browser asks for consent, makes a session and keeps answers', async ({ page, stack }) => {
  await grownOld(page)
  // the CDN says Germany: this region requires consent
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'DE' })
  await page.goto('/')
  expect(await page.evaluate(() => 'timeout' in AbortSignal || 'toSorted' in Array.prototype)).toBe(false)
  const banner = page.locator('.consent')
  await expect(banner).toHaveCSS('position', 'fixed')
  await banner.getByRole('button', { name: 'Allow neither' }).click()
  await expect(banner).toBeHidden()
  await startQuiz(page)
  await passStep(page, 1, { email: '' })
  await passStep(page, 2, { email: '' })
  const sessionId = await page.evaluate(() => localStorage.getItem('quiz_session_id') ?? '')
  const answers = stack.db.selectFrom('quiz_answers').select('answer').where('session_id', '=', sessionId)
  await expect
    .poll(() => answers.where('question_id', '=', 'symptoms').execute())
    .toEqual([{ answer: 'blurry,strain,headaches' }])
})

test('C-13 P-04 U-05 A-03 A-05 the oldest browser pays, makes an account and opens the programme', async ({ page }) => {
  // the fields of the sandbox's Stripe.js are drawn with sheets made by script; the real one asks for less
  await grownOld(page, ['CSSStyleSheet', 'ShadowRoot'])
  const { sessionId } = await prepared(page, { email: newEmail() })
  await page.goto(`/checkout/${sessionId}`)
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  await page.waitForURL(/\/multi-upsell\//)
  await page.getByRole('button', { name: /^Skip/ }).click()
  await makeAccount(page)
  await expect(page.getByText('Confirmation sent to')).toBeVisible()
  await page.goto('/app/')
  await page.getByRole('link', { name: 'Start the session' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
})

/** The landing page as a browser without popover shows it (Safari 16 and older), which focuses no pressed button. */
async function withoutPopover(page: Page, url: string): Promise<void> {
  await grownOld(page)
  await page.addInitScript(() => addEventListener('mousedown', (press) => press.preventDefault(), true))
  await page.route(`${url}/`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text())
      .replace(/ popover(target="menu")?(?=[ >])/g, '')
      .replace('not selector(:popover-open)', '(display: block)')
    // its hashes are of the page before
    const headers = { ...answer.headers(), 'content-security-policy': '' }
    await route.fulfill({ response: answer, headers, body })
  })
  await page.goto('/')
}

test('L-05 without popover the menu opens, closes outside, on Escape and on a choice', async ({ page, stack }) => {
  await withoutPopover(page, stack.url)
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu).toBeHidden()
  await button.click()
  await expect(menu).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await button.click()
  await expect(menu).toBeHidden()
  await button.click()
  // beside it
  await page.mouse.click(4, 500)
  await expect(menu).toBeHidden()
  // by keyboard, and the focus returns
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await menu.getByRole('link', { name: 'Subscription terms' }).click()
  await expect(page).toHaveURL('/legal/subscription-terms')
})
