/**
 * Whose a visit is: when its address was proved by its mailbox (a code, a link that was mailed there), and when the
 * return of a payment opened it or became unable to (P-07, D-12). An address that changes is proved anew.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table sessions add column email_proved_at timestamptz;
    create function forget_email_proof() returns trigger language plpgsql as $$
    begin
      if new.email_proved_at is not distinct from old.email_proved_at then new.email_proved_at := null; end if;
      return new;
    end $$;
    create trigger sessions_email_proof before update of email on sessions for each row
      when (lower(old.email) is distinct from lower(new.email)) execute function forget_email_proof();
    update sessions s set email_proved_at = c.used_at
      from (select subject, email, max(used_at) as used_at from email_codes
        where purpose = 'correct_email' and used_at is not null group by subject, email) c
      where c.subject = s.id::text and lower(c.email) = lower(s.email);

    -- the visit of a payment is opened by its return once, and not at all once its own browser has settled it
    alter table payment_intents add column claimed_at timestamptz;
  `,
    )
    .execute(db)
}
