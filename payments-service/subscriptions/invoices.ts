import { sql } from 'kysely'
import { product, PRODUCT_IDS, RENEWAL_DAYS, TRIAL_DAYS } from '../../contract/catalogue.ts'
import type { InvoiceLine, InvoiceView } from '../../contract/members.ts'
import { productWords } from '../../contract/product-words.ts'
import { taxBack } from '../../contract/tax/split.ts'
import { oneMonthAhead } from '../../contract/terms.ts'
import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { TAKEN } from '../stripe/dispute-status.ts'
import { shareOf, TAX_COLUMNS } from '../tax/share.ts'

const COLUMNS = [
  'id',
  'session_id',
  'settled_at',
  'product_id',
  'amount_cents',
  'refunded_cents',
  'payment_method_id',
  'purpose',
] as const

/** What the bank gave back after a dispute, in cents. */
const RETURNED = sql<number>`(
  select coalesce(sum(d.amount_cents), 0)::int from disputes d
  where d.payment_intent_id = payments.payment_intent_id and d.status = any(${TAKEN})
)`.as('returned_cents')

interface Paid {
  id: string
  settled_at: Date | null
  product_id: string
  amount_cents: number
  refunded_cents: number
  returned_cents: number
  purpose: string
}

/** What was bought, as mails and pages call it. */
function wordsOf({ product_id, purpose }: Paid): string {
  const id = PRODUCT_IDS.find((one) => one === product_id)
  if (!id) return 'Order'
  return productWords(purpose.startsWith('renewal:') ? 'monthly' : id)
}

const lineOf = (row: Paid): InvoiceLine => ({
  id: row.id,
  at: (row.settled_at ?? new Date(0)).toISOString(),
  what: wordsOf(row),
  amount: row.amount_cents,
  refunded: row.refunded_cents,
  returned: row.returned_cents,
})

/** every charge of some visits, newest first; value-0 starts are not charges. */
export async function listInvoices({ db }: Deps, sessionIds: readonly string[]): Promise<InvoiceLine[]> {
  if (sessionIds.length === 0) return []
  const rows = await db
    .selectFrom('payments')
    .select([...COLUMNS, RETURNED])
    .where('session_id', 'in', sessionIds)
    .where('settled_at', 'is not', null)
    .where('amount_cents', '>', 0)
    .orderBy('settled_at', 'desc')
    .orderBy('id', 'desc')
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
  const row = await deps.db
    .selectFrom('payments')
    .select([...COLUMNS, RETURNED, ...TAX_COLUMNS, 'customer_email', 'customer_name'])
    .where('id', '=', id)
    .where('settled_at', 'is not', null)
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
    period: periodOf(row),
  }
}

function periodOf(row: Paid): InvoiceView['period'] {
  const from = row.settled_at
  const id = PRODUCT_IDS.find((one) => one === row.product_id)
  if (!from || !id) return null
  const { kind } = product(id)
  const days = (count: number) => new Date(from.getTime() + count * DAY)
  const to =
    kind === 'trial'
      ? days(TRIAL_DAYS)
      : kind === 'special_offer'
        ? oneMonthAhead(from)
        : kind === 'monthly'
          ? days(RENEWAL_DAYS)
          : null
  return to && { from: from.toISOString(), to: to.toISOString() }
}
