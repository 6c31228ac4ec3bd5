import type { Database } from '../../db/connect.ts'
import { chargeState, missing, type OwedRow } from './owed.queries.ts'

/** The state of several charges that are owed back, in cents. */
interface RefundSums {
  /** What the bank has agreed to, and what an operator settled in another way. */
  refunded: number
  /** What the bank has not agreed to yet. */
  pending: number
  /** What the bank holds because of a dispute. */
  withBank: number
  /** What could not go back the way it came: we find another. */
  open: number
}

/** Adds up the rows of one request (A-07, H-02): the same sums for mails and pages. */
export async function sumUp(db: Database, rows: readonly OwedRow[]): Promise<RefundSums> {
  const sums: RefundSums = { refunded: 0, pending: 0, withBank: 0, open: 0 }
  for (const row of rows) {
    const { status, reason, wanted_cents, back_cents, payment_intent_id: intentId } = row
    sums.refunded += (status === 'settled' ? wanted_cents : back_cents) + paidBefore(row)
    if (status === 'settled' || status === 'refunded') continue
    const left = missing(row, await chargeState(db, intentId))
    if (status !== 'impossible') sums.pending += left
    else if (reason === 'charge_disputed') sums.withBank += left
    else sums.open += left
  }
  return sums
}

/** What an operator paid of it since its buyer had the answer, while the bank gave back the rest. */
function paidBefore({ settled_before: before, told_at: told }: OwedRow): number {
  const since = (before as { cents: number; at: string }[]).filter(({ at }) => told && new Date(at) > told)
  return since.reduce((sum, { cents }) => sum + cents, 0)
}

export async function sumsOf(db: Database, requestId: string): Promise<RefundSums> {
  const owed = db.selectFrom('owed_refunds').selectAll().where('money_back_request_id', '=', requestId)
  return sumUp(db, await owed.execute())
}
