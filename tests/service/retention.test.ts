/** What the privacy page promises about how long things are kept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ATTRIBUTION_DAYS } from '../../contract/attribution.ts'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { eraseVisitor, NotErasable } from '../../payments-service/privacy/erase.ts'
import { forgetOldClicks, forgetOldVisits, VISIT_MONTHS } from '../../payments-service/privacy/retention.ts'
import { startWorkers } from '../../payments-service/workers.ts'
import { root } from '../../scripts/settings.ts'
import { explained } from '../support/explained.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ background: false })))
afterAll(() => funnel.stop())

const age = ({ sessionId }: Buyer, months: number, activeDaysAgo = 30) =>
  sql`update sessions set created_at = now() - make_interval(months => ${months}, days => 1),
    last_activity_at = now() - make_interval(days => ${activeDaysAgo}) where id = ${sessionId}`.execute(funnel.db)
const kept = async ({ sessionId }: Buyer) => {
  const { db } = funnel
  const { email } = await db
    .selectFrom('sessions')
    .select('email')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const answers = await db.selectFrom('quiz_answers').select('answer').where('session_id', '=', sessionId).execute()
  const tokens = await db.selectFrom('session_access').select('kind').where('session_id', '=', sessionId).execute()
  return [email !== null, answers.length > 0, tokens.length > 0]
}
const answering = async (): Promise<Buyer> => {
  const buyer = await funnel.buyer()
  const answers = [{ questionId: 'eyeColor', answer: 'blue', answeredAt: new Date().toISOString() }]
  expect((await buyer.browser.post(buyer.path('/answers'), { answers })).status).toBe(200)
  return buyer
}

test('G-01 D-12 visits without an order end after twelve months; orders and younger visits stay', async () => {
  const [old, paid, young, busy] = [await answering(), await answering(), await answering(), await answering()]
  await paid.pay()
  await Promise.all([
    age(old, VISIT_MONTHS),
    age(paid, VISIT_MONTHS),
    age(young, VISIT_MONTHS - 1),
    age(busy, VISIT_MONTHS, 0),
  ])
  expect(await kept(old)).toEqual([true, true, true])
  // two replicas do it at once
  const erased = await Promise.all([forgetOldVisits(funnel.service.deps), forgetOldVisits(funnel.service.deps)])
  expect(Math.max(...erased)).toBe(1)
  expect(await kept(old)).toEqual([false, false, false])
  for (const other of [paid, young, busy]) expect(await kept(other)).toEqual([true, true, true])
  expect(await forgetOldVisits(funnel.service.deps)).toBe(0)
  // a returning visitor starts over
  expect((await old.browser.get(old.path(''))).status).toBe(403)

  const text = readFileSync(join(root, 'studio', 'dataset', 'legal.ndjson'), 'utf8')
  expect(text).toContain(`Visits without an order: at most ${VISIT_MONTHS} months.`)
})

/** The customer at Stripe of each, `deleted` where it is gone. */
const atStripe = (buyers: readonly Buyer[]) =>
  Promise.all(
    buyers.map(async ({ sessionId }) => {
      const { stripe_customer_id: id } = await funnel.db
        .selectFrom('customers')
        .select('stripe_customer_id')
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      const customer = await funnel.dashboard('GET', `/v1/customers/${id}`)
      return customer.deleted === true ? 'deleted' : (customer.email as string)
    }),
  )
const workAll = async () => {
  await sql`update outbox set next_attempt_at = now() where sent_at is null`.execute(funnel.db)
  while (await workOutbox(funnel.service.deps, OUTBOX_HANDLERS));
}

