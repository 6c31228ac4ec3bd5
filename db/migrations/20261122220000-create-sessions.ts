/** The session, what opens it, and what is known about the visit (D-01, D-05, D-07). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create function touch_updated_at() returns trigger language plpgsql as $$
    begin
      new.updated_at := now();
      return new;
    end $$;

    create function forbid_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;

    create table sessions (
      id uuid primary key default gen_random_uuid(),
      -- event tables carry this short key instead of the uuid: 113 instead of 142 bytes a row (measured)
      key bigint generated always as identity unique,
      -- chosen by the browser, so that a repeated creation finds the first one (D-03)
      client_key text unique check (length(client_key) between 8 and 100),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_activity_at timestamptz not null default now(),
      is_bot boolean not null default false,
      email text check (length(email) <= 320),
      -- by a code or a link that was mailed there; an address that changes is proved anew (P-07, D-12)
      email_proved_at timestamptz,
      name text check (length(name) <= 200),
      selected_price_cents integer check (selected_price_cents > 0),
      pricing_data text,
      payment_status text not null default 'unpaid'
        check (payment_status in ('unpaid', 'paid', 'refunded', 'disputed')),
      paid_at timestamptz,
      payment_method text,
      payment_method_id text,
      customer_id text,
      stripe_payment_method_id text,
      payment_intent_id text,
      stripe_subscription_id text,
      quiz_completed_at timestamptz,
      quiz_completion_time integer check (quiz_completion_time >= 0),
      starseed_type text,
      starseed_name text,
      starseed_description text,
      checkout_opened_at timestamptz,
      exit_intent_at timestamptz,
      conversion_status text check (conversion_status in ('converted', 'abandoned')),
      abandoned_at timestamptz,
      -- the add-ons page was left, by buying or by Skip (C-02 sends a returning buyer to the page after it)
      upsell_finished_at timestamptz,
      upsell_outcome text check (upsell_outcome in ('skipped', 'completed')),
      check (payment_status = 'unpaid' or paid_at is not null)
    );
    create index sessions_created_at on sessions (created_at desc);
    -- an operator types how an address begins: equal and "like 'ann%'" in any collation
    create index sessions_email on sessions (lower(email) text_pattern_ops) where email is not null;
    -- what the abandonment job looks for (D-09)
    create index sessions_open_checkouts on sessions (last_activity_at)
      where checkout_opened_at is not null and conversion_status is null;
    -- whom to remind (C-11)
    create index sessions_abandoned on sessions (abandoned_at) where conversion_status = 'abandoned';
    -- what changed since the counts were made; a summarizing index keeps updates of the row cheap (HOT)
    create index sessions_updated_at on sessions using brin (updated_at)
      with (autosummarize = on, pages_per_range = 16);
    create trigger sessions_touch before update on sessions for each row execute function touch_updated_at();

    create function forget_email_proof() returns trigger language plpgsql as $$
    begin
      if new.email_proved_at is not distinct from old.email_proved_at then new.email_proved_at := null; end if;
      return new;
    end $$;
    create trigger sessions_email_proof before update of email on sessions for each row
      when (lower(old.email) is distinct from lower(new.email)) execute function forget_email_proof();

    create table session_metadata (
      session_id uuid primary key references sessions on delete cascade,
      user_agent text,
      referer text,
      utm_source text,
      utm_medium text,
      utm_campaign text,
      utm_content text,
      utm_term text,
      -- the bare utm of the advertorial's links (L-06)
      utm text,
      fbclid text,
      -- Meta's own ids in the browser
      fbc text,
      fbp text,
      -- {utm_source, …, fbclid, url, at}: the first and the last touch, 90 days (L-06)
      first_touch jsonb,
      last_touch jsonb,
      device_type text,
      browser text,
      os text,
      screen_resolution text,
      timezone text,
      language text,
      country text,
      city text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create trigger session_metadata_touch before update on session_metadata
      for each row execute function touch_updated_at();

    create table session_access (
      -- SHA-256 of the 256-bit token; the token itself is never stored
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      session_id uuid not null references sessions on delete cascade,
      kind text not null check (kind in ('browser', 'handover', 'link', 'payment_return')),
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz,
      -- the token this one was made from ends when this one is first used, so that a lost reply locks nobody out
      replaces bytea check (octet_length(replaces) = 32)
    );
    create index session_access_session on session_access (session_id);

    create table handover_codes (
      code_hash bytea primary key check (octet_length(code_hash) = 32),
      session_id uuid not null references sessions on delete cascade,
      -- the token that asked; it dies when the code is used
      token_hash bytea not null check (octet_length(token_hash) = 32),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index handover_codes_session on handover_codes (session_id);
  `,
    )
    .execute(db)
}
