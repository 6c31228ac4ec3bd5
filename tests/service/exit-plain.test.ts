/** The page /exit where no script runs, and what its answers reveal to someone who guesses addresses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitWords } from '../../contract/exit.ts'
import { guess, type Guessed } from '../bench/exit-guesses.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ env: { TRUST_PROXY: 'loopback' } })))
afterAll(() => funnel.stop())

let network = 0
function anybody(country = 'US'): Browser {
  const browser = new Browser(funnel.url)
  browser.headers = { ...browser.headers, 'x-forwarded-for': `203.0.113.${++network}`, 'x-country-code': country }
  return browser
}
const FORM = { kind: 'end', name: 'Ada Lovelace', email: 'ada@example.com', reason: '' }
const rowsOf = (email: string) => funnel.db.selectFrom('exit_requests').selectAll().where('email', '=', email).execute()
/** The fields of the form on a page. */
const fieldsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, n, v]) => [n, v]),
  )

test('H-04 without a script: shown again, sent by a second button, received once; the subscription ends', async () => {
  const buyer = await funnel.buyer('plain@example.com')
  await buyer.pay()
  const browser = anybody()
  const shown = await browser.form('/api/exit/form', { ...FORM, email: 'plain@example.com' })
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(shown.body).toMatch(
    /<h1>Cancel the subscription\?<\/h1>[\s\S]*Ada Lovelace[\s\S]*<button lang="en">Cancel now/,
  )
  expect(await rowsOf('plain@example.com')).toEqual([])
  const fields = fieldsOf(shown.body)
  // pressed twice
  const [one, two] = [await browser.form('/api/exit/form', fields), await browser.form('/api/exit/form', fields)]
  expect(one.body).toMatch(/We have received your cancellation[\s\S]*Received on \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  expect(two.body).toBe(one.body)
  await eventually(
    () => rowsOf('plain@example.com'),
    ([row]) => row?.outcome === 'ended',
  )
  expect(await rowsOf('plain@example.com')).toHaveLength(1)
})

test('H-02 without a script a visitor in Germany reads the law’s labels, and says from which contract', async () => {
  const { body } = await anybody('DE').form('/api/exit/form', {
    ...FORM,
    kind: 'withdraw',
    email: 'plain-de@example.com',
  })
  expect(body).toMatch(/<select name="contract">[\s\S]*<option value="everything" selected>[\s\S]*Widerruf bestätigen/)
  const sent = await anybody('DE').form('/api/exit/form', { ...fieldsOf(body), contract: 'guides' })
  expect(sent.body).toContain('We have received your withdrawal')
  expect(await rowsOf('plain-de@example.com')).toMatchObject([{ kind: 'withdraw', contract: 'guides', country: 'DE' }])
})

test('H-02 without a script a visitor in France reads the labels of the code', async () => {
  for (const [kind, label] of [
    ['end', 'Notification de la résiliation'],
    ['withdraw', 'Confirmer la rétractation'],
  ] as const) {
    const { body } = await anybody('FR').form('/api/exit/form', { ...FORM, kind, email: 'plain-fr@example.com' })
    expect(body).toContain(`<button lang="fr">${label}</button>`)
  }
  expect([exitWords('FR').end.open, exitWords('FR').withdraw.open]).toEqual([
    'Résilier votre contrat',
    'Renoncer au contrat ici',
  ])
  // BGB § 356a has no “hier”
  expect(exitWords('RE')).toBe(exitWords('FR'))
  expect(exitWords('DE').withdraw.open).toBe('Vertrag widerrufen')
})

test('H-04 without a script what is missing is named, and nothing that is typed becomes markup', async () => {
  for (const [wrong, words] of [
    [{ name: '' }, /Enter your name/],
    [{ email: 'ada' }, /Enter the email address/],
    [{ kind: '' }, /Choose whether/],
    [{ reason: 'x'.repeat(2_001) }, /at most 2,000/],
  ] as const) {
    const { status, body } = await anybody().form('/api/exit/form', { ...FORM, ...wrong })
    expect([status, words.test(body)], JSON.stringify(wrong)).toEqual([422, true])
  }
  const name = `"><script>alert('1')</script>&`
  const { body } = await anybody().form('/api/exit/form', { ...FORM, name })
  expect(body).not.toContain('<script')
  expect(body).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;')
})

test('H-04 a known and an unknown address get the same answer in the same time', async () => {
  const buyer = await funnel.buyer('guessed@example.com')
  await buyer.pay()
  const found: Guessed = await guess(funnel, { known: ['guessed@example.com'], pairs: 150 })
  expect(found.kinds.known).toEqual([expect.stringMatching(/^200 effectAt,receivedAt \d+$/)])
  expect(found.kinds.unknown).toEqual(found.kinds.known)
  const { known, unknown } = found.medians
  expect(Math.abs(known - unknown)).toBeLessThan(Math.max(2, 0.35 * Math.max(known, unknown)))
})
