/**
 * What operators looked at and did (N-02, D-12): who, when, which page or act, and the id of whose or what. Ids alone,
 * so that erasing a visitor leaves nothing of a person here. Rows are appended; they end by age, as events do.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table operator_trail (
      id uuid primary key default uuidv7(),
      at timestamptz not null default now(),
      operator_id text not null references operator_user,
      -- method and template of the address, or what became of a sign-in
      action text not null check (length(action) between 1 and 100),
      -- id of a visit, a mail, a refund, an event of Stripe's
      subject text check (subject ~ '^[A-Za-z0-9_-]{1,64}$')
    );
    create index operator_trail_subject on operator_trail (subject, id desc) where subject is not null;

    create function keep_operator_trail() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and old.at < now() - interval '1 month' then return old; end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger operator_trail_append_only before update or delete on operator_trail
      for each row execute function keep_operator_trail();
  `,
    )
    .execute(db)
}
