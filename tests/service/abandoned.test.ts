/** One reminder of an abandoned checkout, only with consent, and one click to unsubscribe. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { remindAbandoned } from '../../payments-service/checkout/abandoned.ts'
import { verifyLink } from '../../payments-service/mail/links.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { orderOf } from '../support/order.ts'

let funnel: Funnel
beforeAll(async () => {
  // the loop of the workers would queue what these tests want to queue themselves
  funnel = await startFunnel({ background: false })
})
afterAll(() => funnel.stop())

const marketing = { wording: 'Send me offers', version: '1', preticked: false }
const PRETICKED = { ...marketing, preticked: true }

/** Submits an order that is not paid, with the box ticked or not. */
async function order(buyer: Buyer, granted: boolean, box = marketing): Promise<void> {
  const opened = await buyer.browser.post(
    buyer.path('/payments/initial'),
    orderOf('trial_9', { paymentMethodType: 'card', marketingConsent: granted, marketing: box }),
  )
  expect(opened.status).toBe(200)
}

/** The visitor was last there `minutes` ago. */
const quiet = ({ sessionId }: Buyer, minutes: number) =>
  sql`update sessions set last_activity_at = now() - make_interval(mins => ${minutes})
    where id = ${sessionId}`.execute(funnel.db)

/** A buyer whose order was submitted and never paid, `hours` ago. */
async function abandoned(granted: boolean, email?: string, hours = 2, box = marketing): Promise<Buyer> {
  const buyer = await funnel.buyer(email)
  await buyer.browser.put(buyer.path('/price'), { selectedPrice: 9 })
  await order(buyer, granted, box)
  await sql`update sessions set conversion_status = 'abandoned', abandoned_at = now() - make_interval(hours => ${hours})
    where id = ${buyer.sessionId}`.execute(funnel.db)
  await quiet(buyer, hours * 60)
  return buyer
}

/** The pending reminder: the mail that would be sent now, or the reason for none; undefined without a reminder. */
const mailOf = async ({ sessionId }: Buyer) =>
  (await waitingMails(funnel.service, 'abandoned_checkout', sessionId)).at(0)

