/** What NODE_ENV=production asks for beyond a start: a buyer must never pay for what cannot be opened or confirmed. */
import { expect, test } from 'vitest'
import { problemsOf } from './config.fixture.ts'

const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db.example/funnel',
  SITE_URL: 'https://example.com/',
  TOKEN_SECRET: 'x'.repeat(32),
  TRUST_PROXY: '1',
  STRIPE_SECRET_KEY: 'sk_test_12345678',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  SANITY_PROJECT_ID: 'abcd1234',
  SANITY_READ_TOKEN: 'sanity-token',
  SMTP_URL: 'smtps://mail.example',
}
const without = (...names: string[]): readonly string[] =>
  problemsOf(Object.fromEntries(Object.entries(good).filter(([name]) => !names.includes(name))))

test('D-11 production takes neither an unreadable programme nor mails that wait for ever', () => {
  expect(without()).toEqual([])
  expect(without('SANITY_PROJECT_ID')).toEqual([expect.stringMatching(/^SANITY_PROJECT_ID is missing/)])
  expect(without('SANITY_READ_TOKEN')).toEqual([expect.stringMatching(/^SANITY_READ_TOKEN is missing/)])
  expect(without('SMTP_URL')).toEqual([expect.stringMatching(/^SMTP_URL is missing/)])
  expect(without('TRUST_PROXY', 'SMTP_URL', 'SANITY_READ_TOKEN')).toHaveLength(3)
})

test('D-11 elsewhere a service starts without content and mail', () => {
  expect(without('NODE_ENV', 'SANITY_PROJECT_ID', 'SANITY_READ_TOKEN', 'SMTP_URL')).toEqual([])
})
