/**
 * Visitors who are some way through the funnel already: prepared over the API, so that a
 * journey begins where it matters.
 */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { ProductId } from '../../contract/catalogue.ts'
import type { Stack } from '../support/stack.ts'
import { orderOf, setupOf } from '../support/order.ts'
import { paypalForm } from '../support/paypal-form.ts'

export const newEmail = (): string => `buyer-${randomUUID().slice(0, 12)}@example.com`

async function send(page: Page, method: 'POST' | 'PUT', path: string, data: object): Promise<Record<string, unknown>> {
  const answer = await page.request.fetch(path, { method, data })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

export interface Prepared {
  sessionId: string
  email: string
}

/** A session of this browser with an address and, unless null, a chosen price in dollars. No page is opened. */
export async function prepared(page: Page, want: { price?: number | null; email?: string } = {}): Promise<Prepared> {
  const { price = 1, email = newEmail() } = want
  const { sessionId } = (await send(page, 'POST', '/api/sessions', { clientKey: randomUUID() })) as {
    sessionId: string
  }
  await send(page, 'PUT', `/api/sessions/${sessionId}/email`, { email })
  if (price !== null) await send(page, 'PUT', `/api/sessions/${sessionId}/price`, { selectedPrice: price })
  return { sessionId, email }
}

/** The same, with the checkout open and ready. */
export async function atCheckout(page: Page, want: Parameters<typeof prepared>[1] = {}): Promise<Prepared> {
  const visitor = await prepared(page, want)
  await page.goto(`/checkout/${visitor.sessionId}`)
  await page.locator('.price-card .price:not([data-waiting])').first().waitFor()
  return visitor
}

/** A list from Stripe's API, as its dashboard shows it. */
export async function stripeList<T>(stack: Stack, path: string): Promise<T[]> {
  const answer = await fetch(`${stack.stripeUrl}/v1/${path}`, {
    headers: { authorization: `Bearer ${stack.secrets.stripeSecretKey}` },
  })
  return ((await answer.json()) as { data: T[] }).data
}

/** What Stripe has charged and started for an address. */
export async function atStripe(stack: Stack, email: string) {
  const customers = await stripeList<{ id: string }>(stack, `customers?email=${encodeURIComponent(email)}`)
  const of = async <T>(path: string): Promise<T[]> =>
    (await Promise.all(customers.map(({ id }) => stripeList<T>(stack, `${path}?customer=${id}`)))).flat()
  const charges = await of<{ amount: number; status: string; amount_refunded: number }>('charges')
  return {
    charges: charges.filter(({ status }) => status === 'succeeded'),
    subscriptions: await of<{
      status: string
      trial_end: number
      items: { data: { price: { unit_amount: number; recurring: { interval: string; interval_count: number } } }[] }
    }>('subscriptions'),
  }
}

/** What our own tables record for a session. */
async function here(stack: Stack, sessionId: string) {
  const rows = <T extends 'payments' | 'subscriptions' | 'product_access_grants'>(table: T) =>
    stack.db
      .selectFrom(table as 'payments')
      .selectAll()
      .where('session_id', '=', sessionId)
  const session = await stack.db
    .selectFrom('sessions')
    .select(['payment_status', 'conversion_status'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return {
    session,
    payments: (await rows('payments').execute()).map(({ amount_cents, status }) => ({ amount_cents, status })),
    subscriptions: (await rows('subscriptions').execute()).map(({ status }) => status),
    grants: (await rows('product_access_grants').execute()).length,
  }
}

/** Asserts one trial for `amount` cents, paid once, at Stripe and in our tables. */
export async function paidOnce(stack: Stack, { sessionId, email }: Prepared, amount: number): Promise<void> {
  await expect
    .poll(async () => [
      (await atStripe(stack, email)).subscriptions.map(({ status }) => status),
      (await here(stack, sessionId)).subscriptions,
    ])
    .toEqual([['trialing'], ['trialing']])
  expect((await atStripe(stack, email)).charges).toMatchObject([{ amount, amount_refunded: 0 }])
  expect(await here(stack, sessionId)).toMatchObject({
    session: { payment_status: 'paid', conversion_status: 'converted' },
    payments: [{ amount_cents: amount, status: 'succeeded' }],
    grants: 1,
  })
}

/** Nothing was paid: neither side has a charge, a subscription or a grant. */
export async function unpaid(stack: Stack, { sessionId, email }: Prepared): Promise<void> {
  expect(await atStripe(stack, email)).toEqual({ charges: [], subscriptions: [] })
  const mine = await here(stack, sessionId)
  expect(mine).toMatchObject({ payments: [], subscriptions: [], grants: 0 })
  expect(mine.session.payment_status).not.toBe('paid')
}

/** A page confirms an intent, as Stripe.js does with a test method. */
async function confirm(stack: Stack, path: string, form: Record<string, string>): Promise<void> {
  const answer = await fetch(`${stack.stripeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.secrets.stripePublishableKey}` },
    body: new URLSearchParams(form),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** A paid session: a card trial, made over the API alone. */
export async function paid(page: Page, stack: Stack, want: { price?: number; email?: string } = {}): Promise<Prepared> {
  const visitor = await prepared(page, want)
  await payLater(page, stack, visitor, want.price)
  return visitor
}

/** The same for a visitor who is here already: no page hears of the payment. */
export async function payLater(page: Page, stack: Stack, { sessionId }: Prepared, price = 1): Promise<void> {
  const path = `/api/sessions/${sessionId}`
  const productId = price === 17.67 ? 'trial_1767' : `trial_${price}`
  const intent = await send(page, 'POST', `${path}/payments/initial`, orderOf(productId, { paymentMethodType: 'card' }))
  const { paymentIntentId, clientSecret } = intent as { paymentIntentId: string; clientSecret: string }
  await confirm(stack, `/_stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    client_secret: clientSecret,
    payment_method: 'pm_card_visa',
  })
  await send(page, 'POST', `${path}/payments/finalize`, { paymentIntentId })
}

/** A buyer who went to PayPal and answered there; resolves to the query of the return address. */
export async function answeredPaypal(
  page: Page,
  stack: Stack,
  sessionId: string,
  productId: ProductId,
  answer: 'complete' | 'cancel' | 'fail',
  setup = false,
): Promise<string> {
  const path = `/api/sessions/${sessionId}${setup ? '/paypal/setup' : '/payments/initial'}`
  const intent = await send(
    page,
    'POST',
    path,
    setup ? setupOf(productId) : orderOf(productId, { paymentMethodType: 'paypal' }),
  )
  const { paymentIntentId: id, clientSecret } = intent as { paymentIntentId: string; clientSecret: string }
  const secret = { client_secret: clientSecret }
  await confirm(stack, `/_stripe/v1/${setup ? 'setup_intents' : 'payment_intents'}/${id}/confirm`, {
    ...secret,
    ...paypalForm(`${stack.url}/`),
  })
  await confirm(stack, '/_stripe/answer', { intent: id, ...secret, answer })
  const name = setup ? 'setup_intent' : 'payment_intent'
  const status = answer === 'complete' ? 'succeeded' : 'failed'
  return `?${name}=${id}&${name}_client_secret=${clientSecret}&redirect_status=${status}`
}
