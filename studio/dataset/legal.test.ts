/** What the sample's legal pages promise agrees with what the service does. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const [, ...texts] = readFileSync(`${import.meta.dirname}/legal.ndjson`, 'utf8').split('"slug":"')
const page = (slug: string): string => texts.find((text) => text.startsWith(`${slug}"`)) ?? ''

test('H-01 the terms: a new price is announced and not asked for, and paying what is owed opens again', () => {
  const terms = page('subscription-terms')
  // payments-service/subscriptions/planned-price.ts
  expect(terms).toContain('at least {priceNoticeDays} days before the first charge of it')
  expect(terms).not.toMatch(/only if you agree|without your consent/)
  expect(page('terms-and-conditions')).not.toContain('without your consent')
  // payments-service/stripe/subscription-status.ts, `unpaid`
  expect(terms).toMatch(/If no payment succeeds, the programme closes[^"]*pay what is open, it opens again/)
})

test('A-07 the terms of the guarantee send to the page by the name that it has', () => {
  expect(page('money-back-guarantee')).toContain('choose Money-back guarantee.')
  const view = readFileSync(`${import.meta.dirname}/../../src/members/Subscription.tsx`, 'utf8')
  expect(view).toContain('<a href="/app/money-back">Money-back guarantee</a>')
})
