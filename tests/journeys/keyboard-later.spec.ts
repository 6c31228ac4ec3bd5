/** The pages after a purchase by keyboard alone, and disclosures on pages: axe finds nothing in them. */
import type { Page } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import { paidBuyer } from './buyer.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail, prepared } from './prepared.ts'

test.use(desktop)

/** Tabs through a whole page; every stop must show that it has the focus. */
async function walk(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('main h1').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const targets = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, summary, [tabindex="0"]')
    return [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex === 0).length
  })
  const stops = new Set<string>()
  for (let stop = 0; stop < targets + 3; stop++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(async () => {
      const element = document.activeElement
      if (!element || element === document.body || !element.matches(':focus')) return null
      await Promise.all(element.getAnimations().map(({ finished }) => finished))
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const name =
        `${element.tagName} ${element.textContent?.trim().slice(0, 30)} ` +
        `${Math.round(box.x)},${Math.round(box.y + scrollY)}`
      const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && box.bottom > 0 && box.top < innerHeight
      return { name, seen }
    })
    if (!at) continue
    expect(at.seen, `${path}: ${at.name}`).toBe(true)
    stops.add(at.name)
  }
  expect(stops.size, path).toBeGreaterThanOrEqual(Math.min(targets, 3))
}

test('A-01 A-03 A-05 account, thank-you and programme are walked by Tab alone, with a focus that shows', async ({
  page,
  stack,
}) => {
  const { sessionId } = await paidBuyer(page)
  for (const path of ['user-creation', 'thank-you']) await walk(page, `/${path}/${sessionId}`)
  await becomeMember(page, stack, newEmail())
  for (const path of ['/app/', '/app/day/1', '/app/subscription', '/app/money-back']) await walk(page, path)
})

test('L-03 T-01 C-13 the menu, the privacy choices and the 3-D Secure dialog pass axe', async ({ page, axe }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await axe()
  await page.goto('/legal/privacy')
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  await expect(page.getByRole('region', { name: 'Your privacy' })).toBeVisible()
  await axe()
  await atCheckout(page)
  await openPayment(page)
  await fillCard(page, { number: '4000002500003155' })
  await pay(page)
  await expect(page.getByRole('dialog', { name: '3D Secure 2 test page' })).toBeVisible()
  await axe()
})

test('C-17 D-01 a link opened in another browser: from the press on, the focus is on each next heading', async ({
  page,
  browser,
  stack,
}) => {
  const { sessionId } = await prepared(page, { price: 9 })
  const { code } = await (await page.request.post(`/api/sessions/${sessionId}/handover`)).json()
  const other = await browser.newContext({ baseURL: stack.url })
  const open = async (address: string) => {
    const there = await other.newPage()
    const answer = Promise.withResolvers<void>()
    await there.route('**/api/session-links', async (route) => {
      await answer.promise
      await route.continue()
    })
    await there.addInitScript(() => {
      const alerts: string[] = []
      Object.assign(window, { alerts })
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=alert]')) alerts.push(textContent)
      }).observe(document, { childList: true, subtree: true })
    })
    await there.goto(`${address}#handover=${code}`)
    return { there, answer: answer.resolve, opening: there.getByRole('heading', { name: 'Opening your plan' }) }
  }
  for (const next of ['Please enter your email address again', 'This link has been used or has expired']) {
    const { there, answer, opening } = await open('/redirect')
    const yes = there.getByRole('button', { name: 'Yes, it is my visit' })
    await yes.waitFor()
    expect(await there.evaluate('window.alerts')).toEqual([])
    await yes.press('Enter')
    await expect(opening).toBeFocused()
    answer()
    await expect(there.getByRole('heading', { name: next })).toBeFocused()
  }
  await other.close()
})

test('C-01 C-02 with cookies blocked the checkout says what is wrong, and asks for no visit again and again', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(/401/)
  const made: string[] = []
  await context.route('**/api/**', async (route) => {
    const answer = await route.fetch()
    if (new URL(route.request().url()).pathname === '/api/sessions') made.push(route.request().url())
    await context.clearCookies()
    const { 'set-cookie': _, ...headers } = answer.headers()
    await route.fulfill({ response: answer, headers })
  })
  await page.goto('/legal/privacy')
  await page.evaluate(() =>
    localStorage.setItem('quiz_answers', JSON.stringify({ eyeColor: 'gray', selectedPrice: 5 })),
  )
  await page.goto('/checkout')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We cannot open this page here')
  await expect(page.getByRole('main')).toContainText('Nothing was charged here')
  await expect(page.getByRole('main')).toContainText('Please allow cookies')
  await page.waitForLoadState('networkidle')
  expect(made.length).toBeLessThanOrEqual(2)
})
