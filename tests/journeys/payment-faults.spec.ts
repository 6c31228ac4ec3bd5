/** Errors in a card form: each field reports its own, the first one takes the focus, nothing is displaced. */
import type { Page } from '@playwright/test'
import { desktop, expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import type { Stack } from '../support/stack.ts'
import { atCheckout, atStripe, paidOnce } from './prepared.ts'

test.use({ ...desktop, viewport: { width: 390, height: 844 } })

/** Orders at a new checkout with a card. */
async function orderWith(page: Page, card: Parameters<typeof fillCard>[1]): Promise<void> {
  await atCheckout(page)
  await openPayment(page)
  await fillCard(page, card)
  await pay(page)
}

const inputs = { cardNumber: 'cardnumber', cardExpiry: 'exp-date', cardCvc: 'cvc' } as const

test('C-13 P-11 an empty form names every field, and the focus goes to the first', async ({ page, axe }) => {
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('input[name="cardnumber"]')).toBeVisible()
  await dialog.getByLabel('Email', { exact: true }).fill('')
  await pay(page)
  await expect(dialog.locator('.field-error')).toHaveText([
    'Please enter your full name.',
    'Email is required for payment',
    'Please enter the whole card number.',
    'Please enter the expiry date.',
    'Please enter the security code.',
  ])
  await expect(dialog.getByLabel('Full name')).toBeFocused()
  await axe()
  // an error disappears as soon as its field is edited, the others stay
  await dialog.getByLabel('Full name').fill('Ada Sample')
  await expect(dialog.locator('.field-error')).toHaveCount(4)
})

test('C-13 three wrong card fields are all named, the first has the focus, and no box changes its width', async ({
  page,
}) => {
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const boxes = () =>
    dialog.locator('.field-row .field-input').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
  await expect(dialog.locator('input[name="cardnumber"]')).toBeVisible()
  const before = await boxes()
  await fillCard(page, { number: '4242 4242 4242 4241', expiry: '12 / 20', cvc: '1' })
  await pay(page)
  await expect(dialog.locator('.field-error')).toHaveText([
    'Your card number is invalid.',
    "Your card's expiration year is in the past.",
    "Your card's security code is incomplete.",
  ])
  await expect(page.locator('input[name="cardnumber"]')).toBeFocused()
  expect(await boxes()).toEqual(before)
})

for (const { number, part, words } of [
  { number: '4000000000000127', part: 'cardCvc', words: "Your card's security code is incorrect." },
  { number: '4000000000000069', part: 'cardExpiry', words: 'Your card has expired.' },
] as const) {
  test(`P-11 the bank's refusal …${number.slice(-4)} is shown at its field, which has the focus`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/402/)
    await orderWith(page, { number })
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText(`Card error: ${words}`)
    await expect(dialog.locator('.field-error')).toHaveText([words])
    await expect(page.locator(`input[name="${inputs[part]}"]`)).toBeFocused()
    await expect(dialog.locator('.card-input[data-invalid]')).toHaveCount(1)
    await expect(page.locator('input[name="cvc"]')).toHaveValue('')
  })
}

test('P-11 a refusal that names no field takes the focus itself', async ({ page, expectTrouble }) => {
  expectTrouble(/402/)
  await orderWith(page, { number: '4000000000009995' })
  await expect(page.locator('[data-code="card_error_reason"]')).toBeFocused()
  await expect(page.getByRole('dialog').locator('.field-error')).toHaveCount(0)
})

/** Stripe.js as it is, but that its first confirmation throws instead of answering. */
async function stripeThrowsOnce(page: Page): Promise<void> {
  const patch = `;{
    const made = window.Stripe
    window.Stripe = Object.assign((...given) => {
      const stripe = made(...given)
      const { confirmCardPayment } = stripe
      stripe.confirmCardPayment = () => {
        stripe.confirmCardPayment = confirmCardPayment
        return Promise.reject(new Error('Stripe.js broke'))
      }
      return stripe
    }, made)
  }`
  await page.route('**/_stripe/stripe.js', async (route) => {
    const script = await route.fetch()
    await route.fulfill({ response: script, body: (await script.text()) + patch })
  })
}

/** What operators read among the errors of the pages (/operator/errors). */
const reported = async (stack: Stack, sessionId: string): Promise<string[]> => {
  const rows = await stack.db
    .selectFrom('session_errors as e')
    .innerJoin('sessions as s', 's.key', 'e.session_key')
    .select('e.message')
    .where('s.id', '=', sessionId)
    .execute()
  return rows.map(({ message }) => message)
}

test('P-11 D-08 an exception of Stripe.js is reported, the buyer reads that nobody knows, the next try pays', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/Stripe.js broke/)
  await stripeThrowsOnce(page)
  const visitor = await atCheckout(page)
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  const alert = page.getByRole('dialog').getByRole('alert')
  await expect(alert).toContainText('An unexpected error occurred during payment.')
  await expect(alert).toContainText('If this payment went through, we will find it.')
  await expect(alert).not.toContainText('You were not charged')
  await expect.poll(() => reported(stack, visitor.sessionId)).toEqual(['Stripe.js broke'])
  await pay(page)
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, visitor, 100)
})

test('P-11 an order without its customer or its product says so in the words of the text, and charges nothing', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/409/, /502/)
  const { email } = await atCheckout(page)
  await openPayment(page)
  await fillCard(page)
  const dialog = page.getByRole('dialog')
  for (const [code, status, message] of [
    ['customer_missing', 409, 'Customer information missing. Please refresh and try again.'],
    ['product_details_failed', 502, 'Failed to get product details for Payment Intent'],
  ] as const) {
    await page.route('**/payments/initial', (route) => route.fulfill({ status, json: { error: { code, message } } }))
    await pay(page)
    await expect(dialog.getByRole('alert')).toContainText(message)
    await expect(dialog.getByRole('alert')).toContainText('You were not charged.')
    await page.unroute('**/payments/initial')
  }
  expect((await atStripe(stack, email)).charges).toEqual([])
})

test('C-13 a security code whose last digit is followed by Enter at once pays', async ({ page, stack }) => {
  const visitor = await atCheckout(page)
  await openPayment(page)
  await fillCard(page, { cvc: '12' })
  // in one task, as a fast typist would: the form receives Enter before it has drawn the last digit
  await page.locator('input[name="cvc"]').evaluate((input: HTMLInputElement) => {
    input.value = '123'
    setTimeout(() => input.dispatchEvent(new InputEvent('input', { bubbles: true })), 20)
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, visitor, 100)
})

test('C-13 Back closes nothing that is paid for: it leaves the dialog and the checkout stays usable', async ({
  page,
}) => {
  const { sessionId } = await atCheckout(page)
  await openPayment(page)
  await page.getByLabel('Full name').fill('Ada Sample')
  await page.goBack()
  await page.goForward()
  await expect(page).toHaveURL(new RegExp(`/checkout/${sessionId}`))
  await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
  await expect(page.getByRole('dialog').locator('input[name="cardnumber"]')).toBeVisible()
})
