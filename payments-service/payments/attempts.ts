import type { ProductId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { logActivity } from '../sessions/sessions.queries.ts'

/**
 * T-03: logs a payment attempt when the pay button is pressed, whatever the outcome. Logged by the server, so that it
 * exists beside `payment_success` and `payment_failed` even when the page goes to PayPal or its tab is closed. Never
 * rejects (T-04).
 */
export async function noteAttempt(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  sessionId: string,
  attempt: { purpose: string; productId: ProductId; method: 'card' | 'paypal' },
): Promise<void> {
  try {
    await logActivity(db, sessionId, 'payment_attempt', attempt)
  } catch (error) {
    log.warn({ err: error }, 'a payment attempt was not noted')
  }
}
