/**
 * What the service itself needs: where a session stands after the payment, token lineage, renewals among the payments.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- the add-ons page was left, by buying or by Skip (C-02 sends a returning buyer to the page after it)
    alter table sessions add column upsell_finished_at timestamptz;
    alter table sessions add column upsell_outcome text check (upsell_outcome in ('skipped', 'completed'));

    -- the token this one was made from: it ends when the new one is used for the first time, so a lost reply locks nobody out
    alter table session_access add column replaces bytea check (octet_length(replaces) = 32);

    -- a renewal is a charge too; its purpose carries the invoice, so each is settled once
    alter table payments drop constraint payments_purpose_check;
    alter table payments add constraint payments_purpose_check
      check (purpose ~ '^(first|reading|upsell:[a-z0-9_]+|renewal:in_[A-Za-z0-9_]+)$');

    -- why the subscription is not there yet (the reconciler goes on trying)
    alter table subscriptions add column error text;
    create index subscriptions_session on subscriptions (session_id);
    create index subscriptions_waiting on subscriptions (updated_at) where status = 'creating';
  `,
    )
    .execute(db)
}
