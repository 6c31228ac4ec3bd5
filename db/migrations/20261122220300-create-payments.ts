/**
 * Customers, intents, payments, and what happened to the money (D-10). Amounts are integer cents. What must happen once
 * is a constraint here, not a check in a program.
 */
import { type Kysely, sql } from 'kysely'

/** `first`, `upsell:{product}`, `reading`, or `renewal:{invoice}`: each is settled once. */
const purpose = `text not null check (purpose ~ '^(first|reading|upsell:[a-z0-9_]+|renewal:in_[A-Za-z0-9_]+)$')`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table customers (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      email text not null check (email = lower(email) and length(email) <= 320),
      name text check (length(name) <= 200),
      -- null between claiming the row and Stripe's answer: two calls at once claim one row (P-01)
      stripe_customer_id text unique,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (session_id, email)
    );
    create trigger customers_touch before update on customers for each row execute function touch_updated_at();

    -- What was asked of Stripe. One open one per session and purpose, updated in place (P-02).
    create table payment_intents (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      purpose ${purpose},
      -- the idempotency key at Stripe is derived from session, purpose and attempt, never from a request
      attempt integer not null default 1 check (attempt > 0),
      kind text not null default 'payment' check (kind in ('payment', 'setup')),
      stripe_intent_id text unique,
      stripe_customer_id text,
      product_id text not null,
      price_id text,
      amount_cents integer not null check (amount_cents >= 0),
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      payment_method text not null default 'card' check (payment_method in ('card', 'paypal')),
      status text not null default 'creating',
      version integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      closed_at timestamptz,
      -- H-03: the figures it was opened for (one with others takes its place), and the agreement it was made under
      terms jsonb,
      agreement_id uuid references agreements,
      -- a keyed digest of where it was opened from, against cards that are tried out
      opened_from text,
      -- its visit is opened by the return of the payment once, and not at all once its own browser has settled it
      claimed_at timestamptz,
      -- the period that a renewal paid for
      period_start timestamptz,
      period_end timestamptz,
      unique (session_id, purpose, attempt),
      check (kind = 'setup' or amount_cents > 0)
    );
    create unique index payment_intents_one_open on payment_intents (session_id, purpose) where closed_at is null;
    create index payment_intents_origin on payment_intents (opened_from, created_at) where opened_from is not null;
    create trigger payment_intents_touch before update on payment_intents
      for each row execute function touch_updated_at();

    -- The record of a charge. A second success for a purpose is recorded too, as a duplicate (P-14).
    create table payments (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      purpose ${purpose},
      amount_cents integer not null check (amount_cents >= 0),
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      payment_method_id text,
      payment_method text,
      -- Stripe's payment intent (pi_…) or, for the value-0 PayPal start, setup intent (seti_…)
      payment_intent_id text not null unique,
      charge_id text unique,
      stripe_customer_id text,
      customer_email text,
      customer_name text,
      status text not null,
      product_id text not null,
      price_id text,
      is_upsell boolean not null default false,
      is_trial boolean not null default false,
      is_duplicate boolean not null default false,
      subscription_id text,
      refunded_cents integer not null default 0 check (refunded_cents >= 0),
      settled_at timestamptz,
      agreement_id uuid references agreements,
      -- L-06: where the buyer had come from when it was made, whatever happens to the session later
      attribution jsonb,
      version integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (refunded_cents <= amount_cents),
      check (is_upsell = (purpose like 'upsell:%'))
    );
    create unique index payments_one_settled on payments (session_id, purpose)
      where settled_at is not null and not is_duplicate;
    -- first payments of late, whose subscription may be missing
    create index payments_first_settled on payments (settled_at)
      where purpose = 'first' and settled_at is not null and not is_duplicate;
    create index payments_session on payments (session_id);
    create index payments_customer on payments (stripe_customer_id);
    create trigger payments_touch before update on payments for each row execute function touch_updated_at();

    create function keep_payment_attribution() returns trigger language plpgsql as $$
    begin
      new.attribution := coalesce(new.attribution, (
        select jsonb_strip_nulls(jsonb_build_object(
          'first', m.first_touch, 'last', m.last_touch, 'fbc', m.fbc, 'fbp', m.fbp))
        from session_metadata m where m.session_id = new.session_id));
      return new;
    end $$;
    create trigger payments_attribution before insert on payments
      for each row execute function keep_payment_attribution();

    -- What happened to the money, in Stripe's words, never overwritten; access is a pure function of these.
    create table payment_facts (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      kind text not null check (kind in
        ('succeeded', 'failed', 'canceled', 'refund_pending', 'refunded', 'refund_failed',
        'disputed', 'dispute_won', 'dispute_lost')),
      -- the charge, refund or dispute at Stripe
      stripe_id text not null,
      -- why a refund failed, in Stripe's word
      detail text,
      amount_cents integer not null check (amount_cents >= 0),
      currency text not null check (currency ~ '^[a-z]{3}$'),
      occurred_at timestamptz not null,
      recorded_at timestamptz not null default now(),
      unique (stripe_id, kind)
    );
    create index payment_facts_intent on payment_facts (payment_intent_id);
    create index payment_facts_session on payment_facts (session_id);
    create trigger payment_facts_append_only before update or delete on payment_facts
      for each row execute function forbid_change();

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
  `,
    )
    .execute(db)
}
