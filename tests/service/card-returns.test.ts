/** P-07: a card is confirmed on our page, so its client secret opens the visit in no other browser, settled or not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser, eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

test('P-07 N-02 the secret of a card payment that its webhook settled opens nothing in another browser', async () => {
  const buyer = await funnel.buyer()
  const { body } = await buyer.open()
  await funnel.confirm(body)
  await eventually(
    () => funnel.db.selectFrom('payments').select('id').where('session_id', '=', buyer.sessionId).execute(),
    (payments) => payments.length === 1,
  )
  const elsewhere = new Browser(funnel.url)
  const claimed = await elsewhere.post('/api/payment-returns', { clientSecret: body.clientSecret })
  expect([claimed.status, claimed.body.error?.code]).toEqual([410, 'link_expired'])
  expect((await elsewhere.get(buyer.path('/answers'))).status).toBe(401)
  // the buyer's own browser can go on
  expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
})

test('P-02 cards that come from one line of IPv6 are counted together, those of its neighbour apart', async () => {
  const opened = async (address: string) => {
    const buyer = await funnel.buyer()
    buyer.browser.headers = { ...buyer.browser.headers, 'x-forwarded-for': address }
    expect((await buyer.open()).status).toBe(200)
    const row = funnel.db.selectFrom('payment_intents').select('opened_from').where('session_id', '=', buyer.sessionId)
    return (await row.executeTakeFirstOrThrow()).opened_from
  }
  const [one, other, neighbour] = [
    await opened('2001:db8:9:1::1'),
    await opened('2001:db8:9:1:ffff:1:2:3'),
    await opened('2001:db8:9:2::1'),
  ]
  expect(one).not.toBeNull()
  expect(other).toBe(one)
  expect(neighbour).not.toBe(one)
})
