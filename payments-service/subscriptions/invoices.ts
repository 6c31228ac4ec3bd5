import { sql } from 'kysely'
import { PRODUCT_IDS, RENEWAL_DAYS } from '../../contract/catalogue.ts'
import type { InvoiceLine, InvoiceView } from '../../contract/members.ts'
import { productWords } from '../../contract/product-words.ts'
import { taxBack } from '../../contract/tax/split.ts'
import { periodAfter, termsOf } from '../../contract/terms.ts'
import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { paidOtherwise } from '../refunds/owed.queries.ts'
import { TAKEN } from '../stripe/dispute-status.ts'
import { shareOf, TAX_COLUMNS } from '../tax/share.ts'
import { periodOf } from './state.ts'

const COLUMNS = [
  'payments.id',
  'payments.session_id',
  'settled_at',
  'payments.product_id',
  'payments.amount_cents',
  'refunded_cents',
  'payment_method_id',
  'payments.purpose',
  'period_start',
  'period_end',
] as const

/** What the bank gave back after a dispute, in cents. */
const RETURNED = sql<number>`(
  select coalesce(sum(d.amount_cents), 0)::int from disputes d
  where d.payment_intent_id = payments.payment_intent_id and d.status = any(${TAKEN})
)`.as('returned_cents')

const OTHERWISE = paidOtherwise(sql.ref('payments.payment_intent_id')).as('otherwise_cents')

interface Paid {
  id: string
  session_id: string
  settled_at: Date | null
  product_id: string
  amount_cents: number
  refunded_cents: number
  returned_cents: number
  otherwise_cents: number
  purpose: string
  /** Of a renewal, as its invoice at Stripe said. */
  period_start: Date | null
  period_end: Date | null
}

const isRenewal = ({ purpose }: Paid): boolean => purpose.startsWith('renewal:')

/** What was bought, as mails and pages call it. */
function wordsOf(row: Paid): string {
  if (isRenewal(row)) return renewalWords(row)
  const id = PRODUCT_IDS.find((one) => one === row.product_id)
  return id ? productWords(id) : 'Order'
}

/** H-01: an operator may have moved the subscription to a price of another interval. */
function renewalWords({ period_start: start, period_end: end }: Paid): string {
  const days = start && end ? Math.round((end.getTime() - start.getTime()) / DAY) : RENEWAL_DAYS
  const isMonth = days >= 28 && days <= 31
  return isMonth ? productWords('monthly') : `Subscription for ${days} ${days === 1 ? 'day' : 'days'}`
}

const paidRows = ({ db }: Pick<Deps, 'db'>) =>
  db
    .selectFrom('payments')
    .leftJoin('payment_intents', 'payment_intents.stripe_intent_id', 'payments.payment_intent_id')
    .select([...COLUMNS, RETURNED, OTHERWISE])
    .where('settled_at', 'is not', null)

const lineOf = (row: Paid): InvoiceLine => ({
  id: row.id,
  at: (row.settled_at ?? new Date(0)).toISOString(),
  what: wordsOf(row),
  amount: row.amount_cents,
  refunded: refundedOf(row),
  returned: row.returned_cents,
})

/** By refunds and in another way: no more than is left of what the bank took. */
function refundedOf({ amount_cents: amount, refunded_cents: refunded, ...back }: Paid): number {
  return refunded + Math.max(0, Math.min(back.otherwise_cents, amount - refunded - back.returned_cents))
}

/** every charge of some visits, newest first; value-0 starts are not charges. */
export async function listInvoices(deps: Deps, sessionIds: readonly string[]): Promise<InvoiceLine[]> {
  if (sessionIds.length === 0) return []
  const rows = await paidRows(deps)
    .where('payments.session_id', 'in', sessionIds)
    .where('payments.amount_cents', '>', 0)
    .orderBy('settled_at', 'desc')
    .orderBy('payments.id', 'desc')
    .execute()
  return rows.map(lineOf)
}

/**
 * One of them as a page that can be printed. `sessionIds` null: a signed link names this
 * very payment. Throws not_found.
 */
export async function viewInvoice(
  deps: Deps,
  id: string,
  sessionIds: readonly string[] | null,
  by: Deadline | undefined,
): Promise<InvoiceView> {
  const row = await paidRows(deps)
    .select([...TAX_COLUMNS, 'customer_email', 'customer_name'])
    .where('payments.id', '=', id)
    .executeTakeFirst()
  if (!row || (sessionIds && !sessionIds.includes(row.session_id))) throw new AppError('not_found')
  const line = lineOf(row)
  const taxIn = (back: number) => taxBack({ amount: row.amount_cents, tax: row.tax_cents }, back)
  const taxRefunded = taxIn(line.refunded)
  return {
    ...line,
    // the date comes first, so that numbers follow the days; the end of the id distinguishes charges of one day
    number: `${line.at.slice(0, 10).replaceAll('-', '')}-${row.id.replaceAll('-', '').slice(-6).toUpperCase()}`,
    tax: shareOf(row),
    taxRefunded,
    taxReturned: taxIn(line.refunded + line.returned) - taxRefunded,
    email: row.customer_email,
    name: row.customer_name,
    paidWith: await deps.methods.faceOf(row.payment_method_id, by),
    period: await paidPeriod(deps, row),
  }
}

/** What the first payment paid for is as it was ordered. */
async function paidPeriod(deps: Deps, row: Paid): Promise<InvoiceView['period']> {
  const from = row.settled_at
  const id = PRODUCT_IDS.find((one) => one === row.product_id)
  if (!from || !id) return null
  if (isRenewal(row)) return renewedPeriod(deps, row, from)
  const to = termsOf(id, from)?.paidUntil
  return to ? { from: from.toISOString(), to: to.toISOString() } : null
}

/** By the invoice at Stripe; where that named none, by how often the subscription is charged. */
async function renewedPeriod({ db }: Deps, row: Paid, paidAt: Date): Promise<InvoiceView['period']> {
  const from = row.period_start ?? paidAt
  if (row.period_end) return { from: from.toISOString(), to: row.period_end.toISOString() }
  const subscription = await db
    .selectFrom('subscriptions')
    .select(['period_unit', 'period_count'])
    .where('session_id', '=', row.session_id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return { from: from.toISOString(), to: periodAfter(from, periodOf(subscription ?? null)).toISOString() }
}
