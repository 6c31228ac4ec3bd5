/**
 * The whole quiz as people take it: by thumb on a small phone, by keyboard alone on a large screen. Every screen is
 * compared with the specification, checked by axe, and tried zoomed, narrow and right to left.
 */
import type { Page } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import { atStep, choose, passStep, startQuiz } from './funnel.ts'
import { LOADERS, requirementOf, screenOf } from './quiz-screens.ts'

/** How far the page can be scrolled sideways, in CSS pixels. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Asserts that nothing overflows the page at this size, left to right and right to left. */
async function fits(page: Page, width: number, height: number, what: string): Promise<void> {
  await page.setViewportSize({ width, height })
  for (const dir of ['rtl', 'ltr']) {
    await page.evaluate((value) => (document.documentElement.dir = value), dir)
    await expect.poll(() => sideways(page), { message: `${what} at ${width} px, ${dir}` }).toBe(0)
  }
}

/**
 * Slows the page's clock down while a loader is examined (S-07, S-14, S-21): it would be over before a busy machine has
 * seen it. Time moves in small steps, since axe waits for timers. Resolves to a function that lets it run again.
 */
async function holdLoader(page: Page, step: number): Promise<() => Promise<void>> {
  if (!LOADERS[step]) return async () => undefined
  await atStep(page, step)
  // a busy machine may pass the moment before it is named
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))).toPass()
  let held = true
  const ticking = (async () => {
    // all pages share the clock, and axe closes a page of its own meanwhile
    while (held) await page.clock.runFor(5).catch(() => undefined)
  })()
  return async () => {
    held = false
    await ticking
    await page.clock.resume()
  }
}

/** The texts, options, progress and single next thing of a screen. */
async function isAsSpecified(page: Page, step: number): Promise<void> {
  await atStep(page, step)
  const screen = screenOf(step)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(screen.title)
  await expect(page).toHaveTitle(/Brightgaze/)
  const bar = main.getByRole('progressbar', { name: 'Progress' })
  await expect(bar).toHaveAttribute('aria-valuetext', `Step ${step} of ${step === 23 ? 32 : 33}`)
  expect(await bar.evaluate((one: HTMLProgressElement) => one.position)).toBeCloseTo(step / (step === 23 ? 32 : 33), 5)
  const percent = screen.kind === 'info' && step < 33 ? ` · ${Math.round((step / 33) * 100)}%` : ''
  await expect(main.locator('.quiz-count')).toHaveText(`${step}/${step === 23 ? 32 : 33}${percent}`)
  for (const text of screen.texts ?? []) await expect(main.getByText(text).first(), `step ${step}`).toBeVisible()
  for (const [items, words] of Object.entries(screen.lists ?? {})) await expect(main.locator(items)).toHaveText(words)
  if (screen.options) {
    const options = main.locator('.option')
    await expect(options).toHaveCount(screen.options.length)
    const labels = await options.evaluateAll((all) =>
      all.map((one) => (one.querySelector('.option-text')?.firstChild ?? one).textContent),
    )
    expect(labels, `options of step ${step}`).toEqual(screen.options)
  }
  const next = main.getByRole('button', { name: 'Next', exact: true })
  const shown = screen.kind === 'many' || screen.kind === 'one-next'
  await expect(next).toHaveCount(shown ? 1 : 0)
  if (shown && step !== 2) await expect(next).toBeDisabled()
  if (screen.kind === 'info' && step < 33) await expect(main.getByRole('button', { name: 'Continue' })).toBeVisible()
}

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 640 } })

  test('S-00 Q-03 Q-04 Q-12 Q-15 every screen says what is specified, and axe finds nothing at 360 px', async ({
    page,
    axe,
    stack,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto('/quiz?step=Welcome&age=46-59')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(/Congratulations/)
    await expect(main.getByText('46-59')).toBeVisible()
    await main.getByRole('checkbox').check()
    await axe()
    await fits(page, 320, 640, 'Welcome')
    await page.setViewportSize({ width: 360, height: 640 })
    await main.getByRole('button', { name: 'Start Quiz' }).click()

    for (let step = 1; step <= 33; step++) {
      await test.step(`${requirementOf(step)} is as specified`, async () => {
        const resume = await holdLoader(page, step)
        await isAsSpecified(page, step)
        if (step === 3) await expect(main.getByText('Blurry vision, Eye Strain, Headaches')).toBeVisible()
        // the mark stands where the words beside it say
        if (step === 25) await expect(main.locator('.meter')).toHaveAttribute('style', '--at: 32%;')
        if (step === 28) await expect(main.getByRole('listitem')).toHaveCount(5)
        if (step === 30) expect(await main.getByRole('figure').count()).toBeGreaterThanOrEqual(3)
        if (step === 31) await expect(main.getByRole('figure')).toHaveCount(1)
        if (step === 32) {
          await expect(main.getByRole('figure')).toHaveCount(4)
          await expect(main.getByText('Verified')).toHaveCount(4)
        }
        // not before step 32 is passed
        const completed = await page.evaluate(() => localStorage.getItem('quiz_completed'))
        expect(completed, `completion at step ${step}`).toBe(step === 33 ? 'true' : null)
        await axe()
        await fits(page, 320, 640, `step ${step}`)
        await page.setViewportSize({ width: 360, height: 640 })
        await resume()
        if (step < 33) await passStep(page, step, { email: 'ada@example.test' })
      })
    }
    const seconds = Number(await page.evaluate(() => localStorage.getItem('quiz_completion_time')))
    expect(seconds).toBeGreaterThan(17)
    await main.getByRole('button', { name: 'CONTINUE' }).click()
    await page.waitForURL(/\/checkout\/[0-9a-f-]{36}$/)
    const id = new URL(page.url()).pathname.split('/')[2] ?? ''
    const read = () => stack.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    await expect.poll(async () => (await read())?.quiz_completion_time).toBe(seconds)
    expect((await read())?.selected_price_cents).toBe(100)
  })
})

