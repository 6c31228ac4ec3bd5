/** PayPal and its return pages, and the add-ons after the first payment. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay, sessionIdOf } from './funnel.ts'

let visitors = 0

async function atCheckout(page: Page): Promise<string> {
  await page.goto('/payment-error')
  const email = `addon-${Date.now()}-${++visitors}@example.com`
  await page.evaluate((answers) => localStorage.setItem('quiz_answers', JSON.stringify(answers)), {
    selectedPrice: 5,
    email,
  })
  await page.goto('/checkout')
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}/)
  const id = sessionIdOf(page)
  await page.evaluate(
    ([sessionId, address]) =>
      fetch(`/api/sessions/${sessionId}/email`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: address }),
      }),
    [id, email] as const,
  )
  await page.reload()
  return id
}

async function buyTrial(page: Page, number?: string): Promise<string> {
  const id = await atCheckout(page)
  await openPayment(page)
  await fillCard(page, number ? { number } : {})
  await pay(page)
  if (number) await page.getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL(/\/multi-upsell\//)
  await expect(page.getByRole('button', { name: 'Skip →' })).toBeVisible()
  return id
}

async function toPaypal(page: Page): Promise<void> {
  await openPayment(page)
  await page.locator('button.paypal').click()
  await page.waitForURL(/\/_stripe\/paypal/)
}

const add = (page: Page) => page.getByRole('button', { name: 'Add to my order' })

test('C-14 P-07 U-06 PayPal: cancelled and failed come back with words, approved goes on', async ({ page }) => {
  await atCheckout(page)
  for (const answer of ['Cancel', 'Fail']) {
    await toPaypal(page)
    await page.getByRole('button', { name: answer }).click()
    await expect(page.getByRole('alert')).toContainText('PayPal payment failed. Please try again.')
    expect(page.url()).not.toContain('secret')
    await page.waitForURL(/\/$/)
    await page.goto('/checkout')
    await expect(page.getByRole('button', { name: 'Order now' }).first()).toBeVisible()
  }
  await toPaypal(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/multi-upsell\//)
  // U-06: after a first payment by PayPal, add-ons are paid by card here
  await add(page).click()
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel and return to offers' }).click()
  await add(page).click()
  await fillCard(page)
  await pay(page)
  await page.waitForURL(/\/user-creation\//)
})

test('P-07 the standard return: / without a reference, /payment-error when it cannot be found', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/404/)
  await page.goto('/checkout-paypal-return')
  await page.waitForURL(/\/$/)
  await atCheckout(page)
  await page.goto('/checkout-paypal-return?payment_intent=pi_x&payment_intent_client_secret=pi_x_secret_y')
  await page.waitForURL(/\/payment-error/)
  await expect(page.getByRole('link', { name: 'Back to the checkout' })).toBeVisible()
})

test('P-07 P-11 the set-up return says what is missing and goes to / after 3 seconds', async ({ page }) => {
  const id = await atCheckout(page)
  await page.goto(`/paypal-setup-return/${id}`)
  await expect(page.getByRole('alert')).toContainText('Payment setup information missing')
  await page.waitForURL(/\/$/)
})

test('P-07 the upsell return keeps Payment Error with Try Again', async ({ page }) => {
  const id = await atCheckout(page)
  await page.goto(`/upsell-paypal-return/${id}/pi_1/trial_1`)
  await expect(page.getByRole('heading', { name: 'Payment Error' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Missing required parameters')
  await expect(page.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', `/upsell/${id}`)
})

test('U-02 U-07 U-08 the bundle by a double click is charged once; it stands on the receipt', async ({
  page,
  stack,
}) => {
  const id = await buyTrial(page)
  await expect(page.locator('.total')).toContainText('$24.99')
  await add(page).dblclick()
  await page.waitForURL(/\/user-creation\//)
  const paid = await stack.db
    .selectFrom('payment_facts')
    .select('amount_cents')
    .where('session_id', '=', id)
    .where('amount_cents', '=', 2499)
    .execute()
  expect(paid).toHaveLength(1)
})

test('U-02 U-03 U-08 two guides one by one; they are owned afterwards and the bundle is gone', async ({ page }) => {
  const id = await buyTrial(page)
  for (const name of [/Device Configuration/, /Monitor Ergonomics/, /20-20-20/]) {
    await page.getByRole('checkbox', { name }).click()
  }
  await expect(page.getByRole('checkbox', { name: /Complete Eyes bundle/ })).not.toBeChecked()
  await expect(page.locator('.total')).toContainText('$29.80')
  await expect(page.locator('.addon-note')).toContainText('$4.81 less')
  await add(page).click()
  await page.waitForURL(/\/user-creation\//)
  await page.goto(`/multi-upsell/${id}`)
  await expect(page.getByText('You own this')).toHaveCount(2)
  await expect(page.getByRole('checkbox', { name: /Complete Eyes bundle/ })).toHaveCount(0)
  // the other three, one by one, would cost more than the bundle of five did: they are not picked beforehand
  await expect(page.locator('.total')).toContainText('$0')
})

test('U-02 nothing picked says so', async ({ page, axe }) => {
  await buyTrial(page)
  await axe()
  await page.getByRole('checkbox', { name: /Complete Eyes bundle/ }).click()
  await add(page).click()
  await expect(page.getByRole('alert')).toContainText('Please select at least one product to continue.')
})

test('A-01 A-02 A-03 the password rules, the account, the receipt', async ({ page, axe, expectTrouble }) => {
  // the service rejects a common password
  expectTrouble(/422/)
  await buyTrial(page)
  await page.getByRole('button', { name: 'Skip →' }).click()
  await page.waitForURL(/\/user-creation\//)
  const create = page.getByRole('button', { name: 'Create my account' })
  const password = page.getByLabel('Password', { exact: true })
  await expect(page.getByText('At least 8 characters with uppercase, lowercase, and number')).toBeVisible()
  for (const [typed, words] of [
    ['Ab1', 'Password must be at least 8 characters long'],
    ['ABCDEFG1', 'Password must contain at least one lowercase letter'],
    ['abcdefg1', 'Password must contain at least one uppercase letter'],
    ['Abcdefgh', 'Password must contain at least one number'],
    ['Abcdefg1', 'Passwords do not match'],
  ] as const) {
    await password.fill(typed)
    // said once the field is left, the rest when the form is sent
    if (words.startsWith('Password must')) await password.blur()
    else await create.click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(password).toHaveJSProperty('value', typed)
  }
  await axe()
  const confirmation = page.getByLabel('Confirm password')
  await confirmation.fill('Abcdefg1')
  await create.click()
  await expect(page.getByText('among the most common ones')).toBeVisible()
  await password.fill('Tulip boat 7')
  await confirmation.fill('Tulip boat 7')
  await create.click()
  await page.waitForURL(/\/thank-you\//)
  await expect(page.getByText('Confirmation sent to')).toBeVisible()
  await expect(page.locator('.receipt')).toContainText('$5')
  await expect(page.getByText(/Next charge: \$39 on/)).toBeVisible()
  await expect(page.getByRole('link', { name: /Start my programme/ })).toHaveAttribute('target', '_blank')
  await axe()
})
