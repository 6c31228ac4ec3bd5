/** The moment of payment: every test card, the price shown and charged, every way to leave and to come back. */
import type { Page, Route } from '@playwright/test'
import { DECLINED_CARDS } from '../support/declined-cards.ts'
import { desktop, expect, test } from '../support/journey.ts'
import { ZONE } from '../support/zone.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { mailTo } from './members.ts'
import { atCheckout, atStripe, paid, payLater, prepared, unpaid } from './prepared.ts'

const trouble = (page: Page) => page.getByRole('dialog').getByRole('alert')
const DECLINED = [/402/, /status of 402/]

test('C-13 P-11 every declined test card says its own words, and none is charged', async ({
  page,
  expectTrouble,
  stack,
}) => {
  expectTrouble(...DECLINED)
  const { sessionId: id, email } = await atCheckout(page)
  await openPayment(page)
  for (const [number, words] of Object.entries(DECLINED_CARDS)) {
    await fillCard(page, { number })
    await pay(page)
    await expect(trouble(page)).toContainText(words)
    await expect(trouble(page)).toContainText('You were not charged.')
  }
  await unpaid(stack, { sessionId: id, email })
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
  // typed while the form still waits for what the card's fields report
  await dialog.getByLabel('Email').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'ada@example.com')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
  await expect(trouble(page)).toContainText('Card information is incomplete. Please fill all fields.')
  await expect(dialog).not.toContainText('Email is required for payment')
  await axe()
})

/**
 * Stripe drafts the invoice at the end of the trial and collects it an hour later
 * (docs.stripe.com/billing/invoices/subscription).
 */
const DRAFT_SECONDS = 3_600
const day = (seconds: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: ZONE }).format(new Date(seconds * 1000))

/** The text beside a button agrees with what Stripe has charged and will charge, to the cent and the day. */
for (const { name, price, now, period, open } of [
  ...([1, 5, 9, 17.67] as const).map((tier) => ({
    name: `the $${tier} trial`,
    price: tier,
    now: `$${tier}`,
    period: 'for your 3-day trial',
    open: (page: Page) => openPayment(page),
  })),
  {
    name: 'the special offer',
    price: 9,
    now: '$19',
    period: 'for your first month',
    open: async (page: Page) => {
      await page.goto(page.url().replace('/checkout/', '/special-offer-details/'))
      await page.getByRole('button', { name: 'Start my first month' }).click()
    },
  },
  {
    name: 'the regular price after the offer, tier unknown',
    price: null,
    now: '$5',
    period: 'for your 3-day trial',
    open: async (page: Page) => {
      await page.goto(page.url().replace('/checkout/', '/special-offer-intro/'))
      await expect(page.getByRole('main')).toContainText('$5 today for your 3-day trial.')
      await page.getByRole('button', { name: 'No thanks, continue with regular price' }).click()
    },
  },
]) {
  test(`C-03 H-01 O-01 O-03 P-05 price truth: ${name}`, async ({ page, stack }) => {
    const { sessionId, email } = await atCheckout(page, { price })
    if (price !== null) {
      await expect(page.locator('.price-card .price').first()).toHaveText(`$${price}`)
      await expect(page.locator('.price-card').last()).toContainText(`$${price} today`)
      await expect(page.locator('.price-card').first()).toContainText('Then $39 instead of $55 every 30 days')
    }
    await open(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`You will be charged only ${now}`)
    const terms = await dialog.locator('.terms').last().innerText()
    await fillCard(page)
    await pay(page)
    await page.waitForURL(`**/multi-upsell/${sessionId}`)

    const { charges, subscriptions } = await atStripe(stack, email)
    expect(charges.map(({ amount }) => amount)).toEqual([Math.round(Number(now.slice(1)) * 100)])
    expect(subscriptions).toHaveLength(1)
    const monthly = subscriptions[0]?.items.data[0]?.price
    expect(monthly).toMatchObject({ unit_amount: 3900, recurring: { interval: 'day', interval_count: 30 } })
    expect(terms).toContain(`${now} today ${period}.`)
    expect(terms).toContain(
      `$39 on ${day((subscriptions[0]?.trial_end ?? 0) + DRAFT_SECONDS)}, then $39 every 30 days until you ` +
        `cancel. Cancel online at any time`,
    )
    // H-03: the stored agreement is the text that was shown
    const agreed = await stack.db
      .selectFrom('agreements')
      .select(['words', 'amounts'])
      .where('session_id', '=', sessionId)
      .execute()
    expect(agreed.map(({ words }) => words)).toEqual([terms])
    expect(agreed[0]?.amounts).toMatchObject({ amountNow: charges[0]?.amount, firstFullAmount: 3900, periodDays: 30 })
  })
}

