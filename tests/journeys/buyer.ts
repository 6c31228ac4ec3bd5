/**
 * A buyer who has paid, made through the service's API and the sandbox's browser API: a shortcut to the later pages.
 */
import { expect, type Page } from '@playwright/test'
import type { Stack } from '../support/stack.ts'
import { orderOf } from '../support/order.ts'

let buyers = 0

export interface PaidBuyer {
  sessionId: string
  email: string
}

interface PaidBy {
  method?: 'card' | 'paypal'
  /** A `pm_card_…` of the sandbox. */
  card?: string
  /** The page that is opened last; cookies belong to its origin. */
  at?: string
}

/** Pays for a trial in this browser. 3-D Secure and PayPal's page are approved. */
export async function paidBuyer(page: Page, by: PaidBy = {}): Promise<PaidBuyer> {
  const order = orderOf('trial_1', { paymentMethodType: by.method ?? 'card' })
  const email = `buyer-${Date.now()}-${++buyers}@example.com`
  if (!page.url().startsWith('http')) await page.goto('/payment-error')
  const sessionId = await page.evaluate(
    async ({ email, order, method, card }) => {
      const json = async (way: string, path: string, body?: object) => {
        const reply = await fetch(path, {
          method: way,
          ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
        })
        if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
        return (await reply.json()) as Record<string, string> & { stripe?: { publishableKey: string } }
      }
      const config = await json('GET', '/api/config')
      const stripe = async (path: string, form: Record<string, string>) => {
        const reply = await fetch(path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${config.stripe?.publishableKey}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams(form).toString(),
        })
        if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
        return (await reply.json()) as { status: string }
      }
      const { sessionId = '' } = await json('POST', '/api/sessions', { clientKey: crypto.randomUUID() })
      const path = `/api/sessions/${sessionId}`
      await json('PUT', `${path}/email`, { email })
      const opened = await json('POST', `${path}/payments/initial`, order)
      const { paymentIntentId = '', clientSecret = '' } = opened
      const confirmed = await stripe(`/_stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
        client_secret: clientSecret,
        ...(method === 'paypal'
          ? { 'payment_method_data[type]': 'paypal', return_url: `${location.origin}/checkout-paypal-return` }
          : { payment_method: card }),
      })
      if (confirmed.status === 'requires_action') {
        await stripe('/_stripe/answer', { intent: paymentIntentId, client_secret: clientSecret, answer: 'complete' })
      }
      await json('POST', `${path}/payments/finalize`, { paymentIntentId })
      return sessionId
    },
    { email, order, method: order.paymentMethodType, card: by.card ?? 'pm_card_visa' },
  )
  if (by.at) await page.goto(by.at.replace('{id}', sessionId))
  return { sessionId, email }
}

/** The add-ons page of a buyer who has just paid. */
export async function atAddOns(page: Page, by: Omit<PaidBy, 'at'> = {}): Promise<PaidBuyer> {
  const buyer = await paidBuyer(page, { ...by, at: '/multi-upsell/{id}' })
  await expect(page.getByRole('button', { name: 'Skip →' })).toBeVisible()
  return buyer
}

/** Buys an add-on through the API, with the saved card. Returns its payment intent. */
export async function addOn(page: Page, sessionId: string, productId: string): Promise<string> {
  return page.evaluate(
    async ([id, product, order]) => {
      const reply = await fetch(`/api/sessions/${id}/upsells`, {
        method: 'POST',
        body: JSON.stringify(order),
        headers: { 'content-type': 'application/json' },
      })
      const { status, paymentIntentId } = (await reply.json()) as { status: string; paymentIntentId: string }
      if (status !== 'succeeded') throw new Error(`${product}: ${status}`)
      return paymentIntentId
    },
    [sessionId, productId, orderOf(productId)] as const,
  )
}

/** A call to Stripe with the secret key: what an operator does in the dashboard. */
export async function inDashboard(stack: Stack, path: string, form: Record<string, string>): Promise<{ id: string }> {
  const reply = await fetch(`${stack.stripeUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.secrets.stripeSecretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  })
  expect(reply.ok).toBe(true)
  return (await reply.json()) as { id: string }
}

/** Makes the bank decline the saved card from now on. */
export async function savedCardDeclines(stack: Stack, sessionId: string): Promise<void> {
  const row = await stack.db
    .selectFrom('payments')
    .select(['id', 'stripe_customer_id'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const customer = row.stripe_customer_id ?? ''
  const { id } = await inDashboard(stack, '/v1/payment_methods/pm_card_chargeCustomerFail/attach', { customer })
  await stack.db.updateTable('payments').set({ payment_method_id: id }).where('id', '=', row.id).execute()
}

/** Cancels an add-on's order at Stripe while the service waits there for its charge. */
export async function cancelWhileCharged(stack: Stack, sessionId: string, productId: string): Promise<void> {
  const faults = async () =>
    (await (await fetch(`${stack.stripeUrl}/_sandbox/faults`)).json()) as { rules: readonly unknown[] }
  // the rule is used up when the charge has arrived
  await expect.poll(async () => (await faults()).rules).toEqual([])
  const { stripe_intent_id: id } = await stack.db
    .selectFrom('payment_intents')
    .select('stripe_intent_id')
    .where('session_id', '=', sessionId)
    .where('product_id', '=', productId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const reply = await fetch(`${stack.stripeUrl}/v1/payment_intents/${id}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.secrets.stripeSecretKey}` },
  })
  if (!reply.ok) throw new Error(`cancel ${id}: ${await reply.text()}`)
}

/** The sandbox's control API (stand-ins/stripe/README.md). */
export async function sandbox(stack: Stack, method: string, path: string, body?: object): Promise<void> {
  const reply = await fetch(`${stack.stripeUrl}/_sandbox/${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`sandbox ${path}: ${await reply.text()}`)
}

/** A session's charges for add-ons, not counting refunds: [how many, cents]. */
export async function chargedFor(stack: Stack, sessionId: string): Promise<[number, number]> {
  const rows = await stack.db
    .selectFrom('payment_facts as f')
    .innerJoin('payments as p', 'p.payment_intent_id', 'f.payment_intent_id')
    .select('f.amount_cents')
    .where('f.session_id', '=', sessionId)
    .where('f.kind', '=', 'succeeded')
    .where('p.is_upsell', '=', true)
    .execute()
  return [rows.length, rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)]
}

/** The live grants of add-ons. */
export async function owns(stack: Stack, sessionId: string): Promise<string[]> {
  const rows = await stack.db
    .selectFrom('product_access_grants')
    .select('product_id')
    .where('session_id', '=', sessionId)
    .where('granted_via', '=', 'upsell')
    .where('revoked_at', 'is', null)
    .orderBy('product_id')
    .execute()
  return rows.map(({ product_id }) => product_id)
}
