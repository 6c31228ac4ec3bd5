/** What a screen shows at once: the bill beside its button on the smallest phone, the full width of a wide screen. */
import type { Locator } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import { atAddOns } from './buyer.ts'
import { openPayment } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail } from './prepared.ts'

test.describe('on the smallest phone', () => {
  test.use({ viewport: { width: 360, height: 640 } })

  test('H-01 C-03 O-02 price, date and cancel line are in view with the button that orders, without scrolling', async ({
    page,
  }) => {
    const { sessionId } = await atCheckout(page)
    const first = page.locator('.price-card').first()
    const sure = first.getByText('30-day money-back guarantee')
    for (const part of [first.locator('.price'), first.locator('.terms'), first.getByRole('button'), sure]) {
      await expect(part).toBeInViewport({ ratio: 1 })
    }
    await page.goto(`/special-offer-details/${sessionId}`)
    const terms = page.locator('.terms')
    await expect(terms).toContainText('Cancel online at any time')
    for (const part of [
      page.locator('.offer-price'),
      terms,
      page.getByRole('button', { name: 'Start my first month' }),
    ]) {
      await expect(part).toBeInViewport({ ratio: 1 })
    }
  })

  test('U-05 the title of the add-ons takes three lines beside "Skip", which is level with it', async ({ page }) => {
    await atAddOns(page)
    const title = page.getByRole('heading', { level: 1 })
    const lines = await title.evaluate((one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))
    expect(Math.round(lines)).toBe(3)
    const [words, skip] = [await title.boundingBox(), await page.getByRole('button', { name: 'Skip →' }).boundingBox()]
    expect(skip?.y).toBeLessThan((words?.y ?? 0) + 44)
  })
})

test('C-13 the whole payment form is in view on a phone, and its fields are of one type', async ({ page }) => {
  await atCheckout(page)
  await openPayment(page)
  const card = page.locator('input[name="cardnumber"]')
  await expect(card).toBeVisible()
  await expect(page.getByText('You will be charged only')).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Your card goes straight to Stripe')).toBeInViewport({ ratio: 1 })
  const typeOf = (field: Locator) =>
    field.evaluate((one) => [getComputedStyle(one).fontFamily.replaceAll('"', ''), getComputedStyle(one).fontSize])
  // the card's number is written in a frame of Stripe's, the postal code in our page
  expect(await typeOf(card)).toEqual(await typeOf(page.getByLabel('Postal code')))
})

test('A-05 a guide that was not bought is not open; the programme is not called closed', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/403 GET .*guide_habits/, /status of 403/)
  await page.goto('/payment-error')
  await becomeMember(page, stack, newEmail())
  await page.goto('/app/guide/guide_habits')
  await expect(page.getByRole('heading', { name: 'This is not open' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to today' }).click()
  await expect(page.getByText('Day 1', { exact: true })).toBeVisible()
})

test.describe('on a wide screen', () => {
  test.use(desktop)

  test('C-03 U-05 the order stays in view beside what it contains', async ({ page }) => {
    await atCheckout(page)
    const order = page.locator('.price-card').first().getByRole('button', { name: 'Order now' })
    await page.locator('#faq-title').scrollIntoViewIfNeeded()
    await expect(order).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Order now' })).toHaveCount(1)
    await atAddOns(page)
    const total = page.locator('.total-bar')
    await page.locator('.addon').last().scrollIntoViewIfNeeded()
    await expect(total).toBeInViewport({ ratio: 1 })
    const [bar, card] = [await total.boundingBox(), await page.locator('.addon').first().boundingBox()]
    expect(bar?.x).toBeGreaterThan((card?.x ?? 0) + (card?.width ?? 0))
  })

  test("A-05 the day's session stands beside the plan", async ({ page, stack }) => {
    await page.goto('/payment-error')
    await becomeMember(page, stack, newEmail())
    await page.goto('/app/')
    const [today, weeks] = [page.locator('.today'), page.locator('.weeks')]
    await expect(weeks).toBeVisible()
    const [left, right] = [await today.boundingBox(), await weeks.boundingBox()]
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
  })
})
