/** A mouse that is held down for a moment, as hands do: leaving a wrong field moves nothing from under it. */
import type { Locator, Page } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import { atAddOns, savedCardDeclines } from './buyer.ts'
import { fillCard, openPayment, stripeField } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail } from './prepared.ts'

test.use({ ...desktop, viewport: { width: 390, height: 844 } })

/** Presses `target` and lets go once the field that was left has `faults` faults named. */
async function pressSlowly(page: Page, target: Locator, faults: number): Promise<void> {
  const shown = page.locator('.field-error')
  await target.scrollIntoViewIfNeeded()
  await expect(shown).toHaveCount(faults - 1)
  const before = await target.boundingBox()
  if (!before) throw new Error('there is nothing to press')
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await page.mouse.down()
  await expect(shown).toHaveCount(faults)
  const { y = 0 } = (await target.boundingBox()) ?? {}
  // a pressed button is drawn a little smaller
  expect(Math.abs(y - before.y), 'px that the target moved under the mouse').toBeLessThan(2)
  await page.mouse.up()
}

test('C-13 "Order Now" pressed straight from a wrong address or code submits, and names what is wrong', async ({
  page,
  axe,
}) => {
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const email = dialog.getByLabel('Email', { exact: true })
  const right = await email.inputValue()
  await fillCard(page)
  await email.fill('ada@')
  await pressSlowly(page, dialog.getByRole('button', { name: /^Order Now/ }), 1)
  await expect(email).toBeFocused()
  await expect(dialog.locator('.field-error')).toHaveText('Please enter a valid email address.')
  await fillCard(page, { cvc: '1', email: right })
  await stripeField(page, 'cvc').focus()
  await pressSlowly(page, dialog.getByRole('button', { name: /^Order Now/ }), 1)
  await expect(dialog.getByRole('alert')).toContainText('Card information is incomplete.')
  await expect(page.locator('input[name="cvc"]')).toBeFocused()
  await expect(dialog.locator('.field-error')).toBeVisible()
  await axe()
  // the dialog grows around its middle on a large screen, so what is above the fault would move too
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('input[name="cvc"]').fill('')
  await page.locator('input[name="exp-date"]').fill('1')
  await pressSlowly(page, dialog.getByRole('button', { name: 'Close' }), 1)
  await page.waitForURL('**/special-offer-intro/**')
})

test('U-06 the button of the add-ons form pressed straight from a wrong field submits', async ({
  page,
  stack,
  axe,
}) => {
  const { sessionId } = await atAddOns(page)
  await savedCardDeclines(stack, sessionId)
  await page.getByRole('button', { name: /^Add to my order/ }).click()
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeFocused()
  await fillCard(page, { cvc: '1' })
  await pressSlowly(page, page.getByRole('button', { name: /^Pay \$/ }), 1)
  await expect(page.locator('input[name="cvc"]')).toBeFocused()
  await axe()
})

test('A-05 "Save this card" pressed straight from a wrong field submits', async ({ page, stack, axe }) => {
  await page.goto('/payment-error')
  await becomeMember(page, stack, newEmail())
  await page.goto('/app/card')
  await fillCard(page, { cvc: '1' })
  await pressSlowly(page, page.getByRole('button', { name: 'Save this card' }), 1)
  await expect(page.getByRole('alert')).toContainText('Card information is incomplete.')
  await expect(page.locator('input[name="cvc"]')).toBeFocused()
  await axe()
})
