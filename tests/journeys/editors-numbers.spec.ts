/** What visitors did, beside the words that they saw: in the real Studio, by the editor's own sign-in. */
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

interface Step {
  _key: string
  storageKey?: string
  options?: { value: string }[]
}

/** Two edits; the later one loses more at step 7, and nine people saw step 33. */
async function visitors(db: Database, steps: Step[]): Promise<void> {
  const keys = steps.map(({ _key }) => _key)
  await sql`insert into quiz_revisions
    values ('earlier', now() - interval '5 days'), ('later', now() - interval '1 day')
    on conflict do nothing`.execute(db)
  await sql`insert into step_counts
    select current_date - 1, revision, place, coalesce((${keys}::text[])[place], ''), 'newsletter', 'en', 'mobile',
      outcome::step_outcome, 4, case outcome when 'went_on' then 900 - 20 * place when 'paid' then 40
        else 20 + case when revision = 'later' and place = 7 then 150 else 0 end end
    from unnest(array['earlier', 'later']) revision, generate_series(0, 32) place,
      unnest(array['went_on', 'paid', 'left']) outcome
    on conflict do nothing`.execute(db)
  await sql`insert into step_counts values
    (current_date - 1, 'later', 33, ${keys[32]}, 'newsletter', 'en', 'mobile', 'left', 4, 9)
    on conflict do nothing`.execute(db)
  const [{ storageKey, options = [] }] = steps as [Step]
  const counts = [null, 60, 31, 9]
  for (const [at, visitors] of counts.entries()) {
    await sql`insert into answer_counts (day, revision, question, value, source, language, device, visitors) values
      (current_date - 1, 'later', ${storageKey}, ${at === 0 ? null : options[at - 1]?.value}, 'newsletter', 'en',
      'mobile', ${visitors ?? 100}) on conflict do nothing`.execute(db)
  }
}

test('D-09 K-03 an editor sees beside each step who left, what was answered, and what an edit changed', async ({
  stack,
  openStudio,
}) => {
  const editor = await openStudio()
  const { steps } = (await editor.read('quiz')) as { steps: (Step & { title: string })[] }
  await visitors(stack.db, steps)
  const { page } = editor
  const shown: string[] = []
  page.on('request', (request) => shown.push(`${request.url()} ${request.headers()['authorization'] ?? ''}`))
  await editor.openDocument('quiz')
  await page.getByRole('tab', { name: 'Numbers' }).click()
  const row = (number: number) => table.getByRole('row').filter({ hasText: new RegExp(`${number}\\. `) })
  const table = page.getByRole('region', { name: 'Numbers of each step' })

  await expect(row(1).first()).toContainText('1,880')
  await expect(row(1).first()).toContainText(/97\.9 % \(97\.1–98\.4\)/)
  await expect(row(7).first()).toContainText('lower')
  await expect(row(8).first()).toContainText('too few to tell yet')
  await expect(row(33).first()).toContainText('fewer than 10')

  await row(1).first().getByText('100 answered').click()
  const [first, second, third] = (steps[0] as unknown as { options: { label: string }[] }).options.map(
    ({ label }) => label,
  )
  await expect(row(1).first()).toContainText(new RegExp(`${first}: 60\\.0 %`))
  await expect(row(1).first()).toContainText(new RegExp(`${second}: 31\\.0 %`))
  await expect(row(1).first()).toContainText(`${third}: fewer than 10`)

  // the sign-in of this editor, for the service alone
  const asked = shown.filter((one) => one.includes('/api/numbers/steps'))
  expect(asked.length).toBeGreaterThan(0)
  for (const one of asked) expect(one).toMatch(/^[^ ]+ Bearer editor-\d+-[0-9a-f]{64}$/)
  expect(JSON.stringify(shown)).not.toContain(stack.secrets.lakeToken)

  const published = page.getByLabel('Published')
  await published.selectOption({ index: 2 })
  await expect(row(1).first()).toContainText('940')
  await published.selectOption('')
  await page.getByRole('combobox', { name: 'Source' }).selectOption('newsletter')
  await expect(row(1).first()).toContainText('1,880')
  // the Studio's own parts are Sanity's
  expect(await accessibilityFaults(page, ':has(> [aria-label="Numbers of each step"])')).toEqual([])

  await table.getByRole('link', { name: `2. ${steps[1]?.title}` }).click()
  await expect(editor.field(`steps[_key=="${steps[1]?._key}"].title`)).toBeVisible()
})

/** What has the keyboard's focus, whether it shows so, and whether something lies over it (2.4.7, 2.4.11). */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { left, top, width, height } = element.getBoundingClientRect()
    const over = document.elementFromPoint(left + Math.min(width / 2, 20), top + Math.min(height / 2, 10))
    const label = element.closest('label')?.firstChild?.textContent
    return {
      name: element.getAttribute('aria-label') ?? label ?? element.textContent?.slice(0, 60) ?? '',
      shows: element.matches(':focus-visible') && getComputedStyle(element).outlineStyle !== 'none',
      free: element.contains(over),
      of: element.tagName,
    }
  })

