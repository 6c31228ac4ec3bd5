/** The share of each answer against a count, visit by visit, of generated visits. */
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { up as withoutAddresses } from '../../db/migrations/20261214000000-count-no-addresses.ts'
import { type AnswerNumbers, readAnswers } from '../../payments-service/numbers/answers.queries.ts'
import type { StepFilter } from '../../payments-service/numbers/steps.queries.ts'
import { refreshFunnel } from '../../payments-service/tracking/upkeep.ts'
import { type Generated, makeVisits } from './generated-visits.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
let visits: Generated[]
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const EVERYTHING: StepFilter = { from: day(25), to: day(0), source: '', language: '', device: '' }
/** By question: what one visitor in as many said; several answers are joined by a comma alone. */
const SAID: Record<string, readonly string[]> = {
  glasses: ['yes', 'no', 'no', 'no, but I should'],
  symptoms: ['dry,red', 'dry', '', 'red,dry,blurry'],
  visualAge: ['36', '41', '52', '60'],
  'not a question': ['x', 'x', 'x', 'x'],
  email: ['ada@example.com', 'ada@example.com', 'ada@example.com', 'ada@example.com'],
  birthDate: ['1960-05-04', '1960-05-04', '1960-05-04', '1960-05-04'],
  invented: ['no', 'ada@example.com', 'ada@example.com', 'no, ada@example.com'],
}

async function answer(visit: Generated, turn: number): Promise<void> {
  for (const [question, said] of Object.entries(SAID)) {
    await sql`insert into quiz_answers (session_id, question_id, answer, updated_at)
      select id, ${question}, ${said[turn % said.length]}, now() from sessions where key = ${visit.key}
      on conflict (session_id, hashtextextended(question_id, 0)) do update set answer = excluded.answer`.execute(
      funnel.db,
    )
  }
}

async function consent(visit: Generated): Promise<void> {
  await sql`insert into consents (session_id, kind, granted, wording, page)
    select id, 'health', true, 'w', '/quiz' from sessions where key = ${visit.key}`.execute(funnel.db)
}

/** As if nothing had been done since. */
async function quietSince(minutes: number): Promise<void> {
  await funnel.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update sessions set updated_at = now() - make_interval(mins => ${minutes})`.execute(tx)
  })
}

beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false, background: false })
  await sql`update bookmarks set at = now() - interval '20 days' where name in ('steps began', 'answers')`.execute(
    funnel.db,
  )
  visits = await makeVisits(funnel.db, 200)
  for (const [turn, visit] of visits.entries()) if (turn % 5 > 0) await answer(visit, turn)
  for (const [turn, visit] of visits.entries()) if (turn % 7 === 0) await consent(visit)
  await refreshFunnel(funnel)
})
afterAll(() => funnel.stop())

/** Visits that count, as docs/metrics.md says, and what they said. */
async function recount(filter: Partial<StepFilter>, revision: string | null): Promise<AnswerNumbers[]> {
  const { rows } = await sql<{ session_key: string; source: string; revision: string }>`
    select session_key::text, source, revisions[1] as revision from step_places`.execute(funnel.db)
  const counted = rows.filter(
    (row) =>
      (filter.source ? row.source === filter.source : row.source !== 'test') &&
      (revision === null || row.revision === revision),
  )
  return ['glasses', 'invented', 'symptoms'].flatMap((question) => {
    const all = counted.flatMap(({ session_key }) => {
      const turn = visits.findIndex(({ key }) => key === session_key)
      return turn % 5 > 0 && turn % 7 > 0 ? [(SAID[question] ?? [])[turn % 4] ?? ''] : []
    })
    // addresses are not counted
    const said = all.filter((one) => !one.includes('@'))
    const values = Map.groupBy(
      said.flatMap((one) => one.split(/,(?! )/)),
      (one) => one,
    )
    const listed = [...values].map(([value, list]) => ({ value, visitors: list.length }))
    const shown = listed.filter(({ visitors }) => visitors >= 10)
    if (said.length < 10) return []
    return {
      question,
      answered: said.length,
      values: shown.sort((a, b) => b.visitors - a.visitors || (a.value < b.value ? -1 : 1)),
    }
  })
}

const SELECTIONS: [string, Partial<StepFilter>, string | null][] = [
  ['everything', {}, null],
  ['a campaign', { source: 'facebook' }, null],
  ['a revision', {}, 'rev-2'],
  ['tests', { source: 'test' }, null],
  ['too few', { source: 'rare' }, null],
]

async function expectRecount(): Promise<void> {
  for (const [name, filter, revision] of SELECTIONS) {
    const found = await readAnswers(funnel.db, { ...EVERYTHING, ...filter }, revision)
    expect(found, name).toEqual(await recount(filter, revision))
    if (name !== 'too few') expect(found.length, name).toBeGreaterThanOrEqual(2)
  }
}

test('D-09 D-13 answers count once their visit was quiet for half an hour, never those given by consent', async () => {
  expect(await readAnswers(funnel.db, EVERYTHING, null)).toEqual([])
  await quietSince(29)
  await refreshFunnel(funnel)
  expect(await readAnswers(funnel.db, EVERYTHING, null)).toEqual([])
  await quietSince(31)
  await Promise.all([refreshFunnel(funnel), refreshFunnel(funnel)])
  await expectRecount()
})

test('D-09 D-13 a visit that comes back is not counted again; what it said is written down nowhere else', async () => {
  await sql`update sessions set last_activity_at = now()`.execute(funnel.db)
  await quietSince(45)
  await sql`update bookmarks set at = now() - interval '20 days' where name = 'answers'`.execute(funnel.db)
  await refreshFunnel(funnel)
  await expectRecount()
  // only the sums know what was answered
  const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
    from information_schema.columns where table_name in ('counted_visits', 'step_places')
    and column_name in ('answer', 'answers', 'value', 'question')`.execute(funnel.db)
  expect(rows).toEqual([])
})

test('D-09 D-12 no address and no birthday is in the sums, which outlive an erasure', async () => {
  const personal = async () =>
    (
      await sql<{ question: string }>`select distinct question from answer_counts
        where value like '%@%' or question in ('email', 'birthDate')`.execute(funnel.db)
    ).rows
  expect(await personal()).toEqual([])
  for (const question of ['email', 'birthDate', 'invented'])
    await sql`insert into answer_counts (day, revision, question, value, source, language, device, visitors)
      values (now(), '', ${question}, 'ada@example.com', '', '', '', 1)`.execute(funnel.db)
  await withoutAddresses(funnel.db as unknown as Kysely<unknown>)
  expect(await personal()).toEqual([])
})

test('D-12 an address that comes as an answer is acknowledged and not kept', async () => {
  const { browser, sessionId, path } = await funnel.buyer()
  const answeredAt = new Date().toISOString()
  const reply = await browser.post(path('/answers'), {
    answers: ['email', 'eyeColor'].map((questionId) => ({ questionId, answer: 'ada@example.com', answeredAt })),
  })
  expect(reply).toMatchObject({ status: 200, body: { saved: 2 } })
  const kept = await funnel.db
    .selectFrom('quiz_answers')
    .select('question_id')
    .where('session_id', '=', sessionId)
    .execute()
  expect(kept).toEqual([{ question_id: 'eyeColor' }])
})
