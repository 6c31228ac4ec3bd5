/**
 * H-03: an agreement for each change of words, figures, day or page; the intent and the payment name the one that they
 * were made under. `terms`: the figures for which an intent was opened; one with others takes its place.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table agreements drop constraint agreements_payment_intent_id_version_key;
    create index agreements_intent on agreements (payment_intent_id, id);
    alter table payment_intents add column terms jsonb, add column agreement_id uuid references agreements;
    alter table payments add column agreement_id uuid references agreements;
  `,
    )
    .execute(db)
}
