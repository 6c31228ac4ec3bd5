/** Both sides of the money at one moment: what the embedded Stripe holds and what the database says. */
import type { World } from './world.ts'

/** A charge that succeeded, or a set-up of value 0, and its purpose. */
export interface Success {
  intentId: string
  sessionId: string
  /** `first`, `upsell:…`, `reading`, `renewal:…` */
  purpose: string
  productId: string
  amount: number
  refunded: number
  lost: boolean
  customerId: string | null
}

export interface StripeSubscription {
  id: string
  sessionId: string
  status: string
  price: number
  trialDays: number | null
  source: string | null
  customerId: string | null
  /** Cancelled: it ends when the paid period does. */
  leaving: boolean
}

/* eslint-disable @typescript-eslint/no-explicit-any -- Stripe's objects, of which a few fields are read */
async function objects(world: World, kind: string): Promise<any[]> {
  return (await world.control('GET', `objects?kind=${kind}&limit=10000000`)).data
}

const idOf = (value: any): string | null => (value === null || value === undefined ? null : (value.id ?? value))

export async function readStripe(world: World) {
  const [customers, intents, setups, charges, subscriptions, invoices, invoicePayments, disputes] = (await Promise.all(
    [
      'customer',
      'payment_intent',
      'setup_intent',
      'charge',
      'subscription',
      'invoice',
      'invoice_payment',
      'dispute',
    ].map((kind) => objects(world, kind)),
  )) as [any[], any[], any[], any[], any[], any[], any[], any[]]
  const byId = (list: any[]) => new Map(list.map((one) => [one.id as string, one]))
  const [intentOf, invoiceOf, subscriptionOf] = [byId(intents), byId(invoices), byId(subscriptions)]
  const invoiceOfIntent = new Map(
    invoicePayments.map((one) => [idOf(one.payment.payment_intent), invoiceOf.get(idOf(one.invoice) ?? '')]),
  )
  const lost = new Set(disputes.filter(({ status }) => status === 'lost').map(({ charge }) => idOf(charge)))

  const successes: Success[] = []
  for (const charge of charges.filter(({ status }) => status === 'succeeded')) {
    const intent = intentOf.get(idOf(charge.payment_intent) ?? '')
    const invoice = invoiceOfIntent.get(intent?.id)
    const subscription = subscriptionOf.get(idOf(invoice?.parent?.subscription_details?.subscription) ?? '')
    const renewal = invoice && invoice.billing_reason !== 'subscription_create'
    const named = invoice ? subscription?.metadata : intent?.metadata
    successes.push({
      intentId: intent?.id,
      sessionId: named?.session_id ?? '',
      purpose: renewal ? `renewal:${invoice.id}` : (named?.purpose ?? ''),
      productId: invoice ? 'monthly' : (named?.product_id ?? ''),
      amount: charge.amount,
      refunded: charge.amount_refunded,
      lost: lost.has(charge.id),
      customerId: idOf(charge.customer),
    })
  }
  for (const setup of setups.filter(({ status, metadata }) => status === 'succeeded' && metadata.purpose)) {
    const { session_id, purpose, product_id } = setup.metadata
    successes.push({
      intentId: setup.id,
      sessionId: session_id,
      purpose,
      productId: product_id,
      amount: 0,
      refunded: 0,
      lost: false,
      customerId: idOf(setup.customer),
    })
  }
  return {
    successes,
    customers: customers.map((one) => ({
      id: one.id as string,
      sessionId: (one.metadata.session_id ?? '') as string,
      email: one.email as string,
    })),
    subscriptions: subscriptions.map((one): StripeSubscription => ({
      id: one.id,
      sessionId: one.metadata.session_id ?? '',
      status: one.status,
      price: one.items.data[0].price.unit_amount,
      trialDays: one.trial_end ? Math.round((one.trial_end - one.trial_start) / 86_400) : null,
      source: one.metadata.source ?? null,
      customerId: idOf(one.customer),
      leaving: one.cancel_at_period_end || one.cancel_at !== null,
    })),
    open: intents
      .filter(({ status, metadata }) => status.startsWith('requires_') && metadata.purpose)
      .map(({ id, metadata }) => ({
        id,
        sessionId: metadata.session_id as string,
        purpose: metadata.purpose as string,
      })),
  }
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export async function readDatabase({ db }: World) {
  const [sessions, customers, intents, payments, subscriptions, grants, outbox, waiting] = await Promise.all([
    db.selectFrom('sessions').select(['id', 'payment_status', 'conversion_status', 'paid_at']).execute(),
    db.selectFrom('customers').select(['session_id', 'email', 'stripe_customer_id']).execute(),
    db
      .selectFrom('payment_intents')
      .select(['session_id', 'purpose', 'stripe_intent_id', 'status', 'closed_at'])
      .execute(),
    db.selectFrom('payments').selectAll().where('settled_at', 'is not', null).execute(),
    db.selectFrom('subscriptions').select(['session_id', 'stripe_subscription_id', 'status']).execute(),
    db
      .selectFrom('product_access_grants')
      .select(['session_id', 'product_id'])
      .where('revoked_at', 'is', null)
      .execute(),
    db.selectFrom('outbox').select(['kind', 'dedupe_key', 'session_id', 'payload', 'sent_at', 'dead_at']).execute(),
    db
      .selectFrom('webhook_events')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('handled_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { sessions, customers, intents, payments, subscriptions, grants, outbox, waitingEvents: Number(waiting.n) }
}

export type StripeBooks = Awaited<ReturnType<typeof readStripe>>
export type DatabaseBooks = Awaited<ReturnType<typeof readDatabase>>
