/** Who agreed to what, in which words, when (C-11, D-13, H-03). Appended, never changed. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table consents (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      kind text not null check (kind in ('marketing', 'health', 'advertising', 'analytics')),
      granted boolean not null,
      -- the words that stood beside the box, and whether it was ticked before the visitor came
      wording text not null,
      wording_version text,
      preticked boolean not null default false,
      country text,
      page text not null,
      recorded_at timestamptz not null default now()
    );
    create index consents_session on consents (session_id, kind, id desc);
    create trigger consents_append_only before update or delete on consents
      for each row execute function forbid_change();

    create table agreements (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      words text not null,
      version text not null,
      -- {amountNow, firstFullAmount, firstFullDate, period, …} in cents, as shown
      amounts jsonb not null,
      page text not null,
      agreed_at timestamptz not null default now(),
      unique (payment_intent_id, version)
    );
    create index agreements_session on agreements (session_id);
    create trigger agreements_append_only before update on agreements
      for each row execute function forbid_change();
  `,
    )
    .execute(db)
}
