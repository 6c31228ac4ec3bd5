import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { holdTurn, leaveTurn, moveMark } from '../jobs/turns.queries.ts'
import { isOurs } from './event-table.ts'
import { knownEvents, storeEvents } from './inbox.queries.ts'
import { createStripeWatch } from './watch.ts'

const NAME = 'stripe_events'

/** Seconds for which a replica holds the poll, renewed by each of its polls (every 5 s): 14 s later another has it. */
const LEASE = 9

/**
 * Milliseconds to look back past the last poll, because Stripe's list settles late. The wide look is taken once a
 * minute: listing the same events again slows the requests that come meanwhile.
 */
const OVERLAP = { narrow: 20_000, wide: 300_000 }
/** Every how many polls to look far back: once a minute. */
const WIDE_EVERY = 12

export interface Poll {
  /** Asks once, if it is this replica's turn. Stopped on the way, it stores nothing and the next replica asks again. */
  round(goOn: () => boolean): Promise<void>
  /** Gives the turn away: this replica stops. */
  leave(): Promise<void>
}

/**
 * Puts Stripe's events since the last poll into the inbox that webhooks also fill: with webhooks off, refused, lost or
 * three days late, the same work is done. One replica polls for all. The bookmark is the moment of the poll by Stripe's
 * clock, so a wrong clock here skips nothing; it is set only after everything is stored.
 */
export function createPoll(deps: Deps): Poll {
  const { db, stripe } = deps
  const holder = randomUUID()
  const watch = createStripeWatch(deps)
  let polls = 0

  async function round(goOn: () => boolean): Promise<void> {
    const bookmark = await holdTurn(db, NAME, holder, LEASE)
    if (!bookmark) return
    const wide = polls++ % WIDE_EVERY === 0
    const overlap = wide ? OVERLAP.wide : OVERLAP.narrow
    const listed = await stripe.eventsSince(new Date(bookmark.getTime() - overlap), goOn)
    if (!listed) return
    const { events, at } = listed
    if (wide && at) watch.clock(at)
    // other events of the account stay out of the inbox
    const ours = events.filter(({ type }) => isOurs(type)).reverse()
    watch.versions(ours)
    let added = 0
    for (let from = 0; from < ours.length; from += 100) {
      const some = ours.slice(from, from + 100)
      const ids = some.map(({ id }) => id)
      const known = await knownEvents(db, ids)
      const news = some.filter(({ id }) => !known.has(id))
      added += await storeEvents(db, news, 'poll')
    }
    const seen = at ?? events[0]?.created
    if (seen) await moveMark(db, NAME, seen)
    if (added > 0) deps.wake('inbox')
  }

  return { round, leave: () => leaveTurn(db, NAME, holder) }
}
