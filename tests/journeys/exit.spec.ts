/** Leaving from any page's footer without signing in: by keyboard, by double click, on a slow network, and back. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { buy, linkIn, mailTo } from './members.ts'

test.use({ viewport: { width: 360, height: 640 } })

const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** Without its script the form is sent to the service, which answers with a plain page. */
const scriptHasCome = (page: Page) => expect(page.locator('astro-island[ssr]')).toHaveCount(0)

async function openForm(page: Page): Promise<void> {
  await page.goto('/exit')
  await scriptHasCome(page)
}

async function fill(page: Page, email: string, name = 'Ada Lovelace'): Promise<void> {
  await page.getByRole('radio', { name: 'Cancel the subscription here' }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email address of the purchase').fill(email)
}

test('H-04 two clicks and one form from the start page to the acknowledgement, and back by the mail’s link', async ({
  page,
  stack,
  axe,
}) => {
  const email = unique('exit')
  await page.goto('/')
  await buy(page, stack, email)
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cancel or withdraw' }).click()
  await expect(heading(page, 'Cancel or withdraw')).toBeVisible()
  await axe()
  await scriptHasCome(page)
  await fill(page, email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'Cancel now?')).toBeFocused()
  await expect(page.getByRole('definition')).toHaveText(['The subscription', 'Ada Lovelace', email])
  await axe()
  // the second click of a double click must not send a second statement
  await page.getByRole('button', { name: 'Cancel now' }).dblclick()
  await expect(heading(page, 'We have received your cancellation')).toBeFocused()
  // nor take the focus away, where the answer came between the two
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(heading(page, 'We have received your cancellation')).toBeFocused()
  await expect(page.getByRole('definition').last()).toHaveText(/^[A-Z][a-z]+ \d+, \d{4} at \d+:\d\d [AP]M/)
  expect(await fits(page)).toBe(true)
  await axe()

  const letter = await mailTo(stack, email, 'exit_received')
  expect(letter.subject).toBe('We have received your cancellation')
  expect(linkIn(letter, /Cancel or withdraw/)).toMatch(/\/exit$/)
  expect((await mailTo(stack, email, 'cancellation_confirmed')).text).toContain('You will not be charged again')
  await page.goto(linkIn(letter, /Take it back/))
  await expect(heading(page, 'Take it back?')).toBeVisible()
  await axe()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(heading(page, 'Taken back')).toBeFocused()
  expect((await mailTo(stack, email, 'cancellation_undone')).subject).toBe('Your subscription continues')
  await page.reload()
  await expect(heading(page, 'Taken back')).toBeVisible()
})

test('H-04 what is chosen and typed before the script has come is kept', async ({ page }) => {
  const { promise: come, resolve: comes } = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', async (route) => {
    await come
    await route.continue()
  })
  await page.goto('/exit', { waitUntil: 'commit' })
  // pressed with nothing filled in: the browser says what is missing, and nothing is sent
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.locator('[name=kind]:focus:invalid')).toHaveCount(1)
  await page.getByRole('radio').first().check()
  await page.getByLabel('Your name').fill('Ada Sample')
  await page.getByLabel('Email address of the purchase').fill('ada@example.com')
  await expect(page.locator('astro-island[ssr]')).toHaveCount(1)
  comes()
  await scriptHasCome(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Cancel now?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('ada@example.com')
})

test('H-02 H-04 by keyboard alone; what is missing is named at its field and takes the focus', async ({
  page,
  axe,
}) => {
  await openForm(page)
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByText('Please choose what you want.')).toBeVisible()
  await expect(page.getByText('Please enter your name.')).toBeVisible()
  await expect(page.getByText('Please enter the email address you bought with.')).toBeVisible()
  await axe()
  const first = page.getByRole('radio', { name: 'Cancel the subscription here' })
  await expect(first).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Withdraw from contract here' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Everything I bought' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'The guides' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('愛 洛芙萊斯')
  await page.keyboard.press('Tab')
  await page.keyboard.type(unique('keys'))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Withdraw now?')).toBeFocused()
  await expect(page.getByRole('definition').nth(1)).toHaveText('愛 洛芙萊斯')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Confirm withdrawal' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'We have received your withdrawal')).toBeFocused()
  await expect(page.getByText('Processed from')).toBeVisible()
})

test('H-04 the back button leads to the form with what was typed; a very long name stays inside the page', async ({
  page,
}) => {
  await openForm(page)
  const long = 'ж'.repeat(200)
  await fill(page, unique('back'), `${long}ж`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Please use at most 200 characters.')).toBeVisible()
  await page.getByLabel('Your name').fill(long)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'Cancel now?')).toBeVisible()
  expect(await fits(page)).toBe(true)
  await page.goBack()
  await expect(heading(page, 'Cancel or withdraw')).toBeFocused()
  await expect(page.getByLabel('Your name')).toHaveValue(long)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Cancel now' }).click()
  await expect(heading(page, 'We have received your cancellation')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'We have received your cancellation')).toBeVisible()
})

test('H-04 the network fails, then is slow: the page says so, and the second press sends the same statement', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED|Failed to load/)
  const ids: string[] = []
  await page.route('**/api/exit', async (route) => {
    ids.push((route.request().postDataJSON() as { id: string }).id)
    if (ids.length === 1) return route.abort('failed')
    await new Promise((resume) => setTimeout(resume, 1_500))
    await route.continue()
  })
  await openForm(page)
  await fill(page, unique('slow'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Cancel now' }).click()
  await expect(page.getByRole('alert')).toContainText('We cannot reach our service. Nothing is lost')
  await expect(page.getByRole('alert')).toContainText('You can also write the same to')
  await page.getByRole('button', { name: 'Cancel now' }).click()
  await expect(page.getByRole('button', { name: 'Cancel now' })).toHaveAttribute('aria-busy', 'true')
  await expect(heading(page, 'We have received your cancellation')).toBeVisible()
  expect(new Set(ids).size).toBe(1)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('H-04 the note on another way to write reads as one text', async ({ page, expectTrouble }) => {
    // without JavaScript the browser refuses the scripts that the page announces
    expectTrouble(/\/_astro\/[\w-]+\.[\w-]+\.js csp$/)
    await page.goto('/exit')
    const note = page.locator('noscript p')
    // as wide as the note: an address beside it in a column of its own breaks at every letter
    const [link, text] = [await note.locator('a').boundingBox(), await note.boundingBox()]
    expect(link?.height).toBeLessThan(60)
    expect(text?.width).toBeGreaterThan(250)
  })
})

test('H-02 H-04 a visitor in Germany reads the labels that the law there asks for', async ({ page }) => {
  await page.route('**/api/config', async (route) => {
    const answer = await route.fetch()
    const config = (await answer.json()) as Record<string, unknown>
    await route.fulfill({ response: answer, json: { ...config, country: 'DE' } })
  })
  await openForm(page)
  await page.getByRole('radio', { name: 'Verträge hier kündigen' }).click()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email address of the purchase').fill(unique('kassel'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Jetzt kündigen' })).toBeVisible()
})
