/** What was pressed and did not work out, or was thought better of: the next press does what it says. */
import { expect, test } from '../support/journey.ts'
import { openPayment } from './funnel.ts'
import { becomeMember, linkIn, mailTo } from './members.ts'
import { answeredPaypal, atCheckout, newEmail, prepared } from './prepared.ts'

test('C-14 leaving for PayPal is not asked about; a page that was not left, or is shown again, goes on', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.clock.install()
  await atCheckout(page, { price: 5 })
  await openPayment(page)
  // stopped before PayPal has answered, or answered by PayPal's app: the page stays
  await page.route(/\/_stripe\/paypal/, (route) => route.fulfill({ status: 204 }))
  const paypal = page.locator('button.paypal')
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  const ways = [
    () => page.clock.fastForward(16_000),
    // back from the app
    () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
    // back from PayPal, in a browser that keeps pages
    () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
  ]
  for (const back of ways) {
    const left = page.waitForRequest(/\/_stripe\/paypal/)
    await paypal.click()
    await left
    await expect(close).toBeHidden()
    await back()
    await expect(close).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
  }
  await page.unroute(/\/_stripe\/paypal/)
  await paypal.click()
  await page.waitForURL(/\/_stripe\/paypal/)
  expect(asked).toEqual([])
})

test('P-07 P-11 back to the checkout after PayPal, on a slow network: not to the start', async ({ page, stack }) => {
  const { sessionId } = await prepared(page, { price: 5 })
  await page.addInitScript((id) => localStorage.setItem('quiz_session_id', id), sessionId)
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'cancel')
  await page.goto(`/paypal-trial-return/${sessionId}${query}`)
  await page.route('**/checkout', async (route) => {
    await new Promise((resume) => setTimeout(resume, 4_000))
    await route.continue()
  })
  await page.getByRole('link', { name: 'Back to the checkout' }).click()
  await page.waitForURL(`**/checkout/${sessionId}`)
})

test('A-05 V14.3.1 a sign-out that fails says so, and takes nothing away', async ({ page, stack, expectTrouble }) => {
  expectTrouble(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await page.goto('/payment-error')
  await becomeMember(page, stack, newEmail())
  await page.goto('/app/')
  await page.route('**/api/account/sign-out', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('alert')).toContainText('cannot reach our service')
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await page.unroute('**/api/account/sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('A-05 a sign-in link: the content is skipped to, the network fails once, and it signs in', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  const email = newEmail()
  await page.goto('/payment-error')
  await becomeMember(page, stack, email)
  await page.goto('/app/')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByText('Look into your mailbox.')).toBeVisible()
  await page.goto(linkIn(await mailTo(stack, email, 'magic_link'), /Sign in/))
  const signIn = page.getByRole('button', { name: 'Sign in' })
  await expect(signIn).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  const hash = () => page.evaluate(() => location.hash)
  const token = await hash()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Skip to content' })).not.toBeFocused()
  await expect.poll(hash).toBe(token)
  await page.reload()
  await page.route('**/api/account/magic-link/use', (route) => route.abort(), { times: 1 })
  await signIn.click()
  await expect(page.getByRole('alert')).toContainText('cannot reach our service')
  await signIn.click()
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
})

test('A-05 a recording that did not load plays at the next press; a second press pauses and blames nobody', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  await page.goto('/payment-error')
  await becomeMember(page, stack, newEmail())
  await page.route('**/audio', (route) => route.abort())
  await page.goto('/app/day/1')
  const broken = page.getByText('The audio does not play right now.')
  await expect(broken).toBeVisible()
  await page.unroute('**/audio')
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await play.click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await expect(broken).toBeHidden()

  // on a slow network it is not there yet at the second press
  await page.route('**/audio', async (route) => {
    await new Promise((resume) => setTimeout(resume, 2_000))
    await route.continue().catch(() => undefined)
  })
  await page.reload()
  await play.dblclick()
  await page.waitForTimeout(500)
  await expect(broken).toBeHidden()
})

test('A-05 H-02 H-04 by keyboard: the focus goes to the question, and to what came of it', async ({ page, stack }) => {
  await page.goto('/payment-error')
  await becomeMember(page, stack, newEmail())
  await page.goto('/app/subscription')
  const cancel = page.getByRole('button', { name: 'Cancel subscription' })
  const place = page.locator('div:focus')
  await cancel.press('Enter')
  await expect(place.getByRole('group', { name: 'Cancel?' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Yes, cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(place.and(page.locator('div').filter({ has: cancel }))).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(cancel).toBeFocused()
  await cancel.press('Enter')
  await expect(place.getByRole('group', { name: 'Cancel?' })).toBeVisible()
  await page.getByRole('button', { name: 'Yes, cancel' }).press('Enter')
  const told = page.locator('section', { hasText: 'Your subscription is cancelled.' })
  await expect(told).toBeFocused()
})
