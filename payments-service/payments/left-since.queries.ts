/** What ends a subscription before it begins here: it was sent after the order was paid, which was not known yet. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

interface Paid {
  sessionId: string
  /** When the first payment of the order was made. */
  paidAt?: Date | undefined
}

/** No date: no first payment, and no match. */
const when = ({ paidAt }: Paid) => sql<Date>`${paidAt ?? null}::timestamptz`

/** H-02: the last withdrawal in this visit. */
export const withdrawnSince = (db: Database, paid: Paid) =>
  db
    .selectFrom('money_back_requests')
    .select(({ fn }) => fn.max('requested_at').as('at'))
    .where('session_id', '=', paid.sessionId)
    .where('kind', '=', 'withdrawal')
    .where('contract', '!=', 'guides')
    .where('requested_at', '>=', when(paid))

/**
 * H-02, H-04: the last statement on /exit that means this visit (as exit/carry-out.ts looks for it). Whatever it found:
 * it waits for minutes only, and for nothing where another subscription ran.
 */
export const leftSince = (db: Database, paid: Paid) =>
  db
    .selectFrom('exit_requests as x')
    .innerJoin('sessions as s', (join) =>
      join.on(sql<boolean>`(lower(s.email) = lower(x.email) or s.id = any(x.meant_session_ids))`),
    )
    .select(({ fn }) => fn.max('x.received_at').as('at'))
    .where('s.id', '=', paid.sessionId)
    .where('x.contract', '!=', 'guides')
    .where('x.taken_back_at', 'is', null)
    .where('x.received_at', '>=', when(paid))
