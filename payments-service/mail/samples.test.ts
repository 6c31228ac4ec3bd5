import { expect, test } from 'vitest'
import { LINK_PURPOSES } from './links.ts'
import { mailLink, type MailLink } from './mailed-links.ts'
import { SAMPLE_IDENTITY, SAMPLES } from './samples.ts'

const facts = { subject: crypto.randomUUID(), to: 'ada@example.org' }
const secrets = { siteUrl: SAMPLE_IDENTITY.siteUrl ?? '', tokenSecret: 'a-secret-of-at-least-32-characters-for-tests' }
/** An address without its token: everything before the last `#`, `=` or `/`. */
const before = (url: string) => url.slice(0, Math.max(...['#', '=', '/'].map((mark) => url.lastIndexOf(mark))) + 1)

const LINKS: Record<string, MailLink> = {
  cancelUrl: 'cancel',
  withdrawUrl: 'withdraw',
  accountUrl: 'create_account',
  invoiceUrl: 'invoice',
  updateUrl: 'update_payment',
  resumeUrl: 'resume',
  unsubscribeUrl: 'unsubscribe',
  takeBackUrl: 'undo_exit',
}

test('H-04 the links of the sample mails are those that the product sends, with their tokens in the fragment', () => {
  const found = Object.entries(SAMPLES).flatMap(([sample, { data }]) =>
    [...JSON.stringify(data).matchAll(/"(\w+Url)":"([^"]+)"/g)].map(([, name = '', url = '']) => ({
      sample,
      name,
      url,
    })),
  )
  expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThan(8)
  for (const { sample, name, url } of found) {
    const of = LINKS[name] ?? (name === 'undoUrl' && (sample.startsWith('cancel') ? 'undo_cancel' : 'undo_add_on'))
    if (of) expect(before(url), `${sample}: ${name}`).toBe(before(mailLink(secrets, of, facts)))
    else expect(url, `${sample}: ${name}`).not.toMatch(/\/(cancel|undo|keep|withdraw|invoice|resume|reset|sign-in)\/./)
  }
  expect(LINK_PURPOSES.length).toBeGreaterThan(Object.keys(LINKS).length)
})
