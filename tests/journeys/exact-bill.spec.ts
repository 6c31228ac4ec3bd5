/**
 * What the page says is what is charged: a price or a day that changed while the page was
 * open, and the card that is typed.
 */
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { atCheckout, atStripe, paidOnce, prepared, unpaid } from './prepared.ts'

const CHANGED = 'The price or the date of the next charge has changed since this page was opened.'

test('C-13 H-01 a page that still shows an old price is refused, shows the true one and asks again', async ({
  page,
  stack,
  axe,
  expectTrouble,
}, info) => {
  expectTrouble(/409/)
  // the scripts of an earlier build: the trial of $9 cost $7
  let old = 0
  await page.route('**/*.js', async (route) => {
    try {
      const reply = await route.fetch()
      const script = await reply.text()
      const body = script.replace(/(price:)900\b/g, '$1700')
      if (body !== script) old += 1
      await route.fulfill({ response: reply, body })
    } catch (error) {
      // leaving a page aborts its scripts
      if (!/disposed|closed/.test(String(error))) throw error
    }
  })
  const visitor = await prepared(page, { price: 9 })
  await page.addInitScript(() => localStorage.clear())
  await page.goto(`/checkout/${visitor.sessionId}`)
  await page.locator('.price-card .price:not([data-waiting])').first().waitFor()
  expect(old).toBeGreaterThan(0)
  await openPayment(page)
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  await expect(dialog).toContainText('You will be charged only $7')
  await fillCard(page)
  await pay(page)

  const trouble = dialog.getByRole('alert')
  await expect(trouble).toContainText(CHANGED)
  await expect(trouble).toContainText('You were not charged.')
  await expect(dialog).toContainText('You will be charged only $9')
  await expect(dialog.locator('.terms').last()).toContainText('$9 today for your 3-day trial.')
  await unpaid(stack, visitor)
  await axe()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 780 })
    await trouble.scrollIntoViewIfNeeded()
    await page.screenshot({ path: info.outputPath(`changed-${width}.png`) })
  }

  await pay(page)
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, visitor, 900)
})

test('H-01 a page whose clock is days behind shows another day: it is refused once, with the true day', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/409/)
  await page.clock.install({ time: Date.now() - 2 * 86_400_000 })
  const visitor = await atCheckout(page, { price: 5 })
  await openPayment(page)
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  const before = await dialog.locator('.terms').last().innerText()
  await fillCard(page)
  await pay(page)
  await expect(dialog.getByRole('alert')).toContainText(CHANGED)
  const terms = dialog.locator('.terms').last()
  await expect(terms).not.toHaveText(before)
  const agreed = await terms.innerText()
  await pay(page)
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  const kept = await stack.db
    .selectFrom('agreements')
    .select('words')
    .where('session_id', '=', visitor.sessionId)
    .execute()
  expect(kept.map(({ words }) => words)).toEqual([agreed])
})

test('C-13 3-D Secure left by a reload, then another card: the card that is typed is charged and renews', async ({
  page,
  stack,
}) => {
  const visitor = await atCheckout(page, { price: 9 })
  await openPayment(page)
  await fillCard(page, { number: '4000002760003184' })
  await pay(page)
  await expect(page.getByRole('dialog', { name: '3D Secure 2 test page' })).toBeVisible()
  page.on('dialog', (leave) => void leave.accept())
  await page.reload()
  await openPayment(page)
  await fillCard(page, { number: '5555555555554444' })
  await pay(page)
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await paidOnce(stack, visitor, 900)
  const { charges } = await atStripe(stack, visitor.email)
  expect(charges).toMatchObject([{ payment_method_details: { card: { last4: '4444' } } }])
  const [subscription] = await stack.db
    .selectFrom('subscriptions')
    .select('payment_method_id')
    .where('session_id', '=', visitor.sessionId)
    .execute()
  const [payment] = await stack.db
    .selectFrom('payments')
    .select('payment_method_id')
    .where('session_id', '=', visitor.sessionId)
    .execute()
  expect(subscription?.payment_method_id).toBe(payment?.payment_method_id)
})
