import { sql } from 'kysely'
import { taxName } from '../../contract/tax/rates.ts'
import { taxBack } from '../../contract/tax/split.ts'
import type { TaxShare } from '../../contract/tax-words.ts'
import type { Database } from '../../db/connect.ts'

/** A payment's columns about its tax. */
export const TAX_COLUMNS = ['tax_basis', 'tax_country', 'tax_rate', 'net_cents', 'tax_cents'] as const

interface Taxed {
  tax_basis: string
  tax_country: string | null
  tax_rate: number
  net_cents: number
  tax_cents: number
}

/** What receipts say of the tax in a payment; null where none was taken out, or nothing was paid. */
export function shareOf(row: Taxed | undefined): TaxShare | null {
  if (row?.tax_basis !== 'rate' || !row.tax_country || row.net_cents + row.tax_cents === 0) return null
  return {
    name: taxName(row.tax_country),
    country: row.tax_country,
    rate: row.tax_rate,
    netAmount: row.net_cents,
    taxAmount: row.tax_cents,
  }
}

/** The same by the payment's intent, for mails. */
export async function shareOfIntent(db: Database, intentId: string | null): Promise<TaxShare | null> {
  if (!intentId) return null
  return shareOf(
    await db.selectFrom('payments').select(TAX_COLUMNS).where('payment_intent_id', '=', intentId).executeTakeFirst(),
  )
}

/**
 * The tax that one refund gives back: what all up to it give back, less what those before it do, in the order in which
 * they were recorded, so that the mails about them add up also where an earlier one was pending for longer.
 */
export async function taxInRefund(db: Database, intentId: string, refundId: string): Promise<number> {
  const { rows } = await sql<{ amount: number; tax: number; before: number; own: number }>`
    select p.amount_cents as amount, p.tax_cents as tax, f.amount_cents as own,
      (select coalesce(sum(b.amount_cents), 0)::int from payment_facts b
        where b.payment_intent_id = f.payment_intent_id and b.kind = 'refunded'
          and b.id < f.id
          and not exists (select from payment_facts x where x.stripe_id = b.stripe_id and x.kind = 'refund_failed')
      ) as before
    from payments p join payment_facts f on f.payment_intent_id = p.payment_intent_id
    where p.payment_intent_id = ${intentId} and f.stripe_id = ${refundId} and f.kind = 'refunded'`.execute(db)
  const found = rows[0]
  if (!found) return 0
  const upTo = Math.min(found.amount, found.before + found.own)
  return taxBack(found, upTo) - taxBack(found, Math.min(found.amount, found.before))
}
