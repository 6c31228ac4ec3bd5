import type { ResponseOf } from '../../contract/api/shapes.ts'
import { DEFINITIONS } from '../numbers/definitions.ts'
import { type PageFigures, type PagesReport, wentOn } from '../numbers/pages.ts'
import type { StepsFilter } from '../numbers/steps-report.ts'
import { changeView, meanings, revisionView, withInterval } from './views.ts'

function figuresView(figures: PageFigures | undefined) {
  if (!figures) return null
  const { entered, paid } = figures
  return {
    entered,
    wentOn: figures.wentOn,
    left: entered - figures.wentOn,
    stayed: withInterval(wentOn(figures)),
    paid: withInterval({ part: paid, whole: entered }),
  }
}

/** The report as the Studio gets it. */
export function pagesViewOf({ from, to }: StepsFilter, { choices, pages }: PagesReport): ResponseOf<'pageNumbers'> {
  const { visitor, entered, wentOn: on, leftPage, stepRate, paidLater, boughtAddOn } = DEFINITIONS
  return {
    from,
    to,
    choices,
    pages: pages.map(({ page, figures, revisions, edit }) => ({
      page,
      figures: figuresView(figures),
      revisions: revisions.map(revisionView),
      edit: edit ? revisionView(edit.revision) : null,
      change: edit ? changeView(edit) : null,
    })),
    definitions: meanings([visitor, entered, on, leftPage, stepRate, paidLater, boughtAddOn]),
  }
}
