/** Answers, the progress of a visit, and consents: to what, in which words, when (Q-10, C-11, D-13, H-03). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- One row a question, unique by the hash of its name: 36 bytes an entry, whatever the name. Without a foreign key,
    -- which would lock the session's row for every answer: sessions are never deleted, and an answer is written only
    -- where the same statement finds the token.
    create table quiz_answers (
      session_id uuid not null,
      created_at timestamptz not null default now(),
      -- when it was given, by the browser's clock: the later one wins, whatever the order of arrival (Q-10)
      updated_at timestamptz not null default now(),
      question_id text not null check (length(question_id) between 1 and 100),
      answer text not null check (length(answer) <= 10000)
    );
    create unique index quiz_answers_one_a_question on quiz_answers (session_id, hashtextextended(question_id, 0));

    -- the furthest quiz step of a session: 0 Welcome, 1..n. Apart from sessions, whose rows are wide.
    create table session_progress (
      session_key bigint primary key,
      furthest smallint not null check (furthest >= 0),
      updated_at timestamptz not null default now()
    ) with (fillfactor = 80);

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

    -- Writing an answer and withdrawing the consent take turns, visit by visit: an advisory lock, because one of the
    -- visit's row would write to the log with every answer. The choice is read after the wait, when it is committed.
    create function refuse_withdrawn_answer() returns trigger language plpgsql as $$
    declare
      choice record;
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('health ' || new.session_id, 0));
      select granted, recorded_at into choice from consents
        where session_id = new.session_id and kind = 'health' order by id desc limit 1;
      -- given before the withdrawal; clocks of two machines differ by less than this
      if found and not choice.granted and new.updated_at <= choice.recorded_at + interval '10 seconds' then
        return null;
      end if;
      return new;
    end $$;
    create trigger quiz_answers_refuse_withdrawn before insert or update on quiz_answers
      for each row execute function refuse_withdrawn_answer();

    -- H-03: one for each change of words, figures, day or page.
    create table agreements (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      payment_intent_id text not null,
      words text not null,
      version text not null,
      -- {amountNow, firstFullAmount, firstFullDate, period, …} in cents, as shown
      amounts jsonb not null,
      page text not null,
      agreed_at timestamptz not null default now()
    );
    create index agreements_intent on agreements (payment_intent_id, id);
    create index agreements_session on agreements (session_id);
    create trigger agreements_append_only before update on agreements
      for each row execute function forbid_change();
  `,
    )
    .execute(db)
}
