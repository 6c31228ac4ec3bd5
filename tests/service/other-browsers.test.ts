/** D-01: other holders of a visit's token lose it once the visit belongs to someone: by address, payment or account. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderOf } from '../support/order.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { mailedResumeCode } from './mails.ts'
import { Browser, eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => {
  funnel = await startFunnel()
})
afterAll(() => funnel.stop())

const PASSWORDS = { password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' }

/** Makes everything older than the minutes in which an earlier token still serves requests in flight. */
const later = (sessionId: string) =>
  sql`update session_access set created_at = created_at - interval '10 minutes', last_used_at = last_used_at - interval
    '10 minutes',
    expires_at = expires_at - interval '10 minutes' where session_id = ${sessionId}`.execute(funnel.db)

/** A second browser with its own token, such as an accomplice gets from a hand-over code. */
async function second(buyer: Buyer): Promise<Browser> {
  const other = new Browser(funnel.url)
  const { body } = await buyer.browser.post(buyer.path('/handover'))
  const opened = await other.post('/api/session-links', { code: body.code })
  expect(opened.status).toBe(200)
  return other
}

/** A browser admitted by a mailed link. */
async function byMail(buyer: Buyer): Promise<Browser> {
  const code = await mailedResumeCode(funnel.db, buyer)
  const other = new Browser(funnel.url)
  const opened = await other.post('/api/session-links', { code })
  expect([opened.status, opened.body.askEmail]).toEqual([200, false])
  return other
}

/** The visit of an attacker who keeps one token for himself and hands the other to a victim. */
async function fixed(): Promise<{ attacker: Browser; victim: Browser; path: Buyer['path'] }> {
  const made = await funnel.buyer(`bait-${crypto.randomUUID().slice(0, 8)}@example.com`)
  const attacker = await byMail(made)
  const victim = await second(made)
  await later(made.sessionId)
  return { attacker, victim, path: made.path }
}

test('C-17 D-01 whoever takes over a visit with an address types it anew, and only then is alone in it', async () => {
  const email = `own-${crypto.randomUUID().slice(0, 8)}@example.com`
  const made = await funnel.buyer(email)
  const attacker = await byMail(made)
  const { body } = await made.browser.post(made.path('/handover'))
  const victim = new Browser(funnel.url)
  expect((await victim.post('/api/session-links', { code: body.code })).body.askEmail).toBe(true)
  expect((await victim.put(made.path('/email'), { email })).status).toBe(200)
  expect((await attacker.get(made.path('/answers'))).status).toBe(403)
  expect((await victim.get(made.path('/answers'))).status).toBe(200)
})

test('D-01 N-02 an address typed into a visit ends every other token of it, the one in hand goes on', async () => {
  const { attacker, victim, path } = await fixed()
  expect((await attacker.get(path('/answers'))).status).toBe(200)
  expect((await victim.put(path('/email'), { email: 'victim@example.com' })).status).toBe(200)
  expect((await attacker.get(path('/answers'))).status).toBe(403)
  expect((await attacker.post(path('/account'), PASSWORDS)).status).toBe(403)
  expect((await victim.get(path('/answers'))).status).toBe(200)
})

test('D-01 P-01 the address of the card form does the same', async () => {
  const { attacker, victim, path } = await fixed()
  expect((await victim.post(path('/customer'), { email: 'card-form@example.com', name: 'Ann' })).status).toBe(200)
  expect((await attacker.get(path('/answers'))).status).toBe(403)
  expect((await victim.get(path('/answers'))).status).toBe(200)
})

test('D-01 U-08 a payment ends every other token: nobody else charges the card that was saved', async () => {
  const { attacker, victim, path } = await fixed()
  const opened = await victim.post(path('/payments/initial'), orderOf('trial_1', { paymentMethodType: 'card' }))
  await funnel.confirm(opened.body)
  const { paymentIntentId } = opened.body
  const settled = await victim.post(path('/payments/finalize'), { paymentIntentId })
  expect([opened.status, settled.status, settled.body.error]).toEqual([200, 200, undefined])
  const order = orderOf('bundle')
  expect((await attacker.post(path('/upsells'), order)).status).toBe(403)
  expect((await victim.get(path('/purchases'))).status).toBe(200)
})

