import type { Deps } from '../deps.ts'
import { knownEvents, storeEvents } from '../webhooks/inbox.queries.ts'

const NAME = 'stripe_events'
/**
 * Milliseconds looked back past the last poll: Stripe's list settles late, and clocks differ. The wide look is taken once
 * a minute: what it lists again and again costs the requests that come meanwhile.
 */
const OVERLAP = { narrow: 20_000, wide: 300_000 }
/** How far back the first poll of a new database looks. */
const FIRST = 3_600_000
/** What Stripe keeps. */
const LONGEST = 30 * 86_400_000

/** Events the service works on; the rest of the account's traffic stays out of the inbox. */
const OURS = /^(payment_intent|setup_intent|charge|refund|invoice|customer\.subscription)\./

/**
 * Puts Stripe's events since the last poll into the inbox that the webhooks fill too: with webhooks off, lost or three
 * days late the same work is done. The bookmark is the moment of the poll by our clock, set only after all was stored.
 */
export async function pollEvents(deps: Deps, overlap: keyof typeof OVERLAP): Promise<void> {
  const { db, stripe } = deps
  const started = new Date()
  const bookmark = await db.selectFrom('bookmarks').select('at').where('name', '=', NAME).executeTakeFirst()
  const from = bookmark ? bookmark.at.getTime() - OVERLAP[overlap] : started.getTime() - FIRST
  const events = await stripe.eventsSince(new Date(Math.max(from, started.getTime() - LONGEST)))
  const ours = events.filter(({ type }) => OURS.test(type)).reverse()
  let added = 0
  for (let at = 0; at < ours.length; at += 100) {
    const some = ours.slice(at, at + 100)
    const known = await knownEvents(db, some.map(({ id }) => id)) // prettier-ignore
    added += await storeEvents(db, some.filter(({ id }) => !known.has(id)), 'poll') // prettier-ignore
  }
  await db
    .insertInto('bookmarks')
    .values({ name: NAME, at: started })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ at: eb.fn<Date>('greatest', ['bookmarks.at', 'excluded.at']) })),
    )
    .execute()
  if (added > 0) deps.wake('inbox')
}
