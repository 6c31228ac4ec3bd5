/** H-01: how often a running subscription is charged, which an operator may change at Stripe. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- null: not read since this is known, so as it was ordered
    alter table subscriptions
      add period_unit text check (period_unit in ('day', 'week', 'month', 'year')),
      add period_count integer check (period_count > 0);
  `,
    )
    .execute(db)
}
