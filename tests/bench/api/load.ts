import { randomBytes, randomUUID } from 'node:crypto'
import { judge, judgeLeast, median, note } from '../table.ts'
import { shortId, storedId } from '../../../payments-service/tracking/clean.ts'
import { type Bed, CONNECTIONS, type Service, startService } from './bed.ts'
import type { Kind } from './caller.ts'

const ROUNDS = 3
const SECONDS = 4
/** As many as are in the funnel at once. */
const VISITORS = 1_000

/** The limits for each kind, and whether the bare service (bare.ts) supports it too. */
const LIMITS: Record<Kind, { least: number; p99?: number; bare?: true }> = {
  session: { least: 0.4, p99: 2.5 },
  answer: { least: 0.4, bare: true },
  view: { least: 0.4, bare: true },
  activity: { least: 0.4 },
  beacon: { least: 0.9 },
}

/**
 * The service's writes against a plain prepared pool of 16 that inserts the same rows into the same database: 32
 * requests at once on either side, each answered after its commit, one row per request and two for a browser's beacon.
 * Medians of 3 alternating rounds. Beside them, without a limit, what remains when nothing is checked (bare.ts).
 */
export async function load(bed: Bed, only: readonly string[]): Promise<void> {
  const service = await startService(bed)
  let bare: Service | undefined
  try {
    const { made: visitors } = await service.call({ kind: 'session', times: VISITORS, visitors: [] })
    const unchecked = (bare = await startService(bed, 'bare'))
    const { rows } = await bed.pool.query<{ key: string; id: string }>('select key, id from sessions')
    const any = () => rows[Math.floor(Math.random() * rows.length)] as { key: string; id: string }
    const looking = new Map<string, bigint>()
    /** Each writes the rows of one request; resolves with their number. */
    const floors: Record<Kind, () => Promise<number>> = {
      session: () => rawSession(bed),
      answer: () =>
        bed.prepared(
          'answer',
          'insert into quiz_answers (session_id, question_id, answer, updated_at) values ($1, $2, $3, $4)',
          [any().id, `question${(count++).toString(36).padStart(6, '_')}`, 'More than 8 hours', new Date()],
        ),
      view: () =>
        bed.prepared(
          'view',
          'insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, ' +
            'interactions) values ($1, $2, $3, $4, $5, $6, $7, $8)',
          [any().key, '/quiz', 'A title', '7', '/quiz', 12, 80, 3],
        ),
      activity: () =>
        bed.prepared('activity', 'insert into activities (session_key, type, data, page_url) values ($1, $2, $3, $4)', [
          any().key,
          'clicked',
          '{"n":1}',
          '/quiz',
        ]),
      beacon: async () => {
        const { key } = any()
        const before = looking.get(key)
        looking.delete(key)
        const ended = before
          ? await bed.prepared(
              'ended',
              'update page_views set seconds = $3, scroll_depth = $4, interactions = $5 where session_key = ' +
                '$1 and id = $2',
              [key, before, 12, 80, 3],
            )
          : 0
        const next = viewId++
        const begun = await bed.prepared(
          'begun',
          'insert into page_views (session_key, id, url, title, step, referrer, seconds, scroll_depth, ' +
            'interactions) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
          [key, next, '/quiz', 'A title', '7', '/quiz', 0, 80, 3],
        )
        looking.set(key, next)
        return ended + begun
      },
    }
    for (const [kind, limit] of Object.entries(LIMITS) as [Kind, (typeof LIMITS)[Kind]][]) {
      if (only.length > 0 && !only.includes(kind)) continue
      const rounds: { raw: Measured; ours: Measured; bare?: Measured }[] = []
      // all warm: code compiled, statements prepared, pages in memory
      await floor(floors[kind], 1)
      await service.call({ kind, visitors, seconds: 1 })
      if (limit.bare) await unchecked.call({ kind, visitors, seconds: 1 })
      for (let round = 0; round < ROUNDS; round++) {
        const raw = await floor(floors[kind], SECONDS)
        const ours = await service.call({ kind, visitors, seconds: SECONDS })
        rounds.push({
          raw,
          ours,
          ...(limit.bare && { bare: await unchecked.call({ kind, visitors, seconds: SECONDS }) }),
        })
      }
      const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
      const said = (one: (round: (typeof rounds)[number]) => { rate: number; p99: number }) =>
        `${of((round) => one(round).rate).toFixed(0)}/s, p99 ${of((round) => one(round).p99).toFixed(1)} ms`
      note(kind, `${said(({ ours }) => ours)}; floor ${said(({ raw }) => raw)}`)
      if (limit.bare)
        note(
          kind,
          `with nothing checked ${of(({ bare, raw }) => (bare?.rate ?? NaN) / raw.rate).toFixed(2)}× of the floor`,
        )
      judgeLeast(
        `${kind}, rows a second of the floor's`,
        of(({ ours, raw }) => ours.rate / raw.rate),
        limit.least,
        '×',
      )
      if (limit.p99)
        judge(
          `${kind}, p99 of the floor's`,
          of(({ ours, raw }) => ours.p99 / raw.p99),
          limit.p99,
          '×',
        )
    }
  } finally {
    await bare?.stop()
    await service.stop()
  }
}
let count = 0
/** Event ids for the floor, made from the present time. */
let viewId = BigInt(shortId(storedId(randomUUID(), Date.now())))

interface Measured {
  rate: number
  p99: number
}

async function floor(work: () => Promise<number>, seconds: number): Promise<Measured> {
  const started = performance.now()
  const end = started + seconds * 1_000
  const times: number[] = []
  let stored = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const at = performance.now()
        const rows = await work()
        stored += rows
        times.push(performance.now() - at)
      }
    }),
  )
  const spent = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  return { rate: stored / spent, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}

/** The four rows of a new session in one transaction, with hand-written prepared statements. */
async function rawSession({ pool }: Bed): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const made = await client.query<{ id: string; key: string }>({
      name: 's1',
      text: 'insert into sessions (client_key) values ($1) returning id, key',
      values: [randomUUID()],
    })
    const [{ id, key } = { id: '', key: '' }] = made.rows
    await client.query({
      name: 's2',
      text: 'insert into session_metadata (session_id, utm_source, last_touch) values ($1, $2, $3)',
      values: [id, 'bench', '{"utm_source":"bench"}'],
    })
    await client.query({
      name: 's3',
      text: "insert into activities (session_key, type) values ($1, 'quiz_start')",
      values: [key],
    })
    await client.query({
      name: 's4',
      text:
        "insert into session_access (token_hash, session_id, kind, expires_at) values ($1, $2, 'browser', " +
        "now() + interval '180 days')",
      values: [randomBytes(32), id],
    })
    await client.query('commit')
    return 1
  } finally {
    client.release()
  }
}
