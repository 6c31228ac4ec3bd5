/** The numbers of the pages before and after the quiz against a recount, row by row, of visits made up at random. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFINITIONS } from '../../payments-service/numbers/definitions.ts'
import { readPagesReport } from '../../payments-service/numbers/pages.ts'
import { readStepFilter } from '../../payments-service/numbers/steps-report.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { refreshFunnel } from '../../payments-service/tracking/upkeep.ts'
import { orderOf } from '../support/order.ts'
import { bearer, type EditorsLake, startEditorsLake } from './editors.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { Browser } from './service.ts'

let lake: EditorsLake
let funnel: Funnel

type Page = 'landing' | 'checkout' | 'offer' | 'upsell'
const ADDRESSES: readonly (readonly [string, Page | null])[] = [
  ['/', 'landing'],
  ['/checkout/:id', 'checkout'],
  ['/special-offer-intro/:id', 'offer'],
  ['/special-offer-details/:id', 'offer'],
  ['/multi-upsell/:id', 'upsell'],
  ['/checkout', null],
  ['/women-over60', null],
]

interface Visit {
  id: string
  key: string
  day: string
  source: string
  language: string
  bot: boolean
  views: { at: number; page: Page | null; revision: string }[]
  stage: number
  bought: boolean
}
/** 0 visit, 1 welcome, 2 quiz, 3 checkout, 4 paid, 5 add-ons. */
const NEEDED: Record<Page, number> = { landing: 1, checkout: 4, offer: 4, upsell: 5 }
const ORDER: readonly Page[] = ['landing', 'checkout', 'offer', 'upsell']

let state = 20_261_203
const below = (most: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * most)
}
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
const visits: Visit[] = []
const TITLES = { landing: 'Landing page', checkout: 'Checkout', offer: 'Special offer', upsell: 'Add-ons' }

async function make(n: number): Promise<Visit> {
  const at = Date.now() - below(15) * 86_400_000 - 3_600_000
  const { id, key } = await funnel.db
    .insertInto('sessions')
    .values({ client_key: randomUUID(), created_at: new Date(at), is_bot: n % 17 === 0 })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()
  const source = n < 5 ? 'rare' : one(['facebook', 'mail', 'direct', 'test'])
  const language = one(['en', 'de'])
  const utm = { utm_source: source === 'direct' ? null : source, language: `${language}-XX`, device_type: 'mobile' }
  await funnel.db
    .insertInto('session_metadata')
    .values({ session_id: id, ...utm })
    .execute()
  const day = new Date(at).toISOString().slice(0, 10)
  return { id, key, day, source, language, bot: n % 17 === 0, views: [], stage: 0, bought: false }
}

async function look(visit: Visit, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const [url, page] = one(ADDRESSES)
    const revision = one(['rev-1', 'rev-2', ''])
    const at = Date.now() + visit.views.length
    const id = String((BigInt(at - Date.UTC(2020, 0, 1)) << 21n) + BigInt(below(2_000_000)))
    await sql`insert into page_views (session_key, id, url, revision)
      values (${visit.key}, ${id}, ${url}, ${revision || null})`.execute(funnel.db)
    visit.views.push({ at, page, revision })
  }
  await sql`update sessions set last_activity_at = now() where key = ${visit.key}`.execute(funnel.db)
}

/** A step of the quiz, the checkout, a payment, the end of the add-ons; and one of these bought. */
async function goOn(visit: Visit): Promise<void> {
  visit.stage = Math.max(visit.stage, below(9) - 3)
  const { stage, id, key } = visit
  if (stage >= 1)
    await sql`insert into session_progress (session_key, furthest) values (${key}, ${stage > 1 ? 4 : 0})
      on conflict (session_key) do update set furthest = excluded.furthest, updated_at = now()`.execute(funnel.db)
  const now = new Date()
  await funnel.db
    .updateTable('sessions')
    .set({
      ...(stage >= 3 ? { checkout_opened_at: now } : {}),
      ...(stage >= 4 ? { payment_status: 'paid' as const, paid_at: now } : {}),
      ...(stage >= 5 ? { upsell_finished_at: now } : {}),
      last_activity_at: now,
    })
    .where('id', '=', id)
    .execute()
}

