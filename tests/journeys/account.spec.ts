/** After the purchase: the account, the programme, the subscription and every way to leave. */
import { sql } from 'kysely'
import type { Page } from '@playwright/test'
import { inDashboard } from './buyer.ts'
import { becomeMember, buy, callFrom, linkIn, mailTo, passDays, PASSWORD, signIn } from './members.ts'
import { expect, test } from '../support/journey.ts'
import { fillCard } from './funnel.ts'
import type { Stack } from '../support/stack.ts'

// moves the sandbox's clock
test.use({ ownStack: 'account' })

const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`

test('A-01 A-02 A-03 A-04 A-05 P-12 from the purchase to the app and out of it in two clicks', async ({
  page,
  stack,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/403 GET .*\/api\/programme/, /status of 403/)
  const typo = unique('typo')
  const email = unique('reader')
  await page.goto('/app/')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await axe()
  const sessionId = await buy(page, stack, typo)

  await test.step('A-01 the mistyped address is corrected by a code', async () => {
    await page.goto(`/user-creation/${sessionId}`)
    await expect(page.getByLabel('Email (your username)')).toHaveValue(typo)
    const wrong = page.getByRole('button', { name: 'Wrong email?' })
    await wrong.click()
    await expect(page.getByLabel('The right email address')).toBeFocused()
    await page.getByRole('button', { name: 'Keep the address as it is' }).click()
    await expect(wrong).toBeFocused()
    await wrong.click()
    await page.getByLabel('The right email address').fill(email)
    await page.getByRole('button', { name: 'Send the code' }).click()
    await expect(page.getByText(`We sent six digits to ${email}`)).toBeVisible()
    await expect(page.getByLabel('Code from the mail')).toBeFocused()
    const code = /\b\d{6}\b/.exec((await mailTo(stack, email, 'email_verification_code')).text)?.[0] ?? ''
    await page.getByLabel('Code from the mail').fill(code)
    await axe()
    await page.getByRole('button', { name: 'Use this address' }).click()
    await expect(page.getByLabel('Email (your username)')).toHaveValue(email)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByRole('status')).toContainText('Your email address is corrected.')
    await expect(wrong).toBeVisible()
  })

  await test.step('A-02 A-03 A-04 the account, the thank-you page, the app in a new tab', async () => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.waitForURL(/\/thank-you\//)
    await page.goto(`/welcome/${sessionId}`)
    await page.waitForURL(/\/thank-you\//)
    await expect(page.getByRole('paragraph').filter({ hasText: 'Confirmation sent to' })).toContainText(email)
    expect((await mailTo(stack, typo, 'order_confirmation')).subject).toContain('3-day trial')
    expect((await mailTo(stack, email, 'account_welcome')).subject).toContain('Welcome')
  })
  const tab = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Start my programme' }).click()
  const app = await tab
  await expect(app.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await expect(app.getByText('0 of 42 sessions listened')).toBeVisible()
  await app.close()
  await page.goto('/app/')
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await axe()

  await test.step('A-05 A-07 today’s session plays, and what is heard is counted', async () => {
    await page.getByRole('link', { name: 'Start the session' }).click()
    await expect(page.getByRole('group', { name: /^Audio/ })).toBeVisible()
    await axe()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    // playback must last at least a whole second to be reported
    const position = page.getByRole('slider', { name: 'Position' })
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(2)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(page.getByText(/\d+% heard/)).toBeVisible()
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(
      await page.getByRole('heading', { level: 1 }).innerText(),
    )
    await expect(page.getByText('Exercise 1 of')).toBeVisible()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(page.getByText('Exercise 2 of')).toBeVisible()
    await page.getByText('Read what is spoken').click()
    await expect(page.locator('.transcript')).toBeVisible()
  })

  await test.step('A-05 cancel in two clicks, told at once, undone, cancelled again', async () => {
    await page.getByRole('link', { name: 'Subscription', exact: true }).click()
    await expect(page.getByText(/Next charge: \$39 on /)).toBeVisible()
    await expect(page.getByText('Visa ending in 4242')).toBeVisible()
    await axe()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await expect(page.getByText('Your subscription is cancelled.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep my subscription' }).click()
    await expect(page.getByText('Your subscription continues.')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await expect(page.getByText('Your subscription is cancelled.')).toBeVisible()
    await axe()
    expect((await mailTo(stack, email, 'cancellation_confirmed')).text).toContain('You will not be charged again')
    await page.getByRole('link', { name: 'Invoices' }).click()
    await page.getByRole('link', { name: /3-day trial/ }).click()
    await expect(page.getByRole('heading', { name: /^Invoice / })).toBeVisible()
    await axe()
  })

  await passDays(stack, 1)
  await page.goto('/app/')
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await passDays(stack, 3)
  await expect(async () => {
    await page.goto('/app/')
    await expect(page.getByRole('heading', { name: 'Your programme is closed' })).toBeVisible({ timeout: 15_000 })
  }).toPass()
  expect((await callFrom(page, 'GET', '/api/programme/days/1')).status).toBe(403)
  expect((await callFrom(page, 'GET', '/api/programme/days/1/audio')).status).toBe(403)
  expect((await mailTo(stack, email, 'access_ended')).subject).toContain('ended')
})

/** The next answer from an address never arrives, although the service has done what was asked. */
async function loseAnswer(page: Page, address: string): Promise<void> {
  await page.route(
    address,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
}

test('A-02 A-05 H-04 mailed links work in another browser: account, password, sign-in, cancel, undo', async ({
  page,
  stack,
  browser,
  axe,
}) => {
  const email = unique('elsewhere')
  await page.goto('/app/')
  const sessionId = await buy(page, stack, email)
  const order = await mailTo(stack, email, 'order_confirmation')
  expect(order.text).toContain('How to cancel')
  expect(order.links.every(({ href }) => !href.includes(sessionId))).toBe(true)

  const context = await browser.newContext({ baseURL: stack.url })
  const phone = await context.newPage()
  await phone.goto(linkIn(order, /Create your account/))
  await expect(phone.getByLabel('Email (your username)')).toHaveValue(email)
  await expect(phone).toHaveTitle(/^Your account · /)
  await phone.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await phone.getByLabel('Confirm password').fill('Something Else 2')
  await phone.getByRole('button', { name: 'Create my account' }).click()
  await expect(phone.getByText('Passwords do not match')).toBeVisible()
  await phone.getByLabel('Confirm password').fill(PASSWORD)
  await phone.getByRole('button', { name: 'Create my account' }).click()
  await expect(phone.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await phone.getByRole('button', { name: 'Sign out' }).click()

  await test.step('A-05 a forgotten password', async () => {
    await signIn(phone, email, 'Wrong Word 9')
    await expect(phone.getByText('The email address or the password is not right.')).toBeVisible()
    await phone.getByRole('link', { name: 'I forgot my password' }).click()
    await phone.getByLabel('Email', { exact: true }).fill(email)
    await phone.getByRole('button', { name: 'Send the link' }).click()
    await expect(phone.getByRole('heading', { name: 'Look into your mailbox' })).toBeVisible()
    await page.goto(linkIn(await mailTo(stack, email, 'password_reset'), /Choose a new password/))
    await page.getByLabel('Password', { exact: true }).fill('Brand New 22')
    await page.getByLabel('Confirm password').fill('Brand New 22')
    await axe()
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, email, 'Brand New 22')
    await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  })

  await test.step('A-05 a sign-in link: opening it does nothing, one click signs in', async () => {
    await phone.goto('/app/')
    await phone.getByLabel('Email', { exact: true }).fill(email)
    await phone.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await expect(phone.getByText('Look into your mailbox.')).toBeVisible()
    const address = linkIn(await mailTo(stack, email, 'magic_link'), /Sign in/)
    await phone.goto(address)
    await phone.goto(address)
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await expect(phone.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
    await phone.getByRole('button', { name: 'Sign out' }).click()
    await expect(phone.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

  await test.step('H-04 cancel and undo by mail, without signing in', async () => {
    await phone.goto(linkIn(order, /Cancel your subscription/))
    await expect(phone.getByRole('heading', { name: 'Cancel your subscription?' })).toBeVisible()
    await expect(phone.getByText(email)).toHaveCount(0)
    await phone.reload()
    await phone.getByRole('button', { name: 'Yes, cancel' }).click()
    await expect(phone.getByRole('heading', { name: 'Your subscription is cancelled' })).toBeVisible()
    await phone.goto(linkIn(await mailTo(stack, email, 'cancellation_confirmed'), /Keep my subscription/))
    await loseAnswer(phone, '**/api/links/undo-cancel')
    await phone.getByRole('button', { name: 'Keep my subscription' }).click()
    await expect(phone.getByRole('alert')).toContainText('It may have been done all the same')
    await expect(phone.getByRole('alert')).not.toContainText('Nothing was changed')
    expect((await mailTo(stack, email, 'cancellation_undone')).text).toContain('$39')
    await phone.getByRole('button', { name: 'Keep my subscription' }).click()
    await expect(phone.getByRole('heading', { name: 'Your subscription continues' })).toBeVisible()
    await phone.goto('/cancel/nonsense')
    await expect(phone.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  })
  await context.close()
})

test('A-01 A-03 a slip that is seen on the thank-you page is corrected there, and the password stays', async ({
  page,
  stack,
  axe,
}) => {
  const right = unique('right')
  await page.goto('/payment-error')
  const sessionId = await becomeMember(page, stack, unique('typo'))
  await page.goto(`/thank-you/${sessionId}`)
  await page.getByRole('button', { name: 'Wrong email?' }).click()
  await page.getByLabel('The right email address').fill(right)
  await page.getByRole('button', { name: 'Send the code' }).click()
  const code = /\b\d{6}\b/.exec((await mailTo(stack, right, 'email_verification_code')).text)?.[0] ?? ''
  await page.getByLabel('Code from the mail').fill(code)
  await axe()
  await page.getByRole('button', { name: 'Use this address' }).click()
  await expect(page.getByRole('paragraph').filter({ hasText: 'Confirmation sent to' })).toContainText(right)
  await expect(page).toHaveURL(/\/thank-you\//)
  await page.context().clearCookies()
  await page.goto('/app/')
  await signIn(page, right)
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
})

test('A-07 H-02 money back is asked for, granted and declined; withdrawal where the law gives it', async ({
  page,
  stack,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/status of 403/, /403 GET .*\/api\/programme/)
  const email = unique('back')
  await page.goto('/app/')
  const sessionId = await becomeMember(page, stack, email)
  await page.goto('/app/money-back')
  await expect(page.getByText('0 of 7 sessions listened')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask for my money back' })).toHaveCount(0)
  await axe()
  const listen = () =>
    sql`insert into listened_sessions (user_id, day, played_seconds, length_seconds, counted_at)
      select u.auth_user_id, d, 90, 97, now() from users u, generate_series(1, 7) d
        where u.session_id = ${sessionId}`.execute(stack.db)
  await listen()
  const askAgain = async () => {
    await page.goto('/app/money-back')
    await page.getByRole('button', { name: 'Ask for my money back' }).click()
    await page.getByRole('button', { name: 'Ask for $1 back' }).click()
    await expect(page.getByText('We have your request.')).toBeVisible()
  }
  /** Decides as the operator's page does, by command. */
  const decide = (...args: string[]) => stack.command(['payments-service/money-back.command.ts', ...args])
  const open = async () =>
    (
      await stack.db
        .selectFrom('money_back_requests')
        .select('id')
        .where('session_id', '=', sessionId)
        .where('status', '=', 'open')
        .executeTakeFirstOrThrow()
    ).id

  await askAgain()
  expect((await mailTo(stack, email, 'money_back_requested')).text).toContain('Our answer, at the latest')
  await decide('decline', await open(), 'Please try the evening sessions first.')
  expect((await mailTo(stack, email, 'money_back_decided')).text).toContain('Please try the evening sessions first.')
  await page.reload()
  await expect(page.getByText('Please try the evening sessions first.')).toBeVisible()
  await askAgain()
  await decide('approve', await open())
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Your request was granted.')).toBeVisible({ timeout: 15_000 })
  }).toPass()
  await axe()
  // a job carries out the refund
  await expect.poll(async () => (await callFrom(page, 'GET', '/api/programme')).status).toBe(403)

  await test.step('H-02 a buyer in Austria withdraws with the link of the mail', async () => {
    const there = unique('wien')
    await page.context().clearCookies()
    await page.goto('/app/')
    const clientKey = crypto.randomUUID()
    await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'AT' })
    const made = await callFrom<{ sessionId: string }>(page, 'POST', '/api/sessions', { clientKey })
    expect(made.status).toBe(200)
    await page.setExtraHTTPHeaders({})
    await buy(page, stack, there, 'trial_1', made.body.sessionId)
    await page.goto(linkIn(await mailTo(stack, there, 'order_confirmation'), /Withdraw from the contract/))
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
    await expect(page.getByRole('heading', { name: 'Your withdrawal has arrived' })).toBeVisible()
    expect((await mailTo(stack, there, 'withdrawal_received')).subject).toMatch(/withdrawal/i)
  })
})

/** Has the subscription charged to another card, as an operator does in Stripe's dashboard. */
async function useCard(stack: Stack, sessionId: string, card: string): Promise<void> {
  const row = await stack.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const customer = row.stripe_customer_id ?? ''
  const { id } = await inDashboard(stack, `/v1/payment_methods/${card}/attach`, { customer })
  await inDashboard(stack, `/v1/subscriptions/${row.stripe_subscription_id}`, { default_payment_method: id })
}

/** A member whose first renewal is refused by the card; returns the visit. */
async function becomeLate(page: Page, stack: Stack, email: string): Promise<string> {
  const sessionId = await becomeMember(page, stack, email)
  await useCard(stack, sessionId, 'pm_card_chargeCustomerFail')
  await passDays(stack, 3.1)
  return sessionId
}

test('A-05 A-06 P-12 a failed renewal closes access after its last try; another card opens it again', async ({
  page,
  stack,
  browser,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/status of 403/, /403 GET .*\/api\/programme/)
  const email = unique('late')
  await page.goto('/app/')
  await becomeLate(page, stack, email)
  const first = await mailTo(stack, email, 'payment_failed')
  expect(first.text).toContain('Everything stays open until')
  await page.goto('/app/')
  await expect(page.getByText('Payment failed')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  await axe()

  await passDays(stack, 8)
  const ended = await mailTo(stack, email, 'access_ended')
  await expect(async () => {
    await page.goto('/app/')
    await expect(page.getByRole('heading', { name: 'Your programme is closed' })).toBeVisible({ timeout: 15_000 })
  }).toPass()

  const context = await browser.newContext({ baseURL: stack.url })
  const phone = await context.newPage()
  await phone.goto(linkIn(ended, /Pay and open it again/))
  await expect(phone.getByText('$39')).not.toHaveCount(0)
  await phone.getByLabel('Full name').fill('Ada Sample')
  await phone.locator('input[name="cardnumber"]').fill('5555 5555 5555 4444')
  await phone.locator('input[name="exp-date"]').fill('12 / 34')
  await phone.locator('input[name="cvc"]').fill('123')
  // no page knows how far a request came that was not answered
  await phone.route('**/api/links/update-payment', (route) => route.abort(), { times: 1 })
  await phone.getByRole('button', { name: 'Pay $39 with this card' }).click()
  await expect(phone.getByRole('alert')).toContainText('Trying again will not charge you twice.')
  await expect(phone.getByRole('alert')).not.toContainText('You were not charged')
  await phone.getByRole('button', { name: 'Pay $39 with this card' }).click()
  await expect(phone.getByRole('heading', { name: 'Paid. Everything is open.' })).toBeVisible()
  await context.close()
  await page.goto('/app/')
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
  const receipt = await mailTo(stack, email, 'renewal_receipt')
  await page.goto(linkIn(receipt, /See the invoice/))
  await expect(page.getByText('$39')).not.toHaveCount(0)
  // what a saved invoice is called
  await expect(page).toHaveTitle(/^Invoice, \w+ \d+, \d{4}, .+ · /)
  await page.goto('/app/subscription')
  await expect(page.getByText('Mastercard ending in 4444')).toBeVisible()
})

test('A-05 H-01 what is owed is paid with the card on file: the one that the button names, or none', async ({
  page,
  stack,
  axe,
}) => {
  const email = unique('on-file')
  await page.goto('/app/')
  const sessionId = await becomeLate(page, stack, email)
  const mail = await mailTo(stack, email, 'payment_failed')
  await page.goto(linkIn(mail, /Pay \$39 now/))
  await expect(page.getByRole('heading', { name: 'Pay $39' })).toBeVisible()
  await page.getByRole('button', { name: 'Pay $39 with Visa ending in 0341' }).click()
  await expect(page.getByRole('alert')).toContainText('Your bank refused the charge again.')
  await expect(page.getByRole('alert')).toContainText('You were not charged.')
  await axe()
  await useCard(stack, sessionId, 'pm_card_mastercard')
  await page.getByRole('button', { name: 'Pay $39 with Visa ending in 0341' }).click()
  await expect(page.getByRole('alert')).toContainText('Something has changed meanwhile.')
  await page.getByRole('button', { name: 'Pay $39 with Mastercard ending in 4444' }).click()
  await expect(page.getByRole('heading', { name: 'Paid. Everything is open.' })).toBeFocused()
  await expect(page.getByText(/^Next charge: \$39 on /)).toBeVisible()
  expect((await mailTo(stack, email, 'renewal_receipt')).text).toContain('$39')
  await page.goto('/app/subscription')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
})

test('A-05 H-01 what is owed is paid by a card whose bank wants each payment confirmed', async ({
  page,
  stack,
  axe,
}) => {
  const email = unique('confirms')
  await page.goto('/app/')
  await becomeLate(page, stack, email)
  await mailTo(stack, email, 'payment_failed')
  await page.goto('/app/card')
  await fillCard(page, { number: '4000002760003184' })
  const press = page.getByRole('button', { name: 'Pay $39 with this card' })
  const bank = page.getByRole('dialog', { name: '3D Secure 2 test page' })
  await press.click()
  // first for the card itself, then for the payment
  await bank.getByRole('button', { name: 'Complete' }).click()
  await expect(bank).toContainText('39.00 USD')
  await bank.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toContainText('We are unable to authenticate your payment method.')
  await expect(page.getByRole('alert')).toContainText('You were not charged. You can try again.')
  await axe()
  await press.click()
  await bank.getByRole('button', { name: 'Complete' }).click()
  await expect(bank).toContainText('39.00 USD')
  await bank.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByRole('heading', { name: 'Paid. Everything is open.' })).toBeVisible()
  expect((await mailTo(stack, email, 'renewal_receipt')).text).toContain('$39')
})

test('A-02 A-05 a programme that was closed is open as soon as a new order has joined', async ({
  page,
  stack,
  browser,
  expectTrouble,
}) => {
  expectTrouble(/403 GET .*\/api\/programme/, /status of 403/)
  const email = unique('again')
  await page.goto('/payment-error')
  await becomeMember(page, stack, email)
  await page.goto('/app/subscription')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(page.getByText('Your subscription is cancelled.')).toBeVisible()
  await passDays(stack, 4)
  await mailTo(stack, email, 'access_ended')
  const elsewhere = await (await browser.newContext({ baseURL: stack.url })).newPage()
  await elsewhere.goto('/payment-error')
  await buy(elsewhere, stack, email, 'special_offer')
  await page.goto('/app/')
  await expect(page.getByRole('heading', { name: 'Your programme is closed' })).toBeVisible()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const code = /\b\d{6}\b/.exec((await mailTo(stack, email, 'email_verification_code')).text)?.[0] ?? ''
  await page.getByLabel('Code from the mail').fill(code)
  await page.getByRole('button', { name: 'Add to my account' }).click()
  await expect(page.getByRole('heading', { name: /^Day 1/ })).toBeVisible()
})
