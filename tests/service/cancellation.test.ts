/** What a buyer who cancels reads agrees with the ledger afterwards, at every minute of a renewal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelWords } from '../../src/members/words.ts'
import type { Buyer } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => (world = await startMembership()))
afterAll(() => world.stop())

const minutes = (count: number) => world.control('POST', 'clock', { advance: Math.round(count * 60) })
const viewOf = async (buyer: Buyer) => (await buyer.browser.get('/api/account')).body.subscriptions[0]
const rowOf = (buyer: Buyer) =>
  world.db.selectFrom('subscriptions').selectAll().where('session_id', '=', buyer.sessionId).executeTakeFirstOrThrow()
const chargesOf = async (buyer: Buyer) => {
  const { stripe_customer_id } = await rowOf(buyer)
  const all = (await world.control('GET', 'objects?kind=charge&limit=1000')).data as Record<string, unknown>[]
  const own = all.filter(({ customer, status }) => customer === stripe_customer_id && status === 'succeeded')
  return own.map(({ amount, amount_refunded }) => `${String(amount)}-${String(amount_refunded)}`).reverse()
}
const invoicesOf = async (buyer: Buyer) => {
  const { stripe_subscription_id } = await rowOf(buyer)
  const list = await world.dashboard('GET', '/v1/invoices', { subscription: stripe_subscription_id ?? '' })
  return (list.data as { status: string; amount_due: number }[]).filter(({ amount_due }) => amount_due > 0)
}
const cancel = async (buyer: Buyer) => buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/cancel`)
const kindsTo = async (email: string) => (await world.mails(email)).map(({ kind }) => kind)
const faults = (rule: Record<string, unknown>) => world.control('POST', 'faults', { from: 'server', ...rule })

/** Brings the card of a subscription to one that declines every charge. */
async function spoilCard(buyer: Buyer): Promise<void> {
  const row = await rowOf(buyer)
  const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', {
    customer: row.stripe_customer_id ?? '',
  })
  await world.dashboard('POST', `/v1/subscriptions/${row.stripe_subscription_id}`, { default_payment_method: bad.id })
}

describe('every minute of a renewal', () => {
  // minutes around the end of the trial; the invoice is a draft for an hour before it is collected
  const table = [
    ['the day before', -1440, false, 'ending', ['100-0']],
    ['a minute before the boundary', -1, false, 'ending', ['100-0']],
    ['a minute into the draft', 1, false, 'ended', ['100-0']],
    ['in the middle of the draft', 30, false, 'ended', ['100-0']],
    ['a minute before the draft is final', 59, false, 'ended', ['100-0']],
    ['once it is paid', 62, false, 'ending', ['100-0', '3900-0']],
    ['while a declined charge is tried again', 62, true, 'ended', ['100-0']],
    ['two days into the tries', 62 + 2 * 1440 + 5, true, 'ended', ['100-0']],
  ] as const

  test.each(table)(
    'H-04 A-05 cancelled %s: page, mail and ledger agree',
    async (when, after, declined, state, charges) => {
      const email = `at-${String(after)}-${String(declined)}@example.com`
      const buyer = await world.member({ email })
      if (declined) await spoilCard(buyer)
      await minutes(3 * 1440 + after)
      await eventually(
        () => viewOf(buyer),
        (view) => (after < 0 ? view.state === 'trial' : declined ? view.state === 'late' : view.state === 'active'),
      )
      if (after > 61 && !declined) {
        await eventually(
          () => kindsTo(email),
          (kinds) => kinds.includes('renewal_receipt'),
        )
      }
      const answer = await cancel(buyer)
      expect([when, answer.status, answer.body.state, answer.body.nextCharge]).toEqual([when, 200, state, null])
      await minutes(40 * 1440)
      await eventually(
        () => viewOf(buyer),
        (view) => view.state === 'ended',
      )
      expect(await chargesOf(buyer)).toEqual(charges)
      const kinds = await eventually(
        () => kindsTo(email),
        (all) => all.includes('access_ended'),
      )
      expect(kinds.filter((kind) => kind === 'renewal_receipt')).toHaveLength(charges.length - 1)
      expect(kinds.filter((kind) => kind === 'cancellation_confirmed')).toHaveLength(state === 'ending' ? 1 : 0)
      expect((await invoicesOf(buyer)).filter(({ status }) => status === 'draft' || status === 'open')).toEqual([])
    },
  )
})