function recount(filter: { source?: string; language?: string }, revision: string | null) {
  const chosen = visits.filter(
    ({ bot, source, language }) =>
      !bot &&
      (filter.source ? source === filter.source : source !== 'test') &&
      (!filter.language || language === filter.language),
  )
  return ORDER.map((page) => {
    const seen = chosen.flatMap((visit) => {
      const first = visit.views.find((view) => view.page === page)
      return first && (revision === null || first.revision === revision) ? [visit] : []
    })
    const later = ({ views }: Visit) =>
      views.some((view) => view.page !== null && ORDER.indexOf(view.page) > ORDER.indexOf(page))
    return {
      page,
      entered: seen.length,
      wentOn: seen.filter((visit) => later(visit) || visit.stage >= NEEDED[page]).length,
      paid: seen.filter(({ stage, bought }) => (page === 'upsell' ? bought : stage >= 4)).length,
    }
  })
}

const SELECTIONS: [{ source?: string; language?: string }, string | null][] = [
  [{}, null],
  [{ source: 'facebook' }, null],
  [{ source: 'test' }, null],
  [{ language: 'de' }, null],
  [{}, 'rev-1'],
  [{ source: 'mail', language: 'en' }, 'rev-2'],
]

async function expectRecount(): Promise<void> {
  for (const [narrowed, revision] of SELECTIONS) {
    const filter = { ...readStepFilter(narrowed), revision }
    const { pages } = await readPagesReport(funnel.db, filter)
    const told = recount(narrowed, revision).map(({ page, ...figures }) => ({
      page,
      figures: figures.entered < 10 ? undefined : figures,
    }))
    expect(
      pages.map(({ page, figures }) => ({ page, figures })),
      JSON.stringify([narrowed, revision]),
    ).toEqual(told)
  }
}

beforeAll(async () => {
  lake = await startEditorsLake()
  funnel = await startFunnel({ webhooks: false, background: false, env: lake.env })
  await sql`update bookmarks set at = now() - interval '20 days' where name = 'pages began'`.execute(funnel.db)
  for (let n = 0; n < 250; n++) {
    const visit = await make(n)
    visits.push(visit)
    await look(visit, below(4))
  }
})
afterAll(async () => {
  await funnel.stop()
  await lake.close()
})

test('D-09 the numbers of every page and selection are those of a recount, also as visits go on and pay', async () => {
  await refreshFunnel(funnel)
  await expectRecount()
  for (let round = 0; round < 3; round++) {
    for (const visit of visits.filter((_, at) => at % 3 === round)) {
      await look(visit, below(3))
      await goOn(visit)
    }
    await Promise.all([refreshFunnel(funnel), refreshFunnel(funnel)])
    await expectRecount()
  }
  for (const { entered, wentOn } of recount({}, null)) {
    expect(entered).toBeGreaterThan(30)
    expect([wentOn > 0, wentOn < entered]).toEqual([true, true])
  }
  const { rows } = await sql`select from page_counts where visitors <= 0`.execute(funnel.db)
  expect(rows).toEqual([])
})

