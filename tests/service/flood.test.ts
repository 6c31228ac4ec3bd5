/** A flood of answers that PostgreSQL cannot keep up with leaves connections for other people's payments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'
import { orderOf } from '../support/order.ts'
import { Browser } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

test('Q-10 P-02 while forty browsers wait for their answers to be stored, an order opens at once', async () => {
  const buyer = await funnel.buyer()
  const visitors = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const browser = new Browser(funnel.url)
      return { browser, sessionId: await browser.visit() }
    }),
  )
  const answers = [{ questionId: 'symptoms', answer: '["Dry eyes"]', answeredAt: new Date().toISOString() }]
  const held = funnel.db.transaction().execute(async (tx) => {
    await sql`lock table quiz_answers in exclusive mode`.execute(tx)
    const waiting = visitors.map(({ browser, sessionId }) =>
      browser.post(`/api/sessions/${sessionId}/answers`, { answers }),
    )
    await new Promise((resume) => setTimeout(resume, 500))
    let answered = 0
    for (const each of waiting) void each.then(() => answered++)
    const order = await buyer.browser.post(
      buyer.path('/payments/initial'),
      orderOf('trial_1', { paymentMethodType: 'card' }),
    )
    return { waiting, order, answered }
  })
  const { waiting, order, answered } = await held
  expect(order.status, JSON.stringify(order.body)).toBe(200)
  // if it queued behind all of them, it would be answered after most had given up
  expect(answered).toBeLessThan(visitors.length / 2)
  // and no answer is lost: each is stored now, or refused so that the browser sends it again
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 503)).toEqual([])
  const { stored } = await funnel.db
    .selectFrom('quiz_answers')
    .select((eb) => eb.fn.countAll<number>().as('stored'))
    .executeTakeFirstOrThrow()
  expect(Number(stored)).toBe(statuses.filter((status) => status === 200).length)
})
