import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { funnelCsv, funnelPage, readFilter, readFunnel } from '../../payments-service/operator/funnel.pages.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { refreshFunnel } from '../../payments-service/tracking/upkeep.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

/** Visits of a campaign, inserted into the tables: [furthest step or null, other columns]. */
async function visits(source: string, all: [number | null, Record<string, unknown>?][]): Promise<string[]> {
  const ids: string[] = []
  for (const [furthest, rest] of all) {
    const { id, key } = await funnel.db
      .insertInto('sessions')
      .values({ client_key: randomUUID(), ...rest })
      .returning(['id', 'key'])
      .executeTakeFirstOrThrow()
    await funnel.db.insertInto('session_metadata').values({ session_id: id, utm_source: source }).execute()
    if (furthest !== null) {
      await funnel.db.insertInto('session_progress').values({ session_key: key, furthest }).execute()
    }
    ids.push(id)
  }
  return ids
}
const report = async (source: string): Promise<Record<string, number>> => {
  await refreshFunnel(funnel)
  const rows = await readFunnel(funnel.db, readFilter({ source }))
  return Object.fromEntries(rows.map(({ step, sessions }) => [step, sessions]))
}
const quiz = (counts: (step: number) => number, steps: number) =>
  Object.fromEntries(Array.from({ length: steps }, (_, at) => [`step ${at + 1}`, counts(at + 1)]))
const opened = { checkout_opened_at: new Date() }

test.each([20, 33, 50])('D-09 a quiz of %i steps is counted step by step, to its own last one', async (steps) => {
  const source = `quiz-${steps}`
  await visits(source, [[null], [0], [7], [steps], [steps, opened]])
  expect(await report(source)).toEqual({
    visit: 5,
    Welcome: 4,
    ...quiz((step) => (step <= 7 ? 3 : 2), steps),
    'pressed Order': 1,
  })
})

test('D-08 D-09 a view of step 50 is step 50; a number that one visit in a thousand makes up adds no row', async () => {
  const buyer = await funnel.buyer()
  await sql`update session_metadata set utm_source = 'made-up' where session_id = ${buyer.sessionId}`.execute(funnel.db)
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(funnel.db)
  const view = { kind: 'page_view', id: rows[0]?.id, url: '/quiz', step: '50' }
  await buyer.browser.post('/api/track', { sessionId: buyer.sessionId, events: [view] })
  expect(await report('made-up')).toEqual({ visit: 1, Welcome: 1, ...quiz(() => 1, 50) })
  await sql`insert into sessions (client_key) select 'made-up-' || n from generate_series(1, 1000) n`.execute(funnel.db)
  const others = sql`(select id, key from sessions where client_key like 'made-up-%')`
  await sql`insert into session_metadata (session_id, utm_source) select id, 'made-up' from ${others} o`.execute(
    funnel.db,
  )
  await sql`insert into session_progress (session_key, furthest) select key, 20 from ${others} o`.execute(funnel.db)
  expect(await report('made-up')).toEqual({ visit: 1_001, Welcome: 1_001, ...quiz(() => 1_001, 20) })
})

test('D-09 a visit that goes on is moved, not counted twice, also to another price, source or to bots', async () => {
  const [id = ''] = await visits('moving', [[3], [3]])
  expect(await report('moving')).toEqual({ visit: 2, Welcome: 2, ...quiz(() => 2, 3) })
  await funnel.db.updateTable('sessions').set({ selected_price_cents: 900 }).where('id', '=', id).execute()
  await sql`update session_progress set furthest = 5, updated_at = now()
    where session_key = (select key from sessions where id = ${id})`.execute(funnel.db)
  expect(await report('moving')).toEqual({ visit: 2, Welcome: 2, ...quiz((step) => (step <= 3 ? 2 : 1), 5) })
  expect(await report('moving')).toEqual({ visit: 2, Welcome: 2, ...quiz((step) => (step <= 3 ? 2 : 1), 5) })
  const csv = await funnelCsv(funnel.db, readFilter({ source: 'moving', price: '900' }))
  expect(
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(2).join(' ')),
  ).toEqual([
    '900 visit visit 1 0',
    '900 welcome Welcome 1 0',
    ...[1, 2, 3, 4, 5].map((step) => `900 quiz step ${step} 1 0`),
  ])
  await funnel.db.updateTable('sessions').set({ is_bot: true }).where('id', '=', id).execute()
  expect(await report('moving')).toEqual({ visit: 1, Welcome: 1, ...quiz(() => 1, 3) })
})

