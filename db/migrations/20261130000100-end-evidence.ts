/** Evidence of consents and agreements has an end (H-03, D-13): until then it stays append-only. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- the upkeep alone deletes, and nothing younger than evidence has to be (payments-service/privacy/evidence.ts)
    create function keep_consents() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and old.recorded_at < now() - interval '36 months' then
        return old;
      end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    drop trigger consents_append_only on consents;
    create trigger consents_append_only before update or delete on consents
      for each row execute function keep_consents();

    -- an agreement that ends is looked for in what was paid under it
    create index payments_agreement on payments (agreement_id) where agreement_id is not null;
    create index payment_intents_agreement on payment_intents (agreement_id) where agreement_id is not null;
  `,
    )
    .execute(db)
}