test('D-01 A-02 a sign-up ends every other token', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  const other = await byMail(buyer)
  await later(buyer.sessionId)
  expect((await other.get(buyer.path(''))).status).toBe(200)
  expect((await buyer.browser.post(buyer.path('/account'), PASSWORDS)).status).toBe(200)
  expect((await other.get(buyer.path(''))).status).toBe(403)
  expect((await buyer.browser.get(buyer.path(''))).status).toBe(200)
})

test('D-01 two tabs that settle one payment at once both stay in, whichever reply the browser keeps', async () => {
  const buyer = await funnel.buyer()
  await later(buyer.sessionId)
  const opened = await buyer.open()
  await funnel.confirm(opened.body)
  const tabs = [0, 1].map(() => {
    const tab = new Browser(funnel.url)
    for (const [name, value] of buyer.browser.cookies) tab.cookies.set(name, value)
    return tab
  })
  const { paymentIntentId } = opened.body
  await Promise.all(tabs.map((tab) => tab.post(buyer.path('/payments/finalize'), { paymentIntentId })))
  for (const tab of tabs) expect((await tab.get(buyer.path(''))).status).toBe(200)
})

test('D-01 of many changes only the first token and those that may still be in use are kept', async () => {
  const buyer = await funnel.buyer()
  const { path, sessionId } = buyer
  const change = (browser: Browser, n: number) => browser.put(path('/email'), { email: `change-${n}@example.com` })
  const tokens = () =>
    funnel.db.selectFrom('session_access').select('kind').where('session_id', '=', sessionId).execute()
  for (let n = 0; n < 6; n++) {
    await later(sessionId)
    expect((await change(buyer.browser, n)).status).toBe(200)
  }
  // the first, the one in hand, the one before it, and one that ended meanwhile
  expect((await tokens()).length).toBeLessThanOrEqual(4)
  // a browser that shows the same token each time, as if no reply had come
  const [name] = [...buyer.browser.cookies.keys()].filter((cookie) => cookie.includes('funnel.'))
  const held = buyer.browser.cookies.get(name!)!
  for (let n = 6; n < 12; n++) {
    buyer.browser.cookies.set(name!, held)
    await later(sessionId)
    expect((await change(buyer.browser, n)).status).toBe(200)
  }
  expect((await tokens()).length).toBeLessThanOrEqual(6)
  expect((await buyer.browser.get(path(''))).status).toBe(200)
})

test('P-07 N-02 the return of a card that settled in its own browser opens nothing elsewhere', async () => {
  const buyer = await funnel.buyer()
  const opened = await buyer.open()
  await funnel.confirm(opened.body)
  await buyer.finalize(opened.body.paymentIntentId)
  const elsewhere = new Browser(funnel.url)
  const claimed = await elsewhere.post('/api/payment-returns', { clientSecret: opened.body.clientSecret })
  expect([claimed.status, claimed.body.error?.code]).toEqual([410, 'link_expired'])
  expect((await elsewhere.get(buyer.path('/answers'))).status).toBe(401)
})

