import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import type { Dispute, Intent, Refund } from '../stripe/objects.ts'

export type FactKind =
  'succeeded' | 'failed' | 'canceled' | 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won' | 'dispute_lost'

/** One thing that happened to money, in Stripe's words; (kind, stripeId) happens once. */
export interface Fact {
  kind: FactKind
  stripeId: string
  amount: number
  currency: string
  at: Date
}

/** The facts that an intent, its refunds and its disputes state. */
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
  for (const { id, amount, created, status } of refunds) {
    const fact = { stripeId: id, amount, currency, at: created }
    facts.push({ kind: 'refunded', ...fact })
    // a refund that did not arrive is undone, not unsaid
    if (status === 'failed' || status === 'canceled') facts.push({ kind: 'refund_failed', ...fact })
  }
  for (const { id, amount, created, status } of disputes) {
    // warning_*: the bank asks, no money has moved
    if (status.startsWith('warning_')) continue
    const fact = { stripeId: id, amount, currency, at: created }
    facts.push({ kind: 'disputed', ...fact })
    if (status === 'won') facts.push({ kind: 'dispute_won', ...fact })
    if (status === 'lost') facts.push({ kind: 'dispute_lost', ...fact })
  }
  return facts
}

/** Reads an intent and what hangs on it. `known` facts make sure that a refund that failed since is looked at again. */
export async function readFacts(
  { stripe }: Deps,
  intentId: string,
  known: readonly FactKind[],
  by: Deadline | undefined,
): Promise<{ intent: Intent; facts: Fact[] }> {
  const intent = await (intentId.startsWith('seti_') ? stripe.readSetup(intentId, by) : stripe.readIntent(intentId, by))
  const { charge } = intent
  const refunds =
    (charge && charge.refunded > 0) || known.includes('refunded') ? await stripe.listRefunds(intentId, by) : []
  const disputes = charge?.disputed || known.includes('disputed') ? await stripe.listDisputes(intentId, by) : []
  return { intent, facts: factsOf(intent, refunds, disputes) }
}
