/** Someone looking for the terms: finds them, jumps to a section, prints them, follows an old address. */
import { expect, test } from '../support/journey.ts'

const PAGES = {
  'terms-and-conditions': 'Terms and Conditions',
  'subscription-terms': 'Subscription Terms',
  'money-back-guarantee': 'Money-Back Guarantee',
  'contact-us': 'Contact Us',
}

for (const [slug, title] of Object.entries({ ...PAGES, accessibility: 'Accessibility' })) {
  test(`G-01 K-02 /legal/${slug} is complete, filled and dated`, async ({ page, axe }) => {
    const answer = await page.goto(`/legal/${slug}`)
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText(/Last changed on [A-Z][a-z]+ \d+, \d{4}/)).toBeVisible()
    const text = await page.getByRole('main').innerText()
    expect(text).not.toMatch(/\{\w+\}/)
    expect(text.length).toBeGreaterThan(400)
    await axe()
  })
}

test('G-01 the table of contents leads to every section', async ({ page }) => {
  await page.goto('/legal/terms-and-conditions')
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
  const count = await links.count()
  expect(count).toBeGreaterThan(5)
  expect(await page.locator('.legal-text h2').count()).toBe(count)
  await links.last().click()
  const target = decodeURIComponent(new URL(page.url()).hash.slice(1))
  await expect(page.locator(`[id="${target}"]`)).toBeInViewport()
})

test('G-01 the texts say what the product does: trial, renewal, special offer, guarantee', async ({ page }) => {
  await page.goto('/legal/subscription-terms')
  const terms = await page.getByRole('main').innerText()
  expect(terms).toContain('3 days')
  expect(terms).toContain('$39 every 30 days')
  expect(terms).toContain('$19 for the first month')
  await page.goto('/legal/money-back-guarantee')
  const guarantee = await page.getByRole('main').innerText()
  expect(guarantee).toContain('within 30 days of your first payment')
  expect(guarantee).toContain('at least 7 sessions')
})

test('G-01 any other legal page says so in the words of the specification, with status 404', async ({
  page,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/404/)
  for (const address of ['/legal/nothing-like-this', '/legal/404', '/legal/nothing/']) {
    const answer = await page.goto(address)
    expect(answer?.status(), address).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
    await expect(page.getByText('The requested legal page could not be found.', { exact: true })).toBeVisible()
  }
  await axe()
  await page.getByRole('navigation', { name: 'Legal pages' }).getByRole('link', { name: 'Contact us' }).click()
  await expect(page).toHaveURL('/legal/contact-us')
})

test('G-02 /privacy and /terms lead to legal pages', async ({ page, axe }) => {
  await page.goto('/privacy')
  await expect(page).toHaveURL('/legal/privacy')
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  await axe()
  await page.goto('/terms')
  await expect(page).toHaveURL('/legal/terms-and-conditions')
})

test('G-01 L-05 the menu of the landing page leads to all four', async ({ page }) => {
  for (const [slug, title] of Object.entries(PAGES)) {
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Menu' }).locator(`a[href="/legal/${slug}"]`).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
})

test('G-01 T-01 on paper: the text and its links, no navigation, no question of consent', async ({ page }) => {
  // the CDN says Germany: this region requires consent
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'DE' })
  await page.goto('/legal/terms-and-conditions')
  const banner = page.getByRole('region', { name: 'Your privacy' })
  await expect(banner).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(banner).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.legal-text')).toBeVisible()
  await expect(page.locator('.legal-contents')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  const link = page.locator('.legal-text a').first()
  const address = await link.evaluate((element) => getComputedStyle(element, '::after').content)
  expect(address).toContain((await link.getAttribute('href')) ?? 'nothing')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('G-01 the legal pages need no script', async ({ page }) => {
    await page.goto('/legal/subscription-terms')
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/#s-/)
  })
})

test('T-03 every address to write to tells Contact, in the page and in the footer', async ({ page }) => {
  for (const path of ['/legal/contact-us', '/women-over60', '/']) {
    await page.goto(path)
    // the choice in the footer appears once the page's tracking is ready
    await expect(page.locator('[data-privacy-choices]').first()).toBeVisible()
    // no mail program opens here; only the click counts
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
    const links = page.locator('a[href^="mailto:"]:visible')
    const count = await links.count()
    expect(count, path).toBeGreaterThan(0)
    for (let index = 0; index < count; index++) await links.nth(index).click()
    await expect
      .poll(() => page.evaluate(() => window.dataLayer?.filter(({ event }) => event === 'Contact').length), path)
      .toBe(count)
  }
})
