import { CURRENCY } from '../../contract/money.ts'
import type { Deps } from '../deps.ts'
import { dollars, html, type Markup, table, visitLink } from './html.ts'

/** P-10: the charges whose visit was not in the database, newest first, and what became of each. */
export async function lostVisitsSection({ db }: Deps): Promise<Markup> {
  const rows = await db.selectFrom('charges_without_visit').selectAll().orderBy('found_at', 'desc').limit(200).execute()
  return table(
    `Charges found without their visit (${rows.length})`,
    ['Found', 'Charged', 'Who', 'Amount', 'What became of it', 'At Stripe'],
    rows.map((row) => [
      row.found_at,
      row.charged_at,
      visitLink(row.session_id, row.email),
      `${dollars(row.amount_cents)}${row.currency === CURRENCY ? '' : ` (${row.currency})`}`,
      row.reason
        ? html`<span class="long bad">paid back: ${row.reason}</span>`
        : 'adopted: the visit was made anew from what Stripe knows',
      [row.payment_intent_id, row.stripe_customer_id, row.stripe_subscription_id]
        .filter((id) => id !== null)
        .map((id) => html`${id}<br />`),
    ]),
    'Every charge has its visit. One that has none is left by a restored backup.',
  )
}
