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
  const first = await shown.innerText()
  await page.clock.runFor(5_100)
  await expect(shown).not.toHaveText(first)

  const second = await shown.innerText()
  await quotes.getByRole('button').first().focus()
  await page.clock.runFor(11_000)
  await expect(shown).toHaveText(second)

  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await shown.hover()
  await page.clock.runFor(11_000)
  await expect(shown).toHaveText(second)
  await page.mouse.move(0, 0)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.runFor(11_000)
  await expect(shown).toHaveText(second)
})

test('C-10 the guarantee names its days as the catalogue has them and leads to how it works', async ({ page }) => {
  await atCheckout(page)
  const guarantee = page.getByRole('region', { name: /guarantee/i })
  await expect(guarantee).toContainText('30')
  await expect(guarantee).not.toContainText(/[{}]/)
  await guarantee.getByRole('link', { name: 'How the guarantee works' }).click()
  await page.waitForURL(/\/legal\/money-back-guarantee/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
