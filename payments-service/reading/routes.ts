import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/access.ts'
import { saveReading, viewReading } from './reading.ts'

export function readingRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'reading', 'visit', async (call) => viewReading(deps, (await openFrom(deps, call)).session))

  route(table, 'saveReading', 'visit', async (call) => {
    await saveReading(deps, (await openFrom(deps, call)).session, call.body)
    return DONE
  })
}