/** Presses Tab until the named control has the focus; fails with the stops it saw if it never does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const one = document.activeElement
      return one?.getAttribute('aria-label') ?? (one instanceof HTMLInputElement ? one.name : (one?.textContent ?? ''))
    })
    if (name.test(label)) return
    seen.push(label)
  }
  throw new Error(`no way to ${name} by Tab: ${seen.join(' | ')}`)
}

test.describe('by keyboard on a large screen', () => {
  test.use(desktop)

  test('Q-02 Q-04 S-03 S-23 S-26 S-27 S-33 the quiz is taken by keyboard alone, and 200% zoom loses nothing', async ({
    page,
    axe,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto('/quiz?step=Welcome&age=60%2B')
    // thirty presses are quicker than a busy machine brings the tick
    await expect(page.getByRole('checkbox')).toBeVisible()
    await tabTo(page, /health_consent/)
    await page.keyboard.press('Space')
    await expect(page.getByRole('checkbox')).toBeChecked()
    await axe()
    await tabTo(page, /^Start Quiz$/)
    await page.keyboard.press('Enter')

    const main = page.getByRole('main')
    for (let step = 1; step <= 33; step++) {
      const resume = await holdLoader(page, step)
      await atStep(page, step)
      const heading = main.getByRole('heading', { level: 1 })
      // a screen reader continues from the new heading
      await expect(heading).toBeFocused()
      expect(await page.evaluate(() => scrollY)).toBe(0)
      if (step === 3) await expect(main.getByText('No symptoms selected')).toBeVisible()
      if (step === 26) {
        const age = await page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}').visualAge)
        expect(age).toBeGreaterThanOrEqual(66)
        expect(age).toBeLessThanOrEqual(88)
        await expect(main.getByText(String(age)).first()).toBeAttached()
        await expect(main.getByText("60's")).toBeVisible()
      }
      if (step === 27) {
        await expect(main.getByText('Slow', { exact: true }).first()).toBeVisible()
        await expect(main.locator('[data-tone="orange"]')).toBeVisible()
      }
      await axe()
      await fits(page, 1440, 900, `step ${step}`)
      // 200% zoom of this screen, and of a phone's text
      await fits(page, 720, 450, `step ${step} at 200%`)
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await page.setViewportSize({ width: 360, height: 640 })
      await expect.poll(() => sideways(page), { message: `step ${step} with text at 200%` }).toBe(0)
      await page.evaluate(() => (document.documentElement.style.fontSize = ''))
      await page.setViewportSize(desktop.viewport)
      await resume()

      const screen = screenOf(step)
      const loader = LOADERS[step]
      if (loader) {
        await page.clock.fastForward(loader.ms + 100)
        continue
      }
      if (screen.kind === 'email') {
        await tabTo(page, /^email$/)
        await page.keyboard.type('lin@example.test')
        await page.keyboard.press('Enter')
        continue
      }
      const first = screen.options?.[0]
      if (first && step !== 2) {
        await tabTo(page, new RegExp(`^${first.replace(/[$().]/g, '\\$&')}`))
        await page.keyboard.press(step % 2 ? 'Space' : 'Enter')
      }
      if (screen?.kind === 'one') continue
      await tabTo(page, screen?.kind === 'info' ? /^continue$/i : /^Next$/)
      await page.keyboard.press('Enter')
    }
    await page.waitForURL(/\/checkout\/[0-9a-f-]{36}$/)
  })
})

test('S-09 each amount of screen time has its own feedback, and Next waits for a choice', async ({ page }) => {
  await page.goto('/quiz?step=9')
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await expect(next).toBeDisabled()
  // while the screen comes in the page gets no wider, though the bar of its button reaches the edge
  await page.locator('.step').evaluate((step: HTMLElement) => {
    step.style.animation = 'none'
    step.getBoundingClientRect()
    step.style.animation = ''
    step.getAnimations()[0]?.pause()
  })
  await expect(page.locator('.step')).toHaveCSS('opacity', '0')
  expect(await sideways(page)).toBe(0)
  await page.locator('.step').evaluate((step) => step.getAnimations()[0]?.finish())
  for (const [label, status, title] of [
    ['Less than 2 hours', 'good', 'Excellent! 🌟'],
    ['2-4 hours', 'moderate', 'Good 👍'],
    ['4-8 hours', 'caution', 'Caution ⚠️'],
    ['More than 8 hours', 'warning', 'High Risk 🚨'],
  ] as const) {
    await choose(page, label)
    const card = page.locator(`.feedback[data-status="${status}"]`)
    await expect(card.getByText(title, { exact: true })).toBeInViewport()
    await expect(page.locator('.feedback')).toHaveCount(1)
    await expect(next).toBeEnabled()
  }
})

test('S-26 S-27 S-34 the figures are drawn once, stay after a reload, and decide the recovery', async ({ page }) => {
  const answers = () => page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}'))
  await page.goto('/quiz?step=26')
  await expect(page.getByText('Your eyes may feel like eyes in their', { exact: false })).toBeVisible()
  const drawn = await answers()
  expect(drawn.eyeStrainIndex).toBeGreaterThanOrEqual(35.1)
  expect(drawn.eyeStrainIndex).toBeLessThanOrEqual(39.1)
  // no age group was chosen: 18-29, and 6 to 13 years more
  expect(drawn.visualAge).toBeGreaterThanOrEqual(24)
  expect(drawn.visualAge).toBeLessThanOrEqual(42)
  const decade = `${Math.min(60, Math.max(20, Math.floor(drawn.visualAge / 10) * 10))}'s`
  await page.reload()
  await expect(page.getByText(decade)).toBeVisible()
  await expect(page.getByText(`${drawn.eyeStrainIndex.toFixed(1)} on a scale`, { exact: false })).toBeAttached()
  expect(await answers()).toMatchObject({ eyeStrainIndex: drawn.eyeStrainIndex, visualAge: drawn.visualAge })

  const heavy = { symptoms: ['blurry', 'red'], symptomFrequency: 'Frequently', screenTime: '4-8 hours' }
  for (const [screenBreaks, label, position, tone, explanation] of [
    ['yes but not regularly', 'Slow', 30, 'orange', /^Your eyes do recover, only more slowly/],
    ['rarely take breaks', 'Very slow', 15, 'red', /^Your answers point to long strain and few breaks/],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('quiz_answers', JSON.stringify(value)), {
      ...heavy,
      screenBreaks,
    })
    await page.goto('/quiz?step=27')
    const card = page.locator(`[data-tone="${tone}"]`)
    await expect(card.locator('.recovery-label')).toHaveText(label)
    await expect(card.getByText(explanation)).toBeVisible()
    await expect
      .poll(() => card.locator('.recovery').evaluate((one) => getComputedStyle(one).getPropertyValue('--at')))
      .toBe(`${position}%`)
    expect(await answers()).toMatchObject({ recoverySpeed: label, recoveryPosition: position })
  }
})

test('S-33 one of four prices is always chosen, $1 at first, and what is chosen reaches the session', async ({
  page,
  stack,
}) => {
  await page.goto('/quiz?step=33')
  await expect(page.getByText(/actual cost.*\$17\.67/)).toBeVisible()
  await expect(page.getByText(/pay nothing yet/)).toBeVisible()
  const chosen = page.locator('main .option:is([aria-pressed=true], [aria-checked=true])')
  await expect(chosen).toHaveText(['$1'])
  for (const price of ['$5', '$17.67', '$9', '$9']) {
    await page.getByRole('radio', { name: price, exact: true }).click()
    await expect(chosen).toHaveText([price])
  }
  await page.getByRole('button', { name: 'CONTINUE' }).dblclick()
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}$/)
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  const session = () => stack.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  await expect.poll(async () => (await session())?.selected_price_cents).toBe(900)
  expect(JSON.stringify((await session())?.pricing_data)).toMatch(
    /selectedPrice.*9.*updatedAt|updatedAt.*selectedPrice.*9/,
  )
})

test('S-00 S-23 Q-11 the first screens work from the address alone, with any age group or none', async ({ page }) => {
  const group = () => page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}').ageGroup)
  await page.goto('/quiz')
  await expect(page.getByRole('heading', { level: 1, name: /Congratulations/ })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/group|\{/)
  await page.goto('/quiz?step=Welcome&age=12-17')
  await expect(page.getByRole('main')).not.toContainText('12-17')
  expect(await group()).toBeUndefined()
  // "+" means a space in a query: both spellings are the same group
  await page.goto('/quiz?step=Welcome&age=60+')
  await expect(page.getByText('60+')).toBeVisible()
  await expect.poll(group).toBe('60+')
  await page.goto('/quiz?step=Welcome&age=18-29')
  await expect(page.getByText('18-29')).toBeVisible()
  expect(await group()).toBe('60+')
  await startQuiz(page)
  await expect.poll(group).toBe('60+')
})
