/**
 * WCAG 1.3.5: every field says what it asks for, so that a browser fills it in and a phone shows the right keys. A
 * field that is new on one of these screens fails here until it is in the table.
 */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { atAddOns, savedCardDeclines } from './buyer.ts'
import { openPayment } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail } from './prepared.ts'

/** `name: type inputmode autocomplete` of what can be typed into, in the order of the screen. */
async function fields(page: Page): Promise<string[]> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  return page
    .locator('input, textarea, select')
    .evaluateAll((all) =>
      (all as HTMLInputElement[])
        .filter((field) => field.checkVisibility() && !/^(checkbox|radio|range|hidden|submit)$/.test(field.type))
        .map(
          ({ name, type, inputMode, autocomplete }) => `${name}: ${type} ${inputMode || '-'} ${autocomplete || '-'}`,
        ),
    )
}
const asks = (page: Page, screen: string, expected: readonly string[]): Promise<void> =>
  expect.poll(() => fields(page), { message: screen }).toEqual(expected)

const EMAIL = 'email: email email email'
const SIGN_IN_EMAIL = 'email: email email username'
const NAME_ON_CARD = 'name: text - cc-name'
const THE_CARD = [
  'cardnumber: text numeric cc-number',
  'exp-date: text numeric cc-exp',
  'cvc: text numeric cc-csc',
  'postalCode: text - postal-code',
]
const NEW_PASSWORD = ['password: password - new-password', 'passwordConfirmation: password - new-password']

test('S-23 H-04 A-05 V-02 each field of the open pages says what it asks for', async ({ page }) => {
  for (const [path, ...expected] of [
    ['/'],
    ['/quiz'],
    ['/quiz?step=23', EMAIL],
    ['/women-over60', 'name: text - name', 'comment: textarea - off'],
    ['/legal/contact-us'],
    ['/exit', 'name: text - name', EMAIL, 'reason: text - off'],
    ['/app/', SIGN_IN_EMAIL, 'password: password - current-password'],
    ['/app/forgot-password', SIGN_IN_EMAIL],
    ['/operator/sign-in', 'email: email - username', 'password: password - current-password'],
  ] as const) {
    await page.goto(path)
    await asks(page, path, expected)
  }
})

test('C-13 O-02 X-03 U-06 A-01 A-05 each field from the checkout to the account says what it asks for', async ({
  page,
  stack,
}) => {
  const { sessionId } = await atCheckout(page)
  await openPayment(page)
  await asks(page, 'checkout', [NAME_ON_CARD, EMAIL, ...THE_CARD])
  await page.goto(`/payment/${sessionId}`)
  await asks(page, 'reading', [NAME_ON_CARD, EMAIL, ...THE_CARD])
  await page.goto(`/special-offer-details/${sessionId}`)
  await page.getByRole('button', { name: 'Start my first month' }).click()
  await asks(page, 'special offer', [NAME_ON_CARD, EMAIL, ...THE_CARD])
  const buyer = await atAddOns(page)
  await savedCardDeclines(stack, buyer.sessionId)
  await page.getByRole('button', { name: /^Add to my order/ }).click()
  await asks(page, 'add-ons', [NAME_ON_CARD, ...THE_CARD])
  await page.goto(`/user-creation/${buyer.sessionId}`)
  await asks(page, 'sign-up', ['username: email - username', ...NEW_PASSWORD])
  await page.getByRole('button', { name: 'Wrong email?' }).click()
  const address = page.getByLabel('The right email address')
  await address.fill(newEmail())
  const known = ['username: email - username', ...NEW_PASSWORD]
  await asks(page, 'another address', [...known, 'correctEmail: email email email'])
  await page.getByRole('button', { name: 'Send the code' }).click()
  await asks(page, 'its code', [...known, 'code: text numeric one-time-code'])
  await becomeMember(page, stack, newEmail())
  for (const [path, ...expected] of [
    ['/app/'],
    ['/app/subscription'],
    ['/app/card', NAME_ON_CARD, ...THE_CARD],
    ['/app/money-back'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await asks(page, path, expected)
  }
})
