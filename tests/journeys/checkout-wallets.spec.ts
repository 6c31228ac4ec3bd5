/** Apple Pay and Google Pay: the sandbox's device has them when its operator says so. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { sandbox } from './buyer.ts'
import { openPayment } from './funnel.ts'
import { atCheckout, atStripe, newEmail, paidOnce, type Prepared, stripeList, unpaid } from './prepared.ts'

test.afterEach(({ stack }) => sandbox(stack, 'POST', 'wallets', { offered: [] }))

const payment = (page: Page) => page.getByRole('dialog', { name: 'Choose payment method' })
const sheet = (page: Page, name = 'Google Pay') => page.getByRole('dialog', { name: `${name} (test)` })

/** Opens the wallet's sheet, which holds a different address. */
async function wallet(page: Page, visitor: Prepared, name = 'Google Pay'): Promise<Prepared> {
  await payment(page).getByRole('button', { name, exact: true }).click()
  const email = newEmail()
  await sheet(page, name).getByLabel('Email in the wallet').fill(email)
  return { ...visitor, email }
}

test('C-13 H-01 Google Pay shows amount and terms, pays, and its address gets the receipt', async ({
  page,
  stack,
  axe,
}) => {
  await sandbox(stack, 'POST', 'wallets', { offered: ['google_pay'] })
  const visitor = await atCheckout(page, { price: 9 })
  await openPayment(page)
  await expect(payment(page).getByRole('button', { name: 'Google Pay' })).toBeVisible()
  await expect(payment(page).getByRole('button', { name: 'Apple Pay' })).toHaveCount(0)
  const wallets = await payment(page).getByRole('button', { name: 'Google Pay' }).boundingBox()
  const cardNumber = await payment(page).locator('input[name="cardnumber"]').boundingBox()
  expect((wallets?.y ?? Infinity) + (wallets?.height ?? 0)).toBeLessThan(cardNumber?.y ?? 0)
  await expect(payment(page).locator('.terms').first()).toContainText('$9 today for your 3-day trial.')
  await axe()
  const owner = await wallet(page, visitor)
  await expect(sheet(page)).toContainText('9.00 USD')
  await sheet(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, owner, 900)
  const [customer] = await stripeList<{ id: string }>(stack, `customers?email=${encodeURIComponent(owner.email)}`)
  expect(await stripeList(stack, `charges?customer=${customer?.id}`)).toMatchObject([
    {
      billing_details: { name: 'Wallet Owner', email: owner.email },
      payment_method_details: { card: { last4: '4242', wallet: { type: 'google_pay' } } },
    },
  ])
  // saved for the add-ons and the renewals, as a typed card is (P-03)
  expect(await stripeList(stack, `payment_methods?customer=${customer?.id}`)).toHaveLength(1)
})

test('C-13 P-11 Google Pay closed, declined and refused charges nothing; then another card of it pays', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/402/, /ERR_FAILED/)
  await sandbox(stack, 'POST', 'wallets', { offered: ['google_pay'] })
  const visitor = await atCheckout(page)
  await openPayment(page)
  await wallet(page, visitor)
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
  await expect(payment(page)).toBeVisible()
  await expect(payment(page).getByRole('button', { name: 'Order Now' })).toBeEnabled()

  const owner = await wallet(page, visitor)
  const payInSheet = sheet(page).getByRole('button', { name: 'Pay', exact: true })
  await page.route('**/payments/initial', (route) => route.abort())
  await payInSheet.click()
  await expect(sheet(page).getByRole('alert')).toHaveText('Payment not completed.')
  await page.unroute('**/payments/initial')

  await sheet(page).getByLabel('Card in the wallet').selectOption('4000000000000002')
  await payInSheet.click()
  await expect(sheet(page).getByRole('alert')).toHaveText('Payment not completed.')
  const trouble = payment(page).getByRole('alert').filter({ hasText: 'Card error' })
  await expect(trouble).toContainText('Card error: Your card was declined.')
  await expect(trouble).toContainText('You were not charged.')
  await unpaid(stack, owner)

  await sheet(page).getByLabel('Card in the wallet').selectOption('4000002760003184')
  await payInSheet.click()
  await page.getByRole('dialog', { name: '3D Secure 2 test page' }).getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, owner, 100)
})

test('C-13 H-01 O-02 Apple Pay: the sheet of the special offer names the renewal, its amount and its day', async ({
  page,
  stack,
}) => {
  await sandbox(stack, 'POST', 'wallets', { offered: ['apple_pay', 'google_pay'] })
  const visitor = await atCheckout(page)
  await page.goto(`/special-offer-details/${visitor.sessionId}`)
  await page.getByRole('button', { name: 'Start my first month' }).click()
  const owner = await wallet(page, visitor, 'Apple Pay')
  await expect(sheet(page, 'Apple Pay')).toContainText('19.00 USD')
  const renewal = await sheet(page, 'Apple Pay').getByText('39.00 USD from').innerText()
  await sheet(page, 'Apple Pay').getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, owner, 1900)
  const { subscriptions } = await atStripe(stack, owner.email)
  const starts = await page.evaluate(
    (seconds) => new Date(seconds * 1000).toDateString(),
    // collected when the invoice has been a draft for an hour
    (subscriptions[0]?.trial_end ?? 0) + 3_600,
  )
  expect(renewal).toContain(starts)
})
