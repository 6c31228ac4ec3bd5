/** Refunds: what buyers request, and what is owed, charge by charge (A-07, H-02, H-05, P-14). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Requests for money back: by the guarantee (A-07) or by the right to withdraw (H-02). An operator decides.
    create table money_back_requests (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      kind text not null check (kind in ('guarantee', 'withdrawal')),
      -- incomplete: approved, and a charge could not be given back yet
      status text not null default 'open' check (status in ('open', 'refunding', 'refunded', 'incomplete', 'declined')),
      -- what the rule gives back, in cents, when it was asked for
      amount_cents integer not null check (amount_cents >= 0),
      listened_sessions integer not null check (listened_sessions >= 0),
      first_paid_at timestamptz not null,
      requested_at timestamptz not null default now(),
      answer_by timestamptz not null,
      decided_at timestamptz,
      decided_by text,
      -- one sentence for the buyer, when declined
      decision_reason text check (length(decision_reason) <= 1000),
      refunded_cents integer check (refunded_cents >= 0),
      -- the subscription that the decision ended
      ended_subscription text,
      check ((status = 'open') = (decided_at is null)),
      check (status <> 'declined' or decision_reason is not null)
    );
    create unique index money_back_requests_one_open on money_back_requests (session_id)
      where status in ('open', 'refunding', 'incomplete');
    create index money_back_requests_waiting on money_back_requests (requested_at) where status = 'open';

    -- One row for each charge that is owed back, and why. Its state follows from the charge's facts (refunds/).
    create table owed_refunds (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      -- returned: a refund made by hand at Stripe that the bank sent back; cancelled: charged after a cancellation
      cause text not null
        check (cause in ('duplicate', 'undo_add_on', 'money_back', 'erased', 'returned', 'cancelled')),
      money_back_request_id uuid references money_back_requests,
      wanted_cents integer not null check (wanted_cents > 0),
      -- what had gone back of the charge when it was noted
      before_cents integer not null default 0 check (before_cents >= 0),
      -- what the bank has agreed to since
      back_cents integer not null default 0 check (back_cents >= 0 and back_cents <= wanted_cents),
      -- waiting: to be asked for; pending: asked for, the bank has not agreed; settled: by an operator, in another way
      status text not null default 'waiting'
        check (status in ('waiting', 'pending', 'refunded', 'impossible', 'settled')),
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
  `,
    )
    .execute(db)
}
