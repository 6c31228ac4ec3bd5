/** The moment of payment: every test card, the price told and charged, the ways out and the ways back. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay, sessionIdOf } from './funnel.ts'

const CHECKOUT = /\/checkout\/[0-9a-f-]{36}/
let visitors = 0
const newEmail = (): string => `buyer-${Date.now()}-${++visitors}@example.com`

/** A visitor who comes from the quiz with a price chosen; the service knows the address. Returns the session id. */
async function atCheckout(page: Page, selectedPrice = 1, email = newEmail()): Promise<string> {
  await page.goto('/payment-error')
  await page.evaluate(
    (answers) => {
      localStorage.setItem('quiz_answers', JSON.stringify(answers))
      localStorage.setItem('quiz_email', answers.email)
    },
    { selectedPrice, email },
  )
  await page.goto('/checkout')
  await page.waitForURL(CHECKOUT)
  const id = sessionIdOf(page)
  const status = await page.evaluate(
    async ([sessionId, address]) => {
      const body = JSON.stringify({ email: address })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`/api/sessions/${sessionId}/email`, { method: 'PUT', headers, body })).status
    },
    [id, email] as const,
  )
  expect(status).toBe(200)
  await page.reload()
  return id
}

const trouble = (page: Page) => page.getByRole('dialog').getByRole('alert')
const DECLINED = [/402/, /status of 402/]

test('C-13 P-11 every declined test card says its own words, and none is charged', async ({
  page,
  expectTrouble,
  stack,
}) => {
  expectTrouble(...DECLINED)
  const id = await atCheckout(page)
  await openPayment(page)
  const cards = {
    '4000000000000002': 'Card error: Your card was declined.',
    '4000000000009995': 'Card error: Your card has insufficient funds.',
    '4000000000009987': 'Card error: Your card was declined.',
    '4000000000009979': 'Card error: Your card was declined.',
    '4000000000000069': 'Card error: Your card has expired.',
    '4000000000000127': "Card error: Your card's security code is incorrect.",
    '4000000000000119': 'Card error: An error occurred while processing your card. Try again in a little bit.',
    '4242424242424241': 'Validation error: Your card number is invalid.',
  }
  for (const [number, words] of Object.entries(cards)) {
    await fillCard(page, { number })
    await pay(page)
    await expect(trouble(page)).toContainText(words)
    await expect(trouble(page)).toContainText('You were not charged.')
  }
  const session = await stack.db.selectFrom('sessions').select('payment_status').where('id', '=', id).executeTakeFirst()
  expect(session?.payment_status).not.toBe('paid')
})

