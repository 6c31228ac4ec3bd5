import type { Deps } from '../deps.ts'
import { scrub } from '../http/logging.ts'
import { isFailure } from '../stripe/failure.ts'
import { handleEvent } from './handle.ts'
import { bury, type InboxEvent, markHandled, postpone, takeEvents } from './inbox.queries.ts'
import { Unreadable } from './subject.ts'

const BATCH = 8
const LONGEST_WAIT = 600

/** Works through one batch of the inbox. Says whether there may be more. */
export async function workInbox(deps: Deps): Promise<boolean> {
  const events = await takeEvents(deps.db, BATCH)
  await Promise.all(events.map((event) => work(deps, event)))
  return events.length === BATCH
}

async function work(deps: Deps, event: InboxEvent): Promise<void> {
  try {
    await handleEvent(deps, event)
    await markHandled(deps.db, event.id)
  } catch (error) {
    const why = scrub(error instanceof Error ? error.message : String(error)).slice(0, 500)
    if (error instanceof Unreadable) {
      deps.log.error(
        { err: error, event: event.id, type: event.type },
        'an event cannot be read; an operator has to look',
      )
      return bury(deps.db, event.id, why)
    }
    // Stripe away: soon again, whatever it was; anything else: twice as late every time
    const wait = isFailure(error, 'away', 'busy') ? Math.min(15, event.attempts * 2) : 2 ** Math.min(event.attempts, 9)
    deps.log.error({ err: error, event: event.id, type: event.type, attempt: event.attempts }, 'an event waits')
    await postpone(deps.db, event.id, Math.min(wait, LONGEST_WAIT), why)
  }
}
