// The sandbox's own page: what QA does there instead of in Stripe's dashboard (docs/qa.md).
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../../tests/support/chromium.ts'
import { openWorld, type World } from '../testing.ts'

const CHROMIUM = findChromium()

describe.skipIf(!CHROMIUM)(`the page of the sandbox${CHROMIUM ? '' : ' (skipped: no Chromium)'}`, () => {
  let world: World
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    world = await openWorld()
    browser = await chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ['--no-sandbox'] })
    page = await browser.newPage()
    await page.goto(`${world.sandbox.url}/`)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  const paid = async () =>
    world.stripe.paymentIntents.create({
      amount: 3900,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      allowed_payment_method_types: ['card'],
      confirm: true,
    })
  /** Presses the first button of this name among the objects of a kind, and waits for what the page then says. */
  const press = async (kind: string, name: string, says: RegExp) => {
    await page.getByLabel('Kind').selectOption(kind)
    await page.locator('#objects').getByRole('button', { name, exact: true }).first().click()
    await page.getByRole('status').getByText(says).waitFor()
  }

  test('A-07 a charge is refunded, and the bank refuses the refund afterwards', async () => {
    const { latest_charge: charge } = await paid()
    await press('charge', 'Refund', /^Refund re_\w+ made$/)
    expect(await world.stripe.charges.retrieve(String(charge))).toMatchObject({ refunded: true, amount_refunded: 3900 })
    expect(await page.locator('#objects').getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0)
    await press('refund', 'Bank refuses', /^re_\w+ is failed$/)
    expect(await world.stripe.charges.retrieve(String(charge))).toMatchObject({ refunded: false, amount_refunded: 0 })
  })

  test('P-12 a dispute is opened and won; while the bank holds the money, a refund is refused in words', async () => {
    await paid()
    await press('charge', 'Dispute', /^Dispute \w+ opened$/)
    await press('charge', 'Refund', /has been charged back; cannot issue a refund/)
    await press('dispute', 'Win', /^\w+ is won$/)
    expect((await world.stripe.disputes.list()).data.map(({ status }) => status)).toEqual(['won'])
  })

  test('H-04 a subscription is cancelled at once', async () => {
    const customer = await world.stripe.customers.create({ email: 'ann@example.com' })
    const product = await world.stripe.products.create({ name: 'Programme' })
    const price = await world.stripe.prices.create({
      product: product.id,
      unit_amount: 3900,
      currency: 'usd',
      recurring: { interval: 'day', interval_count: 30 },
    })
    const made = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      trial_period_days: 3,
    })
    await press('subscription', 'Cancel at once', /^sub_\w+ is canceled$/)
    expect((await world.stripe.subscriptions.retrieve(made.id)).status).toBe('canceled')
    expect(await world.control('POST', 'subscriptions/cancel', { subscription: made.id })).toMatchObject({
      status: 400,
      body: { error: { message: `Subscription ${made.id} is canceled already.` } },
    })
  })
})
