import type { AddOnEvidence, UpsellResult } from '../../contract/api.ts'
import type { AddOnId, ProductId } from '../../contract/catalogue.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import { trouble, troubleOfCall, troubleOfProvider, troubleOfStatus, type Trouble } from '../payment/failures.ts'
import { type Failure, mayHaveHappened } from '../session/http.ts'
import { settle, type Confirmation, type PayWorld } from '../payment/pay.ts'

/** How one add-on ended. */
export type ChargeOutcome =
  | { kind: 'bought'; productId: AddOnId }
  /** The saved method cannot be charged: the card form is shown, with the reason where there is one (U-06). */
  | { kind: 'needs_form'; productId: AddOnId; clientSecret: string | null; reason?: Trouble }
  /** The page was left for PayPal, and is still there. */
  | { kind: 'left' }
  | { kind: 'failed'; productId: AddOnId; trouble: Trouble }

export interface ChargeWorld extends Pick<PayWorld, 'call' | 'wait'> {
  /** 3-D Secure for a saved card. */
  authenticate(clientSecret: string): Promise<Confirmation>
  /** Leaves for PayPal; no error where the page is still there, or again. */
  leaveForPaypal(result: UpsellResult): Promise<Confirmation>
  /** The price differs from the one the page showed: nothing was charged. */
  onChanged(productId: AddOnId, terms: ShownTerms): void
  /** What is under way: no failure. */
  onNews(words: string): void
}

/** A charge that failed: an answer that was lost on the way may belong to one that was made. */
export function troubleOfCharge(failure: Failure): Trouble {
  const known = troubleOfCall(failure, 'order_failed')
  return mayHaveHappened(failure) ? { ...known, money: 'unknown' } : known
}

/** U-04: charges one add-on to the saved method and follows the result to its end. */
export async function chargeOne(
  world: ChargeWorld,
  sessionId: string,
  productId: AddOnId,
  evidence: AddOnEvidence,
  paymentMethodType?: 'paypal',
): Promise<ChargeOutcome> {
  const failed = (problem: Trouble): ChargeOutcome => ({ kind: 'failed', productId, trouble: problem })
  const body = { productId, ...evidence, ...(paymentMethodType ? { paymentMethodType } : {}) }
  const outcome = await world.call('chargeUpsell', { path: { sessionId }, body })
  if (!outcome.ok) {
    if (outcome.terms) world.onChanged(productId, outcome.terms)
    return failed(troubleOfCharge(outcome))
  }
  const result = outcome.data
  const finish = async (paymentIntentId: string | null): Promise<ChargeOutcome> => {
    if (!paymentIntentId) return { kind: 'bought', productId }
    const settled = await settle(world, sessionId, paymentIntentId)
    if (settled.kind === 'settled') return { kind: 'bought', productId }
    if (settled.kind === 'processing') return failed({ ...trouble('processing_paypal_redirect'), money: 'unknown' })
    return failed({ ...trouble('finalize_upsell_record_failed'), money: 'unknown' })
  }
  switch (result.status) {
    case 'succeeded':
      return finish(result.paymentIntentId)
    case 'processing':
      world.onNews(trouble('processing_paypal_redirect').words)
      return finish(result.paymentIntentId)
    case 'requires_action': {
      if (!result.clientSecret) return failed(trouble('processing_failed'))
      world.onNews(trouble('additional_verification').words)
      const confirmed = await world.authenticate(result.clientSecret)
      const paid = confirmed.paymentIntent ?? confirmed.error?.payment_intent
      if (paid?.status === 'succeeded' || paid?.status === 'processing') return finish(paid.id)
      if (paid?.status === 'canceled') return failed(troubleOfStatus('canceled'))
      return failed(confirmed.error ? troubleOfProvider(confirmed.error) : trouble('processing_failed'))
    }
    case 'requires_new_card':
    case 'requires_paypal_redirect': {
      const reason = result.message && trouble(result.message, result.reason ? { reason: result.reason } : {})
      return { kind: 'needs_form', productId, clientSecret: result.clientSecret, ...(reason ? { reason } : {}) }
    }
    case 'paypal_redirect_immediate': {
      const { error } = await world.leaveForPaypal(result)
      return error ? failed(trouble('paypal_failed')) : { kind: 'left' }
    }
    case 'error': {
      const code = result.message ?? 'processing_failed'
      return failed(trouble(code, result.reason ? { reason: result.reason } : {}))
    }
    default:
      return failed(trouble('unexpected_result_status', {}, 'unknown'))
  }
}

