// Refunds: whole or in parts, never more than what was paid. The bank may decide later (docs.stripe.com/refunds).
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { cardByNumber } from '../cards.ts'
import { newId, letters } from '../ids.ts'
import { type State, type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'

/** Seconds until the bank decides on refunds of the test cards with a delayed decision. */
const BANK_SECONDS = 60
/** The bank holds the money in these disputes, so the charge cannot be refunded (`is_charge_refundable`). */
const BLOCKING = new Set<string>([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
])

const dollars = (cents: number, currency: string): string =>
  `${currency === 'usd' ? '$' : ''}${(cents / 100).toFixed(2)}`

function chargeOf(tx: Tx, params: Stripe.RefundCreateParams): Stripe.Charge {
  if (params.payment_intent !== undefined) {
    const intent = tx.need('payment_intent', params.payment_intent, 'payment_intent')
    const charge = intent.status === 'succeeded' ? idOf(intent.latest_charge) : null
    if (charge === null)
      throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
        param: 'payment_intent',
      })
    return tx.need('charge', charge)
  }
  if (params.charge === undefined) {
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.', {
      code: 'parameter_missing',
    })
  }
  return tx.need('charge', params.charge, 'charge')
}

/**
 * Refunds a charge; emits `refund.created` and `charge.refunded`. Throws `charge_already_refunded`, `charge_disputed`.
 */
export function refund(tx: Tx, params: Stripe.RefundCreateParams): Stripe.Refund {
  const charge = chargeOf(tx, params)
  if (charge.status !== 'succeeded')
    throw invalid(`Charge ${charge.id} was not successful and cannot be refunded.`, { code: 'charge_not_refundable' })
  if (charge.refunded)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (charge.disputed && tx.all('dispute').some((one) => idOf(one.charge) === charge.id && BLOCKING.has(one.status))) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  }
  const left = charge.amount - charge.amount_refunded
  const amount = params.amount ?? left
  if (!Number.isInteger(amount) || amount < 1)
    throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > left) {
    throw invalid(
      `Refund amount (${dollars(amount, charge.currency)}) is greater than unrefunded amount on charge ` +
        `(${dollars(left, charge.currency)})`,
      { param: 'amount' },
    )
  }
  const kind = cardByNumber(tx.hidden(charge.payment_method ?? '').card ?? '').refund
  const created = tx.put<Stripe.Refund>({
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: tx.now(idOf(charge.customer)),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details:
      charge.payment_method_details?.type === 'paypal'
        ? { type: 'paypal', paypal: { reference: null, reference_status: 'pending' } }
        : {
            type: 'card',
            card: {
              reference: letters(11),
              reference_status: 'available',
              reference_type: 'acquirer_reference_number',
              type: 'refund',
            },
          },
    metadata: metadata({}, params.metadata),
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: kind === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  } as unknown as Stripe.Refund)
  const refunded = charge.amount_refunded + amount
  const changed = tx.change(charge, { amount_refunded: refunded, refunded: refunded === charge.amount })
  tx.emit('refund.created', created)
  tx.emit('charge.refunded', changed, previous(charge, changed))
  // "its status begins as succeeded (pending) and some time later transitions to failed
  // (succeeded)": docs.stripe.com/testing
  if (kind) {
    tx.hide(created.id, {
      settles: { at: created.created + BANK_SECONDS, as: kind === 'failed' ? 'failed' : 'succeeded' },
    })
  }
  return created
}

/**
 * Applies the bank's decision on a refund, which in real life takes days. A refund that it returns no longer counts; a
 * succeeded one may still fail (docs.stripe.com/refunds#failed-refunds). Emits `refund.updated`, and `refund.failed`
 * with its reason.
 */
export function settleRefund(
  tx: Tx,
  old: Stripe.Refund,
  status: 'succeeded' | 'failed',
  reason = 'expired_or_canceled_card',
): Stripe.Refund {
  tx.hide(old.id, { settles: undefined })
  if (old.status === status || old.status === 'failed' || old.status === 'canceled') return old
  if (status === 'succeeded') {
    const succeeded = tx.change(old, { status })
    tx.emit('refund.updated', succeeded, { status: old.status })
    return succeeded
  }
  const failed = tx.change(old, { status, failure_reason: reason, failure_balance_transaction: newId('txn') })
  const charge = tx.need('charge', idOf(old.charge) ?? '')
  tx.change(charge, { amount_refunded: charge.amount_refunded - old.amount, refunded: false })
  tx.emit('refund.updated', failed, { status: old.status })
  tx.emit('refund.failed', failed)
  return failed
}

/** The bank decisions due on one clock (`null`: the sandbox's own). */
export function refundsDue(
  state: State,
  clock: string | null,
): { at: number; customer: string | null; name: string; run: (tx: Tx) => void }[] {
  return [...state.table('refund').values()].flatMap((one) => {
    const settles = state.hidden.get(one.id)?.settles
    const customer = idOf(state.table('charge').get(idOf(one.charge) ?? '')?.customer ?? null)
    const own = customer ? idOf(state.table('customer').get(customer)?.test_clock ?? null) : null
    if (!settles || own !== clock) return []
    return [
      {
        at: settles.at,
        customer,
        name: 'refund.settle',
        run: (tx: Tx) => void settleRefund(tx, tx.need('refund', one.id), settles.as),
      },
    ]
  })
}

route<Stripe.RefundCreateParams>('POST', '/v1/refunds', 'RefundCreateParams', ({ tx }, params) => refund(tx, params))
route('GET', '/v1/refunds/:id', fields({}), ({ tx, path }) => tx.need('refund', path['id'] ?? ''))
route<Stripe.RefundUpdateParams>(
  'POST',
  '/v1/refunds/:id',
  fields({ metadata: 'MetadataParam' }),
  ({ tx, path }, params) => {
    const old = tx.need('refund', path['id'] ?? '')
    const changed = tx.change(old, { metadata: metadata(old.metadata, params.metadata) })
    tx.emit('refund.updated', changed, previous(old, changed))
    return changed
  },
)
route('POST', '/v1/refunds/:id/cancel', fields({}), () => {
  throw invalid('This refund cannot be canceled.', { code: 'intent_invalid_state' })
})
route<Paging & { charge?: string; payment_intent?: string }>(
  'GET',
  '/v1/refunds',
  listing({ charge: 'string', payment_intent: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'refund',
      params,
      '/v1/refunds',
      (one) =>
        (params.charge === undefined || idOf(one.charge) === params.charge) &&
        (params.payment_intent === undefined || idOf(one.payment_intent) === params.payment_intent),
    ),
)
