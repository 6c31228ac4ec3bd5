/** The landing page: what it shows, where it leads, what it keeps; with and without JavaScript. */
import { desktop, expect, test } from '../support/journey.ts'
import { ZONE } from '../support/zone.ts'
import { atStep } from './funnel.ts'

const LEGAL = ['terms-and-conditions', 'subscription-terms', 'money-back-guarantee', 'contact-us']

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 640 } })

  test('L-01 L-02 L-03 L-04 the first view holds logo, heading, picture and the age groups, and is accessible', async ({
    page,
    axe,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A Sustainable Way to Eye Health')
    await expect(page.getByRole('banner').getByText('Brightgaze')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('img', { name: /rested eyes/ })).toBeInViewport({ ratio: 1 })
    for (const age of ['18-29', '30-45', '46-59', '60+']) {
      const link = page.getByRole('link', { name: age, exact: true })
      await expect(link).toBeInViewport({ ratio: 1 })
      await expect(link).toHaveAttribute('href', `/quiz?step=Welcome&age=${encodeURIComponent(age)}`)
    }
    const benefits = page.getByRole('main').locator('.benefits').getByRole('listitem')
    await expect(benefits).toHaveText([
      'Easy 5-minute daily routines',
      'Audio guidance',
      'Results in just 7 days',
      'No eye drops or medications',
    ])
    await axe()
    await page.getByRole('button', { name: 'Menu' }).click()
    await axe()
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  })
})

test('L-02 the slider is moved by keyboard, by finger and by a click, and says where it stands', async ({ page }) => {
  await page.goto('/')
  const slider = page.getByRole('slider', { name: /Compare/ })
  await expect(slider).toHaveAttribute('aria-valuetext', '50% With eye strain')
  await slider.focus()
  for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', '60% With eye strain')
  const cut = () => page.locator('[data-compare]').evaluate((one) => getComputedStyle(one).getPropertyValue('--cut'))
  expect(await cut()).toBe('60%')
  const box = await slider.boundingBox()
  if (!box) throw new Error('no slider')
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Number.parseInt(await cut(), 10)).toBeLessThan(30)
  await page.mouse.click(box.x + box.width * 0.8, box.y + box.height / 2)
  await expect.poll(async () => Number.parseInt(await cut(), 10)).toBeGreaterThan(70)
})

test('L-05 the menu leads to the app and the legal pages, and closes by choice, Escape and click outside', async ({
  page,
}) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu).toBeHidden()
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('link')).toHaveCount(1 + LEGAL.length)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(menu).toBeVisible()
  await page.mouse.click(20, 700)
  await expect(menu).toBeHidden()
  for (const name of LEGAL) {
    await button.click()
    const link = menu.locator(`a[href="/legal/${name}"]`)
    // a choice also closes it where the page stays because the link opened in another tab
    await link.evaluate((one) => one.addEventListener('click', (event) => event.preventDefault(), { once: true }))
    await link.click()
    await expect(menu).toBeHidden()
  }
  await button.click()
  await menu.locator('a[href="/legal/contact-us"]').click()
  await page.waitForURL('**/legal/contact-us')
  await page.goBack()
  await expect(menu).toBeHidden()
  await button.click()
  await menu.getByRole('link', { name: 'Go to the app' }).click()
  await page.waitForURL('**/app/')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

for (const age of ['18-29', '30-45', '46-59', '60+']) {
  test(`L-04 S-00 Q-11 the age button ${age} leads to Welcome, which names the group and starts the quiz`, async ({
    page,
  }) => {
    await page.goto('/')
    await page.getByRole('link', { name: age, exact: true }).click()
    await atStep(page, 'Welcome')
    expect(new URL(page.url()).searchParams.get('age')).toBe(age)
    await expect(page.getByRole('main')).toContainText(`You are in the ${age} group.`)
    await page.getByRole('button', { name: 'Start Quiz' }).click()
    await atStep(page, 1)
    // pressed before the page was alive, the plain form led here, and the quiz reads the address
    await expect
      .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}').ageGroup))
      .toBe(age)
  })
}

const CAMPAIGN = {
  utm_source: 'meta',
  utm_medium: 'cpc',
  utm_campaign: 'autumn eyes',
  utm_content: 'v2',
  utm_term: 'tired',
  fbclid: 'IwAR_123',
}

test('L-06 D-01 D-07 Q-14 the campaign is kept in the browser and with the session; the first touch stays', async ({
  page,
  context,
  stack,
}) => {
  await page.goto(`/?${new URLSearchParams(CAMPAIGN)}`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('quiz_session_id'))).toMatch(/^[0-9a-f-]{36}$/)
  const kept = await page.evaluate(() => ({ ...localStorage }))
  expect(kept).toMatchObject({ ...CAMPAIGN, sessionId: kept.quiz_session_id, session_id: kept.quiz_session_id })
  const cookie = (await context.cookies()).find(({ name }) => name === 'fbclid')
  expect(cookie?.value).toBe('IwAR_123')
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(89 * 86_400)
  const row = await stack.db
    .selectFrom('session_metadata')
    .selectAll()
    .where('session_id', '=', kept.quiz_session_id ?? '')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ ...CAMPAIGN, timezone: ZONE, language: 'en-US' })
  // a later visit with an advertorial's bare utm: the last touch changes, the first stays
  await page.goto('/?utm=blog-women-over60')
  const touches = () =>
    page.evaluate(() => [
      JSON.parse(localStorage.getItem('attribution_first') ?? '{}').parameters,
      JSON.parse(localStorage.getItem('attribution_last') ?? '{}').parameters,
    ])
  await expect.poll(touches).toEqual([CAMPAIGN, { utm: 'blog-women-over60' }])
})

test('L-06 S-00 "Start Quiz" pressed before the quiz is alive takes the campaign along', async ({ page }) => {
  await page.route('**/_astro/*.js', () => undefined)
  await page.goto(`/quiz?${new URLSearchParams({ ...CAMPAIGN, age: '60+' })}`)
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  await page.waitForURL(/step=1/)
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({ step: '1', age: '60+', ...CAMPAIGN })
})

test.describe('in Europe', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('L-06 without a consent nothing of the campaign is stored, and the address carries it to the quiz', async ({
    page,
    context,
  }) => {
    await page.goto('/?utm_source=meta&fbclid=IwAR_9')
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/meta|IwAR/)
    expect((await context.cookies()).some(({ name }) => name === 'fbclid')).toBe(false)
    await page.getByRole('link', { name: '60+', exact: true }).click()
    await atStep(page, 'Welcome')
    expect(new URL(page.url()).searchParams.get('fbclid')).toBe('IwAR_9')
    await expect(page.getByRole('main')).toContainText('60+')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('L-01 L-02 L-04 L-05 S-00 menu, picture and age buttons work, and the quiz begins', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('img', { name: /strained eyes/ })).toBeVisible()
    await expect(page.getByRole('slider')).toHaveCount(0)
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(menu).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await page.getByRole('link', { name: '46-59', exact: true }).click()
    await atStep(page, 'Welcome')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Congratulations/)
    await expect(page.getByText(/need JavaScript/)).toBeVisible()
  })
})

test.describe('on a large screen', () => {
  test.use(desktop)

  test('L-01 L-02 L-03 axe finds nothing at 1440 px, and 200% zoom loses nothing', async ({ page, axe }) => {
    await page.goto('/')
    await axe()
    await page.setViewportSize({ width: 720, height: 450 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
  })
})
