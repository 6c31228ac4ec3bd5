/** Operators sign in with a password and a code from an authenticator app; ten recovery codes cover a lost phone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator, setOperatorPassword } from '../../payments-service/operator/accounts.ts'
import { codeIn, codeOf } from '../support/authenticator.ts'
import { Browser, type RunningService, startService } from './service.ts'
import {
  enrol,
  formTokenOf,
  halfAMinuteLater,
  OPERATOR_PASSWORD,
  recoveryCodesOf,
  secretOf,
  signedOperator,
  typePassword,
} from './operators.ts'

let service: RunningService
beforeAll(async () => void (service = await startService()))
afterAll(() => service.stop())

const fresh = () => new Browser(service.url)
const statusOf = async (browser: Browser) => (await browser.get('/operator')).status
const typeCode = (browser: Browser, code: string) => browser.form('/operator/sign-in/code', { code })
/** A code that the app does not show, now or within a minute. */
const wrongFor = (secret: string): string => {
  const near = [-1, 0, 1, 2].map((step) => codeIn(secret, step))
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? ''
}

test('N-02 a password alone opens no operator page: the first sign-in sets up an authenticator app', async () => {
  const email = 'first@example.com'
  await createOperator(service.db, email, OPERATOR_PASSWORD)
  const browser = fresh()
  const typed = await typePassword(browser, email)
  expect(await statusOf(browser)).toBe(404)
  expect([typed.status, typed.headers.get('location')]).toEqual([303, '/operator/second-factor'])

  const page = await browser.get('/operator/second-factor')
  const secret = secretOf(page.body as string)
  expect(secret).toMatch(/^[A-Z2-7]{52}$/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.body).toContain('autocomplete="one-time-code"')
  expect(page.body).not.toMatch(/<script|style=|\son\w+=/)

  const confirm = (code: string, of = browser) =>
    of.form('/operator/second-factor', { form_token: formTokenOf(page.body as string), code })
  const refused = await confirm(wrongFor(secret))
  expect([refused.status, secretOf(refused.body as string)]).toEqual([401, secret])
  expect(refused.body).toMatch(/id="code"[^>]*aria-invalid="true" aria-describedby="code-trouble"/)
  expect((await confirm(codeOf(secret), fresh())).status).toBe(404)
  expect(await statusOf(browser)).toBe(404)

  const done = await confirm(codeOf(secret))
  const recoveryCodes = recoveryCodesOf(done.body as string)
  expect([done.status, new Set(recoveryCodes).size]).toEqual([200, 10])
  expect(await statusOf(browser)).toBe(200)
  expect((await browser.get('/operator/second-factor')).status).toBe(404)
  const row = JSON.stringify(await service.db.selectFrom('operator_second_factor').selectAll().execute())
  for (const text of [secret, ...recoveryCodes]) expect(row).not.toContain(text)

  // from then on a code is asked for
  const later = fresh()
  const again = await typePassword(later, email)
  expect([again.status, again.headers.get('location')]).toEqual([303, '/operator/sign-in/code'])
  expect(await statusOf(later)).toBe(404)
  expect((await later.get('/operator/second-factor')).status).toBe(404)
  const wrong = await typeCode(later, wrongFor(secret))
  expect(wrong.status).toBe(401)
  expect(wrong.body).toContain('This code is not right')
  const next = codeIn(secret, 1)
  const right = await typeCode(later, ` ${next.slice(0, 3)} ${next.slice(3)} `)
  expect([right.status, right.headers.get('location')]).toEqual([303, '/operator'])
  expect(await statusOf(later)).toBe(200)
  // a code without a password first is worthless
  expect((await typeCode(fresh(), codeOf(secret))).status).toBe(401)
})

test('N-02 who knows only the password is out once another sign-in sets up the app, and after it', async () => {
  const email = 'two.half@example.com'
  await createOperator(service.db, email, OPERATOR_PASSWORD)
  const first = fresh()
  await typePassword(first, email)
  const enrolment = async (browser: Browser) => (await browser.get('/operator/second-factor')).status
  expect(await enrolment(first)).toBe(200)
  const begun = await service.db
    .selectFrom('operator_session')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute()

  const second = fresh()
  await typePassword(second, email)
  expect([await enrolment(first), await statusOf(first), await enrolment(second)]).toEqual([404, 404, 200])
  // as if both had been begun at the same moment
  await service.db.insertInto('operator_session').values(begun).execute()
  const page = (await second.get('/operator/second-factor')).body as string
  const code = codeOf(secretOf(page))
  expect((await second.form('/operator/second-factor', { form_token: formTokenOf(page), code })).status).toBe(200)
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
})

test('N-02 a recovery code takes the place of the app once', async () => {
  const { email, recoveryCodes } = await signedOperator(service, 'no.phone@example.com')
  const signInWith = async (code: string) => {
    const browser = fresh()
    await typePassword(browser, email)
    return [(await typeCode(browser, code)).status, await statusOf(browser)]
  }
  const [first = '', second = ''] = recoveryCodes
  expect(await signInWith(first)).toEqual([303, 200])
  expect(await signInWith(first)).toEqual([401, 404])
  expect(await signInWith(second)).toEqual([303, 200])
  expect(await signInWith('aaaaa-aaaaa')).toEqual([401, 404])
})

test('N-02 five wrong codes end a sign-in; ten in a row shut the account, for the right code too', async () => {
  const { email, secret } = await signedOperator(service, 'guessed@example.com')
  const guesses = async (count: number, browser: Browser) => {
    const statuses = new Set<number>()
    for (let at = 0; at < count; at++) statuses.add((await typeCode(browser, wrongFor(secret))).status)
    return [...statuses]
  }
  const browser = fresh()
  await typePassword(browser, email)
  expect(await guesses(5, browser)).toEqual([401])
  const over = await typeCode(browser, codeIn(secret, 1))
  expect([over.status, await statusOf(browser)]).toEqual([401, 404])
  expect(over.body).toContain('Please begin again')

  const second = fresh()
  await typePassword(second, email)
  await guesses(5, second)
  const third = fresh()
  await typePassword(third, email)
  await halfAMinuteLater(service.db, email)
  const locked = await typeCode(third, codeIn(secret, 1))
  expect([locked.status, await statusOf(third)]).toEqual([429, 404])
  expect(locked.body).toContain('Try again in 15 minutes')
  await service.db.updateTable('operator_second_factor').set({ locked_until: new Date() }).execute()
  expect((await typeCode(third, codeIn(secret, 1))).status).toBe(303)
})

test('N-02 a lost phone: everybody is out, and the next sign-in sets up another app with a new password', async () => {
  const { email, browser, secret } = await signedOperator(service, 'lost.phone@example.com')
  const begun = fresh()
  await typePassword(begun, email)
  await setOperatorPassword(service.db, email, 'Another long phrase 2')
  // a new password alone keeps the app, and ends sign-ins begun with the old one
  expect([await statusOf(browser), (await typeCode(begun, codeIn(secret, 1))).status]).toEqual([404, 401])
  const known = await typePassword(fresh(), email, 'Another long phrase 2')
  expect(known.headers.get('location')).toBe('/operator/sign-in/code')

  await setOperatorPassword(service.db, email, 'Another long phrase 3', { resetSecondFactor: true })
  expect((await typePassword(fresh(), email, 'Another long phrase 2')).status).toBe(401)
  const next = await enrol(fresh(), email, 'Another long phrase 3')
  expect(next.secret).not.toBe(secret)
  expect(await statusOf(next.browser)).toBe(200)
})
