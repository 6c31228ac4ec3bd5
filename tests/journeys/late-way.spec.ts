/** Pages whose script does not come: a network that loses it, a blocker, a page out of an old store. */
import { expect, test } from '../support/journey.ts'
import { paidBuyer } from './buyer.ts'

test('L-04 U-05 A-01 A-03 A-05 a page whose script does not come offers to be loaded again, and then goes on', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/^request: GET .*\.js/, /^console: /)
  const { sessionId } = await paidBuyer(page)
  const again = page.getByRole('link', { name: 'Load the page again' })
  for (const [path, shown] of [
    ['/quiz/?step=1&age=30-45', '1/33'],
    [`/multi-upsell/${sessionId}`, 'Skip →'],
    [`/user-creation/${sessionId}`, 'Create my account'],
    [`/thank-you/${sessionId}`, 'Next charge:'],
    ['/app/', 'Email me a sign-in link'],
  ] as const) {
    await page.route('**/_astro/*.js', (route) => route.abort())
    await page.goto(path)
    await expect(again).toBeInViewport({ ratio: 1 })
    await page.unroute('**/_astro/*.js')
    await again.click()
    await expect(page.getByText(shown).first()).toBeVisible()
    await expect(again).toBeHidden()
  }
})
