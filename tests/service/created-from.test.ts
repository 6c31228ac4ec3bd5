/** what the metadata of a sign-up records about its origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createdFrom } from '../../payments-service/accounts/accounts.ts'
import { startFunnel } from './funnel.ts'

test('A-02 created_from is the product’s name as one word, then _quiz', () => {
  expect(createdFrom('Brightgaze')).toBe('brightgaze_quiz')
  expect(createdFrom('  Clear Eyes – 2nd edition! ')).toBe('clear_eyes_2nd_edition_quiz')
  expect(createdFrom('Œil Clair 目')).toBe('œil_clair_目_quiz')
  expect(createdFrom('***')).toBe('product_quiz')
})

test('A-02 an account is kept with the name that the editors gave the product', async () => {
  const settings = {
    productName: 'Clear Eyes',
    company: { name: 'Eyes Ltd', address: 'Street 1', country: 'US' },
    contactEmail: 'help@eyes.test',
  }
  const lake = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ms: 1, query: '', result: settings }))
  })
  await new Promise<void>((listening) => void lake.listen(0, '127.0.0.1', listening))
  const funnel = await startFunnel({
    background: false,
    env: {
      SANITY_API_HOST: `http://127.0.0.1:${(lake.address() as AddressInfo).port}`,
      SANITY_PROJECT_ID: 'local0001',
      SANITY_READ_TOKEN: 'token-for-tests-only',
    },
  })
  try {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const password = 'Tulip boat 7'
    const made = await buyer.browser.post(buyer.path('/account'), { password, passwordConfirmation: password })
    expect(made.status).toBe(200)
    const user = await funnel.db
      .selectFrom('auth_user')
      .select(['quiz_session_id', 'created_from'])
      .where('id', '=', made.body.userId)
      .executeTakeFirstOrThrow()
    expect(user).toEqual({ quiz_session_id: buyer.sessionId, created_from: 'clear_eyes_quiz' })
  } finally {
    await funnel.stop()
    lake.close()
  }
})
