/** The rules of the engine, each in both directions, and the times to the millisecond. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { atStep, choose, startQuiz, stepOf } from './funnel.ts'
import { LOADERS } from './quiz-screens.ts'

const stored = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}'))
const keep = (page: Page, answers: Record<string, unknown>): Promise<void> =>
  page.evaluate((value) => localStorage.setItem('quiz_answers', JSON.stringify(value)), answers)
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const pressed = (page: Page) => page.locator('main .option:is([aria-pressed=true], [aria-checked=true])')
/** Opens a step with the clock stopped: it moves only when the test moves it. */
async function openStill(page: Page, step: number): Promise<void> {
  await page.clock.install()
  await page.goto(`/quiz?step=${step}`)
  await expect(page.locator('.step')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 3_600_000)
}
/** Opens the last step, with what moves moving and the clock stopped, so that another step begins in its sight. */
async function openMoving(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto('/quiz?step=33')
  await expect(page.getByRole('button', { name: 'CONTINUE' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.clock.pauseAt(Date.now() + 3_600_000)
}
/** Opens another step of the quiz that is on the screen, as the quiz itself does. */
async function openInPlace(page: Page, step: number): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({ quiz: 1 }, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/quiz?step=${step}`)
}

test('Q-01 every step opens by its address; an unknown one is step 1', async ({ page }) => {
  for (const step of ['0', '34', '-1', '1.5', '007', 'welcome', '', '<script>', '9999999999999999999']) {
    await page.goto(`/quiz?step=${encodeURIComponent(step)}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("What's your natural eye color?")
    await atStep(page, 1)
  }
  for (const step of [2, 6, 23, 25, 30, 32, 33]) {
    await page.goto(`/quiz?step=${step}`)
    await expect(page.getByText(`${step}/${step === 23 ? 32 : 33}`)).toBeVisible()
    expect(stepOf(page)).toBe(String(step))
  }
})

test('Q-02 each step starts at the top; Back and Forward walk the steps, and never into a loader', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 480 })
  await page.clock.install()
  await page.goto('/quiz?step=5')
  await choose(page, 'Yes, glasses')
  await page.clock.fastForward(500)
  await atStep(page, 6)
  // the address is a moment ahead of the screen
  await expect(page.getByText('Only 1 in 5 takes action')).toBeVisible()
  await page.evaluate(() => scrollTo(0, 200))
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await atStep(page, 7)
  await page.clock.fastForward(6600)
  await atStep(page, 8)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await atStep(page, 6)
  await expect(page.getByText('Only 1 in 5 takes action')).toBeVisible()
  await page.goBack()
  await atStep(page, 5)
  await page.goForward()
  await atStep(page, 6)
  await page.goForward()
  await atStep(page, 8)
  // the arrow does the same; on a step opened by its address it goes to the screen before, again past the loader
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await atStep(page, 6)
  await page.goto('/quiz?step=15')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await atStep(page, 13)
})

