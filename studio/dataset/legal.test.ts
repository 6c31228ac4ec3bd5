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

test('T-02 the privacy page names everything that Meta is sent about a person, and each event', () => {
  const source = (path: string) => readFileSync(`${import.meta.dirname}/../../payments-service/${path}`, 'utf8')
  const fields = /\n {2}user_data: \{\n([^}]*)\}/.exec(source('tracking/conversion-event.ts'))?.[1] ?? ''
  const names = /ConversionName = (.*)/.exec(source('jobs/kinds.ts'))?.[1] ?? ''
  const words: Record<string, string> = {
    em: 'e-mail address',
    fn: 'first name',
    ln: 'last name',
    ct: 'city',
    country: 'country',
    client_user_agent: 'browser',
    fbc: 'click on its ad',
    fbp: 'its cookie',
    Lead: 'address given',
    InitiateCheckout: 'checkout opened',
    Purchase: 'purchase',
    Subscribe: 'subscription begun',
    Contact: 'contact link followed',
  }
  const sent = [...fields.matchAll(/(\w+)\?:/g), ...names.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '')
  expect(sent.toSorted()).toEqual(Object.keys(words).toSorted())
  const told = /Meta receives[^"]*/.exec(page('privacy'))?.[0] ?? ''
  for (const word of Object.values(words)) expect(told).toContain(word)
})
