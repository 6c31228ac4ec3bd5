/** What the page /exit receives: statements that end a subscription or withdraw from a contract (H-02, H-04). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table exit_requests (
      id uuid primary key default uuidv7(),
      -- from here on it counts, whenever it is carried out
      received_at timestamptz not null default now(),
      kind text not null check (kind in ('end', 'withdraw')),
      contract text not null check (contract in ('subscription', 'guides', 'everything')),
      name text not null check (length(name) between 1 and 200),
      -- as it was typed: nobody has proved it
      email text not null check (length(email) between 1 and 254),
      reason text check (length(reason) <= 2000),
      -- where it was sent from, by the proxy's header
      country text,
      -- when it is carried out
      effect_at timestamptz not null,
      -- found by the address when it was carried out
      session_ids uuid[] not null default '{}',
      -- the subscriptions that it ended
      subscription_ids uuid[] not null default '{}',
      taken_back_at timestamptz,
      carried_out_at timestamptz,
      outcome text check (outcome in ('ended', 'withdrawn', 'not_eligible', 'nothing')),
      check ((carried_out_at is null) = (outcome is null)),
      check (taken_back_at is null or outcome is null or outcome = 'ended')
    );
    create index exit_requests_email on exit_requests (lower(email));
    create index exit_requests_sessions on exit_requests using gin (session_ids);
    create index exit_requests_received on exit_requests (received_at);

    -- what a withdrawal is about; a request by the guarantee is about the subscription, by its own rule
    alter table money_back_requests add contract text not null default 'everything'
      check (contract in ('subscription', 'guides', 'everything'));
  `,
    )
    .execute(db)
}
