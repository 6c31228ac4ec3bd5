import type { Deps } from '../deps.ts'
import { stableId } from '../jobs/outbox.queries.ts'
import { queueMail } from '../jobs/mails.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'
import { readBuyer } from './buyer.ts'
import { toSubscriber } from './compose.ts'

/** P-14: tells the owner of a subscription, at most once a day, that an order was begun with its address. */
export async function mailAlreadySubscribed(deps: Deps, sessionId: string): Promise<void> {
  const session = await deps.db
    .selectFrom('sessions')
    .select('email')
    .where('id', '=', sessionId)
    .where('payment_status', '=', 'unpaid')
    .executeTakeFirst()
  const held = await heldElsewhere(deps.db, session?.email ?? null, sessionId)
  const buyer = held && (await readBuyer(deps, held.session_id))
  if (!buyer) return
  const day = new Date().toISOString().slice(0, 10)
  await queueMail(
    deps.db,
    {
      kind: 'already_subscribed',
      to: buyer.to,
      data: { ...toSubscriber(buyer), appUrl: deps.config.appUrl },
    },
    `${stableId(buyer.to)}:${day}`,
    { sessionId: buyer.sessionId },
  )
}
