import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { type Definition, DEFINITIONS, FEWEST, TEST_SOURCE } from '../numbers/definitions.ts'
import { readMoney } from '../numbers/money.queries.ts'
import { counted, definitions, shareWithInterval } from './figures.ts'
import { dollars, html, type Markup, table } from './html.ts'
import { OF_PAGES, pagesTable } from './pages-table.ts'
import { type Query, readPeriod, textOf } from '../numbers/period.ts'

export interface FunnelFilter {
  from: string
  to: string
  source: string
  /** Cents, '' for all. */
  price: string
}

/** The last thirty days by default; an invalid date or price does not filter. */
export function readFilter(query: Query): FunnelFilter {
  const price = textOf(query, 'price')
  return {
    ...readPeriod(query),
    source: textOf(query, 'source').slice(0, 60),
    price: /^\d{1,7}$/.test(price) ? price : '',
  }
}

const where = ({ from, to, source, price }: FunnelFilter) => sql`day between ${from}::date and ${to}::date
  and (case when ${source} = '' then source <> ${TEST_SOURCE} else source = ${source} end)
  and (${price} = '' or price_cents = nullif(${price}, '')::int)`

/** The stages in order, as in the database's enum. */
type Stage = 'visit' | 'welcome' | 'quiz' | 'checkout' | 'paid' | 'add-ons' | 'account'

export interface FunnelStep {
  stage: Stage
  /** The label: 'Welcome', 'step 7', 'paid'. */
  step: string
  sessions: number
  revenue: number
}

/** The stage `checkout` begins where Order is pressed; the page of that name is among the pages. */
const LABELS: Partial<Record<Stage, string>> = { welcome: 'Welcome', checkout: 'pressed Order' }
const labelOf = (stage: Stage, step: number): string => (stage === 'quiz' ? `step ${step}` : (LABELS[stage] ?? stage))

/**
 * How many visits got at least to each place, one row per place: a visit counts at every place before its furthest. The
 * quiz has as many steps as at least one visit in a thousand of this selection has reached, so that an invented step
 * number adds no row. `by`: columns that split the counts, each followed by a comma.
 */
const reached = (filter: FunnelFilter, by = sql``) => sql`
  with here as (
    select ${by} stage, step, sum(sessions) as sessions, sum(revenue_cents) as revenue from funnel_counts
    where ${where(filter)} group by ${by} stage, step
  ), places as (
    select stage, 0 as step from unnest(enum_range(null::funnel_stage)) as stage where stage <> 'quiz'
    union all
    select 'quiz', generate_series(1, (select max(step) from (
      select step, sum(sum(sessions)) over (order by step desc) as so_far, sum(sum(sessions)) over () as everybody
      from here where stage >= 'welcome' group by step
    ) as steps where so_far * 1000 >= everybody))
  )
  select ${by} p.stage, p.step, sum(here.sessions)::int as sessions,
    (case when p.stage = 'paid' then sum(here.revenue) else 0 end)::int8 as revenue
  from here join places p on p.stage < here.stage or p.stage = here.stage and p.step <= here.step
  group by ${by} p.stage, p.step having sum(here.sessions) > 0 order by ${by} p.stage, p.step`

interface Reached {
  stage: Stage
  step: number
  sessions: number
  revenue: string
}

export async function readFunnel(db: Database, filter: FunnelFilter): Promise<FunnelStep[]> {
  const { rows } = await sql<Reached>`${reached(filter)}`.execute(db)
  return rows.map(({ stage, step, sessions, revenue }) => ({
    stage,
    step: labelOf(stage, step),
    sessions,
    revenue: Number(revenue),
  }))
}

/** What ten visits of these days share, the prices of the chosen source; tests and what is chosen now in any case. */
async function choices(db: Database, filter: FunnelFilter): Promise<{ sources: string[]; prices: number[] }> {
  const { from, to, source, price } = filter
  const { rows } = await sql<{ source: string | null; price: number | null }>`
    select source, null as price from funnel_counts where day between ${from}::date and ${to}::date
    group by source having sum(sessions) >= ${FEWEST} or source = ${TEST_SOURCE}
    union all
    select null, price_cents from funnel_counts where ${where({ ...filter, price: '' })}
    group by price_cents having sum(sessions) >= ${FEWEST}`.execute(db)
  const sources = rows.flatMap((row) => row.source ?? [])
  const prices = rows.flatMap((row) => row.price ?? [])
  return {
    sources: [...new Set(source ? [...sources, source] : sources)].sort(),
    prices: [...new Set(price ? [...prices, Number(price)] : prices)].sort((a, b) => a - b),
  }
}

