/** An authenticator app's code is accepted once (RFC 6238, section 5.2), however often and wherever it is typed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn } from '../support/authenticator.ts'
import { Browser, type RunningService, startService } from './service.ts'
import { halfAMinuteLater, signedOperator, typePassword } from './operators.ts'

let service: RunningService
beforeAll(async () => void (service = await startService()))
afterAll(() => service.stop())

const typeCode = (browser: Browser, code: string) => browser.form('/operator/sign-in/code', { code })
async function begun(email: string): Promise<Browser> {
  const browser = new Browser(service.url)
  await typePassword(browser, email)
  return browser
}
const failures = async (email: string) => {
  const row = await service.db
    .selectFrom('operator_second_factor as f')
    .innerJoin('operator_user as u', 'u.id', 'f.user_id')
    .select('f.failed_verification_count')
    .where('u.email', '=', email)
    .executeTakeFirstOrThrow()
  return row.failed_verification_count
}

test('N-02 V6.5.1 a code that signed somebody in signs nobody in again, and counts as a wrong one', async () => {
  const email = 'overseen@example.com'
  const { secret } = await signedOperator(service, email)
  await halfAMinuteLater(service.db, email)
  const code = codeIn(secret, 0)
  expect((await typeCode(await begun(email), code)).status).toBe(303)

  const thief = await begun(email)
  const again = await typeCode(thief, code)
  expect([again.status, (await thief.get('/operator')).status]).toEqual([401, 404])
  expect(again.body).toContain('This code is not right')
  expect(await failures(email)).toBe(1)
  // five such tries in the same sign-in end it
  for (let at = 1; at < 5; at++) await typeCode(thief, code)
  expect((await typeCode(thief, codeIn(secret, 1))).body).toContain('Please begin again')
})

test('N-02 V6.5.1 the code that ended the set-up signs nobody in; the next one of the app does', async () => {
  const email = 'first.code@example.com'
  const { secret, code } = await signedOperator(service, email)
  const browser = await begun(email)
  expect((await typeCode(browser, code)).status).toBe(401)
  expect((await typeCode(browser, codeIn(secret, 1))).status).toBe(303)
})

test('N-02 V6.5.1 a code that is older than the last one is not taken any more', async () => {
  const email = 'older@example.com'
  const { secret } = await signedOperator(service, email)
  await halfAMinuteLater(service.db, email)
  const [now, next] = [codeIn(secret, 0), codeIn(secret, 1)]
  expect((await typeCode(await begun(email), next)).status).toBe(303)
  expect((await typeCode(await begun(email), now)).status).toBe(401)
})

test('N-02 V6.5.1 of five browsers that send one code at once, one is signed in', async () => {
  const email = 'at.once@example.com'
  const { secret } = await signedOperator(service, email)
  await halfAMinuteLater(service.db, email)
  const browsers = await Promise.all(Array.from({ length: 5 }, () => begun(email)))
  const code = codeIn(secret, 0)
  const statuses = await Promise.all(browsers.map(async (browser) => (await typeCode(browser, code)).status))
  expect(statuses.sort()).toEqual([303, 401, 401, 401, 401])
})
