import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { refreshFunnel } from '../tracking/upkeep.ts'
import { dollars, html, type Markup, table } from './html.ts'

export interface FunnelFilter {
  from: string
  to: string
  source: string
  /** Cents, '' for all. */
  price: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** The last thirty days unless asked otherwise; what is no date or price is no filter. */
export function readFilter(query: Readonly<Record<string, unknown>>): FunnelFilter {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const date = (name: string, otherwise: string): string =>
    DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : otherwise
  return {
    from: date('from', day(29)),
    to: date('to', day(0)),
    source: text('source').slice(0, 60),
    price: /^\d{1,7}$/.test(text('price')) ? text('price') : '',
  }
}

const where = ({ from, to, source, price }: FunnelFilter) => sql`day between ${from}::date and ${to}::date
  and (${source} = '' or source = ${source}) and (${price} = '' or price_cents = nullif(${price}, '')::int)`

export interface FunnelStep {
  stage: number
  step: string
  sessions: number
  revenue: number
}

export async function readFunnel(db: Database, filter: FunnelFilter): Promise<FunnelStep[]> {
  const { rows } = await sql<{ stage: number; step: string; sessions: string; revenue: string }>`
    select stage, step, sum(sessions) as sessions, sum(revenue_cents) as revenue from funnel_counts
    where ${where(filter)} group by stage, step order by stage`.execute(db)
  return rows.map((row) => ({ ...row, sessions: Number(row.sessions), revenue: Number(row.revenue) }))
}

async function choices(db: Database): Promise<{ sources: string[]; prices: number[] }> {
  const { rows } = await sql<{ sources: string[] | null; prices: number[] | null }>`
    select array_agg(distinct source order by source) as sources, array_agg(distinct price_cents
      order by price_cents) as prices
    from funnel_counts where stage = 0 and day > current_date - 400`.execute(db)
  return { sources: rows[0]?.sources ?? [], prices: rows[0]?.prices ?? [] }
}

const percent = (part: number, whole: number): string => (whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–')
const WIDTH = 600

/** The bar of a step: what is left, and in red what the step lost. Attributes, no inline style (CSP). */
function bar(step: FunnelStep, before: number, first: number): Markup {
  const width = (count: number): string => ((WIDTH * count) / Math.max(1, first)).toFixed(1)
  return html`<svg
    viewBox="0 0 ${WIDTH} 18"
    preserveAspectRatio="none"
    role="img"
    aria-label="${percent(step.sessions, first)} of all"
  >
    <rect class="track" width="${WIDTH}" height="18" />
    <rect class="lost" width="${width(before)}" height="18" />
    <rect class="bar" width="${width(step.sessions)}" height="18" />
  </svg>`
}

export async function funnelPage(db: Database, filter: FunnelFilter): Promise<Markup> {
  // the newest days at once; a long history that was never counted follows in the background
  await refreshFunnel({ db }, 2)
  const [steps, { sources, prices }] = await Promise.all([readFunnel(db, filter), choices(db)])
  const count = (stage: number): number => steps.find((step) => step.stage === stage)?.sessions ?? 0
  const first = count(0)
  const revenue = steps.reduce((sum, step) => sum + step.revenue, 0)
  const query = new URLSearchParams({ ...filter }).toString()
  const numbers: [string, string][] = [
    ['Visits', String(first)],
    ['Began the quiz', percent(count(2), first)],
    ['Opened the checkout', percent(count(35), first)],
    ['Paid', String(count(36))],
    ['Conversion', percent(count(36), first)],
    ['Revenue', dollars(revenue)],
    ['Per visit', first > 0 ? dollars(revenue / first) : '–'],
  ]
  return html`<form class="bar" method="get" action="/operator/funnel">
      <label>From <input type="date" name="from" value="${filter.from}" /></label>
      <label>To <input type="date" name="to" value="${filter.to}" /></label>
      <label
        >Source
        <select name="source">
          <option value="">All</option>
          ${sources.map((source) => html`<option${source === filter.source ? html` selected` : ''}>${source}</option>`)}
        </select></label
      >
      <label
        >Price
        <select name="price">
          <option value="">All</option>
          ${prices.map(
            (price) =>
              html`<option value="${price}" ${String(price) === filter.price ? html` selected` : ''}>
                ${price === 0 ? 'None chosen' : dollars(price)}
              </option>`,
          )}
        </select></label
      >
      <button>Show</button><a href="/operator/funnel.csv?${query}">As CSV</a>
    </form>
    <ul class="numbers">
      ${numbers.map(([name, value]) => html`<li><b>${value}</b>${name}</li>`)}
    </ul>
    ${
      steps.length === 0
        ? html`<p class="notice">Nobody in these days with this source and price.</p>`
        : html`<div class="chart">
            ${table(
              'How far people come',
              ['Step', 'People', 'Chart', 'Of all', 'Lost here', 'Of the step before'],
              steps.map((step, at) => {
                const before = steps[at - 1]?.sessions ?? step.sessions
                const lost = before - step.sessions
                return [
                  step.step,
                  step.sessions,
                  bar(step, before, first),
                  percent(step.sessions, first),
                  lost > 0 ? html`<span class="${lost / before > 0.1 ? 'bad' : ''}">−${lost}</span>` : '0',
                  at === 0 ? '–' : percent(step.sessions, before),
                ]
              }),
            )}
          </div>`
    }
    <p class="quiet">
      Days are UTC, counted by the day of the first visit. Bots are left out. Revenue is what those visitors paid, less
      refunds.
    </p>`
}

/** RFC 4180, one line a day, source, price and step. A text that a spreadsheet would take for a formula is disarmed. */
export async function funnelCsv(db: Database, filter: FunnelFilter): Promise<string> {
  await refreshFunnel({ db }, 2)
  const { rows } = await sql<Record<string, string | number>>`
    select day::text, source, price_cents, stage, step, sessions, revenue_cents from funnel_counts
    where ${where(filter)} order by day, source, price_cents, stage`.execute(db)
  const cell = (value: string | number | undefined): string => {
    const text = String(value ?? '')
    const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const head = ['day', 'source', 'price_cents', 'stage', 'step', 'sessions', 'revenue_cents']
  return [head, ...rows.map((row) => head.map((name) => cell(row[name])))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('')
}