describe('a cancellation that cannot be carried out yet', () => {
  test('H-04 Stripe away: kept, answered truthfully, carried out by itself; also by the link of a mail', async () => {
    const [one, other] = [await world.member(), await world.buyer('away-link@example.com')]
    await other.pay()
    const { data } = await world.mail('away-link@example.com', 'order_confirmation')
    const link = { token: tokenOf(data.cancelUrl) }
    await faults({ mode: 'drop_before', path: '/v1/subscriptions', times: 200 })
    try {
      const answers = await Promise.all([cancel(one), cancel(one), browserOf(world).post('/api/links/cancel', link)])
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
      expect(answers.slice(0, 2).map(({ body }) => [body.state, body.nextCharge])).toEqual([
        ['cancelling', null],
        ['cancelling', null],
      ])
      expect(answers[2]?.body).toMatchObject({ state: 'done', subscription: { state: 'cancelling', nextCharge: null } })
    } finally {
      await world.control('DELETE', 'faults')
    }
    for (const buyer of [one, other]) {
      await eventually(
        () => rowOf(buyer),
        ({ cancel_at_period_end }) => cancel_at_period_end,
      )
    }
    expect((await viewOf(one)).state).toBe('ending')
    await world.mail('away-link@example.com', 'cancellation_confirmed')
  })

  test.each(['execute_then_500', 'drop', '500'])(
    'H-04 a lost answer (%s) while the draft stands: nothing is charged',
    async (mode) => {
      const buyer = await world.member()
      await minutes(3 * 1440 + 20)
      await eventually(
        () => viewOf(buyer),
        ({ state }) => state === 'active',
      )
      await faults({ mode, method: 'DELETE', path: '/v1/subscriptions', times: 2 })
      const [first, second] = await Promise.all([cancel(buyer), cancel(buyer)])
      await world.control('DELETE', 'faults')
      for (const { status, body } of [first, second]) {
        expect([200, 202]).toContain(status)
        expect(['cancelling', 'ended']).toContain(body.state)
      }
      await eventually(
        () => viewOf(buyer),
        ({ state }) => state === 'ended',
      )
      const later = await cancel(buyer)
      expect([later.status, later.body.state]).toEqual([200, 'ended'])
      await minutes(120)
      await new Promise((resume) => setTimeout(resume, 300))
      expect(await chargesOf(buyer)).toEqual(['100-0'])
    },
    60_000,
  )

  test('P-04 H-04 asked for while the subscription is being made: it is made cancelled and never charges', async () => {
    await faults({ mode: '500', method: 'POST', path: '/v1/subscriptions', times: 200 })
    const buyer = await world.member({ email: 'too-early@example.com' })
    const before = await viewOf(buyer)
    expect([before.state, cancelWords(before)]).toEqual(['starting', expect.stringContaining('stays open to its end')])
    const { data } = await world.mail('too-early@example.com', 'order_confirmation')
    const link = { token: tokenOf(data.cancelUrl) }
    const asked = [await cancel(buyer), await cancel(buyer), await browserOf(world).post('/api/links/cancel', link)]
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 202])
    expect((await viewOf(buyer)).state).toBe('cancelling')
    await world.control('DELETE', 'faults')
    await world.db
      .updateTable('subscriptions')
      .set({ looked_at: null })
      .where('session_id', '=', buyer.sessionId)
      .execute()
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'ending',
    )
    expect((await buyer.browser.get('/api/programme')).status).toBe(200)
    await world.mail('too-early@example.com', 'cancellation_confirmed')
    await minutes(40 * 1440)
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'ended',
    )
    expect(await chargesOf(buyer)).toEqual(['100-0'])
  })

  test('H-04 charged after a cancellation that Stripe had not got yet: refunded by itself, with a mail', async () => {
    const buyer = await world.member({ email: 'charged-after@example.com' })
    await minutes(3 * 1440 + 30)
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'active',
    )
    await faults({ mode: 'drop_before', method: 'DELETE', path: '/v1/subscriptions', times: 1000 })
    expect((await cancel(buyer)).body.state).toBe('cancelling')
    await minutes(60)
    await world.control('DELETE', 'faults')
    await eventually(
      () => chargesOf(buyer),
      (charges) => charges.includes('3900-3900'),
    )
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'ended',
    )
    const refund = await world.mail('charged-after@example.com', 'refund')
    expect(refund.data.amount).toBe(3900)
    expect(await kindsTo('charged-after@example.com')).not.toContain('renewal_receipt')
    await minutes(40 * 1440)
    expect(await chargesOf(buyer)).toEqual(['100-0', '3900-3900'])
  })

  test('A-05 cancelled and kept in two tabs: the last carried out state is what every page says', async () => {
    const buyer = await world.member()
    const [a] = await Promise.all([cancel(buyer), cancel(buyer), cancel(buyer)])
    expect(a?.body.state).toBe('ending')
    const kept = await buyer.browser.post(`/api/subscriptions/${a?.body.id}/keep`)
    expect([kept.status, kept.body.state]).toEqual([200, 'trial'])
    await minutes(3 * 1440 + 65)
    await eventually(
      () => chargesOf(buyer),
      (charges) => charges.length === 2,
    )
    // a cancellation that was taken back refunds nothing
    await new Promise((resume) => setTimeout(resume, 3_000))
    expect(await chargesOf(buyer)).toEqual(['100-0', '3900-0'])
  })
})

