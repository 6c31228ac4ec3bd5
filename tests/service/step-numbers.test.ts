/** The numbers of each step against a recount, row by row, of generated visits. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { readChoices, type StepFilter } from '../../payments-service/numbers/steps.queries.ts'
import { readStepFilter, readStepsReport } from '../../payments-service/numbers/steps-report.ts'
import { stepsPage } from '../../payments-service/operator/steps.pages.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { forgetOldCounts, refreshFunnel } from '../../payments-service/tracking/upkeep.ts'
import { explained } from '../support/explained.ts'
import { type Generated, makeVisits, moreOf, recount } from './generated-visits.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'

let funnel: Funnel
let visits: Generated[]
beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false, background: false })
  await sql`update bookmarks set at = now() - interval '20 days' where name = 'steps began'`.execute(funnel.db)
  visits = await makeVisits(funnel.db, 400)
})
afterAll(() => funnel.stop())

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const EVERYTHING: StepFilter = { from: day(25), to: day(0), source: '', language: '', device: '' }
const FILTERS: [string, Partial<StepFilter>, string | null][] = [
  ['everything', {}, null],
  ['a period', { from: day(6), to: day(3) }, null],
  ['a campaign', { source: 'facebook' }, null],
  ['tests', { source: 'test' }, null],
  ['a language', { language: 'de' }, null],
  ['a device', { device: 'mobile' }, null],
  ['a revision', {}, 'rev-2'],
  ['pages that did not say their revision', {}, ''],
  ['all at once', { from: day(9), source: 'facebook', language: 'en', device: 'mobile' }, 'rev-1'],
  ['nobody', { source: 'nobody' }, null],
]

/** As the pages show them. */
const stepsOf = async (filter: StepFilter, revision: string | null) =>
  (await readStepsReport(funnel.db, { ...filter, revision })).steps

async function expectRecount(): Promise<void> {
  for (const [name, filter, revision] of FILTERS) {
    const chosen = { ...EVERYTHING, ...filter }
    const found = await stepsOf(chosen, revision)
    expect(found, name).toEqual(await recount(funnel.db, chosen, revision))
    if (name !== 'nobody') expect(found.length, name).toBeGreaterThan(0)
  }
}

test('D-09 the numbers of every selection are those of a recount, row by row', async () => {
  await refreshFunnel(funnel)
  await expectRecount()
})

test('D-09 visits that go on, pay, or turn out to be bots are counted where they are now', async () => {
  for (let round = 0; round < 3; round++) {
    await moreOf(funnel.db, visits, round)
    await Promise.all([refreshFunnel(funnel), refreshFunnel(funnel)])
    await expectRecount()
  }
  const { rows } = await sql`select from step_counts where visitors <= 0`.execute(funnel.db)
  expect(rows).toEqual([])
})

test('D-09 what a visit writes in the minute after it was marked as active is counted', async () => {
  const { rows: places } = await sql<{ key: string }>`select session_key as key from step_places limit 1`.execute(
    funnel.db,
  )
  const visit = places[0]
  await sql`update sessions set last_activity_at = now() where key = ${visit?.key}`.execute(funnel.db)
  await refreshFunnel(funnel)
  // as if that count had been 70 seconds ago when the next one comes
  await sql`update bookmarks set at = at + interval '70 seconds' where name = 'steps'`.execute(funnel.db)
  await sql`update page_views set seconds = 599 where session_key = ${visit?.key}`.execute(funnel.db)
  await refreshFunnel(funnel)
  await expectRecount()
  const { rows } = await sql<{ seconds: number[] }>`select seconds from step_places
    where session_key = ${visit?.key}`.execute(funnel.db)
  expect(rows[0]?.seconds.at(0)).toBeGreaterThanOrEqual(570)
})

test('D-09 only what ten visitors share can be chosen, and no figure is told of fewer', async () => {
  const choices = await readChoices(funnel.db, EVERYTHING)
  expect(choices.sources).toEqual(['direct', 'facebook', 'mail', 'test'])
  expect(choices.languages).toEqual(['de', 'en', 'other'])
  expect(choices.devices).toEqual(['desktop', 'mobile', 'other'])
  expect(choices.revisions.map(({ revision }) => revision).sort()).toEqual(['', 'rev-1', 'rev-2'])
  const rare = await stepsOf({ ...EVERYTHING, source: 'rare' }, null)
  expect(rare.length).toBeGreaterThan(0)
  expect(rare.every((step) => !('figures' in step))).toBe(true)
  const pageOf = async (query: Record<string, unknown>) => (await stepsPage(funnel.db, readStepFilter(query))).text
  const page = await pageOf({ source: 'rare' })
  expect(page).toContain('fewer than 10')
  const figure = /<td[^>]*>\d+<\/td>/
  expect(page).not.toMatch(figure)
  expect(await pageOf({})).toMatch(figure)
})

test('D-09 the page of one revision, and of all, has the numbers of that selection', async () => {
  for (const chosen of [null, '', 'rev-1', 'rev-2']) {
    const filter = { ...EVERYTHING, revision: chosen }
    expect((await readStepsReport(funnel.db, filter)).steps).toEqual(await recount(funnel.db, filter, chosen))
  }
})

