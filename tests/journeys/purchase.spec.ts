import { expect, test } from '../support/journey.ts'
import { fillCard, makeAccount, openPayment, pay, walkQuiz } from './funnel.ts'

test('L-04 S-33 C-12 C-13 P-04 U-05 A-02 A-03 quiz, $1 trial by card, add-ons skipped, account', async ({
  page,
  stack,
}) => {
  const email = `ada-${Date.now()}@example.test`
  const sessionId = await walkQuiz(page, { email })

  await expect(page.getByText('$39').first()).toBeVisible()
  await openPayment(page)
  await expect(page.getByText('You will be charged only $1', { exact: false })).toBeVisible()
  await fillCard(page)
  await pay(page)

  await page.waitForURL(new RegExp(`/multi-upsell/${sessionId}`))
  await page.getByRole('button', { name: /^Skip/ }).click()

  await page.waitForURL(new RegExp(`/user-creation/${sessionId}`))
  await expect(page.getByLabel(/username/i)).toHaveValue(email)
  await makeAccount(page)

  await page.waitForURL(new RegExp(`/thank-you/${sessionId}`))
  await expect(page.getByText('Confirmation sent to')).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()

  const { db } = stack
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()
  expect(session).toMatchObject({
    email,
    payment_status: 'paid',
    conversion_status: 'converted',
    selected_price_cents: 100,
    payment_method: 'card',
  })
  expect(session.quiz_completed_at).not.toBeNull()

  const answers = await db.selectFrom('quiz_answers').selectAll().where('session_id', '=', sessionId).execute()
  const byQuestion = Object.fromEntries(answers.map((row) => [row.question_id, row.answer]))
  expect(byQuestion).toMatchObject({
    ageGroup: '30-45',
    eyeColor: 'green',
    symptoms: 'blurry,strain,headaches',
    symptomFrequency: 'Daily',
    screenTime: 'More than 8 hours',
    screenBreaks: 'rarely take breaks',
    recoverySpeed: 'Very slow',
  })

  const payments = await db.selectFrom('payments').selectAll().where('session_id', '=', sessionId).execute()
  expect(payments).toHaveLength(1)
  expect(payments[0]).toMatchObject({ amount_cents: 100, product_id: 'trial_1', status: 'succeeded', purpose: 'first' })

  const subscriptions = await db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).execute()
  expect(subscriptions).toHaveLength(1)
  expect(subscriptions[0]).toMatchObject({ status: 'trialing' })

  const grants = await db.selectFrom('product_access_grants').selectAll().where('session_id', '=', sessionId).execute()
  expect(grants.map(({ granted_via, revoked_at }) => ({ granted_via, revoked_at }))).toEqual([
    { granted_via: 'initial_purchase', revoked_at: null },
  ])

  const users = await db.selectFrom('users').selectAll().where('session_id', '=', sessionId).execute()
  expect(users).toHaveLength(1)
  expect(users[0]).toMatchObject({ email, subscription_status: 'active' })

  const stripe = (path: string) =>
    fetch(`${stack.stripeUrl}/v1/${path}`, { headers: { authorization: `Bearer ${stack.secrets.stripeSecretKey}` } })
      .then((response) => response.json())
      .then((list: { data: Record<string, unknown>[] }) => list.data)
  const customers = await stripe(`customers?email=${encodeURIComponent(email)}`)
  expect(customers).toHaveLength(1)
  const customer = String(customers[0]?.['id'])
  expect(await stripe(`charges?customer=${customer}`)).toMatchObject([{ amount: 100, status: 'succeeded' }])
  expect(await stripe(`subscriptions?customer=${customer}`)).toMatchObject([{ status: 'trialing' }])
})
