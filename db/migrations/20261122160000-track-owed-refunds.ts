/**
 * Money that goes back, charge by charge (A-07, H-02, H-05, P-14); disputes as they stand now (P-12); what an erased
 * visit refuses (D-12).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- One row for each charge that is owed back and why. Its state follows from the charge's facts (refunds/standing.ts).
    create table owed_refunds (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      -- returned: a refund made at Stripe by hand that the bank sent back; cancelled: charged after the buyer had cancelled
      cause text not null
        check (cause in ('duplicate', 'undo_add_on', 'money_back', 'erased', 'returned', 'cancelled')),
      money_back_request_id uuid references money_back_requests,
      wanted_cents integer not null check (wanted_cents > 0),
      -- what had gone back of the charge when it was noted
      before_cents integer not null default 0 check (before_cents >= 0),
      -- what the bank has agreed to since
      back_cents integer not null default 0 check (back_cents >= 0 and back_cents <= wanted_cents),
      -- waiting: to be asked for; pending: asked for, the bank has not agreed; settled: by an operator, in another way
      status text not null default 'waiting' check (status in ('waiting', 'pending', 'refunded', 'impossible', 'settled')),
      reason text check (length(reason) <= 500),
      -- times it was opened (again): part of its job's key
      round integer not null default 0,
      -- part of the idempotency key, counted up after every answered refusal; refusals start over with each round
      attempt integer not null default 0,
      refusals integer not null default 0,
      -- refunds of the charge that had failed before it was opened (again)
      forgiven integer not null default 0,
      -- when the buyer was first told what became of it
      told_at timestamptz,
      settled_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique nulls not distinct (payment_intent_id, cause, money_back_request_id),
      check ((status = 'settled') = (settled_by is not null)),
      check ((cause = 'money_back') = (money_back_request_id is not null))
    );
    create index owed_refunds_session on owed_refunds (session_id);
    create index owed_refunds_request on owed_refunds (money_back_request_id);
    create index owed_refunds_impossible on owed_refunds (updated_at) where status = 'impossible';
    create trigger owed_refunds_touch before update on owed_refunds for each row execute function touch_updated_at();

    -- why a refund failed, in Stripe's word
    alter table payment_facts add column detail text;
    alter table payment_facts drop constraint payment_facts_kind_check, add constraint payment_facts_kind_check check (kind in
      ('succeeded', 'failed', 'canceled', 'refund_pending', 'refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost'));

    -- Each dispute as Stripe says it stands now; its history is in the facts, which happen once.
    create table disputes (
      id text primary key,
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      amount_cents integer not null check (amount_cents >= 0),
      currency text not null check (currency ~ '^[a-z]{3}$'),
      status text not null,
      opened_at timestamptz not null,
      updated_at timestamptz not null default now()
    );
    create index disputes_intent on disputes (payment_intent_id);
    create index disputes_session on disputes (session_id);
    create trigger disputes_touch before update on disputes for each row execute function touch_updated_at();
    insert into disputes (id, session_id, payment_intent_id, amount_cents, currency, status, opened_at)
      select f.stripe_id, f.session_id, f.payment_intent_id, f.amount_cents, f.currency,
        case
          when exists (select from payment_facts w where w.stripe_id = f.stripe_id and w.kind = 'dispute_won') then 'won'
          when exists (select from payment_facts l where l.stripe_id = f.stripe_id and l.kind = 'dispute_lost') then 'lost'
          else 'needs_response'
        end, f.occurred_at
      from payment_facts f where f.kind = 'disputed';

    -- open again after a dispute that was lost and then won: for the time that was left when the loss ended it
    alter table subscriptions add column open_until timestamptz;

    -- incomplete: approved, and a charge could not be given back yet; ended_subscription: what the decision ended
    alter table money_back_requests add column ended_subscription text,
      drop constraint money_back_requests_status_check,
      add constraint money_back_requests_status_check
        check (status in ('open', 'refunding', 'refunded', 'incomplete', 'declined'));
    drop index money_back_requests_one_open;
    create unique index money_back_requests_one_open on money_back_requests (session_id)
      where status in ('open', 'refunding', 'incomplete');

    -- Requests that were under way when a visit was erased write nothing into it, and nothing opens it again.
    create index erasures_session on erasures (session_id);
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
