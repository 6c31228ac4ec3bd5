import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import { closeRow, findByIntent } from './intents.queries.ts'

/** Declined tries of a session within a day before it is taken for somebody who tests stolen cards. */
const MOST_DECLINES = 10

/** Every decline counts, by Stripe's own events: an intent shows only its latest. */
async function declines({ db }: Deps, sessionId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from webhook_events e join payment_intents i on i.stripe_intent_id = e.object_id
    where i.session_id = ${sessionId} and e.type = 'payment_intent.payment_failed'
      and e.received_at > now() - interval '1 day'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Throws too_many_requests for a session that was declined too often: no further intent is opened for it today. */
export async function refuseCardTesting(deps: Deps, sessionId: string): Promise<void> {
  if ((await declines(deps, sessionId)) >= MOST_DECLINES) throw new AppError('too_many_requests', { retryAfter: 3_600 })
}

/** After a decline: the browser holds the secret of the intent, so only its end stops further cards. */
export async function endAfterDeclines(deps: Deps, intentId: string): Promise<void> {
  const row = await findByIntent(deps.db, intentId)
  if (!row || row.closed_at || (await declines(deps, row.session_id)) < MOST_DECLINES) return
  try {
    await deps.stripe.cancelIntent(intentId, undefined)
    await closeRow(deps.db, row.id, 'canceled')
    deps.log.warn({ intentId }, 'an intent was ended after too many declined cards')
  } catch (error) {
    // paid or cancelled meanwhile; its own event tells
    if (!isFailure(error, 'refused')) throw error
  }
}
