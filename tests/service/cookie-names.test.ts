/** The names of cookies: over https neither another host of the domain nor a page without TLS can plant one of ours. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { twice } from './membership.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { enrol, OPERATOR_PASSWORD, typePassword } from './operators.ts'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { Browser, type Reply } from './service.ts'

const linesOf = (replies: readonly Reply[]) => replies.flatMap(({ headers }) => headers.getSetCookie())

/** Every cookie of a buyer who signs up, out and in, and of an operator, as the service sets them. */
async function cookiesOf(funnel: Funnel): Promise<{ lines: string[]; member: Browser; operator: Browser }> {
  const member = new Browser(funnel.url)
  const visited = await member.post('/api/sessions', { clientKey: crypto.randomUUID() })
  const buyer = await funnel.buyer()
  await buyer.pay()
  const made = await buyer.browser.post(buyer.path('/account'), twice)
  const { email } = (await buyer.browser.get('/api/account')).body
  const left = await buyer.browser.post('/api/account/sign-out')
  const back = await member.post('/api/account/sign-in', { email, password: twice.password })
  await createOperator(funnel.db, 'names@example.com', OPERATOR_PASSWORD)
  const { browser: operator } = await enrol(new Browser(funnel.url), 'names@example.com')
  const half = await typePassword(new Browser(funnel.url), 'names@example.com')
  const lines = linesOf([visited, made, left, back, half])
  expect([visited, made, left, back, half].map(({ headers }) => headers.getSetCookie().length > 0)).not.toContain(false)
  return { lines, member, operator }
}

describe.each([
  ['https://shop.example', true],
  ['http://127.0.0.1:4321', false],
] as const)('a site at %s', (SITE_URL, https) => {
  let funnel: Funnel
  beforeAll(async () => void (funnel = await startFunnel({ env: { SITE_URL } })))
  afterAll(() => funnel.stop())

  test(`V3.3.1 V3.3.3 N-02 its cookies ${https ? 'are bound to it by name' : 'are taken over http'}`, async () => {
    const { lines, member, operator } = await cookiesOf(funnel)
    const accounts = lines.filter((line) => /funnel-(account|operator|known)/.test(line))
    expect(new Set(accounts.map((line) => /funnel-(\w+)/.exec(line)?.[1]))).toEqual(
      new Set(['account', 'operator', 'known']),
    )
    for (const line of lines) {
      expect(line.startsWith('__Host-'), line).toBe(https)
      expect(/; Secure(;|$)/i.test(line), line).toBe(https)
      expect([/; Path=\/(;|$)/i.test(line), /; HttpOnly/i.test(line), /; Domain=/i.test(line)], line).toEqual([
        true,
        true,
        false,
      ])
    }
    expect((await member.get('/api/account')).status).toBe(200)
    expect((await operator.get('/operator')).status).toBe(200)
  })
})
