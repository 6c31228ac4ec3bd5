import { sql } from 'kysely'
import { settlePayment } from '../checkout/settle.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { queueMail } from '../mail/queue.ts'
import { latestSubscription, paidWithOf, readBuyer } from '../notices/buyer.ts'
import { isFailure } from '../stripe/failure.ts'
import { isOver } from '../subscriptions/status.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { guaranteeStanding, withdrawalStanding } from './money-back.ts'
import { refundablePayments } from './money-back.queries.ts'

/**
 * gives the money of an approved request back: the subscription ends first, so that nothing new is charged; then
 * every payment that the rule covers, each looked at before it is touched; the grants follow from the facts; the mail
 * comes last and says what went back. Runs again from the start after a crash, and finds done what is done.
 */
export const giveMoneyBack: OutboxHandler = async (deps, job) => {
  const { db, stripe } = deps
  const requestId = String(job.payload['requestId'])
  const request = await db
    .selectFrom('money_back_requests')
    .selectAll()
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow()
  if (request.status !== 'refunding') return
  const sessionId = request.session_id

  const subscription = await latestSubscription(db, sessionId)
  const stripeId = subscription?.stripe_subscription_id
  if (stripeId && !isOver(subscription.status)) {
    try {
      await stripe.cancelSubscription(stripeId, undefined)
    } catch (error) {
      // it ended in between
      if (!isFailure(error, 'missing', 'refused')) throw error
    }
    await syncSubscription(deps, stripeId, undefined)
  }

  // the rule as it stood when it was asked for; what was given back since is looked at below
  const payments = (await refundablePayments(db, sessionId)).map((one) => ({ ...one, refunded: 0 }))
  const covered =
    request.kind === 'guarantee'
      ? guaranteeStanding(payments, request.listened_sessions, request.requested_at).payments
      : withdrawalStanding(payments, request.requested_at, request.requested_at).payments
  let refunded = 0
  for (const { intentId } of covered) {
    const intent = await stripe.readIntent(intentId, undefined)
    const left = intent.charge ? intent.charge.amount - intent.charge.refunded : 0
    if (left > 0) {
      // the key of a try that Stripe refused is not used again
      await stripe.refund(intentId, 'requested_by_customer', `money-back:${requestId}:${intentId}:${job.attempts}`, undefined) // prettier-ignore
    }
    await settlePayment(deps, intentId, undefined)
    refunded += intent.charge?.amount ?? 0
  }

  const buyer = await readBuyer(deps, sessionId)
  const method = await db
    .selectFrom('payments')
    .select('payment_method_id')
    .where('payment_intent_id', 'in', [...covered.map(({ intentId }) => intentId), ''])
    .limit(1)
    .executeTakeFirst()
  const paidWith = await paidWithOf(deps, method?.payment_method_id ?? null)
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('money_back_requests')
      .set({ status: 'refunded', refunded_cents: refunded, decided_at: sql<Date>`coalesce(decided_at, now())` })
      .where('id', '=', requestId)
      .execute()
    if (!buyer) return
    const now = new Date().toISOString()
    await queueMail(
      tx,
      {
        kind: 'money_back_decided',
        to: buyer.to,
        data: {
          name: buyer.name,
          timeZone: buyer.timeZone,
          decision: 'approved',
          amount: refunded,
          decidedAt: now,
          accessEndsAt: now,
          paidWith,
        },
      },
      requestId,
      { sessionId },
    )
  })
}
