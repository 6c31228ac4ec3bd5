/** What a browser reports of a visit, and what its visitor allowed. */
import { z } from 'zod'
import { done, text } from './parts.ts'
import { sessionMetadata, touches } from './visit.ts'

/** Longer than any text of ours: truncated when stored, so that a long title does not lose the event. */
const loose = z.string().max(20_000)
const count = z.number().int().min(0).max(2_000_000_000)

/** D-08: one view of a page. Sent again with larger numbers when the page is left; the id makes both one row. */
const pageViewEvent = z.object({
  kind: z.literal('page_view'),
  /** UUIDv7, made by the browser. */
  id: z.guid(),
  /** Path only, without session ids. */
  url: loose.min(1),
  title: loose.exactOptional(),
  /** 'Welcome' or the number of a quiz step. */
  step: loose.exactOptional(),
  /** The published revision of the document that the page shows; of a step of the quiz also its key in it. */
  revision: loose.exactOptional(),
  stepKey: loose.exactOptional(),
  /** Path of the previous page on this site, or the origin of another site. */
  referrer: loose.exactOptional(),
  /** Whole seconds in which the page was visible. */
  seconds: count.exactOptional(),
  /** Deepest scroll in percent. */
  scrollDepth: z.number().int().min(0).max(100).exactOptional(),
  /** Clicks, taps and keys. */
  interactions: count.exactOptional(),
})
export type PageViewEvent = z.infer<typeof pageViewEvent>

const activityEvent = z.object({
  kind: z.literal('activity'),
  id: z.guid(),
  /** snake_case; `checkout_opened`, `exit_intent` and `contact` also move the session on (D-09, T-03). */
  type: z.string().regex(/^[a-z][a-z0-9_]{1,59}$/),
  /** Small and flat; never an answer. */
  data: z
    .record(z.string().max(60), z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]))
    .refine((data) => Object.keys(data).length <= 20, 'has too many fields')
    .readonly()
    .exactOptional(),
  url: loose.exactOptional(),
  title: loose.exactOptional(),
  /** Whole seconds. */
  duration: count.exactOptional(),
})
export type ActivityEvent = z.infer<typeof activityEvent>

const errorEvent = z.object({
  kind: z.literal('error'),
  id: z.guid(),
  type: loose,
  message: loose,
  stack: loose.exactOptional(),
  url: loose.exactOptional(),
})
export type ErrorEvent = z.infer<typeof errorEvent>

export const trackEvent = z.discriminatedUnion('kind', [pageViewEvent, activityEvent, errorEvent])
export type TrackEvent = z.infer<typeof trackEvent>

/** Most events in one beacon; a browser with more sends another. */
const MOST_EVENTS = 100
/** One beacon. The session id is in the body, because addresses end up in logs. */
const trackBody = z.object({
  sessionId: z.guid(),
  /** Parsed one by one with `trackEvent`: an invalid one is named and refused, the others are stored. */
  events: z.array(z.unknown()).max(MOST_EVENTS),
  /** D-07: only what has changed since the session was created. */
  metadata: sessionMetadata.exactOptional(),
  /** L-06: a later touch than the one the session was created with. */
  attribution: touches.exactOptional(),
})
/** What the service accepts, before the events are parsed. */
export type TrackBody = z.infer<typeof trackBody>
/** What a browser sends. */
export type TrackRequest = TrackBody & { events: TrackEvent[] }
const trackResponse = z.strictObject({
  accepted: z.number(),
  /** Refused events, by their index in `events`, and why; the others are stored. */
  refused: z.array(z.strictObject({ index: z.number(), field: z.string() })),
})
export type TrackResponse = z.infer<typeof trackResponse>

const consentKind = z.enum(['advertising', 'analytics', 'health'])
export type ConsentKind = z.infer<typeof consentKind>
/** Evidence: what was chosen, in which words, on which page. The time is the service's. */
const consentRequest = z.object({
  choices: z
    .array(z.object({ kind: consentKind, granted: z.boolean() }))
    .min(1)
    .max(3),
  wording: text(4_000).min(1),
  version: text(100).min(1),
  /** Path only. */
  page: text(300).min(1),
  /** When, if another session was told of it first: what this one has chosen since stays. */
  chosenAt: z.iso.datetime({ offset: true }).exactOptional(),
})
export type ConsentRequest = z.infer<typeof consentRequest>

export const trackingShapes = {
  track: {
    summary: 'Page views, activities, errors and metadata of a session, batched (D-08); beacons may send text/plain',
    request: trackBody,
    answer: trackResponse,
  },
  recordConsent: {
    summary: 'Keep what was chosen about tracking or health answers, as evidence',
    request: consentRequest,
    answer: done,
  },
}
