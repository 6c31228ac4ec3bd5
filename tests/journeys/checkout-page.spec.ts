import { MONEY_BACK_DAYS } from '../../contract/catalogue.ts'
import { expect, test } from '../support/journey.ts'
import { atCheckout } from './prepared.ts'

test('C-06 testimonials take turns every 5 seconds, but not under pointer, focus or reduced motion', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await atCheckout(page)
  const quotes = page.locator('.quotes')
  await quotes.scrollIntoViewIfNeeded()
  const shown = quotes.locator('.quote[data-shown] blockquote')
  await page.clock.pauseAt(Date.now() + 600_000)
  const words = async (): Promise<string> => (await shown.textContent()) ?? ''
  const first = await words()
  await page.clock.runFor(5_100)
  await expect(shown).not.toHaveText(first)

  const stage = quotes.locator('.quotes-stage')
  const standsStill = async (): Promise<void> => {
    await expect(stage).toHaveAttribute('aria-live', 'polite')
    const before = await words()
    await page.clock.runFor(11_000)
    await expect(shown).toHaveText(before)
  }
  await quotes.getByRole('button').first().focus()
  await standsStill()

  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await expect(stage).toHaveAttribute('aria-live', 'off')
  await shown.hover()
  await standsStill()
  await page.mouse.move(0, 0)
  await expect(stage).toHaveAttribute('aria-live', 'off')

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await standsStill()
})

test('C-10 the guarantee names its days as the catalogue has them and leads to how it works', async ({ page }) => {
  await atCheckout(page)
  const guarantee = page.getByRole('region', { name: /guarantee/i })
  await expect(guarantee.getByRole('heading')).toHaveText(`${MONEY_BACK_DAYS}-day money-back guarantee`)
  await expect(guarantee).not.toContainText(/[{}]/)
  await guarantee.getByRole('link', { name: 'How the guarantee works' }).click()
  await page.waitForURL(/\/legal\/money-back-guarantee/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
