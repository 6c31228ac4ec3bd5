/** Visits made up at random, the same in every run, and their numbers counted naively from the raw rows. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { StepNumbers } from '../../payments-service/numbers/steps.ts'
import type { StepFilter } from '../../payments-service/numbers/steps.queries.ts'

export interface Generated {
  key: string
  at: number
  revision: string | null
  place: number
}

const STEPS = 12
const HOUR = 3_600_000

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomFrom(20_261_123)
const below = (most: number): number => Math.floor(random() * most)
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T

let serial = 0
const eventId = (at: number): string =>
  String((BigInt(Math.floor(at) - Date.UTC(2020, 0, 1)) << 21n) + BigInt(++serial))

/** rev-2 begins with a new step; old pages say neither revision nor key. */
function keyOf(revision: string | null, place: number): string | null {
  if (revision === null || place === 0) return null
  return revision === 'rev-2' ? (place === 1 ? 'key-new' : `key-${place - 1}`) : `key-${place}`
}

async function see(db: Database, visit: Generated, place: number): Promise<void> {
  const seconds = one([null, 0, below(30), 30 + below(90), 120 + below(900)])
  visit.at += 1_000 + below(60_000)
  await sql`insert into page_views (session_key, id, url, step, seconds, revision, step_key)
    values (${visit.key}, ${eventId(visit.at)}, '/quiz', ${place === 0 ? 'Welcome' : String(place)}, ${seconds},
      ${visit.revision}, ${keyOf(visit.revision, place)})`.execute(db)
}

/** Which of the pages around the quiz come after it. */
const PAGES = {
  '/': false,
  '/checkout': false,
  '/checkout/:id': true,
  '/special-offer-intro/:id': true,
  '/special-offer-details/:id/': true,
  '/multi-upsell/:id': true,
}

async function seePage(db: Database, visit: Generated): Promise<void> {
  visit.at += 1_000
  await sql`insert into page_views (session_key, id, url)
    values (${visit.key}, ${eventId(visit.at)}, ${one(Object.keys(PAGES))})`.execute(db)
  await sql`update sessions set last_activity_at = now() where key = ${visit.key}`.execute(db)
}

async function goOn(db: Database, visit: Generated, steps: number): Promise<void> {
  for (let n = 0; n < steps && visit.place < STEPS; n++) {
    // a hidden step is passed over; sometimes people go back, or the page is published anew meanwhile
    visit.place += one([1, 1, 1, 1, 2])
    await see(db, visit, Math.min(visit.place, STEPS))
    if (random() < 0.1) await see(db, visit, below(visit.place))
    if (random() < 0.03) visit.revision = 'rev-2'
  }
  await sql`insert into session_progress (session_key, furthest) values (${visit.key}, ${Math.min(visit.place, STEPS)})
    on conflict (session_key) do update set furthest = excluded.furthest, updated_at = now()`.execute(db)
  await sql`update sessions set last_activity_at = now() where key = ${visit.key}`.execute(db)
}

export async function makeVisits(db: Database, count: number): Promise<Generated[]> {
  const visits: Generated[] = []
  for (let n = 0; n < count; n++) {
    const at = Date.now() - below(18 * 24) * HOUR - HOUR
    const { id, key } = await db
      .insertInto('sessions')
      .values({ client_key: randomUUID(), created_at: new Date(at), is_bot: random() < 0.05 })
      .returning(['id', 'key'])
      .executeTakeFirstOrThrow()
    const source = n < 5 ? 'Rare' : one(['Facebook', 'Facebook', 'mail', null, 'test'])
    await db
      .insertInto('session_metadata')
      .values({
        session_id: id,
        utm_source: source,
        language: one(['en-US', 'en', 'DE_de', 'de', null, '*']),
        device_type: one(['mobile', 'mobile', 'desktop', 'tv', null]),
      })
      .execute()
    const visit = { key, at, revision: one(['rev-1', 'rev-1', 'rev-2', 'rev-2', null]), place: 0 }
    visits.push(visit)
    // some see the landing page alone
    if (random() < 0.1) continue
    await see(db, visit, 0)
    await goOn(db, visit, below(STEPS + 3))
  }
  return visits
}

