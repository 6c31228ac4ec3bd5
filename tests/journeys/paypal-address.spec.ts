import type { Stripe } from '../../stand-ins/stripe/stripe-types.ts'
import { expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { atCheckout, atStripe, newEmail, stripeList } from './prepared.ts'

test('P-06 C-14 an address edited before PayPal is the buyer’s everywhere, also in the mandate', async ({
  page,
  stack,
}) => {
  const { sessionId, email: before } = await atCheckout(page, { price: 5 })
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const paypal = page.locator('button.paypal')
  const field = dialog.getByLabel('Email', { exact: true })
  await field.fill('ada@')
  await paypal.click()
  await expect(dialog).toContainText('Please enter a valid email address.')
  await expect(field).toBeFocused()

  const email = newEmail()
  await field.fill(email)
  await paypal.click()
  await page.waitForURL(/\/_stripe\/paypal/)
  const kept = await stack.db
    .selectFrom('sessions')
    .select('email')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  expect(kept.email).toBe(email)

  await page
    .getByRole('button', { name: /agree|approve|pay|complete|continue/i })
    .first()
    .click()
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  expect(await mandates(stack), 'accepted by this browser').toContain(await page.evaluate(() => navigator.userAgent))
  expect((await atStripe(stack, email)).charges).toMatchObject([{ amount: 500 }])
  expect((await atStripe(stack, before)).charges).toEqual([])
  const mails = await fetch(
    `${stack.mailboxUrl}/api/messages?to=${encodeURIComponent(email)}&kind=order_confirmation&wait=30000`,
  )
  expect(((await mails.json()) as { messages: unknown[] }).messages).toHaveLength(1)
})

test('C-13 A-01 an address corrected in the form stays corrected when the form is opened again', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/402/)
  const { sessionId } = await atCheckout(page, { price: 5 })
  await openPayment(page)
  const dialog = page.getByRole('dialog')
  const email = newEmail()
  await fillCard(page, { number: '4000000000000002', name: 'Ada Byron', email })
  await pay(page)
  await expect(dialog.getByRole('alert')).toContainText('Your card was declined.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await openPayment(page)
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(email)
  await expect(dialog.getByLabel('Full name')).toHaveValue('Ada Byron')
  // whatever opening it sends has been answered by then
  await expect(page.locator('button.paypal')).toBeVisible()
  await expect(page.locator('input[name="cardnumber"]')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const kept = await stack.db
    .selectFrom('sessions')
    .select(['email', 'name'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  expect(kept).toEqual({ email, name: 'Ada Byron' })
})

/** The browsers that accepted later charges to their wallet, as Stripe recorded them. */
async function mandates(stack: Stack): Promise<unknown[]> {
  const events = await stripeList<Stripe.MandateUpdatedEvent>(stack, 'events?type=mandate.updated')
  return events.map(({ data }) => data.object.customer_acceptance.online?.user_agent)
}
