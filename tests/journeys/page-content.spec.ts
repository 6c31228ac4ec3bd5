/** What the specification asks each page to show, checked on the page itself. */
import type { Page } from '@playwright/test'
import { ADD_ON_IDS, GUIDE_IDS, product } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { desktop, expect, test } from '../support/journey.ts'
import { addOn, atAddOns, paidBuyer } from './buyer.ts'
import { atCheckout } from './prepared.ts'

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('C-04 the countdown runs from 00:15:49, goes on after a reload, and its banner leaves at zero', async ({
  page,
}) => {
  await page.clock.install({ time: new Date('2026-11-22T10:00:00Z') })
  await atCheckout(page)
  const banner = page.getByRole('timer')
  await expect(banner).toHaveText(/^75% Discount only valid for 00:15:4\d$/)
  await page.clock.runFor(120_000)
  await expect(banner).toHaveText(/00:13:4\d$/)
  await page.reload()
  // one that restarted shows 00:15:49, and 00:14:49 after the minute that is waited here: the page's clock goes on
  await expect(banner).toHaveText(/00:13:[34]\d$/)
  await page.clock.runFor(949_000)
  await expect(banner).toHaveCount(0)
})

test('C-04 the countdown waits for no answer of the service, and one that is over takes no place', async ({ page }) => {
  const { sessionId } = await atCheckout(page)
  const banner = page.getByRole('timer')
  await expect(banner).toBeVisible()
  await page.route(`**/api/sessions/${sessionId}`, () => undefined)
  const begunAgo = async (seconds: number) => {
    const start = JSON.stringify({ sessionId, startedAt: Date.now() - seconds * 1_000 })
    await page.evaluate((kept) => localStorage.setItem('checkout_countdown', kept), start)
    await page.reload()
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  }
  await begunAgo(400)
  await expect(banner).toHaveText(/00:09:0\d$/)
  await expect(banner).toHaveText(/00:08:5\d$/)
  await begunAgo(1_000)
  await expect(banner).toHaveCount(0)
})

test('C-05 C-07 the checkout shows six weeks, the sixth locked, what is included, and the rating', async ({ page }) => {
  await atCheckout(page)
  const weeks = section(page, 'Your 6-week plan').getByRole('listitem')
  await expect(weeks).toHaveCount(6)
  for (const index of [0, 1, 2, 3, 4]) await expect(weeks.nth(index)).not.toContainText('Locked')
  await expect(weeks.nth(5)).toContainText('Locked until week 5 is done')
  await expect(page.locator('.checks').first().getByRole('listitem')).toHaveCount(6)
  await expect(page.getByText('TrustScore 4.2 | +2.5k reviews')).toBeVisible()
})

test('C-08 the Day 1 preview is a player with controls that plays', async ({ page }) => {
  await atCheckout(page)
  const player = section(page, 'Listen to Day 1').locator('audio')
  await expect(player).toHaveAttribute('controls', '')
  const played = await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true
    await audio.play()
    await new Promise((resume) => audio.addEventListener('timeupdate', resume, { once: true }))
    return audio.duration
  })
  expect(played).toBeGreaterThan(5)
})

test('C-08 a preview that cannot be fetched says so and leaves its text', async ({ page, expectTrouble }) => {
  expectTrouble(/\.mp3|Failed to load resource|request: GET/)
  await page.route('**/*.mp3', (route) => route.abort())
  await atCheckout(page)
  const preview = section(page, 'Listen to Day 1')
  await preview.locator('audio').evaluate((audio: HTMLAudioElement) => void audio.play().catch(() => undefined))
  await expect(preview).toContainText('The preview does not play here right now.')
  await preview.getByText('Read the preview').click()
  await expect(preview.locator('.transcript')).toBeVisible()
})

test('C-09 the checkout answers three questions, one open at a time', async ({ page }) => {
  await atCheckout(page)
  const faq = section(page, 'Questions and answers')
  const questions = faq.locator('details')
  await expect(questions).toHaveCount(3)
  for (const open of [0, 1, 2]) {
    await questions.nth(open).locator('summary').click()
    await expect(faq.locator('details[open]')).toHaveCount(1)
    await expect(questions.nth(open).locator('.accordion-body')).toBeVisible()
  }
})

test('C-12 the checkout has two "Order now" buttons, and each opens the payment', async ({ page }) => {
  const { sessionId } = await atCheckout(page)
  const buttons = page.getByRole('button', { name: 'Order now', exact: true })
  await expect(buttons).toHaveCount(2)
  for (const index of [0, 1]) {
    await page.goto(`/checkout/${sessionId}`)
    await buttons.nth(index).click()
    await expect(page.getByRole('dialog', { name: 'Choose payment method' })).toBeVisible()
  }
})

