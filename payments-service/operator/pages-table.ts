import type { Database } from '../../db/connect.ts'
import type { FunnelPage } from '../../db/types.ts'
import { type Definition, DEFINITIONS } from '../numbers/definitions.ts'
import { type PageNumbers, readPagesReport, wentOn } from '../numbers/pages.ts'
import type { StepFilter } from '../numbers/steps.queries.ts'
import { changeCell, counted, percent, shareWithInterval, TOO_FEW } from './figures.ts'
import { html, type Markup, table } from './html.ts'

/** The pages before and after the quiz as the Studio shows them beside their words, from the same report. */
export async function pagesTable(db: Database, filter: Pick<StepFilter, 'from' | 'to' | 'source'>): Promise<Markup> {
  const { pages } = await readPagesReport(db, { ...filter, language: '', device: '', revision: null })
  const { entered, wentOn: on, leftPage, stepRate, paidLater } = DEFINITIONS
  const head = ['Page', entered.name, on.name, leftPage.name, stepRate.name, paidLater.name, 'Since its last edit']
  return table('Page by page', head, pages.map(row))
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

function row({ page, figures, edit }: PageNumbers) {
  if (!figures) return [TITLES[page], TOO_FEW, '–', '–', '–', '–', '–']
  const left = figures.entered - figures.wentOn
  return [
    TITLES[page],
    counted(figures.entered),
    counted(figures.wentOn),
    html`${counted(left)} <small class="quiet">${percent(left, figures.entered)}</small>`,
    shareWithInterval(wentOn(figures)),
    html`${shareWithInterval({ part: figures.paid, whole: figures.entered })}
    ${page === 'upsell' && html`<small class="quiet">bought an add-on</small>`}`,
    changeCell(edit),
  ]
}