export interface OrderOutcome {
  bought: AddOnId[]
  failures: { productId: AddOnId; trouble: Trouble }[]
  /** Why the order stopped: the page leaves, or the card form has to be shown for this add-on. */
  stopped: Extract<ChargeOutcome, { kind: 'left' | 'needs_form' }> | null
  /** Not tried yet: what comes after the one that stopped it. */
  rest: AddOnId[]
}

export const NOTHING_YET: OrderOutcome = { bought: [], failures: [], stopped: null, rest: [] }

const UNREACHABLE = new Set(['network', 'timeout'])

/**
 * U-03: several add-ons are charged one by one. A failed one does not stop the others, but a lost network does: those
 * not tried have failed too. `before` is what the order had reached before the card form.
 */
export async function chargeAll(
  ids: readonly AddOnId[],
  charge: (id: AddOnId) => Promise<ChargeOutcome>,
  before: OrderOutcome = NOTHING_YET,
): Promise<OrderOutcome> {
  const end: OrderOutcome = {
    ...before,
    bought: [...before.bought],
    failures: [...before.failures],
    stopped: null,
    rest: [],
  }
  for (const [at, id] of ids.entries()) {
    const outcome = await charge(id).catch((thrown: unknown): ChargeOutcome => {
      reportError(thrown)
      return { kind: 'failed', productId: id, trouble: trouble('processing_failed', {}, 'unknown') }
    })
    if (outcome.kind === 'bought') end.bought.push(id)
    else if (outcome.kind !== 'failed') return { ...end, stopped: outcome, rest: ids.slice(at + 1) }
    else {
      end.failures.push({ productId: id, trouble: outcome.trouble })
      if (!UNREACHABLE.has(outcome.trouble.code)) continue
      for (const productId of ids.slice(at + 1)) {
        end.failures.push({ productId, trouble: { ...outcome.trouble, money: 'not_charged' } })
      }
      return end
    }
  }
  return end
}

/**
 * U-08: corrects the outcome by the purchases that the service lists: a charge whose answer was lost may have
 * succeeded. A guide is not bought because the bundle was, nor the bundle because a guide was.
 */
export function withOwned(end: OrderOutcome, items: readonly ProductId[]): OrderOutcome {
  const found = end.failures.filter(({ productId }) => items.includes(productId))
  return {
    ...end,
    bought: [...end.bought, ...found.map(({ productId }) => productId)],
    failures: end.failures.filter((failure) => !found.includes(failure)),
  }
}

/** U-03: the message for an order that failed in part or as a whole; undefined when all went well. */
export function orderTrouble({ bought, failures }: OrderOutcome): Trouble | undefined {
  const first = failures[0]
  if (!first) return undefined
  const unknown = failures.some((failure) => failure.trouble.money !== 'not_charged')
  if (bought.length > 0) {
    return trouble('upsell_some_failed', { count: failures.length }, unknown ? 'unknown' : 'not_charged')
  }
  // a single add-on says its own reason, and so do several that are owned with another purchase
  if (failures.every(({ trouble: { code } }, at) => at === 0 || code === 'already_owned')) return first.trouble
  return trouble('upsell_all_failed', {}, unknown ? 'unknown' : 'not_charged')
}
