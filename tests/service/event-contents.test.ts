/** How long the contents of Stripe's events are kept. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTENT_DAYS, forgetAddress, isAbout } from '../../payments-service/erasures/erased.queries.ts'
import { forgetOldContents } from '../../payments-service/privacy/retention.ts'
import { explained } from '../support/explained.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel()))
afterAll(() => funnel.stop())

test('D-12 what Stripe’s events contain ends after thirty days; the events stay, one that waits is whole', async () => {
  const { db } = funnel
  const buyer = await funnel.buyer()
  await buyer.pay()
  const about = async (email: string) => {
    const { rows } = await sql<{ n: number; contents: number }>`select count(*)::int as n,
      count(*) filter (where payload::text like ${`%${email}%`})::int as contents from webhook_events`.execute(db)
    return rows[0] ?? { n: 0, contents: 0 }
  }
  const { rows } = await sql<{ email: string }>`select email from sessions where id = ${buyer.sessionId}`.execute(db)
  const email = rows[0]?.email ?? ''
  await eventually(
    () => sql`select id from webhook_events where handled_at is null`.execute(db),
    (open) => open.rows.length === 0,
  )
  // what comes later, or is tried sooner, would be counted too
  await funnel.silence()
  const before = await about(email)
  expect(before.contents).toBeGreaterThan(1)
  const older = (hours: number) =>
    sql`update webhook_events set received_at = received_at - make_interval(hours => ${hours})`.execute(db)
  await older(CONTENT_DAYS * 24 - 12)
  expect(await forgetOldContents({ db })).toBe(0)
  await sql`update webhook_events set handled_at = null, next_attempt_at = now() + interval '1 hour'
    where id = (select min(id) from webhook_events where payload::text like ${`%${email}%`})`.execute(db)
  await older(24)
  const [here, there] = await Promise.all([forgetOldContents({ db }), forgetOldContents({ db })])
  expect(here + there).toBeGreaterThanOrEqual(before.contents - 1)
  expect(await about(email)).toEqual({ n: before.n, contents: 1 })
  // the one that waited is handled at last
  await funnel.hear()
  await sql`update webhook_events set next_attempt_at = now() where handled_at is null`.execute(db)
  funnel.service.deps.wake('inbox')
  await eventually(
    () => about(email),
    ({ contents }) => contents === 0,
  )
  expect(await forgetOldContents({ db })).toBe(0)
})

test('D-12 what Stripe said about a visit is found by indexes, not by reading a month of events', async () => {
  const { db } = funnel
  const buyer = await funnel.buyer()
  await buyer.pay()
  await sql`insert into webhook_events (id, type, object_id, payload, created, handled_at)
    select 'evt_of_others_' || n, 'charge.succeeded', 'ch_of_others_' || n, jsonb_build_object('data',
      jsonb_build_object('object', jsonb_build_object('customer', 'cus_of_others_' || n, 'metadata',
        jsonb_build_object('session_id', gen_random_uuid()), 'payment_intent', 'pi_of_others_' || n,
        'charge', 'ch_of_others_' || n))), now(), now()
    from generate_series(1, 20000) n`.execute(db)
  await sql`analyze webhook_events`.execute(db)
  const found = sql`select id from webhook_events e where ${isAbout([buyer.sessionId])}`
  const plan = await explained(db, found.compile(db))
  for (const index of ['object', 'customer', 'visit', 'invoiced_visit', 'payment', 'charge'])
    expect(plan).toMatch(new RegExp(`Scan .*webhook_events_${index}\\b`))
  expect(plan).not.toContain('Seq Scan on webhook_events')
})

test('D-12 an address is taken out of events of every age that still have content', async () => {
  const { db } = funnel
  const email = "o'aged+events_1@example.com"
  const kept = CONTENT_DAYS * 24
  const ages = [-1, 0, 23, 24, 25, 360, kept - 1, kept + 1, 2_000]
  await sql`insert into webhook_events (id, type, object_id, payload, created, received_at, handled_at)
    select 'evt_aged_' || hours, 'customer.updated', 'cus_aged_' || hours,
      jsonb_build_object('data', jsonb_build_object('object', jsonb_build_object('email', upper(${email}::text)))),
      now(), now() - make_interval(hours => hours), case when hours < ${kept}::int then now() end
    from unnest(${ages}::int[]) hours`.execute(db)
  const left = async () =>
    (await sql`select id from webhook_events where payload::text ilike ${`%${email}%`}`.execute(db)).rows.length
  expect(await left()).toBe(ages.length)
  await db.transaction().execute((tx) => forgetAddress(tx, email))
  expect(await left()).toBe(0)
})
