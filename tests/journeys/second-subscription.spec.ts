/** One subscription per address: a returning buyer learns of the running one, and never pays for two. */
import type { Page, Route } from '@playwright/test'
import { SETTLE_WAITS_MS } from '../../src/payment/pay.ts'
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { atCheckout, atStripe, paid, prepared } from './prepared.ts'

const WORDS = 'You have a subscription with this e-mail address already, so we did not start a second one.'

test('P-14 in another browser: the second payment starts nothing, goes back, and the page says so', async ({
  page,
  stack,
  axe,
  browser,
  expectTrouble,
}, info) => {
  expectTrouble(/409/)
  const elsewhere = await browser.newPage({ baseURL: stack.url })
  const { email } = await paid(elsewhere, stack)
  await elsewhere.close()

  await atCheckout(page, { email, price: 5 })
  await openPayment(page)
  await fillCard(page, { email })
  await pay(page)
  const trouble = page.getByRole('dialog').getByRole('alert')
  await expect(trouble).toContainText(WORDS)
  await expect(trouble).toContainText(
    'This payment goes back to you. If your bank refuses it, we write to you. Please do not pay again.',
  )
  await axe()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 780 })
    await trouble.scrollIntoViewIfNeeded()
    await page.screenshot({ path: info.outputPath(`second-${width}.png`) })
  }
  await expect
    .poll(async () => (await atStripe(stack, email)).charges.map((one) => [one.amount, one.amount_refunded]).sort())
    .toEqual([
      [100, 0],
      [500, 500],
    ])
  expect((await atStripe(stack, email)).subscriptions).toHaveLength(1)
  await trouble.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/app/')
})

/** Pays; the service says “not decided yet” as often as the page asks in one go, and `decided` answers after that. */
async function payUndecided(page: Page, decided: (route: Route, nth: number) => Promise<void>): Promise<void> {
  const inOneGo = SETTLE_WAITS_MS.length + 1
  const pending = { status: 'pending', productId: null, nextPage: 'checkout' }
  let looks = 0
  await page.route('**/payments/finalize', (route) =>
    ++looks <= inOneGo ? route.fulfill({ status: 202, json: pending }) : decided(route, looks - inOneGo),
  )
  await pay(page)
  await expect
    .poll(
      async () => {
        if (looks > 0 && looks <= inOneGo) await page.clock.fastForward(15_000)
        return looks
      },
      { intervals: [500] },
    )
    .toBeGreaterThan(inOneGo)
}

test('P-14 P-11 a second payment that its bank was slow to decide goes back as well, and the page says so', async ({
  page,
  stack,
  browser,
  expectTrouble,
}) => {
  expectTrouble(/409/)
  const elsewhere = await browser.newPage({ baseURL: stack.url })
  const { email } = await paid(elsewhere, stack)
  await elsewhere.close()

  await page.clock.install()
  await atCheckout(page, { email, price: 5 })
  await openPayment(page)
  await fillCard(page, { email })
  await payUndecided(page, (route) => route.continue())
  const trouble = page.getByRole('dialog').getByRole('alert')
  await expect(trouble).toContainText(WORDS)
  await expect(trouble).toContainText('This payment goes back to you.')
  await expect(trouble).not.toContainText('your order is on record')
  await expect(trouble.getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('P-11 a payment that its bank decided late against leaves the form to pay with another card', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/409/)
  await page.clock.install()
  const { sessionId } = await atCheckout(page, { price: 5 })
  await openPayment(page)
  await fillCard(page)
  const message = 'Initial payment not successful. Status: requires_payment_method'
  const late = { error: { code: 'initial_not_successful', message } }
  await payUndecided(page, (route, nth) => (nth === 1 ? route.fulfill({ status: 409, json: late }) : route.continue()))
  const trouble = page.getByRole('dialog').getByRole('alert')
  await expect(trouble).toContainText(message)
  await expect(trouble).not.toContainText('do not pay again')
  await fillCard(page)
  await pay(page)
  await expect(page).toHaveURL(new RegExp(`/multi-upsell/${sessionId}`))
  expect(await stack.db.selectFrom('payments').select('id').where('session_id', '=', sessionId).execute()).toHaveLength(
    1,
  )
})

test('P-14 in the browser that signed in with the address: refused before anything is charged', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/409/)
  const { sessionId, email } = await paid(page, stack)
  const password = 'Better Eyes 1'
  const made = await page.request.post(`/api/sessions/${sessionId}/account`, {
    data: { password, passwordConfirmation: password },
  })
  expect(made.ok()).toBe(true)

  const second = await prepared(page, { email })
  await page.goto(`/checkout/${second.sessionId}`)
  await page.locator('.price-card .price:not([data-waiting])').first().waitFor()
  await openPayment(page)
  await fillCard(page, { email })
  await pay(page)
  const trouble = page.getByRole('dialog').getByRole('alert')
  await expect(trouble).toContainText(WORDS)
  await expect(trouble).toContainText('You were not charged.')
  await expect(trouble).not.toContainText('try again')
  expect((await atStripe(stack, email)).charges).toMatchObject([{ amount: 100, amount_refunded: 0 }])
})

test('P-14 C-02 whose order was given back orders again in the same browser, with the same answers', async ({
  page,
  stack,
}) => {
  const { sessionId, email } = await paid(page, stack)
  const { payment_intent_id: id } = await stack.db
    .selectFrom('payments')
    .select('payment_intent_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const answer = await fetch(`${stack.stripeUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.secrets.stripeSecretKey}` },
    body: new URLSearchParams({ payment_intent: id ?? '' }),
  })
  expect(answer.ok).toBe(true)
  const over = async () =>
    ((await (await page.request.get(`/api/sessions/${sessionId}`)).json()) as { over?: true }).over
  await expect.poll(over).toBe(true)

  await page.goto('/legal/privacy')
  const kept = JSON.stringify({ ageGroup: '30-45', selectedPrice: 5, email })
  await page.evaluate((answers) => localStorage.setItem('quiz_answers', answers), kept)
  await page.goto(`/special-offer-intro/${sessionId}`)
  await page.waitForURL((url) => url.pathname.startsWith('/checkout/') && !url.pathname.endsWith(sessionId))
  await openPayment(page)
  await fillCard(page, { email })
  await pay(page)
  await page.waitForURL('**/multi-upsell/**')
  expect(
    (await atStripe(stack, email)).charges.map(({ amount, amount_refunded: back }) => [amount, back]).sort(),
  ).toEqual([
    [100, 100],
    [500, 0],
  ])
})