test('G-01 D-12 an erased visit that never paid leaves no customer at Stripe; one that paid keeps it', async () => {
  const [named, opened, unknown] = [await funnel.buyer(), await funnel.buyer(), await funnel.buyer()]
  await named.browser.post(named.path('/customer'), { email: 'named@example.com', name: 'Ada' })
  expect((await opened.open()).status).toBe(200)
  const paid = await funnel.buyer('paid.once@example.com')
  await paid.pay('reading_7_days')
  // paid, but not in the books here, as after a backup was restored
  const intent = await unknown.open('reading_7_days')
  await funnel.confirm(intent.body, 'pm_card_visa')
  await sql`update payment_intents set closed_at = now() where session_id = ${unknown.sessionId}`.execute(funnel.db)

  await Promise.all([named, opened].map((buyer) => age(buyer, VISIT_MONTHS)))
  expect(await forgetOldVisits(funnel.service.deps)).toBe(2)
  const erased = await Promise.all(
    [paid, unknown].map(({ sessionId }) => eraseVisitor(funnel.db, { who: sessionId, visits: [sessionId] })),
  )
  // only what stays has to be deleted by hand
  expect(erased[0]?.stripeCustomers).toHaveLength(1)
  // its answer is lost, so it is asked for again
  const lost = { mode: 'execute_then_500', method: 'DELETE', path: '/v1/customers', from: 'server' }
  await funnel.control('POST', 'faults', lost)
  const logged = vi.spyOn(funnel.service.deps.log, 'warn')
  for (let n = 0; n < 2; n++) await workAll()
  const stays = logged.mock.calls.map(([line]) => line as unknown as Record<string, string>)
  logged.mockRestore()
  const told = stays.filter(({ customerId }) => customerId?.startsWith('cus_')).map(({ sessionId }) => sessionId)
  expect(told.sort()).toEqual([paid.sessionId, unknown.sessionId].sort())
  const addresses = await atStripe([named, opened, paid, unknown])
  expect(addresses).toEqual(['deleted', 'deleted', 'paid.once@example.com', expect.stringContaining('@')])
  const left = await sql`select from outbox where kind = 'cancel_intents' and sent_at is null`.execute(funnel.db)
  expect(left.rows).toEqual([])
})

