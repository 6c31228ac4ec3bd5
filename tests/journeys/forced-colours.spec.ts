/**
 * Windows' high contrast removes our backgrounds and shadows, so a choice or a button must be recognizable without
 * them.
 */
import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/journey.ts'
import { openPayment } from './funnel.ts'
import { atCheckout } from './prepared.ts'

test.beforeEach(async ({ page }) => page.emulateMedia({ forcedColors: 'active' }))

interface Look {
  background: string
  border: string
  borderWidth: number
  opacity: number
}

async function lookOf(place: Locator, pseudo?: string): Promise<Look> {
  return place.evaluate((element, of) => {
    const style = getComputedStyle(element, of)
    return {
      background: style.backgroundColor,
      border: style.borderTopColor,
      borderWidth: parseFloat(style.borderTopWidth),
      opacity: Number(style.opacity),
    }
  }, pseudo)
}

/** Asserts an outline around it that differs from its background. */
async function hasBox(place: Locator): Promise<void> {
  const look = await lookOf(place)
  expect(look.borderWidth).toBeGreaterThan(0)
  expect(look.border).not.toBe(await place.evaluate(() => getComputedStyle(document.body).backgroundColor))
  expect(look.border).not.toBe(look.background)
}

/** Asserts that the mark of what is chosen is filled, and that another's is empty or absent. */
async function marked(chosen: Locator, other: Locator): Promise<void> {
  const on = (place: Locator) => place.and(place.page().locator('[aria-pressed=true], [aria-checked=true]'))
  await expect(on(chosen)).toHaveCount(1)
  await expect(on(other)).toHaveCount(0)
  // the screen and the mark fade in: measured until they are there
  await expect(async () => {
    const canvas = await chosen.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const [yes, no] = [await lookOf(chosen.locator('.option-mark')), await lookOf(other.locator('.option-mark'))]
    expect(yes.background).not.toBe(canvas)
    expect(yes.opacity).toBe(1)
    expect(no.opacity === 0 || no.background !== yes.background).toBe(true)
    const [tick, ground] = await chosen
      .locator('.option-mark svg')
      .evaluate((svg) => [getComputedStyle(svg).stroke, getComputedStyle(svg.parentElement ?? svg).backgroundColor])
    expect(tick).not.toBe(ground)
    expect((await lookOf(chosen)).border).not.toBe((await lookOf(other)).border)
  }).toPass()
}

test('L-04 S-01 S-02 Q-03 the ages, what is chosen and the progress show in forced colours', async ({ page }) => {
  await page.goto('/')
  const ages = page.locator('a.age')
  await expect(ages).toHaveCount(4)
  for (const age of await ages.all()) await hasBox(age)
  for (const [step, yes, no] of [
    [1, 'Green', 'Blue'],
    [2, 'Blurry vision', 'Headaches'],
  ] as const) {
    await page.goto(`/quiz?step=${step}`)
    const option = (label: string): Locator => page.locator('.option').filter({ hasText: label }).first()
    await option(yes).click()
    await marked(option(yes), option(no))
    const bar = page.getByRole('progressbar')
    await hasBox(bar)
    // the parts of a bar have no computed style: what is drawn of it differs from end to end
    await page.waitForTimeout(400)
    const { data, info } = await sharp(await bar.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colourAt = (x: number): number[] => {
      const from = (Math.floor(info.height / 2) * info.width + x) * info.channels
      return [...data.subarray(from, from + 3)]
    }
    expect(colourAt(Math.round(info.width * 0.015))).not.toEqual(colourAt(Math.round(info.width * 0.9)))
  }
})

test('S-33 the chosen price shows in forced colours', async ({ page }) => {
  await page.goto('/quiz?step=33')
  const price = (label: string): Locator => page.getByRole('radio', { name: label, exact: true })
  await price('$9').click()
  await marked(price('$9'), price('$5'))
})

test('C-13 the payment dialog and the PayPal button have a box in forced colours', async ({ page }) => {
  await atCheckout(page)
  await openPayment(page)
  await hasBox(page.getByRole('dialog'))
  await hasBox(page.locator('button.paypal'))
})
