/** The leftover reading product: a visitor with answers sees the result, chooses a package, pays once. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { inDashboard } from './buyer.ts'
import { fillCard, pay } from './funnel.ts'
import { linkIn, mailTo, PASSWORD, signIn } from './members.ts'

/** A visit with these answers, saved by the service. Returns its session id. */
async function visitWith(page: Page, answers: Record<string, string>): Promise<string> {
  await page.goto('/legal/contact-us')
  return page.evaluate(async (given) => {
    const send = async (method: string, path: string, body: unknown) => {
      const answer = await fetch(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { sessionId: string }
    }
    const { sessionId } = await send('POST', '/api/sessions', { clientKey: crypto.randomUUID() })
    localStorage.setItem('quiz_session_id', sessionId)
    const list = Object.entries(given).map(([questionId, answer]) => ({
      questionId,
      answer,
      answeredAt: new Date().toISOString(),
    }))
    if (list.length > 0) await send('POST', `/api/sessions/${sessionId}/answers`, { answers: list })
    return sessionId
  }, answers)
}
const total = (page: Page) => page.locator('.reading-total dd')

test('X-01 without answers the summary leads to the landing page', async ({ page }) => {
  const id = await visitWith(page, {})
  await page.goto(`/summary/${id}`)
  await expect(page).toHaveURL('/')
  // the landing page makes sessions, so the browser is emptied on a page that makes none
  for (const path of ['/summary', '/payment']) {
    await page.goto('/legal/contact-us')
    await page.evaluate(() => localStorage.clear())
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
})

test('X-01 X-03 with answers the summary leads to the payment: 14 days by default', async ({ page, axe }) => {
  const id = await visitWith(page, { eyeColor: 'green', screenTime: '2-4 hours' })
  await page.goto(`/summary/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your answers are saved')
  await axe()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`/payment/${id}`)
  await expect(page.getByRole('radio')).toHaveCount(3)
  for (const [name, price] of [
    ['7 Days', '$9.95'],
    ['14 Days', '$19.95'],
    ['1 Month', '$29.95'],
  ]) {
    await expect(page.locator('.package', { hasText: name ?? '' })).toContainText(price ?? '')
  }
  await expect(page.getByRole('radio', { name: /14 Days/ })).toBeChecked()
  await expect(total(page)).toHaveText('$19.95')
  await expect(page.getByText(`Session ID: ${id}`)).toBeVisible()
  await expect(page.getByText('One payment, no subscription')).toBeVisible()
  await expect(page.getByText('$19.95 today, paid once.')).toBeVisible()
  await expect(page.getByLabel('Full name')).toBeVisible()
  await axe()
  // amount → package
  for (const [amount, price] of [
    ['10', '$9.95'],
    ['20', '$19.95'],
    ['20.01', '$29.95'],
    ['29.99', '$29.99'],
    ['nonsense', '$19.95'],
  ]) {
    await page.goto(`/payment/${id}?amount=${amount}`)
    await expect(total(page)).toHaveText(price ?? '')
  }
})

test('X-02 X-03 result by personalInsight → premium package → paid once → add-ons', async ({ page, stack, axe }) => {
  const id = await visitWith(page, { personalInsight: 'soul', birthDate: '1964-02-29' })
  await page.goto(`/summary/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Soul Reading')
  await expect(page.getByText('Birth date: February 29, 1964')).toBeVisible()
  await expect(page.getByText('$29.99')).toBeVisible()
  await expect(page.getByText('30-day money-back guarantee')).toBeVisible()
  await expect(page.locator('.reading-foot').getByText(/Cyprus/)).toBeVisible()
  const own = page.locator('#main').getByRole('link', { name: 'Privacy', exact: true })
  await expect(own).toHaveAttribute('href', '/privacy')
  await expect(page.getByRole('link', { name: 'Terms', exact: true })).toHaveAttribute('href', '/terms')
  await axe()
  await expect
    .poll(() =>
      stack.db
        .selectFrom('sessions')
        .select(['starseed_type', 'starseed_name'])
        .where('id', '=', id)
        .executeTakeFirst(),
    )
    .toEqual({ starseed_type: 'soul', starseed_name: 'Your Soul Reading' })

  await page.getByRole('link', { name: 'Continue to Checkout' }).click()
  await expect(page).toHaveURL(`/payment/${id}`)
  await expect(page.getByText('Your Soul Reading')).toBeVisible()
  await expect(page.getByRole('radio', { name: /1 Month.*Premium reading/ })).toBeChecked()
  await expect(total(page)).toHaveText('$29.99')
  await fillCard(page, { email: 'reader@example.com' })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${id}`)

  const paid = await stack.db
    .selectFrom('payments')
    .select(['product_id', 'amount_cents', 'purpose'])
    .where('session_id', '=', id)
    .execute()
  expect(paid).toEqual([{ product_id: 'reading_premium', amount_cents: 2999, purpose: 'reading' }])
  const evidence = await stack.db
    .selectFrom('agreements')
    .select(['words', 'page'])
    .where('session_id', '=', id)
    .execute()
  expect(evidence).toEqual([
    {
      words: '$29.99 today, paid once. No subscription. Nothing renews and nothing more is charged.',
      page: '/payment',
    },
  ])

  // once bought, the summary opens it and the payment page does not charge again
  await page.goto(`/summary/${id}`)
  await expect(page.getByText('This reading is yours.')).toBeVisible()
  await page.goto(`/payment/${id}`)
  await expect(page.getByText('This reading is paid already. Thank you!')).toBeVisible()
})

test('X-03 P-14 a reading that was given back is ordered anew, in a visit of its own', async ({ page, stack }) => {
  const email = `anew-${crypto.randomUUID().slice(0, 8)}@example.com`
  const id = await visitWith(page, { eyeColor: 'green' })
  await page.evaluate(() => localStorage.setItem('quiz_answers', JSON.stringify({ eyeColor: 'green' })))
  await page.goto(`/payment/${id}`)
  await fillCard(page, { email })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${id}`)
  const charges = () =>
    stack.db
      .selectFrom('payments')
      .select(['session_id', 'payment_intent_id', 'refunded_cents'])
      .where('customer_email', '=', email)
      .orderBy('created_at')
      .execute()
  const [first] = await charges()
  await inDashboard(stack, '/v1/refunds', { payment_intent: first?.payment_intent_id ?? '' })
  await expect.poll(async () => (await charges()).map((one) => one.refunded_cents)).toEqual([1995])

  await page.goto(`/summary/${id}`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/payment/') && !url.pathname.endsWith(id))
  const anew = new URL(page.url()).pathname.split('/')[2] ?? ''
  await fillCard(page, { email })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${anew}`)
  expect((await charges()).map((one) => [one.session_id, one.refunded_cents])).toEqual([
    [id, 1995],
    [anew, 0],
  ])
})

test('X-02 A-05 a paid reading opens from its mail in another browser, and from the account', async ({
  page,
  browser,
  stack,
}) => {
  const email = `reads-${crypto.randomUUID().slice(0, 8)}@example.com`
  const id = await visitWith(page, { personalInsight: 'soul' })
  await page.goto(`/payment/${id}`)
  await fillCard(page, { email })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${id}`)
  await page.goto(`/thank-you/${id}`)
  await expect(page.getByRole('link', { name: 'Open my reading' })).toHaveAttribute('href', '/summary')
  const receipt = await mailTo(stack, email, 'one_time_receipt')
  const other = await browser.newContext()
  const phone = await other.newPage()
  await phone.goto(linkIn(receipt, /Open your order/))
  await phone.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await expect(phone).toHaveURL(`/summary/${id}`)
  await expect(phone.getByText('This reading is yours.')).toBeVisible()
  await phone.goto(linkIn(receipt, /Create your account/))
  await phone.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await phone.getByLabel('Confirm password').fill(PASSWORD)
  await phone.getByRole('button', { name: 'Create my account' }).click()
  await phone.waitForURL(/\/app/)
  await expect(phone.getByText('There is no order on this account yet')).toHaveCount(0)
  await phone.getByRole('link', { name: 'Open: Premium reading' }).click()
  await expect(phone.getByText('This reading is yours.')).toBeVisible()
  await other.close()
  // a new device that does not hold the visit, on a slow network
  const third = await browser.newContext({ baseURL: stack.url })
  const tablet = await third.newPage()
  await tablet.goto('/app/')
  await signIn(tablet, email)
  const { promise: slow, resolve: answers } = Promise.withResolvers<void>()
  await tablet.route(`**/api/sessions/${id}`, async (route) => {
    await slow
    await route.continue()
  })
  await tablet.getByRole('link', { name: 'Open: Premium reading' }).click()
  await expect(tablet.getByRole('heading', { name: 'Opening your reading' })).toBeVisible()
  answers()
  await tablet.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await expect(tablet.getByText('This reading is yours.')).toBeVisible()
  await third.close()
})

test('X-03 the chosen card is charged, also when it was changed before paying', async ({ page, stack }) => {
  const id = await visitWith(page, { eyeColor: 'green' })
  await page.goto(`/payment/${id}`)
  await page.getByText('7 Days').click()
  await expect(total(page)).toHaveText('$9.95')
  await expect(page.getByRole('paragraph').filter({ hasText: 'You will be charged only' })).toContainText('$9.95')
  await fillCard(page, { email: 'week@example.com' })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${id}`)
  const paid = await stack.db
    .selectFrom('payments')
    .select(['product_id', 'amount_cents'])
    .where('session_id', '=', id)
    .execute()
  expect(paid).toEqual([{ product_id: 'reading_7_days', amount_cents: 995 }])
})

test('X-03 a declined card says so, nothing is charged, and another card pays', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/402/)
  const id = await visitWith(page, { eyeColor: 'green' })
  await page.goto(`/payment/${id}`)
  await fillCard(page, { email: 'twice@example.com', number: '4000 0000 0000 0002' })
  await pay(page)
  await expect(page.getByRole('alert')).toContainText('You were not charged')
  await fillCard(page, { number: '4242 4242 4242 4242' })
  await pay(page)
  await page.waitForURL(`/multi-upsell/${id}`)
  const paid = await stack.db.selectFrom('payments').select('amount_cents').where('session_id', '=', id).execute()
  expect(paid).toEqual([{ amount_cents: 1995 }])
})

test("X-01 another browser's session shows nothing of it", async ({ page, browser, stack, expectTrouble }) => {
  expectTrouble(/401/)
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await theirs.goto(stack.url)
  const id = await visitWith(theirs, { personalInsight: 'soul' })
  await other.close()
  await page.goto(`/summary/${id}`)
  await expect(page.getByRole('heading', { name: 'We cannot open this page here' })).toBeVisible()
  await expect(page.getByText('Your Soul Reading')).toHaveCount(0)
})
