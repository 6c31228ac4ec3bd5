import { z } from 'zod'
import type { ConsentRequest, TrackEvent, TrackRequest, TrackResponse } from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { attribution, metadata } from '../sessions/schemas.ts'
import { done, text } from '../http/schemas.ts'
import { openFrom } from '../sessions/access.ts'
import { recordConsent } from './consent.ts'
import { type Parsed, track } from './track.ts'

/** Events in one beacon; a browser that has more sends another. */
export const MOST_EVENTS = 100

/** Longer than any of ours: cut where it is stored, so that one long title loses nothing. */
const loose = z.string().max(20_000)
const count = z.number().int().min(0).max(2_000_000_000)
const id = z.guid()

const pageView = z.object({
  kind: z.literal('page_view'),
  id,
  url: loose.min(1),
  title: loose.exactOptional(),
  step: loose.exactOptional(),
  referrer: loose.exactOptional(),
  seconds: count.exactOptional(),
  scrollDepth: z.number().int().min(0).max(100).exactOptional(),
  interactions: count.exactOptional(),
})
const activity = z.object({
  kind: z.literal('activity'),
  id,
  type: z.string().regex(/^[a-z][a-z0-9_]{1,59}$/),
  data: z
    .record(z.string().max(60), z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]))
    .refine((data) => Object.keys(data).length <= 20, 'has too many fields')
    .exactOptional(),
  url: loose.exactOptional(),
  title: loose.exactOptional(),
  duration: count.exactOptional(),
})
const trouble = z.object({
  kind: z.literal('error'),
  id,
  type: loose,
  message: loose,
  stack: loose.exactOptional(),
  url: loose.exactOptional(),
})
const event: z.ZodType<TrackEvent> = z.discriminatedUnion('kind', [pageView, activity, trouble])

/** Events are looked at one by one: a bad one is named and refused, its neighbours are stored. */
const trackBody = z.object({
  sessionId: z.guid(),
  events: z.array(z.unknown()).max(MOST_EVENTS),
  metadata: metadata.exactOptional(),
  attribution: z.object({ first: attribution.optional(), last: attribution.optional() }).exactOptional(),
}) as unknown as z.ZodType<TrackRequest>
const trackAnswer: z.ZodType<TrackResponse> = z.object({
  accepted: z.number(),
  refused: z.array(z.object({ index: z.number(), field: z.string() })),
})

const consentBody: z.ZodType<ConsentRequest> = z.object({
  choices: z
    .array(z.object({ kind: z.enum(['advertising', 'analytics', 'health']), granted: z.boolean() }))
    .min(1)
    .max(3),
  wording: text(4_000).min(1),
  version: text(100).min(1),
  page: text(300).min(1),
})

function parseEvent(value: unknown): Parsed {
  const result = event.safeParse(value)
  if (result.success) return { event: result.data }
  return { field: result.error.issues[0]?.path.map(String).join('.') || 'kind' }
}

export function trackingRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'track', { body: trackBody, answer: trackAnswer, limit: 'track' }, (call) =>
    track(deps, call.req, call.body, call.body.events.map(parseEvent)),
  )

  route(table, 'recordConsent', { body: consentBody, answer: done, limit: 'visit' }, async (call) => {
    const { session } = await openFrom(deps, call)
    await recordConsent(deps, call.req, session.id, call.body)
    return DONE
  })
}
