import { trackEvent } from '../../contract/api/tracking.ts'
import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/access.ts'
import { recordConsent } from './consent.ts'
import { type Parsed, track } from './track.ts'

function parseEvent(value: unknown): Parsed {
  const result = trackEvent.safeParse(value)
  if (result.success) return { event: result.data }
  return { field: result.error.issues[0]?.path.map(String).join('.') || 'kind' }
}

export function trackingRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'track', 'track', (call) => track(deps, call.req, call.body, call.body.events.map(parseEvent)))

  route(table, 'recordConsent', 'visit', async (call) => {
    const { session } = await openFrom(deps, call)
    await recordConsent(deps, call.req, session.id, call.body)
    return DONE
  })
}
