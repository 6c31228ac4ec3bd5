/** D-12: what was erased, and what an erased visit refuses. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- D-12: that something was erased, and nothing of what it was
    create table erasures (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      erased_at timestamptz not null default now()
    );
    create index erasures_session on erasures (session_id);

    -- Requests that were under way when a visit was erased write nothing into it, and nothing opens it again.
    create function refuse_erased() returns trigger language plpgsql as $$
    begin
      if exists (select from erasures where session_id = new.session_id) then
        raise exception 'this visit was erased' using errcode = 'FE410';
      end if;
      return new;
    end $$;
    create function keep_erased() returns trigger language plpgsql as $$
    begin
      if exists (select from erasures where session_id = new.id) then
        raise exception 'this visit was erased' using errcode = 'FE410';
      end if;
      return new;
    end $$;
    create trigger session_access_refuse_erased before insert on session_access
      for each row execute function refuse_erased();
    create trigger session_metadata_refuse_erased before insert on session_metadata
      for each row execute function refuse_erased();
    create trigger customers_refuse_erased before insert on customers
      for each row execute function refuse_erased();
    create trigger customers_keep_erased before update of email, name on customers
      for each row when (new.email not like 'erased-%' or new.name is not null) execute function refuse_erased();
    create trigger users_refuse_erased before insert on users
      for each row execute function refuse_erased();
    create trigger payment_intents_refuse_erased before insert on payment_intents
      for each row when (new.closed_at is null) execute function refuse_erased();
    create trigger subscriptions_refuse_erased before insert on subscriptions
      for each row execute function refuse_erased();
    create trigger payments_keep_erased before update of customer_email, customer_name on payments
      for each row when (new.customer_email is not null or new.customer_name is not null)
      execute function refuse_erased();
    create trigger sessions_keep_erased before update of email, name, client_key on sessions
      for each row when (new.email is not null or new.name is not null or new.client_key is not null)
      execute function keep_erased();
  `,
    )
    .execute(db)
}