test('S-24 the Eye Drain Index keeps its Continue button in sight while the page scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await page.goto('/quiz?step=24')
  const button = page.getByRole('button', { name: /continue/i })
  await expect(button).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(button).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => scrollTo(0, 0))
  await expect(button).toBeInViewport({ ratio: 1 })
})

test.describe('on a wide screen', () => {
  test.use(desktop)
  test('S-24 the Continue button floats there too', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 420 })
    await page.goto('/quiz?step=24')
    await expect(page.getByRole('button', { name: /continue/i })).toBeInViewport({ ratio: 1 })
  })
})

test('U-01 U-05 each add-on shows list price, price, label and its description; all are picked', async ({ page }) => {
  await atAddOns(page)
  await expect(page.getByRole('navigation', { name: 'Your order' }).getByRole('listitem')).toHaveText([
    'Order submitted',
    'Special offer',
    'Account creation',
    'Order receipt',
  ])
  await expect(page.locator('.upsell-benefits li')).toHaveText([
    'One-time payment',
    'Lifetime access',
    'Proven techniques',
  ])
  const cards = page.getByRole('list', { name: 'Add-ons' }).getByRole('listitem')
  await expect(cards).toHaveCount(ADD_ON_IDS.length)
  for (const [index, id] of ADD_ON_IDS.entries()) {
    const { price, listPrice = 0 } = product(id)
    const card = cards.nth(index)
    await expect(card.getByRole('checkbox')).toBeChecked()
    await expect(card.locator('s')).toContainText(formatMoney(listPrice))
    await expect(card.locator('.addon-price')).toContainText(formatMoney(price))
    await expect(card.locator('.addon-label')).toHaveText(id === 'bundle' ? '83% OFF' : '50% OFF')
    await expect(card.locator('.cover')).not.toBeEmpty()
  }
  const guides = cards.locator('details')
  await expect(guides).toHaveCount(GUIDE_IDS.length)
  await expect(guides.first().locator('.addon-text')).toBeHidden()
  await guides.first().locator('summary').click()
  await expect(guides.first().locator('.addon-text')).toBeVisible()
  // the total stays in sight, wherever the page is scrolled to
  await expect(page.locator('.total-bar')).toBeInViewport()
})

test('U-05 testimonials of the add-ons take turns every 5 seconds', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await atAddOns(page)
  const shown = page.locator('.quote[data-shown] blockquote')
  await page.clock.pauseAt(Date.now() + 600_000)
  const first = (await shown.textContent()) ?? ''
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(shown).not.toHaveText(first, { timeout: 100 })
  }).toPass({ intervals: [0] })
  const second = (await shown.textContent()) ?? ''
  await page.clock.runFor(4_800)
  await expect(shown).toHaveText(second)
  await page.clock.runFor(300)
  await expect(shown).not.toHaveText(second)
})

test('U-07 the next page follows a purchase after one second, not before', async ({ page }) => {
  await page.clock.install()
  const { sessionId } = await atAddOns(page)
  await page.clock.pauseAt(Date.now() + 600_000)
  await page.getByRole('button', { name: /^Add to my order/ }).click()
  await expect(page.getByText('Added to your order. Thank you!')).toBeVisible()
  const phase = page.locator('.pay-phase')
  await expect(phase).toHaveText('Added. Taking you to the next step…')
  // by the page's own clock, which stands still but for this
  await page.clock.runFor(950)
  await expect(phase).toHaveText('Added. Taking you to the next step…')
  await page.clock.runFor(50)
  await page.waitForURL(`**/user-creation/${sessionId}`)
})

test('A-03 the receipt names each purchase with its price, and the programme is Priceless without one', async ({
  page,
}) => {
  const { sessionId, email } = await paidBuyer(page)
  await page.goto(`/thank-you/${sessionId}`)
  const lines = page.locator('.receipt li')
  await expect(lines).toHaveCount(1)
  await expect(lines.first().locator('.cover')).not.toBeEmpty()
  await expect(lines.first()).toContainText('3-day trial')
  await expect(lines.first()).toContainText('$1')
  await expect(page.getByRole('paragraph').filter({ hasText: 'Confirmation sent to' })).toContainText(email)
  await expect(page.locator('.checks li')).toHaveCount(5)

  await addOn(page, sessionId, 'guide_habits')
  await page.reload()
  await expect(lines).toHaveCount(2)
  await expect(lines.last().locator('.cover')).not.toBeEmpty()
  await expect(lines.last().locator('strong').first()).toHaveText(product('guide_habits').name)
  await expect(lines.last().locator('.receipt-text')).toHaveText(/\w/)
  await expect(lines.last()).toContainText('$14.90')

  // paid for, but the purchases come back empty
  await page.route('**/purchases', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), items: [] } })
  })
  await page.reload()
  await expect(lines).toHaveCount(1)
  await expect(lines.first()).toContainText('Priceless')
})
