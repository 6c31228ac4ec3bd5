import type { Request } from 'express'
import type {
  ActivityEvent,
  PageViewEvent,
  TrackEvent,
  TrackRequest,
  TrackResponse,
  ErrorEvent,
} from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { writeByToken } from '../sessions/access.ts'
import { metadataOf } from '../sessions/metadata.ts'
import { saveMetadata } from '../sessions/sessions.queries.ts'
import { cleanAddress, cleanText, cleanTrouble, fingerprintOf, shortId, storedId } from './clean.ts'
import { MILESTONES, reachMilestone } from './milestones.ts'
import { type ActivityRow, type ErrorRow, type EventRows, eventsWrite, type ViewRow } from './track.queries.ts'

/** The result of parsing one event: the event, or the field that was wrong. */
export type Parsed = { event: TrackEvent } | { field: string }

/**
 * D-08: stores a browser's events about a session; resolves after the commit. Needs the session's token; throws as
 * openSession does, and invalid_body when no event was valid.
 */
export async function track(
  deps: Deps,
  req: Request,
  body: Omit<TrackRequest, 'events'>,
  parsed: readonly Parsed[],
): Promise<TrackResponse> {
  const { sessionId } = body
  const refused = parsed.flatMap((one, index) => ('field' in one ? [{ index, field: one.field }] : []))
  const events = parsed.flatMap((one) => ('event' in one ? [one.event] : []))
  const [first] = refused
  if (first && events.length === 0)
    throw new AppError('invalid_body', { field: `events.${first.index}.${first.field}` })
  await writeByToken(deps, req, sessionId, eventsWrite(rowsOf(events, req.get('user-agent'))))
  if (body.metadata || body.attribution) {
    await saveMetadata(
      deps.db,
      sessionId,
      metadataOf(
        req,
        { metadata: body.metadata ?? {}, ...(body.attribution ? { attribution: body.attribution } : {}) },
        deps.config,
      ),
    )
  }
  for (const event of events) {
    if (event.kind === 'activity' && MILESTONES.has(event.type)) await reachMilestone(deps, sessionId, event.type)
  }
  return { accepted: events.length, refused }
}

function rowsOf(events: readonly TrackEvent[], agent: string | undefined): EventRows {
  const now = Date.now()
  const rows: EventRows = { views: [], activities: [], errors: [] }
  for (const event of events) {
    if (event.kind === 'page_view') rows.views.push(viewRow(event, now))
    else if (event.kind === 'activity') rows.activities.push(activityRow(event, now))
    else rows.errors.push(errorRow(event, now, agent))
  }
  return rows
}

function viewRow(event: PageViewEvent, now: number): ViewRow {
  const step = cleanText(event.step, 40) ?? null
  const place = step === 'Welcome' ? 0 : step !== null && /^\d{1,2}$/.test(step) ? Number(step) : null
  return {
    id: shortId(storedId(event.id, now)),
    url: cleanAddress(event.url) ?? '/',
    title: cleanText(event.title, 200) ?? null,
    step,
    referrer: cleanAddress(event.referrer) ?? null,
    seconds: event.seconds ?? null,
    depth: event.scrollDepth ?? null,
    interactions: event.interactions ?? null,
    place,
    revision: nameOf(event.revision),
    stepKey: place === null ? null : nameOf(event.stepKey),
  }
}

/** A revision or key of a document; null for anything else, which is no reason to lose the view. */
const nameOf = (text: string | undefined): string | null => (text && /^[\w-]{1,40}$/.test(text) ? text : null)

function activityRow(event: ActivityEvent, now: number): ActivityRow {
  const data = Object.entries(event.data ?? {}).map(([key, value]) => [
    cleanText(key, 60) ?? '',
    typeof value === 'string' ? (cleanTrouble(value, 300) ?? '') : value,
  ])
  return {
    id: shortId(storedId(event.id, now)),
    type: event.type,
    data: data.length > 0 ? Object.fromEntries(data) : null,
    url: cleanAddress(event.url) ?? null,
    title: cleanText(event.title, 200) ?? null,
    duration: event.duration ?? null,
  }
}

function errorRow(event: ErrorEvent, now: number, agent: string | undefined): ErrorRow {
  const type = cleanText(event.type, 100) ?? 'Error'
  const message = cleanTrouble(event.message, 1_000) ?? '(no message)'
  const stack = cleanTrouble(event.stack, 8_000) ?? null
  return {
    id: storedId(event.id, now),
    type,
    message,
    stack,
    url: cleanAddress(event.url) ?? null,
    userAgent: cleanText(agent, 500) ?? null,
    fingerprint: fingerprintOf(type, message, stack ?? undefined),
  }
}
