import type { Deps } from '../deps.ts'
import { FORGET_HANDLED, forgetGivenUp } from '../erasures/erased.queries.ts'
import { POLICIES } from '../queue/policies.ts'
import { type Lane, workThrough } from '../queue/queue.ts'
import { handleEvent, sameWork } from './handle.ts'
import type { InboxEvent } from './inbox.queries.ts'

/** Works through one batch of Stripe's events. Says whether there may be more. */
export function workInbox(deps: Deps): Promise<boolean> {
  const lane: Lane<InboxEvent> = {
    table: 'webhook_events',
    policy: POLICIES.event,
    work: (event) => handleEvent(deps, event),
    sameWork,
    whenDone: FORGET_HANDLED,
    givenUp: async (tx, { id, type }, why) => {
      await forgetGivenUp(tx, id)
      deps.log.error({ event: id, type, why }, 'an event cannot be read; an operator has to look')
    },
  }
  return workThrough(deps, lane)
}
