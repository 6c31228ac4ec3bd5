import type { OutboxHandler } from '../jobs/outbox.ts'
import { settlePayment } from './settle.ts'

/** P-14: gives a second charge back, after asking Stripe whether it was already. The mail follows the refund's own fact. */
export const refundDuplicate: OutboxHandler = async (deps, job) => {
  const id = job.payload['intentId']
  if (typeof id !== 'string') throw new Error('a duplicate without its intent')
  const intent = await deps.stripe.readIntent(id, undefined)
  const left = intent.charge ? intent.charge.amount - intent.charge.refunded : 0
  // the key of a try that Stripe refused is not used again
  if (left > 0) await deps.stripe.refund(id, 'duplicate', `refund:${id}:${job.attempts}`, undefined)
  await settlePayment(deps, id, undefined)
}
