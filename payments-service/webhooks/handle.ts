import { endAfterDeclines } from '../payments/declines.ts'
import { settleTogether } from '../payments/settle.ts'
import type { Deps } from '../deps.ts'
import { syncCustomer } from '../subscriptions/sync-customer.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { type EventAction, isOurs, rowOf } from './event-table.ts'
import type { InboxEvent } from './inbox.queries.ts'
import { shownSubject, subjectOf, Unreadable } from './subject.ts'

/** What is done with the payment, subscription or customer that an event is about. */
const ACTIONS: Record<Exclude<EventAction, 'none'>, (deps: Deps, id: string) => Promise<unknown>> = {
  settle: (deps, id) => settleTogether(deps, id, undefined),
  count_decline: async (deps, id) => {
    await settleTogether(deps, id, undefined)
    await endAfterDeclines(deps, id)
  },
  settle_refund: (deps, id) => settleTogether(deps, id, undefined, { refunds: true }),
  sync: (deps, id) => deps.flights.run(`sync:${id}`, () => syncSubscription(deps, id, undefined)),
  sync_customer: syncCustomer,
}

/** Events that are answered by the same look at Stripe have the same key; any other event has its own. */
export function sameWork({ id, type, payload }: InboxEvent): string {
  const row = rowOf(type)
  const subject = row && shownSubject(payload, row.object)
  return subject ? `${row.action}:${subject}` : id
}

/**
 * P-10: looks an event up in the table and acts. Every action reads Stripe again and writes the difference, so an event
 * that comes twice, late or out of order changes nothing. Throws Unreadable for an event of our families that this
 * release does not understand, StripeFailure when Stripe cannot be asked.
 */
export async function handleEvent(deps: Deps, event: Pick<InboxEvent, 'type' | 'payload'>): Promise<void> {
  if (!isOurs(event.type)) return
  const row = rowOf(event.type)
  if (!row) throw new Unreadable(`its type ${event.type} is not in the table of events`)
  if (row.action === 'none') return
  const subject = await subjectOf(deps, event.payload, row.object)
  if (subject) await ACTIONS[row.action](deps, subject)
}