test('G-01 D-12 more old visits than a round holds end in one go; one that cannot end holds up no other', async () => {
  const { db, service } = funnel
  const { rows } = await sql<{ id: string }>`
    insert into sessions (client_key, email, created_at, last_activity_at)
    select 'long-ago-' || n, 'ada@example.com', at, at from generate_series(1, 8) n
      cross join lateral (select now() - make_interval(months => ${VISIT_MONTHS}, days => 1 + n / 4)) old (at)
    order by at returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  // they have withdrawn and wait for their money
  await sql`insert into exit_requests (kind, contract, name, email, effect_at, session_ids)
    select 'withdraw', 'everything', 'Ada', 'ada@example.com', now() + interval '1 day', array[id]
    from unnest(${ids.slice(0, 3)}::uuid[]) id`.execute(db)
  const left = () =>
    db.selectFrom('sessions').select('id').where('id', 'in', ids).where('email', 'is not', null).execute()

  const logged = vi.spyOn(service.deps.log, 'error')
  expect(await forgetOldVisits(service.deps, () => false, 2)).toBe(0)
  expect(await forgetOldVisits(service.deps, undefined, 2)).toBe(5)
  const lines = logged.mock.calls.map(([line]) => line)
  logged.mockRestore()
  // no line names a visit (N-02)
  expect(lines).toEqual(ids.slice(0, 3).map(() => ({ err: expect.any(NotErasable) as unknown })))
  expect((await left()).map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort())
})

test('D-11 D-12 partitions that cannot be kept hold up nothing else that has to end', async () => {
  const { db, service, config } = funnel
  const { deps, metrics } = service
  await sql`alter function ensure_event_partitions rename to not_there`.execute(db)
  await sql`insert into webhook_events (id, type, payload, created, received_at, handled_at)
    values ('evt_past_its_days', 'customer.updated', '{"data": {}}', now(), now() - interval '90 days', now())`.execute(
    db,
  )
  const workers = startWorkers(deps, { config, db, metrics, log: deps.log })
  try {
    const payload = () =>
      db.selectFrom('webhook_events').select('payload').where('id', '=', 'evt_past_its_days').executeTakeFirst()
    expect(await eventually(payload, (row) => JSON.stringify(row?.payload) === '{}')).toEqual({ payload: {} })
  } finally {
    await workers.stop()
    await sql`alter function not_there rename to ensure_event_partitions`.execute(db)
  }
})

test('G-01 D-12 L-06 ids of clicks on ads end after ninety days, of buyers too; campaigns stay', async () => {
  const { db, service } = funnel
  const [old, young] = [await funnel.buyer(), await funnel.buyer()]
  const ids = [old.sessionId, young.sessionId]
  const touch = {
    utm_source: 'fb',
    fbclid: 'IwAR_touch',
    url: 'https://example.com/?fbclid=IwAR_url',
    at: '2026-01-01',
  }
  await sql`update session_metadata set fbclid = 'IwAR_x', fbc = 'fb.1.1.IwAR_c', fbp = 'fb.1.1.p',
    utm_campaign = 'May',
    referer = 'https://example.com/women-over60/?fbclid=IwAR_r',
    first_touch = ${touch}, last_touch = ${touch}
    where session_id = any (${ids}::uuid[])`.execute(db)
  await Promise.all([old.pay(), young.pay()])
  const kept = async ({ sessionId }: Buyer) => {
    const { rows } = await sql<Record<string, unknown>>`select m.fbclid is not null as ad, m.utm_campaign,
      m.referer, m.first_touch, m.last_touch, m.fbclid, m.fbc, m.fbp, p.attribution
      from session_metadata m join payments p using (session_id) where m.session_id = ${sessionId}`.execute(db)
    return rows[0]
  }
  const before = await kept(young)
  expect(before?.['attribution']).toMatchObject({ first: touch, last: touch, fbc: 'fb.1.1.IwAR_c', fbp: 'fb.1.1.p' })
  await sql`alter table session_metadata disable trigger session_metadata_touch`.execute(db)
  const age = ({ sessionId }: Buyer, days: number) =>
    Promise.all([
      sql`update session_metadata set updated_at = now() - make_interval(days => ${days})
        where session_id = ${sessionId}`.execute(db),
      sql`update payments set created_at = now() - make_interval(days => ${days})
        where session_id = ${sessionId}`.execute(db),
    ])
  await Promise.all([age(old, ATTRIBUTION_DAYS + 1), age(young, ATTRIBUTION_DAYS - 1)])
  await sql`alter table session_metadata enable trigger session_metadata_touch`.execute(db)

  // two replicas do it at once
  const forgotten = await Promise.all([forgetOldClicks(service.deps), forgetOldClicks(service.deps)])
  expect(forgotten[0] + forgotten[1]).toBe(2)
  const bare = { utm_source: 'fb', url: 'https://example.com/', at: '2026-01-01' }
  expect(await kept(old)).toEqual({
    ad: true,
    utm_campaign: 'May',
    referer: 'https://example.com/women-over60/',
    first_touch: bare,
    last_touch: bare,
    fbclid: '',
    fbc: null,
    fbp: null,
    attribution: { first: bare, last: bare },
  })
  expect(await kept(young)).toEqual(before)
  expect(await forgetOldClicks(service.deps)).toBe(0)

  const text = readFileSync(join(root, 'studio', 'dataset', 'legal.ndjson'), 'utf8')
  expect(text).toContain(`the ids of your clicks on advertisements: at most ${ATTRIBUTION_DAYS} days`)
})

test('D-12 L-06 old clicks are found by the time of their rows, however many visits there are', async () => {
  const { db } = funnel
  for (const [table, time] of Object.entries({ session_metadata: 'updated_at', payments: 'created_at' })) {
    const found = sql`select from ${sql.table(table)} where ${sql.ref(time)} >= '-infinity'
      and ${sql.ref(time)} < now() - interval '90 days'`
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return explained(tx, found.compile(tx))
    })
    expect(plan).toContain(`${table}_${time}`)
  }
})
