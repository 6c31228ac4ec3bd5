/** The price per period that a subscriber agreed to, so that a later change can be recognised and announced. */
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