test('D-09 a buyer counts at every place up to the account, with what was paid less what went back', async () => {
  const buyer = await funnel.buyer()
  await sql`update session_metadata set utm_source = 'buying' where session_id = ${buyer.sessionId}`.execute(funnel.db)
  await buyer.pay('trial_9')
  const paid = { visit: 1, Welcome: 1, 'pressed Order': 1, paid: 1 }
  expect(await report('buying')).toEqual(paid)
  const revenue = async (): Promise<number> =>
    (await readFunnel(funnel.db, readFilter({ source: 'buying' }))).reduce((sum, row) => sum + row.revenue, 0)
  expect(await revenue()).toBe(900)
  await sql`update payments set refunded_cents = 400 where session_id = ${buyer.sessionId}`.execute(funnel.db)
  await buyer.browser.post(buyer.path('/account'), {
    password: 'Better Eyes 1',
    passwordConfirmation: 'Better Eyes 1',
  })
  expect(await report('buying')).toEqual({ ...paid, 'add-ons': 1, account: 1 })
  expect(await revenue()).toBe(500)
})

test('D-09 only what ten visits share can be chosen, and each share of the funnel says how sure it is', async () => {
  const some = (count: number, price: number) =>
    Array.from({ length: count }, (): [number, Record<string, unknown>] => [3, { selected_price_cents: price }])
  await visits('chosen-often', [...some(10, 12_300), ...some(9, 45_600)])
  await visits('chosen-rarely', some(9, 78_900))
  await refreshFunnel(funnel)
  const pageOf = async (query: Record<string, string>) => (await funnelPage(funnel.db, readFilter(query))).text
  const offered = (page: string) =>
    ['chosen-often', 'chosen-rarely', '$123.00', '$456.00', '$789.00'].filter((words) =>
      new RegExp(`<option[^>]*>\\s*${words.replace(/[$.]/g, '\\$&')}\\s*</option>`).test(page),
    )
  const shares = (page: string) =>
    [...page.matchAll(/\d %(\s*<small class="quiet">\()?/g)].map(([, sure]) => Boolean(sure))
  const all = await pageOf({})
  expect(offered(all)).toEqual(['chosen-often', '$123.00'])
  expect(new Set(shares(all))).toEqual(new Set([true]))
  // an address may name another: it stays chosen
  const rare = await pageOf({ source: 'chosen-rarely', price: '78900' })
  expect(offered(rare)).toEqual(['chosen-often', 'chosen-rarely', '$789.00'])
  expect([shares(rare), rare.includes('fewer than 10')]).toEqual([[], true])
  expect(offered(await pageOf({ from: '2020-01-01', to: '2020-01-02' }))).toEqual([])
})

test('D-09 D-12 an erased visit stays in the sums alone; one looked at by two at once counts once', async () => {
  const [id = ''] = await visits('gone', [[2]])
  await Promise.all([refreshFunnel(funnel), refreshFunnel(funnel), refreshFunnel(funnel)])
  await sql`delete from session_metadata where session_id = ${id}`.execute(funnel.db)
  await sql`delete from sessions where id = ${id}`.execute(funnel.db)
  expect(await report('gone')).toEqual({ visit: 1, Welcome: 1, ...quiz(() => 1, 2) })
  const { rows } = await sql`select from funnel_places where source = 'gone'`.execute(funnel.db)
  expect(rows).toEqual([])
})

test('D-09 D-12 who is erased stays counted where they were; what they get back later is still taken off', async () => {
  const [id = ''] = await visits('erased', [[7, { selected_price_cents: 900, ...opened }], [2]])
  const before = { visit: 2, Welcome: 2, ...quiz((step) => (step <= 2 ? 2 : 1), 7), 'pressed Order': 1 }
  expect(await report('erased')).toEqual(before)
  await eraseVisitor(funnel.db, { who: id, visits: [id] })
  expect(await report('erased')).toEqual(before)
  const { rows } = await sql`select from funnel_places f join sessions s on s.key = f.session_key
    where s.id = ${id}`.execute(funnel.db)
  expect(rows).toEqual([])

  const buyer = await funnel.buyer()
  await sql`update session_metadata set utm_source = 'erased' where session_id = ${buyer.sessionId}`.execute(funnel.db)
  await buyer.pay('trial_9')
  const revenue = async (): Promise<number> => {
    await refreshFunnel(funnel)
    return (await readFunnel(funnel.db, readFilter({ source: 'erased' }))).reduce((sum, row) => sum + row.revenue, 0)
  }
  expect(await revenue()).toBe(900)
  await sql`update subscriptions set status = 'canceled' where session_id = ${buyer.sessionId}`.execute(funnel.db)
  await eraseVisitor(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })
  expect(await revenue()).toBe(900)
  await sql`update payments set refunded_cents = 400 where session_id = ${buyer.sessionId}`.execute(funnel.db)
  expect(await revenue()).toBe(500)
})