test('D-09 the operator’s funnel has the Studio’s figures of pages, of the source that is chosen', async () => {
  const { browser } = await signedOperator(funnel, 'pages@example.com')
  for (const source of ['', 'facebook']) {
    const answer = await browser.get(`/operator/funnel?source=${source}`)
    const text = String(answer.body)
    const words = (markup = '') => markup.replace(/<.*?>/g, '').trim()
    const sections = [...text.matchAll(/<section class="page">\s*<h3>(.*?)<\/h3>(.*?)<\/section>/gs)]
    const figures = ([, , list = '']: RegExpMatchArray) =>
      Object.fromEntries(
        [...list.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(([, name, value]) => [words(name), words(value)]),
      )
    for (const { page, entered, wentOn, paid } of recount(source ? { source } : {}, null)) {
      const own = sections.filter(([, name]) => name === TITLES[page]).map(figures)[0] ?? {}
      const percent = (part: number) => `${((100 * part) / entered).toFixed(1)} %`
      const { entered: came, wentOn: on, leftPage, stepRate, paidLater, boughtAddOn } = DEFINITIONS
      expect([own[came.name], own[on.name]]).toEqual([String(entered), String(wentOn)])
      expect(own[leftPage.name]).toMatch(new RegExp(`^${entered - wentOn}\\s+${percent(entered - wentOn)}$`))
      expect(own[stepRate.name]).toMatch(new RegExp(`^${percent(wentOn)}\\s+\\(`))
      expect(own[(page === 'upsell' ? boughtAddOn : paidLater).name]).toMatch(
        new RegExp(`^${percent(paid)}\\s+\\([^)]*\\)$`),
      )
    }
  }
})

test('D-08 D-09 a page says its revision; who buys an add-on, and who ends them, is counted there', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  const { sessionId, browser } = buyer
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(funnel.db)
  const view = { kind: 'page_view', url: `/multi-upsell/${sessionId}`, revision: 'rev-bought', seconds: 3 }
  await browser.post('/api/track', { sessionId, events: [{ ...view, id: rows[0]?.id }] })
  const counted = async () => {
    await refreshFunnel(funnel)
    const found = sql`select page, went_on, paid, visitors from page_counts where revision = 'rev-bought'`
    return (await found.execute(funnel.db)).rows
  }
  const upsell = { page: 'upsell', went_on: false, paid: false, visitors: 1 }
  expect(await counted()).toEqual([upsell])
  expect((await browser.post(buyer.path('/upsells'), orderOf('guide_devices'))).status).toBe(200)
  expect(await counted()).toEqual([{ ...upsell, paid: true }])
  await sql`update sessions set upsell_finished_at = now() where id = ${sessionId}`.execute(funnel.db)
  expect(await counted()).toEqual([{ ...upsell, paid: true, went_on: true }])
})

test('D-09 D-12 who is erased stays in the sums and nowhere else', async () => {
  const before = (await readPagesReport(funnel.db, readStepFilter({}))).pages
  const gone = visits.find(({ views, bot, source }) => !bot && source !== 'test' && views.some(({ page }) => page))
  await eraseVisitor(funnel.db, { who: gone?.id ?? '', visits: [gone?.id ?? ''] })
  const { rows } = await sql`select from page_places where session_key = ${gone?.key}`.execute(funnel.db)
  expect(rows).toEqual([])
  await refreshFunnel(funnel)
  expect((await readPagesReport(funnel.db, readStepFilter({}))).pages).toEqual(before)
})

test('D-09 K-03 an editor gets them with intervals by their own sign-in, nobody else, none of nine', async () => {
  const token = await lake.signIn()
  const editor = new Browser(funnel.url)
  const ask = (query: string, headers: Record<string, string> = bearer(token)) =>
    editor.get(`/api/numbers/pages${query}`, headers)
  const { status, body } = await ask('')
  expect(status).toBe(200)
  expect(body.choices.sources).toEqual(['direct', 'facebook', 'mail', 'test'])
  const [landing] = body.pages
  const { entered, wentOn, left, stayed } = landing.figures
  expect(wentOn + left).toBe(entered)
  expect(stayed.low < wentOn / entered && wentOn / entered < stayed.high).toBe(true)
  expect(landing.revisions).toHaveLength(3)
  expect(landing.change.verdict).toMatch(/higher|lower|too few to tell yet/)
  const rare = (await ask('?source=rare')).body.pages as { figures: unknown }[]
  expect(rare.map(({ figures }) => figures)).toEqual([null, null, null, null])
  expect((await ask('', {})).status).toBe(401)
})
