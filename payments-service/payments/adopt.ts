import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'
import { isOwnCharge } from './installation.ts'
import { findVisitOf, insertAdopted, linkWaiting } from './without-visit.queries.ts'
import { takeIn } from './without-visit.ts'

/**
 * Adopts an intent that has no row here. Its creation may not have been answered: its metadata names the session and
 * the purpose, and the row that waits for it takes it. A charge is recorded whatever became of its row (P-14) and of
 * its visit (P-10). True: settling finds it now; false: it belongs to another application or installation, or nothing
 * was charged. Throws StripeFailure.
 */
export async function adopt(deps: Deps, intentId: string, by: Deadline | undefined): Promise<boolean> {
  const intent = await read(deps, intentId, by)
  const { session_id: sessionId, purpose, product_id: productId = 'unknown' } = intent?.metadata ?? {}
  if (!intent || !sessionId || !purpose || !UUID.test(sessionId)) return false
  if (await linkWaiting(deps.db, intent, { sessionId, purpose })) return true
  if (intent.status !== 'succeeded') return false
  const visit = await findVisitOf(deps.db, sessionId)
  const complete = visit && (visit.erased || (visit.email !== null && !visit.lost))
  if (!complete && isOwnCharge(deps.config, intent.metadata)) {
    await takeIn(deps, intent, { sessionId, purpose, productId, subscriptionId: null }, by)
    return true
  }
  if (!visit) return false
  await insertAdopted(deps.db, intent, { sessionId, purpose, productId })
  return true
}

async function read({ stripe }: Deps, intentId: string, by: Deadline | undefined): Promise<Intent | undefined> {
  if (!/^(pi|seti)_/.test(intentId)) return undefined
  try {
    return await (intentId.startsWith('seti_') ? stripe.readSetup(intentId, by) : stripe.readIntent(intentId, by))
  } catch (error) {
    if (isFailure(error, 'missing')) return undefined
    throw error
  }
}
