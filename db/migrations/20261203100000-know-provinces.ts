/** The part of a country that decides a rate, a province of Canada: of a visit's network and of a payment (P-15). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- the front door's code for it, as ON of Canada; of other countries none is kept
    alter table session_metadata add column region text check (region ~ '^[A-Z]{2}$');
    -- by the billing address, else by the network; null: no part of the country is known, or none has a rate of its own
    alter table payments add column tax_region text check (tax_region ~ '^[A-Z]{2}$');
  `,
    )
    .execute(db)
}