test('P-07 a return and the settling of its payment never wait for each other in a circle', async () => {
  const buyer = await funnel.buyer()
  const { body } = await buyer.open('trial_1', 'paypal')
  expect((await funnel.paypal(body)).status).toBe(200)
  // by its webhook; this browser never came back
  await eventually(
    () => funnel.db.selectFrom('payments').select('id').where('session_id', '=', buyer.sessionId).execute(),
    (payments) => payments.length === 1,
  )
  const claimed = await funnel.db.transaction().execute(async (tx) => {
    // the lock order of settling: first the visit, then the intent
    await tx.selectFrom('sessions').select('id').where('id', '=', buyer.sessionId).forUpdate().execute()
    const claiming = new Browser(funnel.url).post('/api/payment-returns', { clientSecret: body.clientSecret })
    await eventually(
      async () =>
        (
          await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(funnel.db)
        ).rows.length,
      (waiting) => waiting > 0,
    )
    await tx
      .updateTable('payment_intents')
      .set({ status: 'succeeded' })
      .where('stripe_intent_id', '=', body.paymentIntentId)
      .execute()
    return { claiming }
  })
  expect((await claimed.claiming).status).toBe(200)
})

test('P-07 a return by PayPal opens its visit within the hour after the payment, later it does not', async () => {
  const paid = async () => {
    const buyer = await funnel.buyer()
    const { body } = await buyer.open('trial_1', 'paypal')
    expect((await funnel.paypal(body)).status).toBe(200)
    return { buyer, clientSecret: body.clientSecret as string, intentId: body.paymentIntentId as string }
  }
  const now = await paid()
  const phone = new Browser(funnel.url)
  expect((await phone.post('/api/payment-returns', { clientSecret: now.clientSecret })).status).toBe(200)
  const old = await paid()
  await old.buyer.finalize(old.intentId)
  const settled = await paid()
  await expect
    .poll(() =>
      funnel.db.selectFrom('payments').select('id').where('payment_intent_id', '=', settled.intentId).execute(),
    )
    .toHaveLength(1)
  await sql`update payments set settled_at = settled_at - interval '61 minutes', created_at = created_at - interval
    '61 minutes'
    where payment_intent_id = ${settled.intentId}`.execute(funnel.db)
  const late = new Browser(funnel.url)
  expect((await late.post('/api/payment-returns', { clientSecret: old.clientSecret })).body.error?.code).toBe(
    'link_expired',
  )
  expect((await late.post('/api/payment-returns', { clientSecret: settled.clientSecret })).body.error?.code).toBe(
    'link_expired',
  )
})

test('D-12 N-02 after the payment no address of payments or users changes without a code', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  for (const name of ['/payments/email', '/users/email']) {
    const { status, body } = await buyer.browser.put(buyer.path(name), { email: 'somebody-else@example.com' })
    expect([name, status, body.error?.code]).toEqual([name, 409, 'already_paid'])
  }
  const rows = await funnel.db
    .selectFrom('payments')
    .select('customer_email')
    .where('session_id', '=', buyer.sessionId)
    .execute()
  expect(rows.map(({ customer_email }) => customer_email)).not.toContain('somebody-else@example.com')
})

test('A-01 an address that waits for the settlement of its visit is refused like one that comes after it', async () => {
  const { db } = funnel
  const waiting = () =>
    sql<object>`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      .execute(db)
      .then(({ rows }) => rows.length)
  const email = 'somebody-else@example.com'
  for (const [name, ask, answer] of [
    ['email', (of: Buyer) => of.browser.put(of.path('/email'), { email }), [409, 'already_paid']],
    ['customer', (of: Buyer) => of.browser.post(of.path('/customer'), { email, name: 'Eve' }), [200, undefined]],
  ] as const) {
    const buyer = await funnel.buyer('first-address@example.com')
    let reply: ReturnType<typeof ask> | undefined
    await db.transaction().execute(async (settling) => {
      await sql`update sessions set payment_status = 'paid', paid_at = now() where id = ${buyer.sessionId}`.execute(
        settling,
      )
      reply = ask(buyer)
      await eventually(waiting, (count) => count > 0)
    })
    const { status, body } = await reply!
    expect([name, status, body.error?.code]).toEqual([name, ...answer])
    const kept = db.selectFrom('sessions').select(['email', 'name']).where('id', '=', buyer.sessionId)
    expect(await kept.executeTakeFirst()).toEqual({ email: 'first-address@example.com', name: null })
  }
})