/** Some visits go on, see another page, press Order, pay, pay back, or are found out. */
export async function moreOf(db: Database, visits: readonly Generated[], round: number): Promise<void> {
  for (const [at, visit] of visits.entries()) {
    if (at % 3 !== round) continue
    const now = new Date()
    const change = one([
      {},
      { checkout_opened_at: now },
      { payment_status: 'paid', paid_at: now },
      { payment_status: 'refunded', paid_at: now },
      { is_bot: random() < 0.2 },
    ])
    if (random() < 0.6) await goOn(db, visit, below(4))
    if (random() < 0.4) await seePage(db, visit)
    if (Object.keys(change).length > 0) {
      await db.updateTable('sessions').set(change).where('key', '=', visit.key).execute()
    }
  }
}

interface RawVisit {
  key: string
  day: string
  is_bot: boolean
  opened: boolean
  paid: boolean
  utm_source: string | null
  language: string | null
  device_type: string | null
}
interface RawView {
  session_key: string
  url: string
  step: string
  seconds: number | null
  revision: string | null
  step_key: string | null
}

const rounded = (seconds: number): number =>
  seconds < 30
    ? seconds
    : seconds < 120
      ? Math.floor(seconds / 5) * 5
      : seconds < 600
        ? Math.floor(seconds / 30) * 30
        : 600

const chosen = (visit: RawVisit, { from, to, source, language, device }: StepFilter): boolean => {
  const of = visit.utm_source?.toLowerCase() ?? 'direct'
  const speaks = /^[a-z]{2,3}(?=$|[-_])/.exec(visit.language?.toLowerCase() ?? '')?.[0] ?? 'other'
  const holds = ['mobile', 'tablet', 'desktop'].includes(visit.device_type ?? '') ? visit.device_type : 'other'
  return (
    !visit.is_bot &&
    visit.day >= from &&
    visit.day <= to &&
    (source ? of === source : of !== 'test') &&
    (!language || speaks === language) &&
    (!device || holds === device)
  )
}

interface Seen {
  place: number
  key: string
  seconds: number
  left: boolean
  paid: boolean
}

/** What docs/metrics.md says, without a sum in SQL. */
export async function recount(db: Database, filter: StepFilter, revision: string | null): Promise<StepNumbers[]> {
  const { rows: all } =
    await sql<RawVisit>`select s.key::text, to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
    s.is_bot, s.checkout_opened_at is not null as opened, s.paid_at is not null as paid, m.utm_source, m.language,
    m.device_type from sessions s join session_metadata m on m.session_id = s.id`.execute(db)
  const { rows: views } = await sql<RawView>`select session_key::text, url, step, seconds, revision, step_key
    from page_views order by id`.execute(db)
  const later = new Set(views.filter(({ url }) => PAGES[url as keyof typeof PAGES]).map((view) => view.session_key))
  const seen: Seen[] = []
  for (const visit of all.filter((each) => chosen(each, filter))) {
    const mine = views.filter(({ session_key, url }) => session_key === visit.key && url === '/quiz')
    const places = mine.map(({ step }) => (step === 'Welcome' ? 0 : Number(step)))
    for (const place of new Set(places)) {
      const here = mine.filter((_, at) => places[at] === place)
      if (revision !== null && (here[0]?.revision ?? '') !== revision) continue
      seen.push({
        place,
        key: here[0]?.step_key ?? '',
        seconds: rounded(here.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)),
        left: place === Math.max(...places) && !later.has(visit.key) && !visit.opened && !visit.paid,
        paid: visit.paid,
      })
    }
  }
  const steps = [...Map.groupBy(seen, ({ place, key }) => key || `at ${place}`).values()].map((group) => {
    const places = group.map(({ place }) => place).sort((a, b) => a - b)
    const often = (place: number) => places.filter((other) => other === place).length
    const seconds = group.map((each) => each.seconds).sort((a, b) => a - b)
    const figures = {
      entered: group.length,
      left: group.filter(({ left }) => left).length,
      paid: group.filter(({ paid }) => paid).length,
      medianSeconds: seconds[Math.ceil(seconds.length / 2) - 1] ?? 0,
    }
    const place = places.toSorted((a, b) => often(b) - often(a))[0] ?? 0
    return { place, key: group[0]?.key ?? '', ...(group.length >= 10 ? { figures } : {}) }
  })
  return steps.sort((a, b) => a.place - b.place || a.key.localeCompare(b.key))
}
