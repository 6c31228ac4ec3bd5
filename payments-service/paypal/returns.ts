import { claimOpening, findByIntent } from '../payments/intents.queries.ts'
import { paymentMessage } from '../../contract/payment-messages.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isSame } from '../keys/keys.ts'
import { grantToken } from '../sessions/access.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'

const SECRET = /^((?:pi|seti)_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/

export interface Claimed {
  sessionId: string
  intentId: string
  /** For the cookie of the browser that the return landed in. */
  token: string
}

/**
 * P-07: opens the session of a payment for the holder of its intent's client secret, once, after the buyer has approved
 * it and within the hour. Throws payment_not_found, initial_not_successful, link_expired (used before, too late, or
 * paid by a method that never leaves our page).
 */
export async function claimReturn(deps: Deps, clientSecret: string, by: Deadline): Promise<Claimed> {
  const intentId = SECRET.exec(clientSecret)?.[1]
  const row = intentId ? await findByIntent(deps.db, intentId) : undefined
  if (!intentId || !row) throw new AppError('payment_not_found', { field: 'clientSecret' })
  const intent = await read(deps, intentId, by)
  if (!intent || !isSame(intent.clientSecret, clientSecret)) {
    throw new AppError('payment_not_found', { field: 'clientSecret' })
  }
  if (intent.status !== 'succeeded' && intent.status !== 'processing') {
    const message = paymentMessage('initial_not_successful', { status: intent.status })
    throw new AppError('initial_not_successful', { message })
  }
  return deps.db.transaction().execute(async (tx) => {
    await lockSession(tx, row.session_id)
    // a card is confirmed on our page: the buyer does not return in another browser
    if (row.payment_method !== 'paypal' || !(await claimOpening(tx, intentId))) throw new AppError('link_expired')
    // an add-on may be an order of the reader of a mailed link, who stays one
    const token = await grantToken(tx, row.session_id, row.purpose === 'first' ? 'payment_return' : 'link')
    return { sessionId: row.session_id, intentId, token }
  })
}

async function read({ stripe }: Deps, intentId: string, by: Deadline): Promise<Intent | null> {
  try {
    return await (intentId.startsWith('seti_') ? stripe.readSetup(intentId, by) : stripe.readIntent(intentId, by))
  } catch (error) {
    if (isFailure(error, 'missing')) return null
    throw error
  }
}
