/** the price of a period in the next charge, before discounts and single sums. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table subscriptions add next_price_cents integer check (next_price_cents >= 0)').execute(db)
}
