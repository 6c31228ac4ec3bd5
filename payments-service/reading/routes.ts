import { z } from 'zod'
import type { ReadingView, SaveReadingRequest } from '../../contract/api.ts'
import { READING_IDS } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { done } from '../http/schemas.ts'
import { openFrom } from '../sessions/access.ts'
import { saveReading, viewReading } from './reading.ts'

const readingView: z.ZodType<ReadingView> = z.object({
  answers: z.number(),
  insight: z.string().nullable(),
  birthDate: z.string().nullable(),
  starseed: z.object({ type: z.string(), name: z.string(), description: z.string() }).nullable(),
  bought: z.enum(READING_IDS).nullable(),
})
const saveBody: z.ZodType<SaveReadingRequest> = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(2_000),
})

export function readingRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'reading', { body: undefined, answer: readingView, limit: 'visit' }, async (call) =>
    viewReading(deps, (await openFrom(deps, call)).session),
  )

  route(table, 'saveReading', { body: saveBody, answer: done, limit: 'visit' }, async (call) => {
    await saveReading(deps, (await openFrom(deps, call)).session, call.body)
    return DONE
  })
}
