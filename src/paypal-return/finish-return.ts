import type { NextPage } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import type { call } from '../session/client.ts'
import { isSessionLost, isTemporary } from '../session/http.ts'
import { type Trouble, troubleOfCall } from '../payment/failures.ts'
import { settle, type PayResult } from '../payment/pay.ts'
import type { ReturnPlan, ReturnProblem } from './returns.ts'

/** What handling a return needs from its surroundings; tests bring their own. */
export interface ReturnWorld {
  call: typeof call
  wait(ms: number): Promise<void>
  /** The intent as Stripe says it is; null when it cannot be read, 'no_provider' when Stripe.js did not load. */
  retrieve(plan: ReturnPlan): Promise<{ id: string; status: string } | null | 'no_provider'>
  /** Not decided yet: the screen says that it waits. */
  onPending(): void
  /** This browser has proved that it owns the session. */
  onClaimed(sessionId: string): void
}

export type ReturnEnd =
  | { kind: 'settled'; sessionId: string; nextPage: NextPage; productId: ProductId | null }
  | { kind: 'problem'; problem: ReturnProblem; status?: string }
  /** Paid, but this browser may not open the session: its owner gets a mail. */
  | { kind: 'elsewhere' }
  /** P-14: the buyer already has a subscription; nothing was started, and the payment is returned. */
  | { kind: 'second'; trouble: Trouble }

const WAIT_MS = 4_000

/**
 * P-07, P-06: handles a return to its end. The status comes from Stripe, never from the address; where Stripe.js does
 * not say it, the service reads it, and only its refusal is a problem. An undecided payment is polled until it is
 * decided; a browser other than the one that ordered proves itself once, with the intent's secret.
 */
export async function finishReturn(world: ReturnWorld, plan: ReturnPlan): Promise<ReturnEnd> {
  const read = await world.retrieve(plan)
  const unread = read === 'no_provider' ? 'provider' : read ? null : 'retrieve'
  const { id, status } = read && read !== 'no_provider' ? read : { id: plan.intentId, status: 'unread' }
  if (!unread && status !== 'succeeded' && status !== 'processing')
    return { kind: 'problem', problem: 'failed', status }
  if (status === 'processing') world.onPending()

  let sessionId = plan.sessionId
  let claimed = false
  for (;;) {
    const looked = sessionId ? await look(world, plan.kind, sessionId, id) : ({ kind: 'session_lost' } as const)
    if (looked.kind === 'settled' && sessionId) {
      return { kind: 'settled', sessionId, nextPage: looked.nextPage, productId: looked.productId }
    }
    if (looked.kind === 'failed' && looked.trouble.code === 'already_subscribed') {
      return { kind: 'second', trouble: looked.trouble }
    }
    if (looked.kind === 'failed' && looked.trouble.money !== 'charged') {
      if (unread) return { kind: 'problem', problem: unread }
      if (plan.kind !== 'setup') return { kind: 'problem', problem: 'failed', status }
      const problem = looked.trouble.code === 'customer_missing' ? 'customer' : 'unexpected'
      return { kind: 'problem', problem, status }
    }
    if (looked.kind === 'session_lost') {
      if (claimed) return { kind: 'elsewhere' }
      const claim = await world.call('claimReturn', { body: { clientSecret: plan.clientSecret } })
      if (claim.ok) {
        claimed = true
        sessionId = claim.data.sessionId
        world.onClaimed(sessionId)
        if (claim.data.status === 'settled') {
          return { kind: 'settled', sessionId, nextPage: claim.data.nextPage, productId: claim.data.productId }
        }
      } else if (!isTemporary(claim)) {
        // a link expires only after a payment
        if (unread && claim.code !== 'link_expired') return { kind: 'problem', problem: unread }
        return sessionId ? { kind: 'elsewhere' } : { kind: 'problem', problem: 'session' }
      }
    }
    world.onPending()
    await world.wait(WAIT_MS)
  }
}

type Looked = PayResult | { kind: 'waiting' }

async function look(world: ReturnWorld, kind: ReturnPlan['kind'], sessionId: string, id: string): Promise<Looked> {
  if (kind !== 'setup') return settle(world, sessionId, id)
  const outcome = await world.call('finalizePaypalSetup', { path: { sessionId }, body: { setupIntentId: id } })
  if (outcome.ok) {
    const { status, nextPage, productId } = outcome.data
    return status === 'settled' ? { kind: 'settled', nextPage, productId } : { kind: 'waiting' }
  }
  if (isSessionLost(outcome)) return { kind: 'session_lost' }
  if (isTemporary(outcome)) return { kind: 'waiting' }
  // a set-up moves no money
  return { kind: 'failed', trouble: troubleOfCall(outcome, 'setup_unexpected') }
}
