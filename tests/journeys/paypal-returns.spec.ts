/**
 * P-07: the return pages of PayPal: each runs once, survives a reload, and opens the session in another browser once.
 */
import type { Page } from '@playwright/test'
import { expect, FREE_PAYPAL_TRIAL, test } from '../support/journey.ts'
import { openPayment } from './funnel.ts'
import { answeredPaypal, atCheckout, atStripe, prepared } from './prepared.ts'

test.use({ serviceEnv: FREE_PAYPAL_TRIAL })

const RETURNS = [
  { kind: 'standard', path: () => '/checkout-paypal-return', productId: 'trial_5', cents: 500 },
  {
    kind: 'special-offer',
    path: (id: string) => `/special-offer-paypal-return/${id}`,
    productId: 'special_offer',
    cents: 1900,
  },
  { kind: 'trial', path: (id: string) => `/paypal-trial-return/${id}`, productId: 'trial_5', cents: 500 },
  { kind: 'setup', path: (id: string) => `/paypal-setup-return/${id}`, productId: 'trial_5', cents: 0 },
] as const

/** Stores the session in the browser, as any page of the funnel does. */
const hold = (page: Page, id: string) =>
  page.addInitScript((sessionId) => localStorage.setItem('quiz_session_id', sessionId), id)

for (const { kind, path, productId, cents } of RETURNS) {
  test(`P-07 P-06 the ${kind} return: approved goes to the add-ons, once, whatever is reloaded`, async ({
    page,
    stack,
  }) => {
    const { sessionId, email } = await prepared(page, { price: 5 })
    await hold(page, sessionId)
    const query = await answeredPaypal(page, stack, sessionId, productId, 'complete', kind === 'setup')
    // reloaded half-way: the service's first answer is held back until the page is gone
    let calls = 0
    await page.route(/\/finalize$/, async (route) => (++calls === 1 ? undefined : route.continue()))
    await page.goto(path(sessionId) + query)
    await expect.poll(() => calls).toBe(1)
    expect(page.url()).not.toContain('secret')
    await page.reload()
    await page.waitForURL(`**/multi-upsell/${sessionId}`)
    const { charges, subscriptions } = await atStripe(stack, email)
    expect(charges.map(({ amount }) => amount)).toEqual(cents ? [cents] : [])
    expect(subscriptions).toHaveLength(1)
    const grants = await stack.db
      .selectFrom('product_access_grants')
      .select('granted_via')
      .where('session_id', '=', sessionId)
      .execute()
    expect(grants).toEqual([{ granted_via: cents ? 'initial_purchase' : 'paypal_trial_subscription' }])
    // the same address a second time changes nothing
    await page.goto(path(sessionId) + query)
    await page.waitForURL(`**/multi-upsell/${sessionId}`)
    expect((await atStripe(stack, email)).subscriptions).toHaveLength(1)
  })

  test(`P-07 P-11 the ${kind} return: cancelled and failed charge nothing and say so`, async ({ page, stack }) => {
    const { sessionId, email } = await prepared(page, { price: 5 })
    await hold(page, sessionId)
    for (const answer of ['cancel', 'fail'] as const) {
      const query = await answeredPaypal(page, stack, sessionId, productId, answer, kind === 'setup')
      await page.goto(path(sessionId) + query)
      if (kind === 'standard' || kind === 'special-offer') {
        await page.waitForURL('**/payment-error')
        await expect(page.getByRole('link', { name: 'Back to the checkout' })).toHaveAttribute(
          'href',
          `/checkout/${sessionId}`,
        )
      } else {
        const words = kind === 'setup' ? 'Payment setup incomplete' : 'PayPal payment failed. Please try again.'
        await expect(page.getByRole('alert')).toContainText(words)
        await page.waitForURL(/\/$/)
      }
    }
    expect(await atStripe(stack, email)).toEqual({ charges: [], subscriptions: [] })
  })
}

test('P-06 C-14 H-01 PayPal for $0 today: the words beside its button, the whole way there and back', async ({
  page,
  stack,
  axe,
}) => {
  const { sessionId, email } = await atCheckout(page, { price: 9 })
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const terms = dialog.locator('.terms')
  await expect(terms.first()).toContainText(
    /^\$0 today with PayPal for your 3-day trial\. \$39 on .*, then \$39 every 30/,
  )
  await expect(terms.last()).toContainText('$9 today for your 3-day trial.')
  await expect(dialog).toContainText('You will be charged only $9')
  await axe()
  await page.locator('button.paypal').click()
  await page.waitForURL(/\/_stripe\/paypal/)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  const { charges, subscriptions } = await atStripe(stack, email)
  expect(charges).toEqual([])
  expect(subscriptions).toMatchObject([{ status: 'trialing', items: { data: [{ price: { unit_amount: 3900 } }] } }])
  const [agreed] = await stack.db.selectFrom('agreements').selectAll().where('session_id', '=', sessionId).execute()
  expect(agreed?.words).toContain('$0 today with PayPal')
})

