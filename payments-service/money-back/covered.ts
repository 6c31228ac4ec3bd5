import type { ExitContract } from '../../contract/exit.ts'
import type { Database } from '../../db/connect.ts'
import { guaranteeStanding, isOf, type Refundable, withdrawalStanding } from './money-back.ts'
import { refundablePayments, type RequestRow } from './money-back.queries.ts'

/**
 * The charges of a visit that a request gives back. The guarantee looks at the day of the request and, because
 * granting ends what a later charge has paid for, beyond it. A withdrawal (H-02) ends the contract itself, so a charge
 * that was taken after it goes back too.
 */
export function coveredBy(
  { kind, contract, listened_sessions: listened, requested_at: asked }: RequestRow,
  payments: readonly Refundable[],
): Refundable[] {
  if (kind !== 'guarantee') return withdrawalStanding(payments, asked, asked, contract as ExitContract).payments
  const within = guaranteeStanding(payments, listened, asked).payments
  const since = payments.filter(
    (one) => isOf('subscription', one) && one.settledAt > asked && one.refunded < one.amount && !within.includes(one),
  )
  return [...within, ...since]
}

/** What granting a request of the guarantee gives back now: a renewal may have come since it was asked for. Cents. */
export async function givenBackNow(db: Database, request: RequestRow): Promise<number> {
  const covered = coveredBy(request, await refundablePayments(db, request.session_id))
  return covered.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
}