test('D-09 C-11 one reminder an hour later, with the tier, a resume link and one click to stop', async () => {
  const buyer = await abandoned(true, undefined, 0)
  const passed = (minutes: number) =>
    sql`update sessions set abandoned_at = now() - make_interval(mins => ${minutes})
      where id = ${buyer.sessionId}`.execute(funnel.db)
  await quiet(buyer, 88)
  await passed(58)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  await passed(62)
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  const queued = await mailOf(buyer)
  if (typeof queued !== 'object') throw new Error('no reminder was queued')
  const { data } = queued
  expect(data.productId).toBe('trial_9')
  const url = new URL(data.resumeUrl)
  expect(url.pathname).toBe('/redirect')
  const link = verifyLink(url.hash.replace('#resume=', ''), 'resume', funnel.config.tokenSecret)
  expect(link).toMatchObject({ state: 'valid', subject: expect.stringContaining(`${buyer.sessionId} `) })

  // RFC 8058: the mail program posts a form, from anywhere, without a cookie
  const path = new URL(data.unsubscribeUrl).pathname
  const page = await fetch(`${funnel.url}${path}`)
  expect(await page.text()).toContain('<button>Unsubscribe</button>')
  expect(await mailOf(buyer)).toMatchObject({ kind: 'abandoned_checkout' })
  const posted = await fetch(`${funnel.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(posted.status).toBe(200)
  expect(await mailOf(buyer)).toBe('not true any more')
  // a second click, of the mail program or the reader, withdraws nothing more
  await fetch(`${funnel.url}${path}`, { method: 'POST' })
  const choices = await funnel.db
    .selectFrom('consents')
    .select('granted')
    .where('session_id', '=', buyer.sessionId)
    .orderBy('id')
    .execute()
  expect(choices.map(({ granted }) => granted)).toEqual([true, false])
})

test('D-09 C-11 none to who has come back and pays; an hour after they have left again', async () => {
  const buyer = await abandoned(false, undefined, 5)
  // agrees with the order, and is away at PayPal or the bank
  await order(buyer, true)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  await quiet(buyer, 58)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  await quiet(buyer, 62)
  // "Please do not pay again", says the page meanwhile
  const decided = (status: string) =>
    funnel.db.updateTable('payment_intents').set({ status }).where('session_id', '=', buyer.sessionId).execute()
  await decided('processing')
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  await decided('requires_payment_method')
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
})

test('D-09 C-11 no reminder without consent, after a payment, without an address, or days later', async () => {
  const refused = await abandoned(false)
  // what was chosen last holds
  const unticked = await abandoned(true)
  await order(unticked, false)
  await quiet(unticked, 120)
  const late = await abandoned(true, undefined, 72)
  const paid = await abandoned(true)
  await sql`update sessions set payment_status = 'paid', paid_at = now(), conversion_status = 'converted'
    where id = ${paid.sessionId}`.execute(funnel.db)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  for (const buyer of [refused, unticked, late, paid]) expect(await mailOf(buyer)).toBeUndefined()
})

test('D-09 C-11 an address that abandons several visits is written to once, and not after a payment', async () => {
  const email = `twice-${crypto.randomUUID().slice(0, 8)}@example.com`
  const first = await abandoned(true, email)
  const second = await abandoned(true, email.toUpperCase())
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  const third = await abandoned(true, email)
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  const mails = await Promise.all([first, second, third].map(mailOf))
  expect(mails.filter(Boolean)).toHaveLength(1)
  const told = mails[0] ? first : second
  await sql`update sessions set payment_status = 'paid', paid_at = now(), conversion_status = 'converted'
    where id = ${told.sessionId}`.execute(funnel.db)
  expect(await mailOf(told)).toBe('not true any more')
})

test('C-11 P-14 no reminder to who has bought in another visit, before or since', async () => {
  const email = `elsewhere-${crypto.randomUUID().slice(0, 8)}@example.com`
  const left = await abandoned(true, email)
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  await sql`update sessions set created_at = now() - interval '1 hour' where id = ${left.sessionId}`.execute(funnel.db)
  expect(await mailOf(left)).toMatchObject({ kind: 'abandoned_checkout' })
  const other = await funnel.buyer(email.toUpperCase())
  await other.pay('reading_7_days')
  expect(await mailOf(left)).toBe('not true any more')
  // what was bought for once long ago says nothing of this visit; a subscription that runs would be a second one
  await sql`update sessions set paid_at = now() - interval '1 year' where id = ${other.sessionId}`.execute(funnel.db)
  expect(await mailOf(left)).toMatchObject({ kind: 'abandoned_checkout' })
  await other.pay('trial_1')
  await sql`update sessions set paid_at = now() - interval '1 year' where id = ${other.sessionId}`.execute(funnel.db)
  expect(await mailOf(left)).toBe('not true any more')
})

test('C-11 an address that unsubscribed stays so where the box is pre-ticked, until it is ticked by hand', async () => {
  const email = `leaves-${crypto.randomUUID().slice(0, 8)}@example.com`
  const weekLater = (buyer: Buyer) =>
    sql`update outbox set created_at = created_at - interval '8 days'
      where dedupe_key = ${`mail:abandoned_checkout:${buyer.sessionId}`}`.execute(funnel.db)
  const left = await abandoned(true, email, 2, PRETICKED)
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  const queued = await mailOf(left)
  if (typeof queued !== 'object') throw new Error('no reminder was queued')
  // unticked in the order of the same visit, and unsubscribed from the mail that had come before
  await order(left, false, PRETICKED)
  await fetch(`${funnel.url}${new URL(queued.data.unsubscribeUrl).pathname}`, { method: 'POST' })
  await weekLater(left)

  const untouched = await abandoned(true, email.toUpperCase(), 2, PRETICKED)
  // ordered again in the visit that unsubscribed, with the box as it was
  await order(left, true, PRETICKED)
  await quiet(left, 120)
  expect(await mailOf(left)).toBe('not true any more')
  expect(await remindAbandoned(funnel.service.deps)).toBe(0)
  expect(await mailOf(untouched)).toBeUndefined()

  const byHand = await abandoned(true, email)
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  const mails = await Promise.all([untouched, byHand].map(mailOf))
  expect(mails.filter((mail) => typeof mail === 'object')).toHaveLength(1)
})

test('C-11 whoever unsubscribed and ticks a box by hand that was ticked in advance gets offers again', async () => {
  const left = await abandoned(true, undefined, 2, PRETICKED)
  expect(await remindAbandoned(funnel.service.deps)).toBe(1)
  const queued = await mailOf(left)
  if (typeof queued !== 'object') throw new Error('no reminder was queued')
  await fetch(`${funnel.url}${new URL(queued.data.unsubscribeUrl).pathname}`, { method: 'POST' })
  await order(left, true, PRETICKED)
  expect(await mailOf(left)).toBe('not true any more')
  // unticked and ticked on the same page
  await order(left, true)
  expect(await mailOf(left)).toMatchObject({ kind: 'abandoned_checkout' })
})