test('C-15 D-08 D-09 closing the payment leads to the special offer once, and the visit is marked', async ({
  page,
  stack,
}) => {
  const { sessionId: id } = await atCheckout(page)
  await openPayment(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL(`**/special-offer-intro/${id}`)
  await expect(page.getByRole('heading', { name: 'Special offer just for you' })).toBeVisible()
  const left = () =>
    stack.db.selectFrom('sessions').select('exit_intent_at').where('id', '=', id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await left()).exit_intent_at).not.toBeNull()
  const activity = await stack.db
    .selectFrom('activities as a')
    .innerJoin('sessions as s', 's.key', 'a.session_key')
    .select(['page_url', 'page_title'])
    .where('s.id', '=', id)
    .where('a.type', '=', 'exit_intent')
    .executeTakeFirstOrThrow()
  expect(activity).toEqual({ page_url: '/checkout/:id', page_title: expect.stringMatching(/\w/) })
  await page.goto(`/checkout/${id}`)
  await openPayment(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(page.url()).toContain(`/checkout/${id}`)
})

test('C-15 once a payment was tried, closing is no exit intent, also after a reload', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/402/)
  const { sessionId: id } = await atCheckout(page)
  await openPayment(page)
  await fillCard(page, { number: '4000000000000002' })
  await pay(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await page.reload()
  await openPayment(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await page.waitForTimeout(1_000)
  expect(page.url()).toContain(`/checkout/${id}`)
})

test('O-01 O-02 the offer: secret discount, regular price, with and without the id', async ({ page, axe }) => {
  const { sessionId: id } = await atCheckout(page, { price: 9 })
  await page.goto('/special-offer-intro')
  await page.waitForURL(`**/special-offer-intro/${id}`)
  await axe()
  const main = page.getByRole('main')
  await expect(main).toContainText('70% off')
  await expect(main.locator('.offer-price')).toHaveText('Instead of $55$19')
  await page.getByRole('button', { name: 'No thanks, continue with regular price' }).click()
  await expect(page.getByRole('dialog')).toContainText('You will be charged only $9')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Get secret discount' }).click()
  await page.waitForURL(`**/special-offer-details/${id}`)
  await expect(page.getByRole('heading', { name: 'You get a secret discount' })).toBeVisible()
  await expect(main.locator('.offer-price')).toHaveText('Instead of $55$19')
  await expect(main).toContainText('first month')
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
  const { sessionId: id } = await atCheckout(page)
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

test('C-01 C-02 without a session; with local answers; with an unknown one; with one that cannot be reached', async ({
  page,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/404/, /ERR_FAILED/)
  await page.goto('/checkout-summary')
  await page.waitForURL(/\/quiz/)
  // C-01: answers given without the service make a session, which continues with the chosen price
  await page.evaluate(() => localStorage.clear())
  await page.evaluate(() => localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 9 })))
  await page.goto('/checkout')
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}/)
  await expect(page.locator('.price-card .price').first()).toHaveText('$9')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/checkout/00000000-0000-4000-8000-000000000009')
  await expect(page.getByRole('heading', { name: 'We cannot open this page here' })).toBeVisible()
  await axe()
  const { sessionId } = await prepared(page)
  await page.route(`**/api/sessions/${sessionId}`, (route) => route.abort())
  await page.goto(`/checkout/${sessionId}`)
  await expect(page.getByRole('alert')).toContainText('Nothing is lost.')
  await page.unroute(`**/api/sessions/${sessionId}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Order now' }).first()).toBeVisible()
})

test('C-02 C-16 payment_success=true proves nothing before the payment, and leads on after it', async ({
  page,
  stack,
}) => {
  const unpaid = await prepared(page)
  await page.goto(`/checkout/${unpaid.sessionId}?payment_success=true`)
  await expect(page.getByRole('button', { name: 'Order now' }).first()).toBeVisible()
  expect(page.url()).toContain('/checkout/')
  const { sessionId } = await paid(page, stack, { price: 5 })
  await page.goto(`/checkout/${sessionId}?payment_success=true`)
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  await page.goto('/payment-error')
  await expect(page.getByRole('heading', { name: 'Your payment went through' })).toBeVisible()
})

test('P-11 a payment that is booked a little later is found on /payment-error and said aloud', async ({
  page,
  stack,
}) => {
  const visitor = await atCheckout(page, { price: 5 })
  await page.goto('/payment-error')
  await expect(page.getByRole('link', { name: 'Back to the checkout' })).toHaveAttribute(
    'href',
    `/checkout/${visitor.sessionId}`,
  )
  await payLater(page, stack, visitor, 5)
  const said = page.getByRole('status').filter({ hasText: 'Your payment went through' })
  await expect(said.getByRole('link', { name: 'Go on' })).toHaveAttribute('href', `/multi-upsell/${visitor.sessionId}`)
})

test('C-13 P-14 two tabs and a double click: one payment, the other tab goes on with it', async ({
  page,
  context,
  stack,
  expectTrouble,
}) => {
  // the declined card, and the second tab's order for what is paid
  expectTrouble(...DECLINED, /409/)
  const { sessionId, email } = await atCheckout(page, { price: 9 })
  await openPayment(page)
  await fillCard(page)
  // the other tab has the special offer open for the same visit and takes over the shared intent
  const other = await context.newPage()
  await other.goto(`/special-offer-details/${sessionId}`)
  await other.getByRole('button', { name: 'Start my first month' }).click()
  await fillCard(other, { number: '4000000000000002' })
  await pay(other)
  await expect(other.getByRole('dialog').getByRole('alert')).toContainText('Your card was declined.')
  await page.getByRole('dialog').getByRole('button', { name: 'Order Now' }).dblclick()
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  await fillCard(other)
  await pay(other)
  await other.waitForURL(`**/multi-upsell/${sessionId}`)
  const { charges, subscriptions } = await atStripe(stack, email)
  // what the first tab showed is what was charged, though the second one had changed the intent in between
  expect(charges.map(({ amount }) => amount)).toEqual([900])
  expect(subscriptions).toHaveLength(1)
})

test('C-13 P-14 a card paid while PayPal is open in another tab: one charge, PayPal returns to the order', async ({
  page,
  context,
  stack,
}) => {
  const { sessionId, email } = await atCheckout(page, { price: 5 })
  await openPayment(page)
  await page.locator('button.paypal').click()
  await page.waitForURL(/\/_stripe\/paypal/)
  const other = await context.newPage()
  await other.goto(`/checkout/${sessionId}`)
  await openPayment(other)
  await fillCard(other)
  await pay(other)
  await other.waitForURL(`**/multi-upsell/${sessionId}`)
  expect((await atStripe(stack, email)).charges).toHaveLength(1)
  await page.goto(`/checkout/${sessionId}`)
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
})

test('P-04 C-13 a tab closed in the middle of a payment: the service finishes it, charged once', async ({
  page,
  context,
  stack,
}) => {
  const { sessionId, email } = await atCheckout(page)
  await openPayment(page)
  await fillCard(page)
  // charged at Stripe, and the page is gone before it can report it
  await page.route('**/payments/finalize', () => undefined)
  await pay(page)
  await expect.poll(async () => (await atStripe(stack, email)).charges.length).toBe(1)
  await page.close({ runBeforeUnload: false })
  await expect.poll(async () => (await atStripe(stack, email)).subscriptions.length).toBe(1)
  const again = await context.newPage()
  await again.goto(`/checkout/${sessionId}`)
  await again.waitForURL(`**/multi-upsell/${sessionId}`)
  expect((await atStripe(stack, email)).charges).toHaveLength(1)
})

test('C-02 P-11 a visit lost while the bank confirms: the payment is safe, a link leads on, nobody pays twice', async ({
  page,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/403/)
  await atCheckout(page)
  await openPayment(page)
  await fillCard(page)
  const lost = { error: { code: 'session_token_missing', message: 'This browser does not hold the visit.' } }
  await page.route('**/payments/finalize', (route) => route.fulfill({ status: 403, json: lost }))
  await pay(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Your payment is safe and your order is on record. Please do not pay again.')
  await expect(dialog).not.toContainText('Nothing was charged')
  await expect(dialog.getByRole('button', { name: 'Continue with my answers' })).toHaveCount(0)
  await expect(dialog.getByRole('link', { name: 'Take the quiz' })).toHaveCount(0)
  await axe()
  await dialog.getByRole('button', { name: 'Email me a link to my plan' }).click()
  await expect(dialog).toContainText('Please see your mail.')
})

test('C-13 P-11 the payment script fails and loads again; a slow one says so; no wallet leaves no gap', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  await page.route('**/_stripe/stripe.js', (route) => route.abort())
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('Payment system not available. Please try again.')
  await page.unroute('**/_stripe/stripe.js')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('input[name="cardnumber"]')).toBeVisible()
  // C-13: the account has no wallets: nothing is shown and no room is reserved
  await expect(dialog.locator('.wallets')).toBeHidden()
  const [amount, next] = await Promise.all([
    dialog.locator('.pay-amount').boundingBox(),
    dialog.locator('button.paypal').boundingBox(),
  ])
  expect((next?.y ?? 0) - (amount?.y ?? 0) - (amount?.height ?? 0)).toBeLessThan(16)
})

test('C-14 P-11 PayPal pressed before the payment script is there waits for it, or says that it cannot', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  await page.clock.install()
  const script: Route[] = []
  await page.route('**/_stripe/stripe.js', (route) => void script.push(route))
  await atCheckout(page)
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const paypal = dialog.locator('button.paypal')
  await paypal.click()
  await expect(paypal).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => script.length).toBe(1)
  await script[0]?.abort()
  await expect(dialog.getByRole('alert')).toContainText('Payment system not available. Please try again.')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await paypal.click()
  await expect(paypal).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => script.length).toBe(2)
  // one that does not come at all holds nobody: the dialog can be left again
  await page.clock.fastForward(21_000)
  await expect(dialog.getByRole('alert')).toContainText('Payment system not available. Please try again.')
  await expect(dialog.getByRole('alert')).toContainText('You were not charged.')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeEnabled()
  await paypal.click()
  await expect(paypal).toHaveAttribute('aria-busy', 'true')
  await script[1]?.continue()
  await page.waitForURL(/\/_stripe\/paypal/)
})

test.describe('with a keyboard', () => {
  test.use(desktop)
  test('C-12 C-15 Tab stays inside the dialog, Escape closes it, the focus returns', async ({ page, axe }) => {
    await atCheckout(page)
    // the exit intent of this visit is spent
    await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
    const order = page.getByRole('button', { name: 'Order now', exact: true }).first()
    await order.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
    await expect(page.locator('input[name="cardnumber"]')).toBeVisible()
    await axe()
    const seen = new Set<string>()
    for (let press = 0; press < 14; press++) {
      await page.keyboard.press('Tab')
      seen.add(
        await page.evaluate(() => {
          const at = document.activeElement
          if (!at || at === document.body) return 'browser'
          return at.closest('dialog') ? 'dialog' : 'page'
        }),
      )
    }
    // after the last field the focus moves to the browser's own bar, never to the page behind
    expect([...seen].filter((place) => place === 'page')).toEqual([])
    expect(seen).toContain('dialog')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(order).toBeFocused()
  })
})

test.describe('by region', () => {
  for (const [country, ticked, label, paypal, picked] of [
    ['DE', false, 'Order with obligation to pay $5', 'Order with obligation to pay $5 PayPal', 0],
    ['US', true, 'Order Now', 'PayPal', 6],
  ] as const) {
    test(`C-11 C-14 H-02 U-01 a buyer in ${country}`, async ({ page, axe }, info) => {
      await page.setExtraHTTPHeaders({ 'cf-ipcountry': country })
      await atCheckout(page, { price: 5 })
      await expect(page.getByRole('checkbox').first()).toBeChecked({ checked: ticked })
      await openPayment(page)
      await expect(page.getByRole('dialog').locator('button[type=submit]')).toHaveText(label)
      await expect(page.getByRole('dialog').locator('button.paypal')).toHaveAccessibleName(paypal)
      await axe()
      const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 }
      for (const narrow of [320, 360, width]) {
        await page.setViewportSize({ width: narrow, height })
        await page.screenshot({ path: info.outputPath(`pay-${country}-${narrow}.png`) })
      }
      await fillCard(page)
      await pay(page)
      await page.waitForURL(/\/multi-upsell\//)
      await expect(page.getByRole('button', { name: 'Skip →' })).toBeVisible()
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(picked)
    })
  }
})

test('C-17 Q-14 the redirect counts down and keeps fbclid and step; without an id it says so', async ({ page }) => {
  const { sessionId: id } = await prepared(page)
  await page.clock.install({ time: new Date('2026-11-22T10:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-22T10:00:01Z'))
  await page.goto(`/redirect/${id}?fbclid=abc&step=3`)
  const timer = page.getByRole('timer')
  await expect(timer).toHaveText('In 3 seconds')
  const kept = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
  expect([await kept('redirect_fbclid'), await kept('redirect_step')]).toEqual(['abc', '3'])
  await expect(page.getByRole('link', { name: 'Tap here to go on now' })).toHaveAttribute(
    'href',
    `/checkout/${id}?fbclid=abc&step=3`,
  )
  await page.clock.runFor(2_000)
  await expect(timer).toHaveText('In 1 second')
  await page.clock.runFor(750)
  await expect(timer).toHaveText('In 1 second')
  await page.clock.runFor(250)
  await page.waitForURL(`**/checkout/${id}?fbclid=abc&step=3`)
  await page.goto('/redirect')
  await expect(page.getByRole('alert')).toContainText('No session ID provided. Cannot redirect.')
})

test('C-17 the id may be in the query; Facebook’s browser gets a refresh, a link and a hand-over', async ({
  browser,
  stack,
}) => {
  const app = await browser.newContext({
    baseURL: stack.url,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]',
  })
  const page = await app.newPage()
  await page.clock.install()
  const { sessionId, email } = await prepared(page, { price: 9 })
  await page.goto(`/redirect?session_id=${sessionId}&fbclid=abc`)
  const target = `/checkout/${sessionId}?fbclid=abc`
  await expect(page.locator('meta[http-equiv="refresh"][content^="3"]')).toHaveAttribute('content', `3;url=${target}`)
  await expect(page.getByRole('link', { name: 'Tap here to go on now' })).toHaveAttribute('href', target)
  await expect(page.getByText('Open in browser')).toBeVisible()
  const withCode = page.url()
  expect(withCode).toContain('#handover=')

  const own = await browser.newContext({ baseURL: stack.url })
  const there = await own.newPage()
  await there.goto(withCode)
  // someone who did not begin this visit is warned before anything opens, and has to type the address
  await expect(there.getByText('You are continuing a visit that may have begun in another browser.')).toBeVisible()
  await there.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await there.getByRole('textbox', { name: 'Email' }).fill(email)
  // what the service refuses is said in its words, not as a broken connection
  const refused = { error: { code: 'too_many_requests', message: 'That was a lot at once. Please wait.' } }
  await there.route('**/email', (route) => route.fulfill({ status: 429, json: refused }), { times: 1 })
  await there.getByRole('button', { name: 'Continue' }).click()
  await expect(there.getByText(refused.error.message)).toBeVisible()
  await there.getByRole('button', { name: 'Continue' }).click()
  await there.waitForURL(`**${target}`)
  await expect(there.locator('.price-card .price').first()).toHaveText('$9')
  // the code works in one browser, and closes the visit in the one it came from
  const third = await browser.newContext({ baseURL: stack.url })
  const late = await third.newPage()
  await late.goto(withCode)
  await late.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await expect(late.getByRole('heading', { name: 'This link has been used or has expired' })).toBeVisible()
  expect(late.url()).not.toContain('handover')
  expect((await page.request.get(`/api/sessions/${sessionId}`)).status()).toBe(403)
  for (const context of [app, own, third]) await context.close()
})

test('C-17 D-01 a code in the address of one’s own visit opens no other one unasked', async ({
  page,
  browser,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/401|403/)
  const { sessionId: mine } = await prepared(page, { price: 9 })
  const other = await browser.newContext({ baseURL: stack.url })
  const there = await other.newPage()
  const { sessionId: theirs } = await prepared(there, { price: 17.67 })
  const { code } = await (await there.request.post(`/api/sessions/${theirs}/handover`)).json()
  const lure = `/redirect/${mine}#handover=${code}`
  await page.goto(lure)
  await page.waitForURL(`**/checkout/${mine}`)
  await expect(page.locator('.price-card .price').first()).toHaveText('$9')
  expect((await page.request.get(`/api/sessions/${theirs}`)).ok()).toBe(false)
  // where the visit is no longer open in this browser, which still knows its id, it is asked
  await page.context().clearCookies()
  await page.goto(lure)
  await expect(page.getByRole('heading', { name: 'Continue here?' })).toBeVisible()
  expect((await there.request.get(`/api/sessions/${theirs}`)).ok()).toBe(true)
  await other.close()
})

test('C-02 a foreign session: a link by email opens it here, once; or this browser goes on afresh', async ({
  page,
  browser,
  stack,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/401/)
  const elsewhere = await browser.newContext({ baseURL: stack.url })
  const { sessionId, email } = await prepared(await elsewhere.newPage(), { price: 17.67 })
  await elsewhere.close()
  await page.goto(`/checkout/${sessionId}`)
  await expect(page.getByRole('heading', { name: 'We cannot open this page here' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(email)
  await page.getByRole('button', { name: 'Email me a link to my plan' }).click()
  await expect(page.getByText('Please see your mail.')).toBeVisible()
  await axe()
  const { links } = await mailTo(stack, email, 'resume_link')
  const resumeUrl = links.find(({ href }) => href.includes('#resume='))?.href ?? ''
  const { pathname, hash } = new URL(resumeUrl)
  await page.goto(pathname + hash)
  await axe()
  await page.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await page.waitForURL(`**/checkout/${sessionId}`)
  await expect(page.locator('.price-card .price').first()).toHaveText('$17.67')
})
