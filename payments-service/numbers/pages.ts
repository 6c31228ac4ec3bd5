import type { Database } from '../../db/connect.ts'
import type { FunnelPage } from '../../db/types.ts'
import { FEWEST } from './definitions.ts'
import { compare, type Share, type Verdict } from './intervals.ts'
import { type PageCell, type PageChoices, readPageCells, readPageChoices } from './pages.queries.ts'
import type { Revision } from './steps.queries.ts'
import type { StepsFilter } from './steps-report.ts'

/** In the order in which visitors meet them. */
const PAGES: readonly FunnelPage[] = ['landing', 'checkout', 'offer', 'upsell']

export interface PageFigures {
  entered: number
  wentOn: number
  /** Of the add-ons: bought one. */
  paid: number
}

export interface PageNumbers {
  page: FunnelPage
  /** None of fewer than ten visitors. */
  figures?: PageFigures
  /** What ten visitors saw of it, the oldest first. */
  revisions: Revision[]
  /** The chosen revision, else the latest, beside the one before it. */
  edit?: { revision: Revision; before: Share; after: Share; verdict: Verdict }
}

export interface PagesReport {
  choices: PageChoices
  pages: PageNumbers[]
}

/** A chosen revision narrows the numbers of the page that it is of, and leaves none of the others. */
export async function readPagesReport(db: Database, filter: StepsFilter): Promise<PagesReport> {
  const [choices, cells] = await Promise.all([readPageChoices(db, filter), readPageCells(db, filter)])
  const { revision } = filter
  const numbers = PAGES.map((page) =>
    numbersOf(
      page,
      cells.filter((cell) => cell.page === page),
      revision,
    ),
  )
  return { choices, pages: numbers }
}

function numbersOf(page: FunnelPage, cells: readonly PageCell[], chosen: string | null): PageNumbers {
  const byRevision = Map.groupBy(cells, ({ revision }) => revision)
  const revisions = [...byRevision]
    .flatMap(([revision, own]) => (figuresOf(own) ? [{ revision, firstSeen: own[0]?.firstSeen ?? new Date(0) }] : []))
    .sort((a, b) => Number(a.firstSeen) - Number(b.firstSeen) || a.revision.localeCompare(b.revision))
  const figures = figuresOf(chosen === null ? cells : (byRevision.get(chosen) ?? []))
  const at = chosen === null ? revisions.length - 1 : revisions.findIndex(({ revision }) => revision === chosen)
  const [earlier, revision] = [revisions[at - 1], revisions[at]]
  const [before, after] = [earlier, revision].map((one) => one && figuresOf(byRevision.get(one.revision) ?? []))
  return {
    page,
    revisions,
    ...(figures && { figures }),
    ...(revision && before && after && { edit: { revision, ...comparison(before, after) } }),
  }
}

function comparison(before: PageFigures, after: PageFigures) {
  const shares = { before: wentOn(before), after: wentOn(after) }
  return { ...shares, verdict: compare(shares.before, shares.after) }
}

function figuresOf(cells: readonly PageCell[]): PageFigures | undefined {
  const of = (counts: (cell: PageCell) => boolean): number =>
    cells.filter(counts).reduce((sum, { visitors }) => sum + visitors, 0)
  const entered = of(() => true)
  return entered < FEWEST ? undefined : { entered, wentOn: of((cell) => cell.wentOn), paid: of(({ paid }) => paid) }
}

export const wentOn = ({ wentOn: part, entered }: PageFigures): Share => ({ part, whole: entered })
