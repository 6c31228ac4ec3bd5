/** What a payment starts: the subscription, turns for add-ons, and access (A-05, D-10, H-04, P-14, U-03). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
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
      status text not null default 'creating' check (status in ('creating', 'incomplete', 'incomplete_expired',
        'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
      trial_end timestamptz,
      current_period_start timestamptz,
      current_period_end timestamptz,
      cancel_at_period_end boolean not null default false,
      cancel_at timestamptz,
      canceled_at timestamptz,
      ended_at timestamptz,
      -- the next charge by itself, as Stripe plans it; null while nothing is charged
      next_charge_cents integer check (next_charge_cents >= 0),
      next_charge_at timestamptz,
      -- what a failed charge left open
      owed_cents integer check (owed_cents >= 0),
      collection_paused boolean not null default false,
      collection_resumes_at timestamptz,
      -- asked for by the buyer; done once Stripe charges nothing more
      cancel_requested_at timestamptz,
      cancel_done_at timestamptz,
      -- open again after a dispute that was lost and then won: for the time that was left when the loss ended it
      open_until timestamptz,
      -- the address whose one subscription it is, in lower case; none before it is paid or once its buyer is leaving
      subscriber_email text,
      -- when a worker last tried to get on with it, so that no row is tried before all others again
      looked_at timestamptz,
      -- why the subscription is not there yet (the reconciler goes on trying)
      error text,
      version integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index subscriptions_one_live on subscriptions (session_id)
      where status not in ('canceled', 'incomplete_expired');
    create unique index subscriptions_one_an_address on subscriptions (subscriber_email)
      where status not in ('canceled', 'incomplete_expired');
    create index subscriptions_session on subscriptions (session_id);
    create index subscriptions_waiting on subscriptions (updated_at) where status = 'creating';
    create index subscriptions_cancelling on subscriptions (looked_at)
      where cancel_requested_at is not null and cancel_done_at is null;
    create trigger subscriptions_touch before update on subscriptions
      for each row execute function touch_updated_at();

    -- Who charges or takes back add-ons of a session now: one after the other, in every replica (U-03, U-08).
    create table upsell_turns (
      session_id uuid primary key references sessions,
      holder uuid not null,
      -- a replica that died holds nobody up for longer than this
      until timestamptz not null
    );

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