test('Q-05 Q-07 Q-08 Q-09 choices toggle, Next waits for one but on step 2, and all come back', async ({ page }) => {
  await page.goto('/quiz?step=4')
  await expect(next(page)).toBeDisabled()
  await choose(page, 'Morning', 'Evening')
  await expect(pressed(page)).toHaveText(['Morning', 'Evening'])
  await choose(page, 'Morning')
  await expect(pressed(page)).toHaveText(['Evening'])
  await choose(page, 'Evening')
  await expect(next(page)).toBeDisabled()
  await next(page).click({ force: true })
  await atStep(page, 4)
  expect((await stored(page)).symptomTiming).toBeUndefined()
  await choose(page, 'After reading', 'Afternoon')
  // nothing is saved before Next
  expect((await stored(page)).symptomTiming).toBeUndefined()
  await next(page).click()
  await atStep(page, 5)
  expect((await stored(page)).symptomTiming).toEqual(['After reading', 'Afternoon'])
  // restored where Next is shown …
  await page.goto('/quiz?step=4')
  await expect(pressed(page)).toHaveText(['Afternoon', 'After reading'])
  await page.goto('/quiz?step=1')
  await expect(next(page)).toBeDisabled()
  await choose(page, 'Hazel')
  await choose(page, 'Gray')
  await expect(pressed(page)).toHaveText(['Gray'])
  await next(page).click()
  await atStep(page, 2)
  expect((await stored(page)).eyeColor).toBe('gray')
  // … and an empty choice counts on step 2 alone
  await expect(next(page)).toBeEnabled()
  await next(page).click()
  await atStep(page, 3)
  expect((await stored(page)).symptoms).toEqual([])
  await expect(page.getByText('No symptoms selected')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(pressed(page)).toHaveText(['Gray'])
  // … but not where a choice advances by itself
  await keep(page, { symptomFrequency: 'Daily' })
  await page.goto('/quiz?step=3')
  await expect(page.getByRole('radiogroup').getByRole('radio')).toHaveCount(5)
  await expect(pressed(page)).toHaveCount(0)
})

test('Q-06 a single choice goes on after 500 ms, a second tap starts them again, and it never goes on twice', async ({
  page,
}) => {
  await openStill(page, 3)
  await choose(page, 'Daily')
  await expect(pressed(page)).toHaveText(['Daily'])
  await page.clock.runFor(499)
  await atStep(page, 3)
  expect((await stored(page)).symptomFrequency).toBeUndefined()
  await choose(page, 'Frequently')
  await page.clock.runFor(499)
  await atStep(page, 3)
  await page.clock.runFor(1)
  await atStep(page, 4)
  expect((await stored(page)).symptomFrequency).toBe('Frequently')
  await page.clock.runFor(5_000)
  await atStep(page, 4)
  // Back within the 500 ms: nothing advances behind the visitor
  await page.clock.resume()
  await page.goto('/quiz?step=10')
  await expect(page.locator('.step')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 7_200_000)
  await choose(page, 'Natural')
  await page.clock.runFor(300)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await atStep(page, 9)
  await page.clock.runFor(2_000)
  await atStep(page, 9)
})

for (const [step, loader] of Object.entries(LOADERS)) {
  test(`S-${step.padStart(2, '0')} the loader shows its texts equally long, in ${loader.ms} ms, and goes on`, async ({
    page,
  }) => {
    await openMoving(page)
    await openInPlace(page, Number(step))
    const ring = page.getByRole('progressbar', { name: loader.title })
    await expect(page.getByRole('heading', { level: 1, name: loader.title })).toBeFocused()
    await expect(ring).toHaveAttribute('aria-valuenow', '0')
    const status = page.locator('.loader-message')
    const share = loader.ms / loader.texts.length
    let passed = 0
    for (const [index, text] of loader.texts.entries()) {
      await expect(status).toHaveText(text)
      // a tick of 50 ms draws the next one
      const until = Math.ceil(((index + 1) * share) / 50) * 50
      if (index === loader.texts.length - 1) break
      await page.clock.runFor(until - 50 - passed)
      await expect(status).toHaveText(text)
      await page.clock.runFor(50)
      passed = until
      await expect(ring).toHaveAttribute('aria-valuenow', String(Math.round((passed / loader.ms) * 100)))
    }
    const fade = await status.locator('span').evaluate((one) => getComputedStyle(one).animationDuration)
    expect(fade).toBe('0.6s')
    await page.clock.runFor(loader.ms - 1 - passed)
    await atStep(page, Number(step))
    await page.clock.runFor(1)
    await atStep(page, Number(step) + 1)
    await page.goBack()
    await atStep(page, 33)
  })
}

test('S-26 S-27 numbers and slider move to their values within 1.1 s and stay there', async ({ page }) => {
  await openMoving(page)

  // what is drawn, and what is said beside it to a screen reader
  const numbers = (part: 'aria-hidden=true' | 'class=visually-hidden') =>
    page
      .locator(`:is(.gauge-value, .result-number) > [${part}]`)
      .evaluateAll((all) => all.map((one) => Number.parseFloat(one.textContent)))
  await openInPlace(page, 26)
  await expect(page.locator('.gauge-value')).toBeVisible()
  expect(await numbers('aria-hidden=true')).toEqual([32.2, 18])
  const ends = await numbers('class=visually-hidden')
  await page.clock.runFor(300)
  for (const [at, number] of (await numbers('aria-hidden=true')).entries()) {
    expect(number).toBeGreaterThan([32.2, 18][at] ?? NaN)
    expect(number).toBeLessThan(ends[at] ?? NaN)
  }
  await page.clock.runFor(900)
  expect(await numbers('aria-hidden=true')).toEqual(ends)
  await page.clock.runFor(2_000)
  expect(await numbers('aria-hidden=true')).toEqual(ends)

  const slider = () =>
    page.locator('.recovery').evaluate((whole) => {
      const { left, width } = whole.getBoundingClientRect()
      const thumb = whole.querySelector('.recovery-thumb')?.getBoundingClientRect()
      return thumb ? Math.round(((thumb.left + thumb.width / 2 - left) / width) * 100) : NaN
    })
  await openInPlace(page, 27)
  await expect(page.locator('.recovery-label')).toHaveText('Slow')
  expect(await slider()).toBe(100)
  await page.clock.runFor(300)
  expect(await slider()).toBeGreaterThan(30)
  expect(await slider()).toBeLessThan(100)
  await page.clock.runFor(900)
  expect(await slider()).toBe(30)
})

test('S-23 the address is judged as it is typed, the button is grey until it is one, and what was typed stays', async ({
  page,
}) => {
  await page.goto('/quiz?step=23')
  const button = page.getByRole('button', { name: 'SEE MY RESULTS' })
  const field = page.getByRole('textbox', { name: /e-mail/i })
  const colour = () => button.evaluate((one) => getComputedStyle(one).backgroundColor)
  await expect(button).toBeDisabled()
  await expect.poll(colour).toBe('rgb(209, 213, 219)')
  for (const wrong of ['a', 'a@', 'a@b', 'a@b.', '@b.c', 'a b@c.d', 'a@b c.d', 'a@@b.c']) {
    await field.fill(wrong)
    await expect(button, wrong).toBeDisabled()
  }
  await field.blur()
  await expect(page.getByText(/not a complete e-mail address/)).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('jörg@example.com')
  await field.blur()
  await expect(page.getByText(/letters a to z/)).toBeVisible()
  await expect(button).toBeDisabled()
  for (const right of ['a@b.c', ' ada.o’neil+x@mail.example.co.uk ']) {
    await field.fill(right)
    await expect(button, right).toBeEnabled()
  }
  await expect.poll(colour).toBe('rgb(26, 117, 255)')
  await field.fill('ada@example')
  await field.press('Enter')
  await atStep(page, 23)
  expect(await page.evaluate(() => localStorage.getItem('quiz_email'))).toBeNull()
  await field.fill('ada@example.test')
  await field.press('Enter')
  await atStep(page, 24)
  expect((await stored(page)).email).toBe('ada@example.test')
  expect(
    await page.evaluate(() => [
      localStorage.getItem('quiz_email'),
      localStorage.getItem('customer_email'),
      sessionStorage.getItem('customerEmail'),
    ]),
  ).toEqual(['ada@example.test', 'ada@example.test', 'ada@example.test'])
  await page.goBack()
  await expect(field).toHaveValue('ada@example.test')
})

test('S-23 a likely slip in the address is asked about and mended with a press; it never stops anybody', async ({
  page,
  axe,
}) => {
  await page.goto('/quiz?step=23')
  const field = page.getByRole('textbox', { name: /e-mail/i })
  const button = page.getByRole('button', { name: 'SEE MY RESULTS' })
  const question = page.getByRole('button', { name: /^Did you mean/ })
  // nothing is asked on the way to a name that is right
  for (const letter of 'ada@gmail.com') {
    await field.press(letter)
    await expect(question).toBeHidden()
  }
  await field.fill('ada@gmial.com')
  await expect(question).toHaveText('Did you mean ada@gmail.com?')
  await expect(button).toBeEnabled()
  await question.click()
  await expect(field).toHaveValue('ada@gmail.com')
  await expect(question).toBeHidden()
  await expect(button).toBeFocused()

  // by keyboard; what could still become right is asked about once the field is left
  await field.fill('ada@hotmail.co')
  await expect(question).toBeHidden()
  await field.press('Tab')
  await expect(question).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(question).toBeFocused()
  await axe()
  await question.press('Enter')
  await expect(field).toHaveValue('ada@hotmail.com')

  // a press on the one button counts, although the question comes in above it
  await page.setViewportSize({ width: 1440, height: 900 })
  await field.fill('ada@gmail.co')
  await button.click()
  await atStep(page, 24)
  expect((await stored(page)).email).toBe('ada@gmail.co')
})

test('Q-02 Back right after a tap: the screen is the one that the address names, and goes on', async ({ page }) => {
  await startQuiz(page)
  await choose(page, 'Amber')
  // both within one frame, as on a phone that is busy
  await next(page).evaluate((button: HTMLElement) => {
    button.click()
    history.back()
  })
  await expect.poll(() => stepOf(page)).toBe('1')
  // the tap's own screen would be drawn by now
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))))
  await expect(page.getByText('1/33')).toBeVisible()
  await next(page).click()
  await expect(page.getByText('2/33')).toBeVisible()
})

