/** OPERATOR_URL: the operator pages on a separate host, away from what runs on the public pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../payments-service/config.ts'
import { enrol, OPERATOR_PASSWORD } from './operators.ts'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { Browser, environment, type RunningService, startService } from './service.ts'

let service: RunningService
beforeAll(async () => void (service = await startService({ env: { OPERATOR_URL: 'http://localhost' } })))
afterAll(() => service.stop())

const PATHS = ['/operator', '/operator/sign-in', '/operator/style.css', '/operator/sign-in/code', '/upsell-links']

/** The operators' host is this machine under another name. */
function operatorBrowser(): Browser {
  return new Browser(`http://localhost:${new URL(service.url).port}`)
}

test('N-02 with OPERATOR_URL the operator pages are not found on any other host', async () => {
  await createOperator(service.db, 'boss@example.com', OPERATOR_PASSWORD)
  const { browser } = await enrol(operatorBrowser(), 'boss@example.com')
  for (const path of ['/operator', '/operator/funnel', '/upsell-links']) {
    expect([path, (await browser.get(path)).status]).toEqual([path, 200])
  }
  const elsewhere = new Browser(service.url)
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
  for (const path of PATHS) {
    expect([path, (await elsewhere.get(path)).status]).toEqual([path, 404])
    // a header that a script can set does not make it the host
    expect((await elsewhere.get(path, { 'x-forwarded-host': 'localhost' })).status).toBe(404)
  }
  const form = { email: 'boss@example.com', password: OPERATOR_PASSWORD }
  const nowhere = await elsewhere.form('/nowhere', form)
  expect((await elsewhere.form('/operator/sign-in', form)).body.error.code).toBe(nowhere.body.error.code)
  // the visitors' API is where it was
  expect((await elsewhere.get('/api/config')).status).toBe(200)
})

test("N-02 the operators' cookie belongs to that host alone, and links to the shop name the site", async () => {
  await createOperator(service.db, 'links@example.com', OPERATOR_PASSWORD)
  const browser = operatorBrowser()
  const reply = await browser.form('/operator/sign-in', { email: 'links@example.com', password: OPERATOR_PASSWORD })
  const lines = reply.headers.getSetCookie()
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).not.toMatch(/domain=/i)
  const sessionId = await new Browser(service.url).visit()
  const signed = await enrol(browser, 'links@example.com')
  const page = (await signed.browser.get(`/upsell-links/${sessionId}`)).body as string
  expect(page).toContain(`href="${service.config.siteUrl}/multi-upsell/${sessionId}?upsell=1"`)
})

test('OPERATOR_URL names another host than SITE_URL, in earnest by https', () => {
  const start = (change: Record<string, string>) => () => readConfig(environment(change))
  expect(start({ OPERATOR_URL: 'http://127.0.0.1:9999' })).toThrow('OPERATOR_URL has to name another host')
  expect(start({ OPERATOR_URL: 'operators' })).toThrow('OPERATOR_URL is not right')
  const earnest = { EMBEDDED: '0', SITE_URL: 'https://eyes.example', OPERATOR_URL: 'http://operators.eyes.example' }
  expect(start(earnest)).toThrow('OPERATOR_URL has to be https')
  expect(readConfig(environment()).operatorUrl).toBeNull()
})
