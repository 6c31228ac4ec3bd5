import type { FinalizeResponse } from '../../contract/api.ts'
import { paymentMessage } from '../../contract/payment-messages.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { isDatabaseAway } from '../http/database-away.ts'
import { AppError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'
import { type OpenSession, rotateToken } from '../sessions/access.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { isFailure } from '../stripe/failure.ts'
import { endOpening, findByIntent, hasSettled } from './intents.queries.ts'
import { type Settlement, settleTogether } from './settle.ts'

/**
 * P-04: settles an intent of this session and returns the next page. `pending` (202) while Stripe or the bank has not
 * decided or does not answer within the deadline: the webhook and the poll finish it, and the page asks again. Throws
 * payment_not_found, customer_mismatch (another session's), customer_missing, initial_not_successful,
 * already_subscribed (P-14).
 */
export async function finalize(
  deps: Deps,
  call: Pick<Call<unknown>, 'req' | 'res' | 'deadline' | 'log'>,
  opening: OpenSession | Promise<OpenSession>,
  id: string,
): Promise<FinalizeResponse> {
  const [open, row] = await Promise.all([opening, findByIntent(deps.db, id)])
  const { session } = open
  if (!row) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
  if (row.session_id !== session.id) throw new AppError('customer_mismatch', { field: 'paymentIntentId' })
  if (row.kind === 'setup' && !row.stripe_customer_id) throw new AppError('customer_missing')
  const settlement = await settleInTime(deps, call, id)
  if (settlement === 'late' || settlement.state === 'pending') {
    call.res.status(202)
    return { status: 'pending', productId: null, nextPage: await readNextPage(deps, call.req, session.id) }
  }
  if (settlement.state === 'failed') {
    const message = paymentMessage('initial_not_successful', { status: settlement.status })
    throw new AppError('initial_not_successful', { message })
  }
  if (await isSecond(deps, settlement)) throw new AppError('already_subscribed')
  const [next] = await Promise.all([readNextPage(deps, call.req, session.id), rotateAfterPayment(deps, call, open, id)])
  return { status: 'settled', productId: settlement.productId, nextPage: next }
}

/** P-14: another visit's subscription is live under its address: the payment starts none and is refunded by a job. */
export async function isSecond(
  { db }: Deps,
  { duplicate, purpose, sessionId }: Pick<Settlement, 'duplicate' | 'purpose' | 'sessionId'>,
): Promise<boolean> {
  return duplicate && purpose === 'first' && !(await hasSettled(db, sessionId, 'first'))
}

async function rotateAfterPayment(
  deps: Deps,
  { req, res }: Pick<Call<unknown>, 'req' | 'res'>,
  open: OpenSession,
  id: string,
): Promise<void> {
  const recorded = await endOpening(deps.db, id)
  if (recorded) await rotateToken(deps, req, res, open, recorded)
}

/**
 * Concurrent callers of one intent share one read of Stripe. If Stripe does not answer, the payment is late, not
 * failed.
 */
export async function settleInTime(
  deps: Deps,
  { deadline, log }: { deadline: Deadline; log: Deps['log'] },
  id: string,
): Promise<Settlement | 'late'> {
  const work = settleTogether(deps, id, deadline)
  let timer: NodeJS.Timeout | undefined
  let answered = false
  // the race has its failure too, unless it was answered by then
  work.catch((error: unknown) => {
    if (answered) log.warn({ err: error }, 'settling failed after its answer; the poll finishes it')
  })
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadline.left - 500), 'late' as const)
  })
  try {
    const settlement = await Promise.race([work, late])
    if (settlement === null) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
    return settlement
  } catch (error) {
    if (isDatabaseAway(error)) throw notRecorded(error)
    if (!isFailure(error, 'away', 'busy')) throw error
    log.warn({ err: error }, 'Stripe did not say what became of a payment; the poll finishes it')
    return 'late'
  } finally {
    clearTimeout(timer)
    answered = true
  }
}

/** P-11: the charge is safe at Stripe; the webhook or the poll records it as soon as the database answers. */
function notRecorded(cause: unknown): AppError {
  const message = paymentMessage('record_failed_reason', { reason: 'our records do not answer right now.' })
  return new AppError('record_failed_reason', { message, cause, retryAfter: 5 })
}