/** A change that an operator plans in the dashboard puts the subscription under a schedule. */
const plan = async (buyer: Buyer) =>
  world.dashboard('POST', '/v1/subscription_schedules', {
    from_subscription: (await rowOf(buyer)).stripe_subscription_id ?? '',
  })
const keep = async (buyer: Buyer) => buyer.browser.post(`/api/subscriptions/${(await rowOf(buyer)).id}/keep`)

describe('a subscription that a schedule of the dashboard manages', () => {
  test('H-04 A-05 cancelled by its buyer: it ends with the period, is confirmed and never charged again', async () => {
    const email = 'scheduled@example.com'
    const buyer = await world.member({ email })
    await plan(buyer)
    const answer = await cancel(buyer)
    expect([answer.status, answer.body.state, answer.body.nextCharge]).toEqual([200, 'ending', null])
    await world.mail(email, 'cancellation_confirmed')
    await minutes(40 * 1440)
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'ended',
    )
    expect(await chargesOf(buyer)).toEqual(['100-0'])
  })

  test('A-05 planned after its cancellation: kept by its buyer it goes on', async () => {
    const buyer = await world.member()
    await cancel(buyer)
    await plan(buyer)
    const kept = await keep(buyer)
    expect([kept.status, kept.body.state, kept.body.nextCharge?.amount]).toEqual([200, 'trial', 3900])
  })

  test('H-04 A-05 not to be released: the cancellation is kept for later, and nothing is called over', async () => {
    const [one, other] = [await world.member(), await world.member()]
    await cancel(other)
    await Promise.all([plan(one), plan(other)])
    await faults({ mode: '400', path: '/v1/subscription_schedules/*/release', times: 200 })
    try {
      const answer = await cancel(one)
      expect([answer.status, answer.body.state, answer.body.nextCharge]).toEqual([202, 'cancelling', null])
      expect((await keep(other)).body.error.code).toBe('internal')
      expect((await viewOf(other)).state).toBe('ending')
    } finally {
      await world.control('DELETE', 'faults')
    }
    await eventually(
      () => viewOf(one),
      ({ state }) => state === 'ending',
    )
  })
})

