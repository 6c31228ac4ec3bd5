/**
 * Intents, payments, facts, customers, subscriptions, grants (D-10, architecture "Money").
 * Amounts are integer cents. What must happen once is a constraint here, not a check in a program.
 */
import { type Kysely, sql } from 'kysely'

/** `first`, `upsell:{product}` or `reading`. */
const purpose = `text not null check (purpose ~ '^(first|reading|upsell:[a-z0-9_]+)$')`

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
      unique (session_id, purpose, attempt),
      check (kind = 'setup' or amount_cents > 0)
    );
    create unique index payment_intents_one_open on payment_intents (session_id, purpose) where closed_at is null;
    create trigger payment_intents_touch before update on payment_intents
      for each row execute function touch_updated_at();

    create table subscriptions (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      -- null between claiming the row and Stripe's answer
      stripe_subscription_id text unique,
      stripe_customer_id text,
      product_id text not null,
      price_id text,
      payment_method_id text,
      -- the payment or setup intent that started it
      source_payment_id text unique,
      status text not null default 'creating' check (status in
        ('creating', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
      trial_end timestamptz,
      current_period_start timestamptz,
      current_period_end timestamptz,
      cancel_at_period_end boolean not null default false,
      cancel_at timestamptz,
      canceled_at timestamptz,
      ended_at timestamptz,
      version integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index subscriptions_one_live on subscriptions (session_id)
      where status not in ('canceled', 'incomplete_expired');
    create trigger subscriptions_touch before update on subscriptions
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
      version integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (refunded_cents <= amount_cents),
      check (is_upsell = (purpose like 'upsell:%'))
    );
    create unique index payments_one_settled on payments (session_id, purpose)
      where settled_at is not null and not is_duplicate;
    create index payments_session on payments (session_id);
    create index payments_customer on payments (stripe_customer_id);
    create trigger payments_touch before update on payments for each row execute function touch_updated_at();

    -- What happened to the money, in Stripe's words, never overwritten; access is a pure function of these.
    create table payment_facts (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      kind text not null check (kind in
        ('succeeded', 'failed', 'canceled', 'refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost')),
      -- the charge, refund or dispute at Stripe
      stripe_id text not null,
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

    create table product_access_grants (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      customer_email text,
      product_id text not null,
      granted_via text not null check (granted_via in
        ('initial_purchase', 'upsell', 'paypal_trial_subscription', 'reading', 'operator')),
      source_payment_id text,
      granted_at timestamptz not null default now(),
      revoked_at timestamptz,
      revoked_reason text,
      check ((revoked_at is null) = (revoked_reason is null))
    );
    create unique index product_access_grants_one_live on product_access_grants (session_id, product_id)
      where revoked_at is null;
    create index product_access_grants_payment on product_access_grants (source_payment_id);

    -- Gives access once per session and product; a repeated call returns the grant that stands.
    create function grant_product_access(
      p_session_id uuid, p_customer_email text, p_product_id text, p_granted_via text, p_source_payment_id text
    ) returns uuid language sql as $$
      insert into product_access_grants as g (session_id, customer_email, product_id, granted_via, source_payment_id)
      values (p_session_id, lower(p_customer_email), p_product_id, p_granted_via, p_source_payment_id)
      on conflict (session_id, product_id) where revoked_at is null
      do update set customer_email = coalesce(g.customer_email, excluded.customer_email)
      returning id
    $$;
  `,
    )
    .execute(db)
}
