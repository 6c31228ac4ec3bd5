import { connect } from '../../../db/connect.ts'
import { readFilter, readFunnel } from '../../../payments-service/operator/funnel.pages.ts'
import { listSessions } from '../../../payments-service/operator/sessions.queries.ts'
import { refreshFunnel } from '../../../payments-service/tracking/upkeep.ts'
import { quantile } from '../../faults/measure.ts'
import { judge, judgeLeast, median, note } from '../table.ts'
import type { Bed } from './bed.ts'

/** Visits in progress at once: their page views are interleaved. */
const ACTIVE = 2_000
/** Page views per visit. */
const VIEWS = 10

/**
 * Page views in the order of arrival: visits begin one after another, ACTIVE of them at a time, and their views are
 * interleaved: row i belongs to one of the ACTIVE visits around i / VIEWS.
 */
const rowsFrom = `insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions)
  select i / ${VIEWS} + (random() * ${ACTIVE})::bigint, '/quiz', 'A title', '7', '/quiz', 9, 80, 3 from
    generate_series($1::bigint, $2::bigint - 1) i`

/** What an insert, a read and the funnel cost when there are many rows. */
export async function manyRows(bed: Bed): Promise<void> {
  await pageViews(bed)
  await funnel(bed)
}

async function pageViews({ pool }: Bed): Promise<void> {
  let rows = 0
  const fill = async (to: number) => {
    for (; rows < to; rows = Math.min(to, rows + 500_000)) {
      await pool.query(rowsFrom, [rows, Math.min(to, rows + 500_000)])
    }
  }
  /** Rows per second when one statement inserts those of 100 requests. */
  const rate = async (): Promise<number> => {
    const rates: number[] = []
    for (let round = 0; round < 9; round++) {
      const at = performance.now()
      for (let n = 0; n < 100; n++, rows += 100)
        await pool.query({ name: 'rows', text: rowsFrom, values: [rows, rows + 100] })
      rates.push(10_000 / ((performance.now() - at) / 1_000))
    }
    return median(rates)
  }
  /** Reads the whole story of random visits, often enough to find the typical time. */
  const read = async (): Promise<number> => {
    const times: number[] = []
    for (let n = 0; n < 2_000; n++) {
      const key = Math.floor(Math.random() * (rows / VIEWS))
      const at = performance.now()
      await pool.query({
        name: 'read',
        text: 'select id, url, step, seconds from page_views where session_key = $1 order by id desc limit 50',
        values: [key],
      })
      if (n >= 500) times.push(performance.now() - at)
    }
    return median(times)
  }
  const begin = async () => {
    await pool.query('truncate page_views')
    await pool.query('checkpoint')
    rows = 0
  }

  await rate()
  await begin()
  const emptyRate = await rate()
  await begin()
  await fill(10_000)
  await pool.query('vacuum analyze page_views')
  const smallRead = await read()
  await fill(3_000_000)
  await pool.query('checkpoint')
  await rate()
  const fullRate = await rate()
  await fill(10_000_000)
  await pool.query('vacuum analyze page_views')
  await pool.query('checkpoint')
  const bigRead = await read()
  note('inserts a second', `${fullRate.toFixed(0)} at 3 million rows, ${emptyRate.toFixed(0)} empty`)
  judgeLeast('insert rate at 3 million rows of the empty one', fullRate / emptyRate, 0.9, '×')
  note(
    "reading a visit's page views",
    `${bigRead.toFixed(3)} ms of 10 million, ${smallRead.toFixed(3)} ms of 10 thousand`,
  )
  judge('reading from 10 million page views, of 10 thousand', bigRead / smallRead, 1.3, '×')
}

async function funnel({ pool, url }: Bed): Promise<void> {
  const { db, close } = connect(url, { max: 1 })
  await pool.query(`insert into sessions (email, created_at, selected_price_cents, checkout_opened_at, payment_status,
      paid_at)
    select 'visitor' || n || '@example.com', now() - random() * interval '90 days',
      (array[null, 100, 500, 900, 1767])[1 + floor(random() * 5)],
      case when n % 5 = 0 then now() end, case when n % 50 = 0 then 'paid' else 'unpaid' end, case when n % 50 = 0
        then now() end
    from generate_series(1, 1000000) n`)
  await pool.query(
    `insert into session_metadata (session_id, utm_source) select id,
      (array['facebook','google','mail','tiktok',null])[1 + (key % 5)] from sessions on conflict do nothing`,
  )
  await pool.query(
    `insert into session_progress (session_key, furthest) select key, (random() * 33)::int from sessions
      on conflict do nothing`,
  )
  await pool.query('analyze sessions; analyze session_progress; analyze session_metadata')
  let at = performance.now()
  await refreshFunnel({ db })
  const first = performance.now() - at
  await pool.query('vacuum analyze')
  const shown: number[] = []
  const changed: number[] = []
  for (let round = 0; round < 20; round++) {
    await pool.query(
      `update session_progress set furthest = furthest + 1, updated_at = clock_timestamp()
        where session_key in (select key from sessions order by created_at desc limit 50)`,
    )
    at = performance.now()
    await refreshFunnel({ db })
    changed.push(performance.now() - at)
    await readFunnel(db, readFilter({ from: '2000-01-01' }))
    shown.push(performance.now() - at)
  }
  note(
    'counting the funnel',
    `1 million visits at once ${(first / 1_000).toFixed(1)} s, fifty that changed ${median(changed).toFixed(0)} ms`,
  )
  const search: number[] = []
  for (let n = 0; n < 20; n++) {
    at = performance.now()
    await listSessions(db, `visitor${n * 1_237}@`)
    search.push(performance.now() - at)
  }
  judge('a search by address among 1 million visits, p95', Math.round(quantile(search, 0.95)), 50, ' ms')
  judge('the funnel of 1 million visits while they go on, p95', Math.round(quantile(shown, 0.95)), 150, ' ms')
  await close()
}