test('C-13 P-11 3-D Secure that fails charges nothing, then completes; Back after the payment goes on', async ({
  page,
}) => {
  await atCheckout(page)
  await openPayment(page)
  await fillCard(page, { number: '4000002760003184' })
  await pay(page)
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(trouble(page)).toContainText('You were not charged.')
  await pay(page)
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL(/\/multi-upsell\//)
  await page.goBack()
  await page.waitForURL(/\/multi-upsell\//)
})

test('C-13 the form says what is missing before anything is sent', async ({ page, axe }) => {
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You will be charged only $1')
  await expect(dialog.getByLabel('Postal code')).toHaveAttribute('placeholder', '12345')
  await expect(page.locator('input[name="cardnumber"]')).toBeVisible()
  await pay(page)
  await expect(dialog).toContainText('Please enter your full name.')
  await dialog.getByLabel('Full name').fill('Ada Sample')
  await dialog.getByLabel('Email').fill('')
  await pay(page)
  await expect(dialog).toContainText('Email is required for payment')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await pay(page)
  await expect(trouble(page)).toContainText('Card information is incomplete. Please fill all fields.')
  await axe()
})

test('C-03 H-01 O-03 what the page says is what the subscription does, to the cent and the day', async ({
  page,
  stack,
}) => {
  const day = (seconds: number): string =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' }).format(
      new Date(seconds * 1000),
    )
  for (const [price, open] of [
    [17.67, async () => openPayment(page)],
    [
      5,
      async (id: string) => {
        await page.goto(`/special-offer-details/${id}`)
        await page.getByRole('button', { name: 'Start my first month' }).click()
      },
    ],
  ] as const) {
    const email = newEmail()
    const id = await atCheckout(page, price, email)
    await open(id)
    const terms = await page.getByRole('dialog').locator('.terms').innerText()
    const now = price === 5 ? '$19' : '$17.67'
    await expect(page.getByRole('dialog')).toContainText(`You will be charged only ${now}`)
    await fillCard(page)
    await pay(page)
    await page.waitForURL(/\/multi-upsell\//)
    const get = async (path: string) => {
      const answer = await fetch(`${stack.stripeUrl}/v1/${path}`, {
        headers: { authorization: `Bearer ${stack.secrets.stripeSecretKey}` },
      })
      return (await answer.json()) as { data: Record<string, never>[] }
    }
    const customer = (await get(`customers?email=${encodeURIComponent(email)}`)).data[0] as unknown as { id: string }
    const [subscription] = (await get(`subscriptions?customer=${customer.id}`)).data as unknown as {
      trial_end: number
      items: { data: { price: { unit_amount: number } }[] }
    }[]
    const charges = (await get(`charges?customer=${customer.id}`)).data as unknown as { amount: number }[]
    expect(charges.map(({ amount }) => amount)).toEqual([price === 5 ? 1900 : 1767])
    expect(terms).toContain(`${now} today`)
    expect(terms).toContain(`$39 on ${day(subscription?.trial_end ?? 0)}, then $39 every 30 days until you cancel.`)
    expect(subscription?.items.data[0]?.price.unit_amount).toBe(3900)
    // off the add-ons page first: it keeps its session as soon as it has loaded it
    await page.goto('/payment-error')
    await page.evaluate(() => localStorage.clear())
  }
})

test('C-15 C-04 closing the payment leads to the special offer once; the countdown survives a reload', async ({
  page,
}) => {
  const id = await atCheckout(page)
  await expect(page.getByRole('timer')).toContainText('75% Discount only valid for 00:15:4')
  await page.waitForTimeout(2_000)
  await page.reload()
  await expect(page.getByRole('timer')).not.toContainText('00:15:49')
  await openPayment(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL(`**/special-offer-intro/${id}`)
  await expect(page.getByRole('heading', { name: 'Special offer just for you' })).toBeVisible()
  await page.goto(`/checkout/${id}`)
  await openPayment(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(page.url()).toContain(`/checkout/${id}`)
})

test('O-01 O-02 the offer: secret discount, regular price, with and without the id', async ({ page, axe }) => {
  const id = await atCheckout(page, 9)
  await page.goto('/special-offer-intro')
  await page.waitForURL(`**/special-offer-intro/${id}`)
  await axe()
  await page.getByRole('button', { name: 'No thanks, continue with regular price' }).click()
  await expect(page.getByRole('dialog')).toContainText('You will be charged only $9')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Get secret discount' }).click()
  await page.waitForURL(`**/special-offer-details/${id}`)
  await expect(page.getByRole('heading', { name: 'You get a secret discount' })).toBeVisible()
  await axe()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/special-offer-details')
  await page.waitForURL(/\/special-offer-details\/[0-9a-f-]{36}/)
})

test('C-13 P-04 answers that get lost and a closed tab: paid once, found again', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(/finalize|ERR_FAILED/)
  const id = await atCheckout(page)
  let calls = 0
  await page.route('**/payments/finalize', (route) => (calls++ < 2 ? route.abort() : route.continue()))
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  await page.waitForURL(/\/multi-upsell\//)
  expect(calls).toBe(3)
  const again = await context.newPage()
  await again.goto(`/checkout/${id}`)
  await again.waitForURL(/\/multi-upsell\//)
})

test('C-01 C-02 C-16 without a session, with a foreign one, and with a flag that proves nothing', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/404/)
  await page.goto('/checkout-summary')
  await page.waitForURL(/\/quiz/)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/checkout/00000000-0000-4000-8000-000000000009')
  await expect(page.getByRole('heading', { name: 'We cannot open this page here' })).toBeVisible()
  const id = await atCheckout(page)
  await page.goto(`/checkout/${id}?payment_success=true`)
  await expect(page.getByRole('button', { name: 'Order now' }).first()).toBeVisible()
  expect(page.url()).toContain('/checkout/')
})

test.describe('by region', () => {
  for (const [country, ticked, label, picked] of [
    ['DE', false, 'Order with obligation to pay $5', 0],
    ['US', true, 'Order Now', 6],
  ] as const) {
    test(`C-11 H-02 U-01 a buyer in ${country}`, async ({ page }) => {
      await page.setExtraHTTPHeaders({ 'cf-ipcountry': country })
      await atCheckout(page, 5)
      await expect(page.getByRole('checkbox').first()).toBeChecked({ checked: ticked })
      await openPayment(page)
      await expect(page.getByRole('dialog').locator('button[type=submit]')).toHaveText(label)
      await fillCard(page)
      await pay(page)
      await page.waitForURL(/\/multi-upsell\//)
      await expect(page.getByRole('button', { name: 'Skip →' })).toBeVisible()
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(picked)
    })
  }
})

test('C-17 the redirect counts down and keeps fbclid and step; without an id it says so', async ({ page }) => {
  const id = await atCheckout(page)
  await page.goto(`/redirect/${id}?fbclid=abc&step=3`)
  await expect(page.getByRole('link', { name: 'Tap here to go on now' })).toHaveAttribute(
    'href',
    `/checkout/${id}?fbclid=abc&step=3`,
  )
  await page.waitForURL(`**/checkout/${id}?fbclid=abc&step=3`)
  await page.goto('/redirect')
  await expect(page.getByRole('alert')).toContainText('No session ID provided. Cannot redirect.')
})