test('D-09 an edit is compared with the one before it, step by step, also where a step moved', async () => {
  await sql`update quiz_revisions set first_seen = now() - case revision when '' then interval '9 days'
    when 'rev-1' then interval '5 days' else interval '1 day' end`.execute(funnel.db)
  const { edit } = await readStepsReport(funnel.db, readStepFilter({}))
  expect(edit?.revision.revision).toBe('rev-2')
  const [before, after] = await Promise.all(
    ['rev-1', 'rev-2'].map(async (revision) => recount(funnel.db, readStepFilter({}), revision)),
  )
  // rev-2 has a step more at its beginning
  const of = (steps: typeof before) => steps?.find(({ key }) => key === 'key-3')
  expect([of(before)?.place, of(after)?.place]).toEqual([3, 4])
  const figures = of(after)?.figures
  expect(edit?.changes.get('key-3')?.after).toEqual({
    part: (figures?.entered ?? 0) - (figures?.left ?? 0),
    whole: figures?.entered,
  })
  expect(edit?.changes.has('key-new')).toBe(false)
})

test('D-08 D-09 old numbers go a day at a time, so that no statement takes too long', async () => {
  const { db, close } = connect(funnel.databaseUrl, { max: 1 })
  await sql`insert into step_counts
    select (now() - interval '3 years')::date + n, 'old', 1, 'key', 'direct', 'en', 'mobile', 'left', 1, 1
    from generate_series(0, 2) n`.execute(db)
  // each day takes 0.4 s
  await sql`create function slowly() returns trigger language plpgsql as $$ begin
    perform pg_sleep(0.4 * (select count(distinct day) from gone)); return null; end $$`.execute(db)
  await sql`create trigger slowly after delete on step_counts referencing old table as gone
    for each statement execute function slowly()`.execute(db)
  await sql`set statement_timeout = 700`.execute(db)
  await forgetOldCounts({ config: funnel.config, db }, 'step_counts')
  await sql`drop function slowly cascade`.execute(db)
  await close()
  for (const table of ['step_counts', 'step_sums']) {
    const { rows } = await sql`select from ${sql.table(table)} where revision = 'old'`.execute(funnel.db)
    expect(rows, table).toEqual([])
  }
})

test('D-08 D-09 a page says revision and key of its step; an old page, or nonsense, loses no view', async () => {
  const operator = (await signedOperator(funnel)).browser
  const views = [
    { step: '1', revision: 'rev-http', stepKey: 'first' },
    { step: '2' },
    { step: '3', revision: 'no revision!', stepKey: 'x'.repeat(41) },
    { step: 'Welcome', revision: 'rev-http' },
  ]
  const sent: string[] = []
  for (let n = 0; n < 10; n++) {
    const { browser, sessionId } = await funnel.buyer('')
    sent.push(sessionId)
    await sql`update session_metadata set utm_source = 'http', language = 'en', device_type = 'mobile'
      where session_id = ${sessionId}`.execute(funnel.db)
    const { rows } = await sql<{ id: string }>`select uuidv7() as id from generate_series(1, 4)`.execute(funnel.db)
    const events = views.map((view, at) => ({ kind: 'page_view', id: rows[at]?.id, url: '/quiz', seconds: 4, ...view }))
    const reply = await browser.post('/api/track', { sessionId, events })
    expect(reply.body).toEqual({ accepted: 4, refused: [] })
  }
  await refreshFunnel(funnel)
  const { rows } = await sql`select place, step_key, revision, outcome, seconds, visitors from step_counts
    where source = 'http' order by place`.execute(funnel.db)
  expect(rows).toEqual([
    { place: 0, step_key: '', revision: 'rev-http', outcome: 'went_on', seconds: 4, visitors: 10 },
    { place: 1, step_key: 'first', revision: 'rev-http', outcome: 'went_on', seconds: 4, visitors: 10 },
    { place: 2, step_key: '', revision: '', outcome: 'went_on', seconds: 4, visitors: 10 },
    { place: 3, step_key: '', revision: '', outcome: 'left', seconds: 4, visitors: 10 },
  ])
  const page = await operator.get('/operator/steps?revision=rev-http')
  expect(page.status).toBe(200)
  expect(page.body).toContain('first')
  for (const id of sent) expect(page.body).not.toContain(id)
})

test('D-09 D-12 who is erased stays in the sums alone; after 28 days a visit is counted for good', async () => {
  const { rows: counted } = await sql<{ key: string }>`select p.session_key as key from step_places p
    join sessions s on s.key = p.session_key where not p.paid limit 2`.execute(funnel.db)
  const [gone, old] = counted
  const before = await stepsOf(EVERYTHING, null)
  const { rows } = await sql<{ id: string }>`select id from sessions where key = ${gone?.key}`.execute(funnel.db)
  const who = rows[0]?.id ?? ''
  await eraseVisitor(funnel.db, { who, visits: [who] })
  const { rows: places } = await sql`select from step_places where session_key = ${gone?.key}`.execute(funnel.db)
  expect(places).toEqual([])
  await sql`update sessions set created_at = now() - interval '29 days' where key = ${old?.key}`.execute(funnel.db)
  await sql`delete from page_views where session_key = ${old?.key}`.execute(funnel.db)
  await refreshFunnel(funnel)
  expect(await stepsOf(EVERYTHING, null)).toEqual(before)
})

test('D-09 thirty days of years of numbers are found by an index', async () => {
  await sql`insert into step_counts
    select current_date - 30 - n / 100, 'old', n % 33, 'key', 'old', 'en', 'mobile', 'went_on', n % 100, 1
    from generate_series(1, 100000) n`.execute(funnel.db)
  await sql`analyze step_counts`.execute(funnel.db)
  const numbers = sql`select place, sum(visitors) from step_counts
    where day between current_date - 29 and current_date group by 1`
  const plan = await explained(funnel.db, numbers.compile(funnel.db))
  expect(plan).toMatch(/step_counts_pkey/)
  expect(plan).not.toMatch(/Seq Scan/)
})