const WIDTH = 600

/** The bar of a step: the remaining visits, and in red those that the step lost. Attributes, no inline style (CSP). */
function bar(step: FunnelStep, before: number, first: number): Markup {
  const width = (count: number): string => ((WIDTH * count) / Math.max(1, first)).toFixed(1)
  return html`<svg
    viewBox="0 0 ${WIDTH} 18"
    preserveAspectRatio="none"
    role="img"
    aria-label="${counted(step.sessions)} of all ${counted(first)}"
  >
    <rect class="track" width="${WIDTH}" height="18" />
    <rect class="lost" width="${width(before)}" height="18" />
    <rect class="bar" width="${width(step.sessions)}" height="18" />
  </svg>`
}

const MONEY: readonly Definition[] = [DEFINITIONS.trialToPaid, DEFINITIONS.refundRate, DEFINITIONS.netRevenue]

export async function funnelPage(db: Database, filter: FunnelFilter): Promise<Markup> {
  const [steps, { sources, prices }, money, pages] = await Promise.all([
    readFunnel(db, filter),
    choices(db, filter),
    readMoney(db, filter),
    pagesTable(db, filter),
  ])
  const count = (label: string): number => steps.find(({ step }) => step === label)?.sessions ?? 0
  const first = count('visit')
  const revenue = steps.reduce((sum, step) => sum + step.revenue, 0)
  const query = new URLSearchParams({ ...filter }).toString()
  const numbers: [string, Markup | string][] = [
    ['Visits', counted(first)],
    ['Began the quiz', shareWithInterval({ part: count('step 1'), whole: first })],
    ['Pressed Order', shareWithInterval({ part: count('pressed Order'), whole: first })],
    ['Paid', counted(count('paid'))],
    ['Conversion', shareWithInterval({ part: count('paid'), whole: first })],
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
                    counted(step.sessions),
                    bar(step, before, first),
                    shareWithInterval({ part: step.sessions, whole: first }),
                    lost > 0 ? html`<span class="${lost / before > 0.1 ? 'bad' : ''}">−${counted(lost)}</span>` : '0',
                    at === 0 ? '–' : shareWithInterval({ part: step.sessions, whole: before }),
                  ]
                }),
              )}
            </div>
            <p class="quiet">
              Who refused to be measured, or did not answer, is a visit and no more until they press Order. In brackets,
              the interval that holds the true share 19 times in 20 (Wilson).
            </p>`
    }
    ${pages} ${definitions(OF_PAGES)}
    <p class="quiet">Pages go by the source and not by the price. Who refused to be measured is left out here.</p>
    <h2>Money of the programme’s buyers of these days</h2>
    <ul class="numbers">
      ${MONEY.map(({ name }, at) => {
        const figures = [shareWithInterval(money.trials), shareWithInterval(money.refunds), dollars(money.net)]
        return html`<li><b>${figures[at]}</b>${name}</li>`
      })}
    </ul>
    ${definitions(MONEY)}
    <p class="quiet">
      These three go by the day of the first payment for the programme, of every source but tests and every price; who
      bought a reading alone is in none of them. Days are UTC, counted by the day of the first visit. Bots are left out,
      and visits of the campaign “${TEST_SOURCE}” unless they are chosen. Revenue is what those visitors paid, less
      refunds made through Stripe.
    </p>`
}

/** RFC 4180, one line per day, source, price and step. Text that a spreadsheet would take for a formula is escaped. */
export async function funnelCsv(db: Database, filter: FunnelFilter): Promise<string> {
  const { rows } = await sql<Reached & { day: string; source: string; price_cents: number }>`
    select day::text, source, price_cents, stage, step, sessions, revenue
    from (${reached(filter, sql`day, source, price_cents,`)}) as split`.execute(db)
  const cell = (value: string | number | undefined): string => {
    const text = String(value ?? '')
    const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const head = ['day', 'source', 'price_cents', 'stage', 'step', 'sessions', 'revenue_cents']
  const lines = rows.map(({ day, source, price_cents, stage, step, sessions, revenue }) =>
    [day, source, price_cents, stage, labelOf(stage, step), sessions, Number(revenue)].map(cell),
  )
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}
