/** What a member does, as verbs. The purchase goes through the service's API, as the checkout page would do it. */
import { expect, type Page } from '@playwright/test'
import type { ProductId } from '../../contract/catalogue.ts'
import type { Stack } from '../support/stack.ts'
import { orderOf } from '../support/order.ts'
import { newEmail } from './prepared.ts'

export const PASSWORD = 'Better Eyes 1'

/** A phone's user agent: a headless browser says that it is one, and is counted as a bot. */
export const PERSON =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile ' +
  'Safari/537.36'

/** Calls the service from the page, so that the page's cookies are used and set. */
export async function callFrom<T = Record<string, unknown>>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  return page.evaluate(
    async ([how, where, what]) => {
      const reply = await fetch(where, {
        method: how,
        ...(what === undefined ? {} : { body: JSON.stringify(what), headers: { 'content-type': 'application/json' } }),
      })
      const text = await reply.text()
      return { status: reply.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as never }
    },
    [method, path, body] as const,
  )
}

/** Buys in this browser; returns the session's id. The page must be on our site. */
export async function buy(
  page: Page,
  stack: Stack,
  email: string,
  productId: ProductId = 'trial_1',
  known?: string,
): Promise<string> {
  const clientKey = crypto.randomUUID()
  const sessionId =
    known ?? (await callFrom<{ sessionId: string }>(page, 'POST', '/api/sessions', { clientKey })).body.sessionId
  const path = `/api/sessions/${sessionId}`
  await callFrom(page, 'PUT', `${path}/email`, { email })
  const opened = await callFrom<{ paymentIntentId: string; clientSecret: string }>(
    page,
    'POST',
    `${path}/payments/initial`,
    orderOf(productId, { paymentMethodType: 'card' }),
  )
  const confirmed = await fetch(
    `${stack.stripeUrl}/_stripe/v1/payment_intents/${opened.body.paymentIntentId}/confirm`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stack.secrets.stripePublishableKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ client_secret: opened.body.clientSecret, payment_method: 'pm_card_visa' }).toString(),
    },
  )
  expect(confirmed.status).toBe(200)
  const settled = await callFrom(page, 'POST', `${path}/payments/finalize`, {
    paymentIntentId: opened.body.paymentIntentId,
  })
  expect(settled.status).toBe(200)
  await callFrom(page, 'POST', `${path}/upsell/finish`, { reason: 'skipped' })
  return sessionId
}

/** Buys and makes the account; this browser is signed in. */
export async function becomeMember(page: Page, stack: Stack, email: string, known?: string): Promise<string> {
  const sessionId = await buy(page, stack, email, 'trial_1', known)
  const twice = { password: PASSWORD, passwordConfirmation: PASSWORD }
  expect((await callFrom(page, 'POST', `/api/sessions/${sessionId}/account`, twice)).status).toBe(200)
  return sessionId
}

export interface Letter {
  id: string
  subject: string
  links: { href: string; words: string }[]
  text: string
}

/** The newest mail of a kind to an address; waits for it. */
export async function mailTo(stack: Stack, to: string, kind: string): Promise<Letter> {
  const query = new URLSearchParams({ to, kind, wait: '10000' })
  const list = (await (await fetch(`${stack.mailboxUrl}/api/messages?${query}`)).json()) as {
    messages: { id: string }[]
  }
  const id = list.messages[0]?.id
  if (!id) throw new Error(`no ${kind} to ${to}`)
  return (await (await fetch(`${stack.mailboxUrl}/api/messages/${id}`)).json()) as Letter
}

/** The address of the link in a mail whose text matches. */
export function linkIn(letter: Letter, words: RegExp): string {
  const found = letter.links.find((link) => words.test(link.words))
  if (!found)
    throw new Error(`no link ${words} in "${letter.subject}": ${letter.links.map((link) => link.words).join(', ')}`)
  return found.href
}

/** Moves the sandbox's clock. */
export async function passDays(stack: Stack, days: number): Promise<void> {
  const advanced = await fetch(`${stack.stripeUrl}/_sandbox/clock`, {
    method: 'POST',
    body: JSON.stringify({ advance: Math.round(days * 86_400) }),
  })
  expect(advanced.ok).toBe(true)
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The page that makes the account of a new order. */
export async function toSignUp(page: Page, stack: Stack): Promise<void> {
  await page.goto('/payment-error')
  await page.goto(`/user-creation/${await buy(page, stack, newEmail())}`)
}

/** The same, asked for another address. */
export async function toCorrection(page: Page, stack: Stack): Promise<void> {
  await toSignUp(page, stack)
  await page.getByRole('button', { name: 'Wrong email?' }).click()
}

/** The same, asked for the code that was mailed to that address. Returns the code. */
export async function toMailedCode(page: Page, stack: Stack): Promise<string> {
  await toCorrection(page, stack)
  const email = newEmail()
  await page.getByLabel('The right email address').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  return /\b\d{6}\b/.exec((await mailTo(stack, email, 'email_verification_code')).text)?.[0] ?? ''
}
