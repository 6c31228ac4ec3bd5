import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { disputeEffect } from '../stripe/dispute-status.ts'
import type { Dispute, Intent, Refund } from '../stripe/objects.ts'

export type FactKind =
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'refund_pending'
  | 'refunded'
  | 'refund_failed'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'

/** One thing that happened to a payment, as Stripe reports it; (kind, stripeId) is unique. */
export interface Fact {
  kind: FactKind
  stripeId: string
  amount: number
  currency: string
  at: Date
  /** Why a refund failed: Stripe's failure reason. */
  detail?: string | null
  /** Whether this service asked for the refund, rather than an operator in the dashboard. */
  ours?: boolean
}

const REFUND_FACTS = { pending: 'refund_pending', succeeded: 'refunded', failed: 'refund_failed' } as const

/** The facts that follow from an intent, its refunds and its disputes. */
export function factsOf(intent: Intent, refunds: readonly Refund[], disputes: readonly Dispute[]): Fact[] {
  const { currency, charge } = intent
  const facts: Fact[] = []
  if (intent.status === 'succeeded') {
    // the value-0 PayPal start has no charge (P-06)
    const [stripeId, amount, at] = charge
      ? [charge.id, charge.amount, charge.created]
      : [intent.id, intent.amount, intent.created]
    facts.push({ kind: 'succeeded', stripeId, amount, currency, at })
  } else if (charge && !charge.succeeded && intent.status === 'requires_payment_method') {
    facts.push({ kind: 'failed', stripeId: charge.id, amount: charge.amount, currency, at: charge.created })
  }
  if (intent.status === 'canceled') {
    facts.push({ kind: 'canceled', stripeId: intent.id, amount: intent.amount, currency, at: intent.created })
  }
  // "refunded" means that the bank agreed; if it returns the refund later, "refund_failed" is added and this stays
  for (const { id, amount, created, status, failureReason, ours } of refunds) {
    const fact = { stripeId: id, amount, currency, at: created, detail: failureReason, ours }
    facts.push({ kind: REFUND_FACTS[status], ...fact })
  }
  for (const { id, amount, created, status } of disputes) {
    const fact = { stripeId: id, amount, currency, at: created }
    const effect = disputeEffect(status)
    if (effect !== 'none' || status === 'won') facts.push({ kind: 'disputed', ...fact })
    if (effect === 'taken') facts.push({ kind: 'dispute_lost', ...fact })
    if (status === 'won') facts.push({ kind: 'dispute_won', ...fact })
  }
  return facts
}

/**
 * Reads an intent with its refunds and disputes. A refund among the `known` facts is read again, because it may have
 * failed since; `refunds` also finds one that failed before we looked, which the charge no longer shows.
 */
export async function readFacts(
  { stripe }: Deps,
  intentId: string,
  { known, refunds: asked }: { known: readonly FactKind[]; refunds: boolean },
  by: Deadline | undefined,
): Promise<{ intent: Intent; facts: Fact[]; disputes: Dispute[] }> {
  const intent = await (intentId.startsWith('seti_') ? stripe.readSetup(intentId, by) : stripe.readIntent(intentId, by))
  const { charge } = intent
  const refunds =
    charge && (charge.refunded > 0 || asked || known.some((kind) => kind.startsWith('refund')))
      ? await stripe.listRefunds(intentId, by)
      : []
  const disputes = charge?.disputed || known.includes('disputed') ? await stripe.listDisputes(intentId, by) : []
  return { intent, facts: factsOf(intent, refunds, disputes), disputes }
}
