import type { Database } from '../../db/connect.ts'
import type { FunnelPage } from '../../db/types.ts'
import { type Definition, DEFINITIONS } from '../numbers/definitions.ts'
import { type PageNumbers, readPagesReport, wentOn } from '../numbers/pages.ts'
import type { StepFilter } from '../numbers/steps.queries.ts'
import { changeCell, counted, percent, shareWithInterval, TOO_FEW } from './figures.ts'
import { html, type Markup } from './html.ts'

/**
 * The pages before and after the quiz as the Studio shows them beside their words, from the same report. One list of
 * figures a page, on the same grid: a table of seven columns is wider than a laptop.
 */
export async function pagesTable(db: Database, filter: Pick<StepFilter, 'from' | 'to' | 'source'>): Promise<Markup> {
  const { pages } = await readPagesReport(db, { ...filter, language: '', device: '', revision: null })
  return html`<h2>Page by page</h2>
    ${pages.map(
      (page) =>
        html`<section class="page">
          <h3>${TITLES[page.page]}</h3>
          <dl>
            ${figuresOf(page).map(
              ([name, value]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}</dd>
                </div>`,
            )}
          </dl>
        </section>`,
    )}`
}

export const OF_PAGES: readonly Definition[] = [
  DEFINITIONS.visitor,
  DEFINITIONS.entered,
  DEFINITIONS.wentOn,
  DEFINITIONS.leftPage,
  DEFINITIONS.stepRate,
  DEFINITIONS.paidLater,
  DEFINITIONS.boughtAddOn,
]

const TITLES: Readonly<Record<FunnelPage, string>> = {
  landing: 'Landing page',
  checkout: 'Checkout',
  offer: 'Special offer',
  upsell: 'Add-ons',
}

function figuresOf({ page, figures, edit }: PageNumbers): [string, Markup | string][] {
  const { entered, wentOn: on, leftPage, stepRate, paidLater, boughtAddOn } = DEFINITIONS
  if (!figures) return [[entered.name, TOO_FEW]]
  const left = figures.entered - figures.wentOn
  return [
    [entered.name, counted(figures.entered)],
    [on.name, counted(figures.wentOn)],
    [leftPage.name, html`${counted(left)} <small class="quiet">${percent(left, figures.entered)}</small>`],
    [stepRate.name, shareWithInterval(wentOn(figures))],
    [
      page === 'upsell' ? boughtAddOn.name : paidLater.name,
      shareWithInterval({ part: figures.paid, whole: figures.entered }),
    ],
    ['Since its last edit', changeCell(edit)],
  ]
}
