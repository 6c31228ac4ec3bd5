/** P-02 P-05: card testing on the monthly product, whose intent belongs to an invoice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ env: { LIMIT_FACTOR: '1' } })))
afterAll(() => funnel.stop())

test('P-02 P-05 after ten declines the invoice is void, where Stripe will not cancel its intent alone', async () => {
  const robot = await funnel.buyer()
  robot.browser.headers = { ...robot.browser.headers, 'x-forwarded-for': '203.0.113.9' }
  const { body } = await robot.open('monthly')
  // an invoice's intent ends with its invoice
  await funnel.control('POST', 'faults', {
    mode: '400',
    method: 'POST',
    path: `/v1/payment_intents/${body.paymentIntentId}/cancel`,
    times: 100,
  })
  for (let tried = 0; tried < 12; tried++) await funnel.confirm(body, 'pm_card_visa_chargeDeclined')
  const ended = await eventually(
    () => funnel.dashboard('GET', `/v1/payment_intents/${body.paymentIntentId}`),
    ({ status }) => status === 'canceled',
  )
  expect((await funnel.confirm(body)).status).toBe(400)
  const { data: subscriptions } = await funnel.dashboard('GET', '/v1/subscriptions', {
    customer: ended.customer,
    status: 'all',
  })
  const { data: invoices } = await funnel.dashboard('GET', '/v1/invoices', { customer: ended.customer })
  expect(subscriptions.map(({ status }: { status: string }) => status)).toEqual([
    expect.stringMatching(/^(canceled|incomplete_expired)$/),
  ])
  expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['void'])
  const row = await funnel.db
    .selectFrom('payment_intents')
    .select(['status', 'closed_at'])
    .where('session_id', '=', robot.sessionId)
    .executeTakeFirstOrThrow()
  expect([row.status, row.closed_at !== null]).toEqual(['canceled', true])
  expect((await robot.open('monthly')).status).toBe(429)
})
