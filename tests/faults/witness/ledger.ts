/** The embedded Stripe's objects as bank statements: one ledger per buyer, from all customers of an address. */
import type { World } from '../world.ts'
import type { Charge, Ledger } from './claims.ts'

/** Subscriptions that charge again by themselves. */
const LIVE = new Set(['trialing', 'active', 'past_due'])

/* eslint-disable @typescript-eslint/no-explicit-any -- Stripe's objects, of which a few fields are read */
const idOf = (value: any): string => value?.id ?? value ?? ''

export type Ledgers = (emails: readonly string[], sessionIds: readonly string[]) => Ledger

/** What disputes have made of a charge. */
function disputesIn(disputes: readonly any[], events: readonly any[]) {
  const inStatus = (status: RegExp) =>
    new Set(disputes.filter((one) => status.test(one.status)).map(({ charge }) => idOf(charge)))
  const [lost, held] = [inStatus(/^(lost|appeal_)/), inStatus(/^(needs_response|under_review)$/)]
  const closed = (status: string) =>
    new Map(
      events
        .filter(({ type, data }) => type === 'charge.dispute.closed' && data.object.status === status)
        .map((one) => [idOf(one.data.object.charge), one.created as number]),
    )
  const [lostAt, wonAt] = [closed('lost'), closed('won')]
  return (charge: string): Pick<Charge, 'lost' | 'held' | 'wonBack'> => {
    const [from, to] = [lostAt.get(charge), wonAt.get(charge)]
    const wonBack = from !== undefined && to !== undefined ? { lost: from, won: to } : undefined
    return { lost: lost.has(charge), held: held.has(charge), wonBack }
  }
}

/** Reads the whole bank once. */
export async function readLedgers(world: World): Promise<Ledgers> {
  const kinds = [
    'customer',
    'payment_intent',
    'setup_intent',
    'charge',
    'refund',
    'dispute',
    'subscription',
    'invoice',
    'invoice_payment',
    'event',
  ]
  const tables = await Promise.all(kinds.map((kind) => world.control('GET', `objects?kind=${kind}&limit=10000000`)))
  const [customers, intents, setups, charges, refunds, disputes, subscriptions, invoices, payments, events] =
    tables.map(({ data }) => data as any[]) as any[][]
  const byId = (list: any[] = []) => new Map(list.map((one) => [one.id as string, one]))
  const invoiceById = byId(invoices)
  const invoiceOf = new Map(
    (payments ?? []).map((one) => [idOf(one.payment.payment_intent), invoiceById.get(idOf(one.invoice))]),
  )
  const failedAt = new Map(
    (events ?? [])
      .filter(({ type }) => type === 'refund.failed')
      .map((one) => [idOf(one.data.object), one.created as number]),
  )
  const refundsOf = Map.groupBy(refunds ?? [], (one) => idOf(one.charge))
  const disputed = disputesIn(disputes ?? [], events ?? [])
  const own = (list: any[] = []) => Map.groupBy(list, (one) => idOf(one.customer))
  // each try has one, also where it leaves no charge
  const failuresOf = Map.groupBy(
    (events ?? []).filter(({ type }) => type === 'invoice.payment_failed'),
    (one) => idOf(one.data.object.customer),
  )
  const [chargesOf, intentsOf, setupsOf, subscriptionsOf] = [
    own(charges),
    own(intents),
    own(setups),
    own(subscriptions),
  ]

  const asCharge = (charge: any): Charge => {
    const intent = idOf(charge.payment_intent)
    const invoice = invoiceOf.get(intent)
    const renewal = invoice !== undefined && invoice.billing_reason !== 'subscription_create'
    return {
      intent,
      amount: charge.amount,
      at: charge.created,
      drawn: renewal ? invoice.created : charge.created,
      renewal,
      refunds: (refundsOf.get(charge.id) ?? []).map(({ id, amount, created, status }) => ({
        amount,
        at: created,
        status,
        failedAt: failedAt.get(id),
      })),
      ...disputed(charge.id),
    }
  }
  return (emails, sessionIds) => {
    const mine = (customers ?? []).filter(
      (one) => emails.includes(one.email) || sessionIds.includes(one.metadata?.session_id),
    )
    const of = (groups: Map<string, any[]>) => mine.flatMap(({ id }) => groups.get(id) ?? [])
    const done = [...of(intentsOf), ...of(setupsOf)].filter(({ status }) => status === 'succeeded')
    return {
      charges: of(chargesOf)
        .filter(({ status, amount }) => status === 'succeeded' && amount > 0)
        .map(asCharge)
        .sort((a, b) => a.at - b.at),
      refused: of(failuresOf).flatMap(({ created, data: { object: bill } }) =>
        bill.billing_reason === 'subscription_create'
          ? []
          : [{ amount: bill.amount_due, at: created, drawn: bill.created, renewal: true }],
      ),
      succeeded: new Set(done.map(({ id }) => id as string)),
      live: of(subscriptionsOf)
        .filter(({ status }) => LIVE.has(status))
        .map(({ id }) => id as string),
    }
  }
}
/* eslint-enable @typescript-eslint/no-explicit-any */