test('P-07 processing: a page that waits and looks again, and goes on by itself', async ({ page, stack }) => {
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete')
  let decided = false
  let looks = 0
  await page.route(/\/_stripe\/v1\/payment_intents\//, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as object
    await route.fulfill({ response: answer, json: decided ? body : { ...body, status: 'processing' } })
  })
  await page.route(/\/finalize$/, async (route) => {
    looks += 1
    if (decided) return route.continue()
    await route.fulfill({ status: 202, json: { status: 'pending', productId: null, nextPage: 'checkout' } })
  })
  await page.goto(`/paypal-trial-return/${sessionId}${query}`)
  await expect(page.getByRole('heading', { name: 'Payment is processing. We will update you shortly.' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Please do not pay again.')
  // a ring, even between words
  const ring = await page.getByRole('main').locator('.spinner').boundingBox()
  expect(Math.min(ring?.width ?? 0, ring?.height ?? 0)).toBeGreaterThan(18)
  await expect.poll(() => looks).toBeGreaterThan(1)
  decided = true
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
})

test('P-07 a paid return without Stripe.js goes on, because the service reads what Stripe says', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/, /stripe/i)
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete')
  await page.route(/\/_stripe\//, (route) => route.abort())
  await page.goto(`/paypal-trial-return/${sessionId}${query}`)
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
})

test('P-07 N-02 another browser: the secret opens the session once and leaves the address; then see your mail', async ({
  page,
  browser,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/401/, /410/)
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete')
  const elsewhere = await browser.newContext({ baseURL: stack.url })
  const there = await elsewhere.newPage()
  await there.goto(`/paypal-trial-return/${sessionId}${query}`)
  await there.waitForURL(`**/multi-upsell/${sessionId}`)
  await expect(there.getByRole('button', { name: 'Skip →' })).toBeVisible()
  await elsewhere.close()

  await page.context().clearCookies()
  await page.goto(`/paypal-trial-return/${sessionId}${query}`)
  await expect(page.getByText('Payment received. Thank you!')).toBeVisible()
  await expect(page.getByText('Please see your mail')).toBeVisible()
  expect(page.url()).not.toContain('secret')
})

test('P-07 the standard return lands in a browser without the session: its secret says whose it is', async ({
  page,
  browser,
  stack,
}) => {
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete')
  const elsewhere = await browser.newContext({ baseURL: stack.url })
  const there = await elsewhere.newPage()
  await there.goto(`/checkout-paypal-return${query}`)
  await there.waitForURL(`**/multi-upsell/${sessionId}`)
  await elsewhere.close()
})

test('P-07 P-11 what a return lacks: each message, then / after three seconds', async ({ page, expectTrouble }) => {
  expectTrouble(/404/)
  const { sessionId } = await prepared(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  // told while the page still runs: the request for the next one comes later
  const leaving: string[] = []
  await page.exposeFunction('noteLeaving', (url: string) => void leaving.push(url))
  await page.addInitScript(() => {
    const told = window as unknown as { navigation: EventTarget; noteLeaving(url: string): void }
    told.navigation.addEventListener('navigate', (event) =>
      told.noteLeaving((event as Event & { destination: { url: string } }).destination.url),
    )
  })
  const seti = '?setup_intent=seti_x&setup_intent_client_secret=seti_x_secret_y'
  for (const [address, words] of [
    [`/paypal-setup-return/${sessionId}`, 'Payment setup information missing'],
    [`/paypal-setup-return/${sessionId}${seti}&redirect_status=failed`, 'Payment setup incomplete'],
    [`/paypal-setup-return/${sessionId}${seti}&redirect_status=succeeded`, 'Failed to retrieve payment setup'],
    [`/paypal-setup-return/nobody${seti}&redirect_status=succeeded`, 'Session information missing. Please start over.'],
    [`/paypal-trial-return/${sessionId}`, 'PayPal payment failed. Please try again.'],
  ] as const) {
    await page.evaluate(() => localStorage.clear()).catch(() => undefined)
    await page.goto(address)
    await expect(page.getByRole('alert')).toContainText(words)
    leaving.length = 0
    // by the page's own clock, which stands still but for this
    await page.clock.runFor(2_950)
    expect(leaving).toEqual([])
    await page.clock.runFor(50)
    await page.waitForURL(/\/$/)
  }
})

test('P-07 P-11 a set-up without Stripe.js, called off, or without its customer: each message, then /', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/stripe\.js/, /409/)
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete', true)
  const says = async (words: string): Promise<void> => {
    await page.goto(`/paypal-setup-return/${sessionId}${query}`)
    await expect(page.getByRole('alert')).toContainText(words)
  }
  const refuse = (code: string, message: string) =>
    page.route(/\/finalize$/, (route) => route.fulfill({ status: 409, json: { error: { code, message } } }))
  await page.route('**/_stripe/stripe.js', (route) => route.abort())
  await refuse('initial_not_successful', 'Payment was not successful. Status: canceled')
  await says('Payment system failed to load')
  await page.unroute('**/_stripe/stripe.js')
  await page.unroute(/\/finalize$/)
  const intents = /\/_stripe\/v1\/setup_intents\//
  await page.route(intents, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), status: 'canceled' } })
  })
  await says('Payment setup failed: canceled')
  await page.unroute(intents)
  await refuse('customer_missing', 'Customer information missing. Please refresh and try again.')
  await says('Customer information missing. Please start over.')
  await page.waitForURL(/\/$/)
})
