/**
 * How long operators wait for the numbers once a million visitors came, while visits are written: the page of steps
 * over 30 and 90 days, as a whole and narrowed, the page of the funnel, brought up to date as for an operator, a search
 * by address.
 * `node tests/bench/numbers.ts [visits]`.
 */
import { sql } from 'kysely'
import { connect, type Database } from '../../db/connect.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { readPagesReport } from '../../payments-service/numbers/pages.ts'
import { readStepFilter, readStepsReport } from '../../payments-service/numbers/steps-report.ts'
import { report } from '../../payments-service/numbers/report.ts'
import { funnelPage, readFilter, readFunnel } from '../../payments-service/operator/funnel.pages.ts'
import { listSessions } from '../../payments-service/operator/sessions.queries.ts'
import { makeBed, startService } from './api/bed.ts'
import { finish, judge, note } from './table.ts'

const visits = Number(process.argv[2] ?? 1_000_000)
const VIEWS = 15
const DAYS = 90
const ANY = `(array['facebook','facebook','facebook','google','direct','mail','tiktok','test'])
    [1 + floor(random() * 8)::int] as source,
  (array['en','en','en','de','es','other'])[1 + floor(random() * 6)::int] as language,
  (array['mobile','mobile','mobile','desktop','tablet'])[1 + floor(random() * 5)::int] as device`

const bed = await makeBed()
const { db, close } = connect(bed.url, { max: 2 })
const run = (statement: string) => sql.raw(statement).execute(db)
const service = await startService(bed)

/** Visits, their sums by step (some 13 steps each, three revisions, a few seconds to minutes) and by stage. */
async function fill(): Promise<void> {
  await run('select setseed(0.5)')
  await run(`insert into quiz_revisions (revision, first_seen)
    select 'rev-' || n, now() - (${DAYS} - n * 30) * interval '1 day' from generate_series(0, 2) n`)
  await run(`insert into sessions (client_key, created_at, updated_at, last_activity_at, email)
    select 'bench-visit-number-' || n, at, at, at, 'visitor' || n || '@example.com'
    from (select n, now() - interval '1 hour' - n * interval '${DAYS} days' / ${visits} as at
      from generate_series(1, ${visits}) n) v`)
  await run(`insert into funnel_counts (day, source, price_cents, stage, step, sessions, revenue_cents)
    select current_date - ago, source, 100, stage, step, 20, 0
    from generate_series(0, ${DAYS - 1}) ago, unnest(array['facebook', 'google', 'direct', 'mail', 'tiktok']) source,
      unnest(enum_range(null::funnel_stage)) stage, generate_series(0, 33) step
    where stage = 'quiz' or step in (0, 33)`)
  await run(`
    insert into step_counts
    select day, revision, place, 'key-' || place, source, language, device, outcome::step_outcome, seconds, count(*)
    from (
      select v.*, place, step_seconds((2 + floor(8 * -ln(1 - random() * 0.999)))::bigint) as seconds,
        case when paid then 'paid' when place = far then 'left' else 'went_on' end as outcome
      from (
        select current_date - (n % ${DAYS}) as day, 'rev-' || least(2, (${DAYS} - n % ${DAYS}) / 30) as revision,
          least(33, floor(14 * -ln(1 - random() * 0.999)))::int as far, random() < 0.03 as paid, ${ANY}
        from generate_series(1, ${visits}) n offset 0
      ) v cross join lateral generate_series(0, far) place
    ) seen group by 1, 2, 3, 4, 5, 6, 7, 8, 9`)
  await run(`insert into page_counts
    select current_date - (n % ${DAYS}), 'rev-' || least(2, (${DAYS} - n % ${DAYS}) / 30), page, source, language,
      device, random() < 0.4, random() < 0.1, count(*)
    from (select n, ${ANY} from generate_series(1, ${visits}) n offset 0) v, unnest(enum_range(null::funnel_page)) page
    group by 1, 2, 3, 4, 5, 6, 7, 8`)
  await run('vacuum analyze')
}

async function slowest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < VIEWS; n++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(VIEWS * 0.95) - 1] ?? Number.NaN
}

try {
  const started = performance.now()
  await fill()
  const { rows } = await sql<{ steps: string; rows: string; sums: string }>`select sum(visitors) as steps,
    count(*) as rows, (select count(*) from step_sums) as sums from step_counts`.execute(db)
  const [made] = rows
  note(
    'filled',
    `${made?.steps} views of steps: ${made?.rows} rows, ${made?.sums} sums; ` +
      `${((performance.now() - started) / 1_000).toFixed(0)} s`,
  )
  const { made: visitors } = await service.call({ kind: 'session', times: 200, visitors: [] })
  // views are written for as long as this takes
  let going = true
  const writing = (async () => {
    while (going) await service.call({ kind: 'view', visitors, seconds: 1 })
  })()
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  for (const days of [30, DAYS]) {
    for (const narrowed of [{}, { source: 'google' }, { revision: 'rev-2' }, { language: 'de' }]) {
      const filter = readStepFilter({ from: day(days - 1), to: day(0), ...narrowed })
      const about =
        Object.entries(narrowed)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ') || 'everybody'
      judge(`steps of ${days} days, ${about}, p95`, await slowest(() => readStepsReport(db, filter)), 300, ' ms')
    }
  }
  for (const days of [30, DAYS]) {
    const filter = readStepFilter({ from: day(days - 1), to: day(0) })
    judge(`pages of ${days} days, everybody, p95`, await slowest(() => readPagesReport(db, filter)), 300, ' ms')
  }
  const two = readStepFilter({ from: day(29), to: day(0), language: 'de', device: 'mobile' })
  note(
    'steps of 30 days, by language and device',
    `${(await slowest(() => readStepsReport(db, two))).toFixed(0)} ms, p95`,
  )
  judge('a search by address, p95', await slowest(() => listSessions(db, `visitor${visits - 7}@`)), 50, ' ms')
  const quarter = readFilter({ from: day(89), to: day(0) })
  const log = createLog('silent')
  const current = <T>(read: (db: Database) => Promise<T>) => report({ db, replica: null, log }, read)
  // the first counts the visits that came meanwhile
  await current((from) => readFunnel(from, quarter))
  judge('the funnel of 90 days, p95', await slowest(() => current((from) => readFunnel(from, quarter))), 150, ' ms')
  judge('its page, p95', await slowest(() => current((from) => funnelPage(from, quarter))), 500, ' ms')
  going = false
  await writing
} finally {
  await service.stop()
  await close()
  await bed.stop()
}
finish()
