/** The operator's part of the journeys: how one signs in, the pages there are, and that each is in sight. */
import type { Browser, Page } from '@playwright/test'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { codeOf } from '../support/authenticator.ts'
import { expect } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { becomeMember, callFrom, PERSON } from './members.ts'

export const PASSWORD = 'A Long Pass Phrase 1'

/** Each page's link and its heading. */
export const PAGES = [
  ['Sessions', 'Sessions'],
  ['Funnel', 'Funnel'],
  ['Steps', 'Steps of the quiz'],
  ['Outgoing', 'Outgoing'],
  ['Errors', 'Errors'],
  ['Money back', 'Money back'],
  ['Leaving', 'Leaving'],
  ['Duties', 'Duties'],
  ['Upsell links', 'Upsell links'],
  ['Privacy', 'Privacy'],
  ['Health', 'Health'],
  ['Trail', 'Trail'],
  ['Passkeys', 'Passkeys'],
] as const

/** The first sign-in of a new operator, who sets up an authenticator app. Resolves to its secret. */
export async function signedIn(
  page: Page,
  stack: Stack,
  email: string,
  look = () => Promise.resolve(),
): Promise<string> {
  await createOperator(stack.db, email, PASSWORD)
  await typePassword(page, email)
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible()
  const secret = (await page.locator('.secret').innerText()).replace(/\s/g, '')
  await expect(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  await look()
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(10)
  await look()
  await page.getByRole('link', { name: 'I have kept them: go on' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  return secret
}

export async function typePassword(page: Page, email: string): Promise<void> {
  await page.goto('/operator/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A member in a separate browser, who came from an advertisement. */
export async function member(
  browser: Browser,
  stack: Stack,
  email: string,
): Promise<{ page: Page; sessionId: string }> {
  const context = await browser.newContext({
    baseURL: stack.url,
    userAgent: PERSON,
    extraHTTPHeaders: { 'cf-ipcountry': 'US' },
  })
  const page = await context.newPage()
  await page.goto('/payment-error')
  const made = await callFrom<{ sessionId: string }>(page, 'POST', '/api/sessions', {
    clientKey: crypto.randomUUID(),
    attribution: { last: { utm_source: 'newsletter' } },
  })
  const sessionId = await becomeMember(page, stack, email, made.body.sessionId)
  return { page, sessionId }
}

/** With SHOTS=<folder>: pictures of the page at the four widths. */
export async function shots(page: Page, name: string): Promise<void> {
  if (!process.env['SHOTS']) return
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${width}.png`, fullPage: true })
  }
}

/** Nothing extends beyond the screen but figures, which are compared in a table that scrolls by itself. */
export async function fitsScreen(page: Page): Promise<void> {
  const where = `${new URL(page.url()).pathname} at ${page.viewportSize()?.width} px`
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(beyond, where).toBeLessThanOrEqual(0)
  const outOfSight = await page
    .locator('main :is(td, button, input, select, a):not(.chart *)')
    .evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent),
    )
  expect(outOfSight, `out of sight on ${where}`).toEqual([])
}
