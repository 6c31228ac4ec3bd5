/** P-10: charges at Stripe that name this installation but whose visit is not in the database (a restored backup). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table charges_without_visit (
      payment_intent_id text primary key,
      -- as the metadata name it; the visit is made anew under this id
      session_id uuid not null references sessions,
      purpose text not null,
      product_id text not null,
      amount_cents integer not null check (amount_cents >= 0),
      currency text not null check (currency ~ '^[a-z]{3}$'),
      -- as Stripe's customer has it
      email text check (length(email) <= 320),
      stripe_customer_id text,
      stripe_subscription_id text,
      charged_at timestamptz not null,
      -- returned: paid back, and its subscription ended
      outcome text not null check (outcome in ('adopted', 'returned')),
      -- what adoption lacked
      reason text,
      found_at timestamptz not null default now(),
      check ((outcome = 'returned') = (reason is not null))
    );
    create index charges_without_visit_session on charges_without_visit (session_id);
    create index charges_without_visit_found on charges_without_visit (found_at desc);

    alter table owed_refunds drop constraint owed_refunds_cause_check;
    alter table owed_refunds add constraint owed_refunds_cause_check check (cause in
      ('duplicate', 'undo_add_on', 'money_back', 'erased', 'returned', 'cancelled', 'no_visit'));
  `,
    )
    .execute(db)
}
