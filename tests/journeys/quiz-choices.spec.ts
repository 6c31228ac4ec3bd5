/** A single choice is a radio group: "1 of n", arrow keys, and a second tab that shows the same. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { atStep } from './funnel.ts'

test.use({ isMobile: false, hasTouch: false })

test('Q-04 Q-06 arrow keys choose one of several and never go on; Enter does, after its half second', async ({
  page,
  axe,
}) => {
  await page.clock.install()
  await page.goto('/quiz?step=3')
  const group = page.getByRole('radiogroup')
  const radios = group.getByRole('radio')
  await expect(radios).toHaveCount(5)
  // one stop of the Tab key, as in any group of radios
  await radios.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(radios.nth(1)).toBeFocused()
  await expect(radios.nth(1)).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(radios.last()).toBeFocused()
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(1)
  await page.clock.fastForward(60_000)
  await atStep(page, 3)
  expect(await radios.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length)).toBe(1)
  await axe()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.keyboard.press('Enter')
  await page.clock.runFor(499)
  await atStep(page, 3)
  await page.clock.runFor(1_000)
  await atStep(page, 4)
  await page.clock.resume()
  // multiple choices stay toggle buttons
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('group').getByRole('button', { name: 'Morning' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
})

test('S-33 the four prices are one choice: arrow keys change it, and it is kept', async ({ page }) => {
  await page.goto('/quiz?step=33')
  const price = (name: string) => page.getByRole('radio', { name, exact: true })
  await expect(price('$1')).toBeChecked()
  await price('$1').focus()
  await page.keyboard.press('ArrowRight')
  await expect(price('$5')).toBeFocused()
  await expect(price('$5')).toBeChecked()
  await atStep(page, 33)
  await page.reload()
  await expect(price('$5')).toBeChecked()
})

test('Q-08 Q-10 two tabs on one step show the choice that was saved last', async ({ page, context }) => {
  await page.goto('/quiz?step=1')
  const other = await context.newPage()
  await other.goto('/quiz?step=1')
  await other.getByRole('radio', { name: 'Hazel' }).click()
  await other.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(other, 2)
  await expect(page.getByRole('radio', { name: 'Hazel' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeEnabled()
  await page.goto('/quiz?step=33')
  await other.goto('/quiz?step=33')
  await other.getByRole('radio', { name: '$9', exact: true }).click()
  await expect(page.getByRole('radio', { name: '$9', exact: true })).toBeChecked()
})

test('S-14 a loader that shows eight sentences says one of them aloud, when it is done', async ({ page }) => {
  await page.clock.install()
  await page.goto('/quiz?step=14')
  const said: string[] = []
  await page.exposeFunction('heard', (words: string) => said.push(words))
  await page.locator('.loader [role=status]').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const status = document.querySelector('.loader [role=status]')
    if (!status) throw new Error('nothing is announced')
    new MutationObserver(() => {
      const words = status.textContent?.trim()
      if (words) void (window as unknown as { heard: (words: string) => void }).heard(words)
    }).observe(status, { childList: true, subtree: true, characterData: true })
  })
  for (let passed = 0; passed < 6_100; passed += 100) await page.clock.runFor(100)
  await expect.poll(() => said).toEqual(['Finalizing analysis'])
})

/** What took the focus under something that floats, of ten stops each way. */
async function hiddenStops(page: Page, floating: string): Promise<string[]> {
  const hidden: string[] = []
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stop = 0; stop < 10; stop++) {
      await page.keyboard.press(key)
      const covered = await page.evaluate((selector) => {
        const at = document.activeElement
        const over = document.querySelector(selector)
        if (!at || !over || at === document.body || over.contains(at) || at.contains(over)) return null
        const cover = over.getBoundingClientRect()
        const box = at.getBoundingClientRect()
        // higher than the room that is left: as much of it as fits
        if (box.height > cover.top - 16 && box.top < cover.top / 2) return null
        return box.bottom > cover.top + 1 && box.top < cover.bottom ? at.outerHTML.slice(0, 90) : null
      }, floating)
      if (covered) hidden.push(`${key}: ${covered}`)
    }
  }
  return hidden
}

for (const { what, country, floating } of [
  // the top of the bar is a fade: only its button covers anything
  { what: 'the button that floats', country: 'US', floating: '.button-bar button' },
  // the CDN says Germany: this region requires consent
  { what: 'the banner that asks for consent', country: 'DE', floating: '.consent' },
]) {
  test(`S-00 S-02 no focus on Welcome or a question is hidden under ${what}`, async ({ page }) => {
    await page.setExtraHTTPHeaders({ 'cf-ipcountry': country })
    await page.setViewportSize({ width: 390, height: 560 })
    for (const path of ['/quiz', '/quiz?step=2', '/quiz?step=4', '/quiz?step=8']) {
      await page.goto(path)
      await page.locator('.button-bar').first().waitFor()
      await expect(page.locator('astro-island:not([ssr])')).toHaveCount(1)
      await page.locator(floating).first().waitFor()
      expect(await hiddenStops(page, floating), path).toEqual([])
    }
  })
}

test('L-04 V-01 S-00 S-02 at 400 % the question of consent hides nothing that takes the focus', async ({ page }) => {
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'DE' })
  for (const size of [
    { width: 320, height: 256 },
    { width: 427, height: 240 },
  ]) {
    await page.setViewportSize(size)
    for (const path of ['/', '/women-over60', '/legal/privacy', '/quiz', '/quiz?step=2', '/quiz?step=4']) {
      await page.goto(path)
      await page.locator('.consent').waitFor()
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
      expect.soft(await hiddenStops(page, '.consent'), `${path} ${size.height}`).toEqual([])
    }
  }
})
