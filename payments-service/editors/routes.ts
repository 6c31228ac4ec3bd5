import type { RequestHandler } from 'express'
import { editorsApi } from '../../contract/editors.ts'
import { remembered } from '../content/remembered.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { readPagesReport } from '../numbers/pages.ts'
import { report } from '../numbers/report.ts'
import { readStepFilter, readStepsReport } from '../numbers/steps-report.ts'
import { refreshFunnel } from '../tracking/upkeep.ts'
import { pagesViewOf } from './page-numbers.ts'
import { createEditorDoor } from './sign-in.ts'
import { viewOf } from './step-numbers.ts'

const FRESH = 10_000

/** What editors may know of visitors: sums of ten and more, beside the words that they are about. */
export function editorRoutes(table: RouteTable, deps: Deps): void {
  const { config, lake, log } = deps
  const enter = createEditorDoor(lake)
  const refresh = remembered(
    FRESH,
    () => refreshFunnel(deps),
    (error) => log.warn({ err: error }, 'the numbers of steps are those of some minutes ago'),
  )
  for (const { path } of Object.values(editorsApi)) table.router.use(path, allow(config.studioOrigins))
  route(table, 'stepNumbers', 'editor', async ({ req }) => {
    await enter(req.headers.authorization)
    const filter = readStepFilter(req.query)
    return viewOf(filter, await report(deps, (db) => readStepsReport(db, filter), refresh))
  })
  route(table, 'pageNumbers', 'editor', async ({ req }) => {
    await enter(req.headers.authorization)
    const filter = readStepFilter(req.query)
    return pagesViewOf(filter, await report(deps, (db) => readPagesReport(db, filter), refresh))
  })
}

/** Lets pages of the Studio, and no others, read the answers. No cookie counts here, and none is asked for. */
function allow(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    res.vary('Origin')
    if (origin !== undefined && origins.includes(origin)) {
      res.setHeader('Access-Control-Allow-Origin', origin)
      res.setHeader('Access-Control-Allow-Headers', 'authorization')
      res.setHeader('Access-Control-Max-Age', '600')
      if (req.method === 'OPTIONS') return void res.status(204).end()
    }
    next()
  }
}