test('Q-12 Q-13 a visit is resumed where it was or started again; the first completion counts', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await startQuiz(page)
  await choose(page, 'Amber')
  await next(page).click()
  await atStep(page, 2)
  await page.reload()
  await atStep(page, 2)
  await choose(page, 'Headaches')
  await next(page).click()
  await atStep(page, 3)
  // the step's own key beside its place: a publish may move it until the visitor is back
  expect(await page.evaluate(() => localStorage.getItem('quiz_place'))).toBe('3 symptom-frequency')
  await page.close()

  const again = await context.newPage()
  await again.goto('/quiz')
  await again.getByRole('button', { name: 'Continue where you left off' }).click()
  await atStep(again, 3)
  await expect(again.getByText('Headaches', { exact: true })).toBeVisible()
  expect(await stored(again)).toMatchObject({ ageGroup: '30-45', eyeColor: 'amber', symptoms: ['headaches'] })

  await again.goto('/quiz?step=32')
  await again.getByRole('button', { name: 'Continue' }).click()
  await atStep(again, 33)
  const seconds = await again.evaluate(() => localStorage.getItem('quiz_completion_time'))
  expect(Number(seconds)).toBeGreaterThanOrEqual(0)
  await again.clock.fastForward(60_000)
  await again.goBack()
  await expect(again.getByText('32/33')).toBeVisible()
  await again.getByRole('button', { name: 'Continue' }).click()
  await atStep(again, 33)
  expect(await again.evaluate(() => localStorage.getItem('quiz_completion_time'))).toBe(seconds)

  await again.goto('/quiz')
  await again.getByRole('button', { name: 'Start again' }).click()
  await atStep(again, 1)
  await expect(next(again)).toBeDisabled()
  expect(await stored(again)).toEqual({ ageGroup: '30-45' })
})
