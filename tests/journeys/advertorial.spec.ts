/** A reader of an article: reads, goes on to the quiz, writes a comment that is not sent, presses a share button. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'

const ARTICLE = '/women-over60'
const actions = (page: Page) => page.locator('[data-action]')
const hrefs = (page: Page) =>
  actions(page).evaluateAll((links) => links.map((link) => (link as Element).getAttribute('href')))

test('V-01 the article, its banner and its button lead to the landing page with their utm', async ({ page, axe }) => {
  await page.goto(ARTICLE)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Advertisement', { exact: true })).toBeVisible()
  await expect(page.locator('.rich-quote blockquote')).not.toHaveCount(0)
  await expect(page.getByRole('region', { name: 'About the author' })).toBeVisible()
  const found = await hrefs(page)
  expect(found.length).toBeGreaterThan(1)
  expect([...new Set(found)]).toEqual(['/?utm=blog-women-over60'])
  const banner = page.getByRole('complementary').getByRole('link')
  await expect(banner).toBeInViewport()
  await page.mouse.wheel(0, 3000)
  await expect(banner).toBeInViewport()
  // the banner rests before the footer and never covers its end
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const [footer, bar] = await Promise.all([
    page.getByRole('contentinfo').boundingBox(),
    page.getByRole('complementary').boundingBox(),
  ])
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual((footer?.y ?? 0) + 1)
  await axe()
  await banner.click()
  await expect(page).toHaveURL('/?utm=blog-women-over60')
})

test('V-01 L-06 stored attribution is appended to every way on and reaches the session', async ({ page, stack }) => {
  await page.goto('/?fbclid=fb-1&utm_source=facebook&utm_medium=paid&utm_campaign=over%2060&utm_term=secret')
  await page.goto(ARTICLE)
  const wanted = '/?utm=blog-women-over60&fbclid=fb-1&utm_source=facebook&utm_medium=paid&utm_campaign=over+60'
  await expect.poll(() => hrefs(page)).toEqual(Array(await actions(page).count()).fill(wanted))
  await page.locator('.story-end').getByRole('link').click()
  await expect(page).toHaveURL(wanted)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('quiz_session_id')), { message: 'a session' })
    .toBeTruthy()
  const id = await page.evaluate(() => localStorage.getItem('quiz_session_id'))
  const session = await stack.db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()
  expect(session?.id).toBe(id)
})

test('V-01 D-01 an article opened from an advertisement keeps it and has a session', async ({ page, stack }) => {
  await page.goto(`${ARTICLE}?fbclid=click-7&utm_source=fb`)
  await expect
    .poll(() => hrefs(page).then(([href]) => href))
    .toBe('/?utm=blog-women-over60&fbclid=click-7&utm_source=fb')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('quiz_session_id'))).toBeTruthy()
  const id = (await page.evaluate(() => localStorage.getItem('quiz_session_id'))) ?? ''
  const kept = await stack.db
    .selectFrom('session_metadata')
    .select(['fbclid', 'utm_source'])
    .where('session_id', '=', id)
    .executeTakeFirst()
  expect(kept).toEqual({ fbclid: 'click-7', utm_source: 'fb' })
})

test.describe('in Europe, unasked', () => {
  test.use({ timezoneId: 'Europe/Berlin' })
  test('V-01 L-06 attribution is carried by the links alone; nothing is stored', async ({ page }) => {
    await page.goto(`${ARTICLE}?fbclid=click-8`)
    await expect.poll(() => hrefs(page).then(([href]) => href)).toBe('/?utm=blog-women-over60&fbclid=click-8')
    expect(await page.evaluate(() => localStorage.getItem('fbclid'))).toBeNull()
    await page.goto(ARTICLE)
    expect((await hrefs(page))[0]).toBe('/?utm=blog-women-over60')
  })
})

test('V-02 five comments; the form needs both fields, thanks for three seconds and sends nothing', async ({ page }) => {
  await page.clock.install()
  await page.goto(ARTICLE)
  await expect(page.locator('.story-comment-list li')).toHaveCount(5)
  await page.clock.runFor(1_000)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
  const form = page.getByRole('form', { name: 'Your thoughts' })
  await expect(form.getByText('not sent and not published')).toBeVisible()
  const done = form.getByRole('button', { name: 'Done' })
  const thanks = form.getByText('Thank you for putting it into words!')

  await done.click()
  await expect(form.getByText('Please enter your name.')).toBeVisible()
  await expect(form.getByText('Please enter your comment.')).toBeVisible()
  await expect(form.getByLabel('Name')).toBeFocused()
  await form.getByLabel('Name').fill('Ada')
  await form.getByRole('textbox', { name: 'Comment' }).fill('   ')
  await done.click()
  await expect(form.getByText('Please enter your name.')).toBeHidden()
  await expect(form.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await expect(thanks).toBeHidden()

  await form.getByRole('textbox', { name: 'Comment' }).fill('A private remark')
  await done.click()
  await expect(thanks).toBeVisible()
  await page.clock.runFor(2_000)
  await expect(thanks).toBeVisible()
  await page.clock.runFor(1_100)
  await expect(thanks).toBeHidden()
  await expect(form.getByLabel('Name')).toHaveValue('')
  await expect(page).toHaveURL(ARTICLE)
  await expect(page.locator('.story-comment-list li')).toHaveCount(5)
  expect(sent.filter((line) => /Ada|private/.test(line))).toEqual([])
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(stored).not.toContain('A private remark')
})

test('V-02 T-01 a share button tells the data layer and nobody else', async ({ page }) => {
  await page.goto(ARTICLE)
  const foreign: string[] = []
  const origin = new URL(page.url()).origin
  page.on('request', (request) => void (new URL(request.url()).origin === origin || foreign.push(request.url())))
  const share = page.getByRole('region', { name: 'Would you share this article?' })
  await share.getByRole('button', { name: 'Facebook' }).click()
  await expect(share.getByRole('status')).toContainText('Nothing was posted')
  const events = () =>
    page.evaluate(() => (window as unknown as { dataLayer?: Record<string, unknown>[] }).dataLayer ?? [])
  await expect
    .poll(async () => (await events()).find(({ event }) => event === 'share'))
    .toMatchObject({
      method: 'Facebook',
      item: ARTICLE,
      event_id: expect.stringMatching(/.{36}/) as unknown,
    })
  expect(foreign).toEqual([])
  await expect(page).toHaveURL(ARTICLE)
  expect(page.context().pages()).toHaveLength(1)
})

test('V-03 a second article is another document of the same kind', async ({ page, axe }) => {
  await page.goto('/screen-tired-eyes')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Eight Hours of Screen')
  const found = await hrefs(page)
  expect(found.length).toBeGreaterThan(1)
  expect([...new Set(found)]).toEqual(['/?utm=blog-screen-tired-eyes'])
  await axe()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('V-01 V-02 the article reads and leads on; what cannot work without a script is not there', async ({ page }) => {
    await page.goto(ARTICLE)
    await expect(page.getByRole('form')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Facebook' })).toHaveCount(0)
    await expect(page.locator('.story-comment-list li')).toHaveCount(5)
    await page.getByRole('complementary').getByRole('link').click()
    await expect(page).toHaveURL('/?utm=blog-women-over60')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test('V-01 on a wide and on a narrow screen nothing runs over the edge', async ({ page }) => {
  for (const width of [320, 360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(ARTICLE)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), String(width)).toBeLessThan(1)
  }
})
