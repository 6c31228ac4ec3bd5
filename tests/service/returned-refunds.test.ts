/** Refunds made in Stripe's dashboard and returned by the bank, which the service learns of late or in part. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { identityFrom } from '../../payments-service/mail/identity.ts'
import { renderText } from '../../payments-service/mail/render.ts'
import { decideMoneyBack } from '../../payments-service/money-back/decide.ts'
import { askBack, hearSessions } from './asked-back.ts'
import { type Membership, startMembership } from './membership.ts'
import { formTokenOf, signedOperator, type SignedOperator } from './operators.ts'
import { eventually } from './service.ts'

let world: Membership
let boss: SignedOperator
beforeAll(async () => {
  world = await startMembership()
  boss = await signedOperator(world)
})
afterEach(() => world.control('POST', 'webhooks', { mode: 'normal' }))
afterAll(() => world.stop())

const list = async (): Promise<string> => (await boss.browser.get('/operator/money-back')).body as string

/** A buyer of $17.67 and what an operator does with the charge in Stripe's dashboard. */
async function charged(card?: string) {
  const email = `returned-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email, product: 'trial_1767', ...(card ? { card } : {}) })
  const { sessionId } = buyer
  const { payment_intent_id: intent } = await world.db
    .selectFrom('payments')
    .select('payment_intent_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const ask = async () => {
    await hearSessions(world, sessionId)
    return askBack(world, buyer)
  }
  const refunds = async (): Promise<{ id: string; status: string; amount: number }[]> =>
    (await world.dashboard('GET', '/v1/refunds', { payment_intent: intent })).data
  return {
    email,
    intent,
    refunds,
    refund: async (amount: number): Promise<string> =>
      (await world.dashboard('POST', '/v1/refunds', { payment_intent: intent, amount: String(amount) })).id,
    sentBack: (refund: string, reason: string) =>
      world.control('POST', 'refunds/settle', { refund, status: 'failed', reason }),
    /** Asks for all of it back, which an operator grants. */
    granted: async () => {
      const id = await ask()
      await decideMoneyBack(world.service.deps, id, { decision: 'approve' }, 'op')
    },
    offered: async () => (await buyer.browser.get('/api/account')).body.subscriptions[0].moneyBack.amount,
    ask,
    access: async () => {
      const { programme, subscriptions } = (await buyer.browser.get('/api/account')).body
      return { programme: programme as string, state: subscriptions[0]?.state as string }
    },
    story: async () => (await boss.browser.get(`/operator/sessions/${sessionId}`)).body as string,
    request: async () => (await buyer.browser.get('/api/account')).body.subscriptions[0].moneyBack.request,
    owed: () =>
      world.db.selectFrom('owed_refunds').selectAll().where('session_id', '=', sessionId).orderBy('id').execute(),
    letters: async () => (await world.mails(email)).filter(({ kind }) => kind === 'refund_failed'),
    facts: async () =>
      (await world.db.selectFrom('payment_facts').select('kind').where('payment_intent_id', '=', intent).execute()).map(
        ({ kind }) => kind,
      ),
  }
}

/** Sends the newest event of a type that names an object once more, as Stripe does where an answer was lost. */
async function resend(type: string, about: string): Promise<void> {
  const { data } = await world.control('GET', 'objects?kind=event&limit=1000')
  const events = data as { id: string; type: string; data: { object: { id: string } } }[]
  const found = events.find((event) => event.type === type && event.data.object.id === about)
  await world.control('POST', 'webhooks', { mode: 'normal' })
  await world.control('POST', 'webhooks/resend', { event: found?.id })
}

describe('a refund from the dashboard that the bank sent back', () => {
  test('P-10 P-12 of which only “refund.failed” arrives is owed: an operator is asked, the buyer is told', async () => {
    const buyer = await charged()
    await world.control('POST', 'webhooks', { mode: 'lost' })
    const refund = await buyer.refund(500)
    await buyer.sentBack(refund, 'lost_or_stolen_card')
    await resend('refund.failed', refund)
    const [row] = await eventually(buyer.owed, (rows) => rows[0]?.status === 'impossible')
    expect(row).toMatchObject({ cause: 'returned', wanted_cents: 500, back_cents: 0, reason: 'lost_or_stolen_card' })
    expect((await world.mail(buyer.email, 'refund_failed')).data).toMatchObject({ amount: 500, next: 'person' })
    const page = await list()
    expect([page.includes(`action="/operator/refunds/${row?.id}"`), page.includes('lost or stolen')]).toEqual([
      true,
      true,
    ])
    const form = { act: 'again', form_token: formTokenOf(page) }
    expect((await boss.browser.form(`/operator/refunds/${row?.id}`, form)).status).toBe(303)
    await eventually(buyer.owed, (rows) => rows[0]?.status === 'refunded')
    expect((await buyer.refunds()).map(({ status, amount }) => [status, amount])).toEqual([
      ['succeeded', 500],
      ['failed', 500],
    ])
    expect((await world.mail(buyer.email, 'refund')).data).toMatchObject({ amount: 500 })
  })

  test('P-10 P-12 is owed too when “charge.refunded” arrives after it failed, and is tried again', async () => {
    const buyer = await charged()
    await world.control('POST', 'webhooks', { mode: 'lost' })
    const refund = await buyer.refund(1767)
    await buyer.sentBack(refund, 'declined')
    const { charge } = await world.dashboard('GET', `/v1/refunds/${refund}`)
    await resend('charge.refunded', charge)
    const rows = await eventually(buyer.owed, (found) => found[0]?.status === 'refunded')
    expect(rows).toMatchObject([{ cause: 'returned', wanted_cents: 1767, back_cents: 1767 }])
    expect((await buyer.letters()).map(({ data }) => data)).toMatchObject([{ amount: 1767, next: 'again' }])
  })

  test('P-12 while it was still on its way is owed: Stripe had announced it to the buyer', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    const refund = await buyer.refund(600)
    await eventually(buyer.facts, (kinds) => kinds.includes('refund_pending'))
    await buyer.sentBack(refund, 'expired_or_canceled_card')
    const rows = await eventually(buyer.owed, (found) => found[0]?.status === 'impossible')
    expect(rows).toMatchObject([{ cause: 'returned', wanted_cents: 600, reason: 'expired_or_canceled_card' }])
    expect((await world.mail(buyer.email, 'refund_failed')).data).toMatchObject({ amount: 600, next: 'person' })
  })

  test('P-12 and taken back by an operator before it arrived, is their own: nothing is owed or said', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    const refund = await buyer.refund(600)
    await eventually(buyer.facts, (kinds) => kinds.includes('refund_pending'))
    await buyer.sentBack(refund, 'merchant_request')
    await eventually(buyer.facts, (kinds) => kinds.includes('refund_failed'))
    expect([await buyer.owed(), await buyer.letters()]).toEqual([[], []])
    expect(await list()).not.toContain(buyer.email)
  })

  test('P-12 of all of it, taken back by an operator, opens the programme for the time that was left', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    await eventually(buyer.access, ({ state }) => state === 'trial')
    const refund = await buyer.refund(1767)
    await eventually(buyer.access, ({ state, programme }) => state === 'ended' && programme !== 'open')
    await buyer.sentBack(refund, 'merchant_request')
    expect(await eventually(buyer.access, ({ programme }) => programme === 'open')).toMatchObject({ state: 'ended' })
    const mail = await world.mail(buyer.email, 'access_reopened')
    expect(mail.data).toMatchObject({ productIds: ['trial_1767'], next: null, refund: true })
    expect(renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date()).replace(/\s+/g, ' ')).toMatch(
      /The refund of your payment was cancelled.* open until .*Nothing more is charged\./,
    )
    expect([await buyer.owed(), await buyer.letters()]).toEqual([[], []])
  })

  test('P-12 A-07 of all of it opens nothing while a request for it waits, but once that is declined', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    await eventually(buyer.access, ({ state }) => state === 'trial')
    const id = await buyer.ask()
    const refund = await buyer.refund(1767)
    await eventually(buyer.access, ({ state, programme }) => state === 'ended' && programme !== 'open')
    await buyer.sentBack(refund, 'merchant_request')
    await eventually(buyer.facts, (kinds) => kinds.includes('refund_failed'))
    const reopened = async () => (await world.mails(buyer.email)).some(({ kind }) => kind === 'access_reopened')
    expect([await buyer.access(), await reopened()]).toMatchObject([{ programme: 'closed' }, false])
    await decideMoneyBack(world.service.deps, id, { decision: 'decline', reason: 'Too late.' }, 'op')
    expect(await buyer.access()).toMatchObject({ state: 'ended', programme: 'open' })
    expect((await world.mail(buyer.email, 'access_reopened')).data).toMatchObject({ refund: true })
  })

  test('P-12 of all of it opens nothing while we owe it: sent back by the bank, or granted by us', async () => {
    const [bank, ours] = [await charged('pm_card_pendingRefund'), await charged('pm_card_pendingRefund')]
    const refund = await bank.refund(1767)
    await eventually(bank.access, ({ state }) => state === 'ended')
    await bank.sentBack(refund, 'lost_or_stolen_card')
    await ours.granted()
    await eventually(ours.owed, ([row]) => row?.status === 'pending')
    await ours.sentBack((await ours.refunds())[0]?.id ?? '', 'merchant_request')
    for (const buyer of [bank, ours]) {
      await eventually(buyer.owed, ([row]) => row?.status === 'impossible')
      expect(await buyer.access()).toMatchObject({ state: 'ended', programme: 'closed' })
    }
  })

  test('P-12 a second one of a charge is owed beside the first, whatever became of that', async () => {
    const buyer = await charged()
    const first = await buyer.refund(500)
    await world.mail(buyer.email, 'refund')
    await buyer.sentBack(first, 'declined')
    await eventually(buyer.owed, (rows) => rows[0]?.status === 'refunded')
    const second = await buyer.refund(600)
    await eventually(buyer.facts, (kinds) => kinds.filter((kind) => kind === 'refunded').length === 3)
    await buyer.sentBack(second, 'lost_or_stolen_card')
    const [row] = await eventually(buyer.owed, (rows) => rows[0]?.status === 'impossible')
    expect((row?.wanted_cents ?? 0) - (row?.back_cents ?? 0)).toBe(600)
    // paid by hand; the third is still owed
    const page = await list()
    const form = { act: 'settled', form_token: formTokenOf(page) }
    expect((await boss.browser.form(`/operator/refunds/${row?.id}`, form)).status).toBe(303)
    const third = await buyer.refund(100)
    await eventually(buyer.facts, (kinds) => kinds.filter((kind) => kind === 'refunded').length === 4)
    await buyer.sentBack(third, 'lost_or_stolen_card')
    const [again] = await eventually(buyer.owed, (rows) => rows[0]?.status === 'impossible')
    expect((again?.wanted_cents ?? 0) - (again?.back_cents ?? 0)).toBe(100)
    // what was paid by hand stays known: to the guarantee, and to the operator on the page of the visit
    expect(await buyer.offered()).toBe(1767 - 500 - 600)
    expect(await buyer.story()).toContain(`$6.00 settled in another way by ${boss.email}`)
    // mails are sent independently of each other, in any order
    const told = await eventually(buyer.letters, (letters) => letters.length === 3)
    const sums = told.map(({ data }) => (data as { amount: number }).amount)
    expect(sums.sort((a, b) => a - b)).toEqual([100, 500, 600])
    // the rest is sent back, too: no more is owed than is left
    const fourth = await buyer.refund(667)
    await eventually(buyer.facts, (kinds) => kinds.filter((kind) => kind === 'refunded').length === 5)
    await buyer.sentBack(fourth, 'lost_or_stolen_card')
    const [last] = await eventually(buyer.owed, (rows) => (rows[0]?.wanted_cents ?? 0) > (again?.wanted_cents ?? 0))
    expect((last?.wanted_cents ?? 0) - (last?.back_cents ?? 0)).toBe(667)
  })

  test('A-07 P-12 a part is on its way again when all is granted: the rest goes back too', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    await buyer.sentBack(await buyer.refund(1000), 'declined')
    await eventually(buyer.owed, (rows) => rows[0]?.status === 'pending')
    await buyer.granted()
    expect((await world.mail(buyer.email, 'money_back_decided')).data).toMatchObject({ amount: 0, pending: 1767 })
    expect(await buyer.request()).toMatchObject({ status: 'refunding', amount: 1767, pending: 1767 })
    const sent = async () => (await buyer.refunds()).filter(({ status }) => status !== 'failed')
    expect((await sent()).map(({ amount }) => amount).sort()).toEqual([1000, 767])
    // the bank takes the rest, sends the part back once more, and takes it then
    const [rest, part] = (await sent()).sort((a, b) => a.amount - b.amount)
    await world.control('POST', 'refunds/settle', { refund: rest?.id, status: 'succeeded' })
    await buyer.sentBack(part?.id ?? '', 'declined')
    const again = await eventually(sent, (all) => all.some(({ id, amount }) => amount === 1000 && id !== part?.id))
    expect(await buyer.request()).toMatchObject({ status: 'refunding', refunded: 767, pending: 1000 })
    for (const { id, status } of again) {
      if (status === 'pending') await world.control('POST', 'refunds/settle', { refund: id, status: 'succeeded' })
    }
    await eventually(buyer.request, ({ status }) => status === 'refunded')
    expect(await buyer.request()).toMatchObject({ refunded: 1767, pending: 0 })
    expect((await sent()).reduce((sum, { amount }) => sum + amount, 0)).toBe(1767)
  })

  test('A-07 P-12 a part that needs a person when all is granted is owed once, as a part of the whole', async () => {
    const buyer = await charged()
    await buyer.sentBack(await buyer.refund(1000), 'lost_or_stolen_card')
    await eventually(buyer.owed, (rows) => rows[0]?.status === 'impossible')
    await buyer.granted()
    expect((await world.mail(buyer.email, 'money_back_decided')).data).toMatchObject({ amount: 1767, pending: 0 })
    expect(await buyer.owed()).toMatchObject([{ cause: 'money_back', wanted_cents: 1767, status: 'refunded' }])
  })

  test('A-07 P-12 one that we asked for and first read as failed is asked for again, as any that failed', async () => {
    const buyer = await charged('pm_card_pendingRefund')
    await world.control('POST', 'webhooks', { mode: 'lost' })
    // the answer is lost, and nothing can be read until the bank has sent it back
    const lost = { from: 'server', about: [buyer.intent] }
    await world.control('POST', 'faults', { mode: 'drop', method: 'POST', path: '/v1/refunds', ...lost })
    const unread = { mode: 'drop_before', method: 'GET', path: '/v1/refunds', after: 1, times: 400 }
    await world.control('POST', 'faults', { ...unread, ...lost })
    await buyer.granted()
    const made = async () => {
      const { data } = await world.control('GET', 'objects?kind=refund&limit=1000')
      return (data as { id: string; payment_intent: string }[]).find((one) => one.payment_intent === buyer.intent)?.id
    }
    await buyer.sentBack((await eventually(made, (id) => id !== undefined)) ?? '', 'declined')
    await world.control('DELETE', 'faults')
    const rows = await eventually(buyer.owed, ([row]) => row?.status === 'pending')
    expect(rows).toMatchObject([{ cause: 'money_back', wanted_cents: 1767 }])
    expect((await buyer.refunds()).map(({ status }) => status)).toEqual(['pending', 'failed'])
    expect(await buyer.facts()).toEqual(['succeeded', 'refund_failed', 'refund_pending'])
  })

  test('A-07 P-12 a part that was paid in another way is not given back again when all is granted', async () => {
    const buyer = await charged()
    await buyer.sentBack(await buyer.refund(1000), 'expired_or_canceled_card')
    const [row] = await eventually(buyer.owed, (rows) => rows[0]?.status === 'impossible')
    expect(await buyer.offered()).toBe(1767)
    const form = { act: 'settled', form_token: formTokenOf(await list()) }
    expect((await boss.browser.form(`/operator/refunds/${row?.id}`, form)).status).toBe(303)
    expect(await buyer.offered()).toBe(767)
    await buyer.granted()
    expect((await world.mail(buyer.email, 'money_back_decided')).data).toMatchObject({ amount: 767, pending: 0 })
    expect(await buyer.request()).toMatchObject({ status: 'refunded', amount: 767, refunded: 767 })
    expect((await buyer.refunds()).flatMap(({ status, amount }) => (status === 'failed' ? [] : amount))).toEqual([767])
    // what the bank sends back of the rest is owed, and no more
    const [{ id: rest } = { id: '' }] = await buyer.refunds()
    await buyer.sentBack(rest, 'lost_or_stolen_card')
    const rows = await eventually(buyer.owed, (all) => all.some(({ status }) => status === 'impossible'))
    expect(rows.map(({ status, wanted_cents: wanted, back_cents: back }) => [status, wanted - back])).toEqual([
      ['settled', 1000],
      ['impossible', 767],
    ])
  })
})
