/** What a subscriber agreed to pay for a period, so that a price that is changed later can be told as a change. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- null: from before this column; the next look at Stripe notes what the subscription costs by then
    alter table subscriptions add agreed_cents integer check (agreed_cents >= 0);
  `,
    )
    .execute(db)
}