test('D-09 K-03 the numbers are read, narrowed and followed to their words with the keyboard alone', async ({
  stack,
  openStudio,
}) => {
  const editor = await openStudio()
  const { steps } = (await editor.read('quiz')) as { steps: (Step & { title: string })[] }
  await visitors(stack.db, steps)
  const { page } = editor
  // narrow, so that the table is wider than its pane
  await page.setViewportSize({ width: 768, height: 900 })
  await editor.openDocument('quiz')
  const table = page.getByRole('region', { name: 'Numbers of each step' })
  // the Studio draws a document anew while it is loading, and the focus is lost with it
  await expect(async () => {
    await page.getByRole('tab', { name: 'Words' }).press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Numbers' })).toBeFocused({ timeout: 1_000 })
    await page.keyboard.press('Enter')
    await expect(table.getByRole('row').nth(1)).toBeVisible({ timeout: 10_000 })
  }).toPass()

  await test.step('each control in the order of the page, seen and free', async () => {
    const passed: string[] = []
    for (let presses = 0; passed.at(-1) !== '3. ' + steps[2]?.title && presses < 40; presses++) {
      await page.keyboard.press('Tab')
      const at = await focused(page)
      expect(at, JSON.stringify(at)).toMatchObject({ free: true })
      // a date has a stop for each of its parts, drawn by the browser
      if (at.of !== 'INPUT') expect(at, JSON.stringify(at)).toMatchObject({ shows: true })
      if (passed.at(-1) !== at.name) passed.push(at.name)
    }
    expect(passed).toEqual([
      ...['From', 'To', 'Published', 'Source', 'Device', 'Language', 'Numbers of each step', 'Welcome'],
      ...[`1. ${steps[0]?.title}`, '100 answered', `2. ${steps[1]?.title}`, `3. ${steps[2]?.title}`],
    ])
  })

  await test.step('narrowed: the choice keeps the focus, and what it found is said', async () => {
    const device = page.getByRole('combobox', { name: 'Device' })
    await device.focus()
    await page.keyboard.press('ArrowDown')
    await expect(device).toHaveValue('mobile')
    await expect(table.getByRole('row').filter({ hasText: '1. ' }).first()).toContainText('1,880')
    await expect(device).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(device).toHaveValue('')
  })

  await test.step('scrolled sideways, an answer unfolded, a step opened', async () => {
    await table.focus()
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    await table.getByText('100 answered').focus()
    await page.keyboard.press('Enter')
    await expect(table.getByText(/60\.0 %/).first()).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(editor.field(`steps[_key=="${steps[1]?._key}"].title`)).toBeVisible()
  })
})

/** Two edits of the checkout, and so many visitors of all pages; nine saw the special offer. */
async function pageVisitors(db: Database): Promise<void> {
  await sql`insert into quiz_revisions values ('checkout-1', now() - interval '5 days'),
    ('checkout-2', now() - interval '1 day'), ('landing-1', now() - interval '5 days') on conflict do nothing`.execute(
    db,
  )
  await sql`insert into page_counts values
    (current_date - 1, 'landing-1', 'landing', 'newsletter', 'en', 'mobile', true, false, 1500),
    (current_date - 1, 'landing-1', 'landing', 'newsletter', 'en', 'mobile', false, false, 500),
    (current_date - 1, 'checkout-1', 'checkout', 'newsletter', 'en', 'mobile', true, true, 400),
    (current_date - 1, 'checkout-1', 'checkout', 'newsletter', 'en', 'mobile', false, false, 600),
    (current_date - 1, 'checkout-2', 'checkout', 'newsletter', 'en', 'desktop', true, true, 600),
    (current_date - 1, 'checkout-2', 'checkout', 'newsletter', 'en', 'desktop', false, false, 400),
    (current_date - 1, 'landing-1', 'offer', 'newsletter', 'en', 'mobile', false, false, 9),
    (current_date - 1, 'landing-1', 'upsell', 'newsletter', 'en', 'mobile', true, true, 300),
    (current_date - 1, 'landing-1', 'upsell', 'newsletter', 'en', 'mobile', true, false, 700)`.execute(db)
}

test('D-09 K-03 the pages before and after the quiz have their numbers beside their words, by their own edits', async ({
  stack,
  openStudio,
}, info) => {
  const editor = await openStudio()
  await pageVisitors(stack.db)
  const { page } = editor
  const look = async (name: string) => {
    for (const width of [1440, 768]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: info.outputPath(`${name}-${width}.png`) })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await editor.openDocument('checkout')
  await page.getByRole('tab', { name: 'Numbers' }).click()
  const table = page.getByRole('region', { name: 'Numbers of each page' })
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  await expect(row('Checkout')).toContainText('2,000')
  await expect(row('Checkout')).toContainText('1,000 (50.0 %)')
  await expect(row('Checkout')).toContainText(/50\.0 % \(47\.8–52\.2\)/)
  await expect(row('Checkout')).toContainText('40.0 % → 60.0 %, 1,000 visitors, higher')
  await expect(table.getByRole('row')).toHaveCount(2)
  await look('checkout')
  expect(await accessibilityFaults(page, ':has(> [aria-label="Numbers of each page"])')).toEqual([])
  await page.getByLabel('Published').selectOption({ index: 2 })
  await expect(row('Checkout')).toContainText(/40\.0 % \(37\.0–43\.1\)/)
  await page.getByLabel('Published').selectOption('')
  await page.getByRole('combobox', { name: 'Device' }).selectOption('desktop')
  await expect(row('Checkout')).toContainText(/60\.0 % \(56\.9–63\.0\)/)

  await editor.openDocument('quiz')
  await page.getByRole('tab', { name: 'Numbers' }).click()
  await expect(row('Landing page')).toContainText('1,500')
  await expect(row('Special offer')).toContainText('fewer than 10')
  await expect(row('Add-ons')).toContainText(/30\.0 % \(27\.2–32\.9\)bought an add-on/)
  await row('Add-ons').scrollIntoViewIfNeeded()
  await look('quiz')
  expect(await accessibilityFaults(page, ':has(> [aria-label="Numbers of each page"])')).toEqual([])
  await row('Add-ons').getByRole('link').click()
  await expect(page).toHaveURL(/upsell/)
})
