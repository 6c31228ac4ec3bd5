/** What the privacy page promises about how long things are kept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NotErasable } from '../../payments-service/privacy/erase.ts'
import { forgetOldVisits, VISIT_MONTHS } from '../../payments-service/privacy/retention.ts'
import { startWorkers } from '../../payments-service/workers.ts'
import { root } from '../../scripts/settings.ts'
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
