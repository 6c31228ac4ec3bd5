// Disputes: a buyer's bank takes the money back until the case is decided. Statuses as in the SDK's `Dispute.Status`;
// what each means: docs.stripe.com/disputes/how-disputes-work, docs.stripe.com/api/disputes/object.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { fields, listing } from '../schemas.ts'
import { letters } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'

const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const

type Known<T extends string> = T extends string ? (string extends T ? never : T) : never
type Status = Known<Stripe.Dispute['status']>

/** Whether the bank has taken the disputed money in each status. */
const TAKEN: Readonly<Record<Status, boolean>> = {
  // an inquiry: the bank asks, no money has moved
  warning_needs_response: false,
  warning_under_review: false,
  warning_closed: false,
  needs_response: true,
  under_review: true,
  won: false,
  lost: true,
  appeal_needs_response: true,
  appeal_under_review: true,
  // stopped before it was filed (Visa Rapid Dispute Resolution): no money is withdrawn as a dispute
  prevented: false,
}
const CLOSED = new Set<Status>(['won', 'lost', 'warning_closed', 'prevented'])

export const isDisputeStatus = (text: unknown): text is Status => typeof text === 'string' && Object.hasOwn(TAKEN, text)

/**
 * Opens a dispute over a charge; emits `charge.dispute.created` and, where the bank takes the money,
 * `charge.dispute.funds_withdrawn`. `status`: an inquiry begins as `warning_needs_response`. `amount`: all that
 * is left.
 */
export function openDispute(
  tx: Tx,
  charge: Stripe.Charge,
  reason: string,
  status: Status = 'needs_response',
  amount = charge.amount - charge.amount_refunded,
): Stripe.Dispute {
  const now = tx.now(idOf(charge.customer))
  const dispute = tx.put<Stripe.Dispute>({
    id: `du_1${letters(23)}`,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...Object.fromEntries(EVIDENCE.map((name) => [name, null])),
      enhanced_evidence: {},
    } as unknown as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: now + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    } as unknown as Stripe.Dispute.EvidenceDetails,
    intended_submission_method: null,
    is_charge_refundable: !TAKEN[status],
    livemode: false,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    payment_method_details: {
      type: 'card',
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: status.startsWith('warning_') ? 'inquiry' : 'chargeback',
        network_reason_code: '83',
      },
    } as unknown as Stripe.Dispute.PaymentMethodDetails,
    reason,
    status,
  })
  tx.change(charge, { disputed: true })
  tx.emit('charge.dispute.created', dispute)
  if (TAKEN[status]) tx.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** Takes a dispute to a status: decided, escalated from an inquiry, appealed. The money follows. */
export function closeDispute(tx: Tx, dispute: Stripe.Dispute, status: Status): Stripe.Dispute {
  const before = dispute.status as Status
  const moved = tx.change(dispute, { status, is_charge_refundable: !TAKEN[status] })
  if (TAKEN[before] && !TAKEN[status]) tx.emit('charge.dispute.funds_reinstated', moved, { status: before })
  if (!TAKEN[before] && TAKEN[status]) tx.emit('charge.dispute.funds_withdrawn', moved, { status: before })
  tx.emit(CLOSED.has(status) ? 'charge.dispute.closed' : 'charge.dispute.updated', moved, { status: before })
  return moved
}

/** The status that submitted evidence leads to. */
const REVIEWED: Partial<Record<Status, Status>> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
  appeal_needs_response: 'appeal_under_review',
}

route('GET', '/v1/disputes/:id', fields({}), ({ tx, path }) => tx.need('dispute', path['id'] ?? ''))
route<{ evidence?: Record<string, string>; metadata?: Stripe.MetadataParam; submit?: boolean }>(
  'POST',
  '/v1/disputes/:id',
  fields({
    evidence: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    metadata: 'MetadataParam',
    submit: 'boolean',
  }),
  ({ tx, path }, params) => {
    const old = tx.need('dispute', path['id'] ?? '')
    const text = params.evidence?.['uncategorized_text']
    // Stripe's test evidence decides the case at once.
    if (text === 'winning_evidence') return closeDispute(tx, old, 'won')
    if (text === 'losing_evidence') return closeDispute(tx, old, 'lost')
    const submitted = params.submit !== false && params.evidence !== undefined
    const dispute = tx.change(old, {
      evidence: { ...old.evidence, ...(params.evidence as Partial<Stripe.Dispute.Evidence>) },
      evidence_details: {
        ...old.evidence_details,
        has_evidence: true,
        submission_count: old.evidence_details.submission_count + (submitted ? 1 : 0),
      },
      metadata: metadata(old.metadata, params.metadata),
      ...(submitted ? { status: REVIEWED[old.status as Status] ?? old.status } : {}),
    })
    tx.emit('charge.dispute.updated', dispute, previous(old, dispute))
    return dispute
  },
)
route('POST', '/v1/disputes/:id/close', fields({}), ({ tx, path }) =>
  closeDispute(tx, tx.need('dispute', path['id'] ?? ''), 'lost'),
)
route<Paging & { charge?: string; payment_intent?: string }>(
  'GET',
  '/v1/disputes',
  listing({ charge: 'string', payment_intent: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'dispute',
      params,
      '/v1/disputes',
      (one) =>
        (params.charge === undefined || idOf(one.charge) === params.charge) &&
        (params.payment_intent === undefined || idOf(one.payment_intent) === params.payment_intent),
    ),
)
