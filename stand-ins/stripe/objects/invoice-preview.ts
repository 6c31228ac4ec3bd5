// A preview of a subscription's next invoice.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { StripeFail } from '../http/errors.ts'
import { fields } from '../schemas.ts'
import { idOf } from '../types.ts'
import { letters } from '../ids.ts'
import { invoiceOf } from './invoice-build.ts'
import { waitingItems } from './invoice-items.ts'
import { periodFrom, periodLines } from './subscription-build.ts'

/**
 * API reference, "Create a preview invoice": none for a subscription that ends before it would bill again, unless
 * something is pending.
 */
const none = (): StripeFail =>
  new StripeFail(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: 'No upcoming invoices for customer',
  })

route<Stripe.InvoiceCreatePreviewParams>(
  'POST',
  '/v1/invoices/create_preview',
  fields({ subscription: 'string', customer: 'string' }),
  ({ tx }, params) => {
    const subscription = tx.need('subscription', params.subscription ?? '', 'subscription')
    const end = subscription.items.data[0]?.current_period_end ?? tx.now()
    const live = ['trialing', 'active', 'past_due', 'unpaid'].includes(subscription.status)
    const customer = tx.need('customer', idOf(subscription.customer) ?? '')
    const waiting = waitingItems(tx, customer.id)
    const leaving = subscription.cancel_at !== null && subscription.cancel_at <= end
    if (!live || (leaving && waiting.length === 0)) throw none()
    const next = periodFrom(subscription, end)
    const renewed: Stripe.Subscription = {
      ...subscription,
      status: 'active',
      items: {
        ...subscription.items,
        data: subscription.items.data.map((item) => ({
          ...item,
          current_period_start: end,
          current_period_end: next.end,
        })),
      },
    }
    const invoice = invoiceOf(
      tx,
      {
        customer,
        reason: 'upcoming',
        currency: subscription.currency,
        lines: [
          ...(leaving ? [] : periodLines(tx, renewed, next.share)),
          ...waiting.map(({ id, amount, currency, description, period }) => ({
            amount,
            currency,
            description,
            period,
            invoiceItem: id,
          })),
        ],
        period: { start: subscription.items.data[0]?.current_period_start ?? end, end },
        subscription,
        autoAdvance: true,
        finalizesAt: null,
      },
      `upcoming_in_1${letters(23)}`,
    )
    const paused = subscription.pause_collection !== null
    return {
      ...invoice,
      created: end,
      next_payment_attempt: paused ? null : end + tx.state.account.draft_seconds,
    }
  },
)