describe('an answer of Stripe that is lost', () => {
  test.each(['execute_then_500', 'drop'])('A-05 %s: a subscription that is kept says so at once', async (mode) => {
    const buyer = await world.member()
    await cancel(buyer)
    await faults({ mode, method: 'POST', path: '/v1/subscriptions', times: 2 })
    const kept = await keep(buyer)
    await world.control('DELETE', 'faults')
    expect([kept.status, kept.body.state, kept.body.nextCharge.amount]).toEqual([200, 'trial', 3900])
  })

  test('A-05 what was not carried out is not called kept, and the next press keeps it', async () => {
    const buyer = await world.member()
    await cancel(buyer)
    await faults({ mode: '500', method: 'POST', path: '/v1/subscriptions', times: 2 })
    const failed = await keep(buyer)
    await world.control('DELETE', 'faults')
    expect([failed.status, failed.body.error.code]).toEqual([503, 'stripe_unavailable'])
    expect(failed.body.error.message).not.toMatch(/not charged|nothing was/i)
    expect((await viewOf(buyer)).state).toBe('ending')
    expect((await keep(buyer)).body.state).toBe('trial')
  })

  /** Enters a good card for what is owed, while calls about invoices fail. */
  async function payOwed(buyer: Buyer, rule: Record<string, unknown>) {
    await spoilCard(buyer)
    await minutes(3 * 1440 + 65)
    await eventually(
      () => viewOf(buyer),
      ({ state }) => state === 'late',
    )
    const path = `/api/subscriptions/${(await rowOf(buyer)).id}/card`
    const setup = (await buyer.browser.post(`${path}/setup`)).body
    await world.confirmSetup(setup, 'pm_card_mastercard')
    await faults({ path: '/v1/invoices/*/pay', ...rule })
    const saved = await buyer.browser.post(path, { setupIntentId: setup.setupIntentId })
    await world.control('DELETE', 'faults')
    return saved
  }

  test.each(['execute_then_500', 'drop'])('A-05 %s: a debt that was paid is called paid', async (mode) => {
    const buyer = await world.member()
    const saved = await payOwed(buyer, { mode, times: 2 })
    expect([saved.status, saved.body.result, saved.body.subscription.owed]).toEqual([200, 'paid', null])
    expect(await chargesOf(buyer)).toEqual(['100-0', '3900-0'])
  })

  test('A-05 a debt that was not paid is neither called paid nor refused by the bank', async () => {
    const buyer = await world.member()
    const saved = await payOwed(buyer, { mode: '500', times: 2 })
    expect([saved.status, saved.body.error.code]).toEqual([503, 'stripe_unavailable'])
    expect(await chargesOf(buyer)).toEqual(['100-0'])
  })
})

test('H-02 H-04 whoever withdraws is charged nothing more, although the operator has not answered yet', async () => {
  const email = 'graz@example.com'
  const buyer = await world.buyer(email)
  await world.db
    .updateTable('session_metadata')
    .set({ country: 'AT' })
    .where('session_id', '=', buyer.sessionId)
    .execute()
  await buyer.pay('trial_1')
  const { data } = await world.mail(email, 'order_confirmation')
  const link = { token: tokenOf(data.withdrawUrl ?? '') }
  expect((await browserOf(world).post('/api/links/withdraw', link)).body).toMatchObject({ state: 'done' })
  await eventually(
    () => rowOf(buyer),
    ({ cancel_done_at }) => cancel_done_at !== null,
  )
  await minutes(40 * 1440)
  expect(await chargesOf(buyer)).toEqual(['100-0'])
})
